/* linkage.h  What the plugin does for core/graph/linkage_gpu.h. */
#ifndef KNNG_CUDA_LINKAGE_H
#define KNNG_CUDA_LINKAGE_H

#include "cuda/base/devices.h"
#include "graph/linkage_gpu.h"

extern const knng_linkage_gpu linkage_gpu;

#endif
