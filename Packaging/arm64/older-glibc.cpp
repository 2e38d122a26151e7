// The functions of glibc 2.38 and of GCC 13's libstdc++ that Debian unstable's static Swift libraries need and Debian
// 12 lacks, written with functions that it has. Scripts/build-arm64 links them into the program.

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>  // Initialises std::cout and its like; GCC 12's does so in each file that includes it.

extern "C" {

// C23's variants also accept binary numbers (0b101), which nothing here reads.

int __isoc23_sscanf(const char *string, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(string, format, arguments);
    va_end(arguments);
    return count;
}

long __isoc23_strtol(const char *string, char **end, int base) { return strtol(string, end, base); }

long long __isoc23_strtoll(const char *string, char **end, int base) { return strtoll(string, end, base); }

unsigned long __isoc23_strtoul(const char *string, char **end, int base) { return strtoul(string, end, base); }

void _ZSt21ios_base_library_initv() {}

size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t count = length < size ? length : size - 1;
        memcpy(to, from, count);
        to[count] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    return length == size ? size + strlen(from) : length + strlcpy(to + length, from, size - length);
}

}
