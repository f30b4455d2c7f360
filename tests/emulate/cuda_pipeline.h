/* cuda_pipeline.h  Copies to shared memory arrive when a thread waits for them, for tests/emulate/cuda_runtime.h. */
#ifndef EMULATED_CUDA_PIPELINE_H
#define EMULATED_CUDA_PIPELINE_H

#include "cuda_runtime.h"

namespace emulated
{
void copy(void *to, const void *from, size_t bytes, size_t zeros);
void commit();
void wait(unsigned later); /* for all groups but the last few */
} // namespace emulated
#define __pipeline_memcpy_async(to, from, bytes, zeros) emulated::copy(to, from, bytes, zeros)
#define __pipeline_commit emulated::commit
#define __pipeline_wait_prior emulated::wait

#endif
