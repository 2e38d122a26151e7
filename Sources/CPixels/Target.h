// Attributes that determine how the loops are compiled.

#pragma once

#if defined(__x86_64__) && defined(__linux__)
#define BEST_OF_CPU __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define BEST_OF_CPU
#endif
#define INLINE static inline __attribute__((always_inline))
