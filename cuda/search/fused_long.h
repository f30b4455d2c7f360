/* fused_long.h  The kernel behind launch_fused for rows that are too long for registers (fused_long.cu). */
#ifndef KNNG_FUSED_LONG_H
#define KNNG_FUSED_LONG_H

#include "cuda/search/fused.h"

/* Whether a device can run it. */
bool long_there(int device);
/* Tests the products of a tile; f.fold is 0. On so many processors. false: the driver does not say how rows lie, and
 * nothing was done. */
bool launch_long(const fused &f, int processors, cudaStream_t stream);

#endif
