// The part of libqrencode that Swatchcam uses. It is loaded when it is needed, so that the program runs without it.
#ifndef SWATCHCAM_CQRENCODE_H
#define SWATCHCAM_CQRENCODE_H
#include <stddef.h>
#include <stdint.h>

/// Computes the QR code of a text (ISO/IEC 18004), of which a sixth may be unreadable.
///
/// - modules: Gets a byte for each module, row by row: 1 if it is dark, or else 0.
/// - capacity: The size of that.
/// - problem: Gets the reason if the result is 0, which is valid until the next call.
/// Returns the width in modules, or 0.
int swatchcam_qr_encode(const char *text, uint8_t *modules, size_t capacity, const char **problem);

#endif
