/* share.h  How the ranks of a machine share out its processors and GPUs: each has what it alone may use, and a part of
 * what several may. Batch systems bind ranks to some, or to none. */
#ifndef KNNG_SHARE_H
#define KNNG_SHARE_H

#include "base/knng_base.h"

#include <sched.h>

enum { KNNG_UUID = 16 };

/* What a rank may use. */
typedef struct {
	int machine;    /* the same number for all ranks there */
	cpu_set_t cpus; /* none: it is not known */
	int gpus;
	unsigned char gpu[KNNG_MAX_DEVICES][KNNG_UUID]; /* in its own order */
} knng_resources;

/* Of ranks that may use `all`, the threads that rank r is to have: its processors, each divided by the ranks that may
 * use it. 0: they are not known. */
int knng_share_threads(const knng_resources *all, int ranks, int r);

/* The GPUs that rank r is to take, in its own order, and how many they are: ranks that see the same ones take them in
 * turn. *sharing: the ranks, this one among them, that take one of these too, of that which most take. */
int knng_share_gpus(const knng_resources *all, int ranks, int r, int gpu[KNNG_MAX_DEVICES], int *sharing);

#endif
