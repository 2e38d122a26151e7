#ifndef SWATCHCAM_CFUZZER_H
#define SWATCHCAM_CFUZZER_H

#include <stddef.h>
#include <stdint.h>

// Runs libFuzzer from a program that has its own main function (LLVM's documentation, "Using libFuzzer as a library").
int LLVMFuzzerRunDriver(int *_Nonnull argc, char *_Nullable *_Nullable *_Nonnull argv,
                        int (*_Nonnull run)(const uint8_t *_Nullable bytes, size_t count));

#endif
