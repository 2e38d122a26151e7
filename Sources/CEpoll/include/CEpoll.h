#ifndef SWATCHCAM_CEPOLL_H
#define SWATCHCAM_CEPOLL_H
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
