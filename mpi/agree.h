/* agree.h  One outcome for all processes: an error of any is everybody's. */
#ifndef KNNG_AGREE_H
#define KNNG_AGREE_H

#include "post.h"

/* Called by all ranks at once: the status of the first rank that failed, whose text says which it was. */
knng_status knng_agree(knng_post *post, knng_status status, knng_err *err);

/* Adds to a text on which machine that was. */
void knng_name_rank(const knng_post *post, int rank, knng_err *err);

#endif
