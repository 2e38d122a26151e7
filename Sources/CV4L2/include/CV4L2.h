#ifndef SWATCHCAM_CV4L2_H
#define SWATCHCAM_CV4L2_H
#include <linux/videodev2.h>
#endif
