/* eigen.h  What the plugin does for core/graph/eigen.h. */
#ifndef KNNG_CUDA_EIGEN_H
#define KNNG_CUDA_EIGEN_H

#include "cuda/base/devices.h"
#include "graph/eigen.h"

extern const knng_eigen_gpu eigen_gpu;

#endif
