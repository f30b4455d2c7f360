/* widen.h  All rows within a radius, found by searches for the nearest: how GPUs do it, which have lists of so many.
 *
 * The k nearest of every row are sought first, with a k that is enough for nine in ten of a sample of rows, or 32 where
 * there are too few rows for one. Where not all k lie within the radius, those that do are all there are. The other
 * rows are asked for again, with a larger k each time, until none is left. So the answer has the bits of any other
 * search (docs/canonical.md, 11), and takes what searches for the nearest do. Where that is more than the CPU takes,
 * since most rows have very many, and GPUs were not asked for, the CPU does it. */
#ifndef KNNG_WIDEN_H
#define KNNG_WIDEN_H

#include "search/range.h"
#include "search/separate.h"

/* Searches with run; what it finds goes to plan->opt.range, which is open. held: bytes when the search began. info is
 * what the searches say together. Errors: those of run, and of range.h. */
knng_status knng_widen(const knng_plan *plan, int64_t held, knng_runner *run, knng_info *info, knng_err *err);

#endif
