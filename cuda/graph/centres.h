/* centres.h  What the plugin does for core/rows/linkage_centres.h. */
#ifndef KNNG_CUDA_CENTRES_H
#define KNNG_CUDA_CENTRES_H

#include "cuda/base/devices.h"
#include "rows/linkage_centres.h"

extern const knng_centres_gpu centres_gpu;

#endif
