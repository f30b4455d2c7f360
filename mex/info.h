/* info.h  What a search tells of itself: the struct info, and warnings. */
#ifndef KNNG_INFO_H
#define KNNG_INFO_H

#include "knng.h"
#include "mex.h"

/* The struct info of knngraph. */
mxArray *knng_mex_info(const knng_info *info);

/* Warns of rows, so many in all, that have no distances in that metric; `answer`: what stands for their neighbours. */
void knng_mex_warn_rows(const knng_info *info, int64_t rows, const char *metric, const char *answer);

#endif
