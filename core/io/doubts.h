/* doubts.h  What looks wrong in a data set that was read, though each field of the file is right. */
#ifndef KNNG_DOUBTS_H
#define KNNG_DOUBTS_H

#include "io/knng_io.h"

/* Fills content->doubts, of a data set: knng:data:spreadsheet, names or symbols that a spreadsheet changed;
 * knng:data:transposed, columns that are genes; knng:data:counts, rows that are none; knng:data:samples, rows of what
 * samples are; knng:data:texts, numbers that were read as texts; knng:data:sampleNames, names that samples share;
 * knng:data:fill, numbers that may stand for missing values. The last one, knng:data:missing, is of what the options
 * say, and is left (missing.h). Errors: knng:memory:host. */
knng_status knng_doubt(knng_content *content, const char *path, knng_err *err);

#endif
