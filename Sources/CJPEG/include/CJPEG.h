// What libjpeg-turbo warns of while it reads an image.
//
// Its TurboJPEG API tells only the first warning of an image, so a stray byte would hide all damage behind it. libjpeg's API,
// which calls a function for each warning, cannot be used from Swift, because it reports errors by longjmp.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads all of a JPEG image, and returns whether it is whole: whether everything that libjpeg-turbo warns of is stray
/// bytes that cameras leave, at most 16 before a marker or any number of equal ones. It decodes no more than the mean of
/// each block, so it allocates a few rows only. Progressive images count as damaged: they need memory for all of their
/// coefficients, and a camera sends none.
bool cjpeg_is_whole(const uint8_t *bytes, size_t length);
