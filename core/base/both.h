/* both.h  KNNG_HD: of functions that the processor and GPUs run, from one source. */
#ifndef KNNG_BOTH_H
#define KNNG_BOTH_H

#ifdef __CUDACC__
#define KNNG_HD __host__ __device__ static inline
#else
#define KNNG_HD static inline
#endif

#endif
