/* doubts.h  What looks wrong in a data set that was read, though each field of the file is right. */
#ifndef KNNG_DOUBTS_H
#define KNNG_DOUBTS_H

#include "io/knng_io.h"

/* Fills those that there are: knng:data:spreadsheet, names or symbols that a spreadsheet changed; knng:data:transposed,
 * columns that are genes; knng:data:counts, rows that are none; knng:data:samples, rows of what samples are. */
void knng_doubt(const knng_dataset *ds, const char *path, knng_err doubts[KNNG_DOUBTS]);

#endif
