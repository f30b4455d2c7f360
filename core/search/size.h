/* size.h  How much host memory a search takes, and how much there is for it. What is counted stands in docs/memory.md.
 */
#ifndef KNNG_SIZE_H
#define KNNG_SIZE_H

#include "search/backend.h"

/* Tiles have rows in multiples of the smallest. */
enum { KNNG_SMALLEST_TILE = 16 };
static inline int64_t
knng_tile_of(int64_t rows)
{
	return (rows + KNNG_SMALLEST_TILE - 1) / KNNG_SMALLEST_TILE * KNNG_SMALLEST_TILE;
}

typedef struct {
	double free;   /* bytes that the machine could give; 0: nothing says, or a limit was asked for */
	double result; /* of these for the result, and for matrices that are not there yet */
	double limit;  /* the most that the run may take beside them; INFINITY without one */
} knng_budget;

knng_budget knng_budget_of(const knng_plan *plan);

/* Of a search whose answer has m rows of k neighbours, beside rows that lie elsewhere. */
knng_budget knng_budget_beside(const knng_options *opt, int64_t m, int64_t k);

/* Whether a search of so many multiply-adds gains from a GPU, and from how many of those that there are. */
bool knng_gains_from_gpu(double work);
int knng_gpus_worth(double work, int most);

/* Below so many columns the tree of the CPU answers few queries, and finds all within a radius, sooner than a GPU, as
 * measured: of a million rows of 3 columns one query to 1000 in 0.8 to 2 ms, where a GPU takes 1.2 to 8; of 8 columns
 * it takes as long. A graph of 20 neighbours within a radius, 100 000 rows, 16 processors beside an H200: 0.13 and 0.21
 * s with 3 columns, 0.20 and 0.23 with 10. */
enum { KNNG_FEW_COLUMNS = 8 };

/* The largest choices for the CPU that fit the limit: smaller tiles, then shorter lists, then fewer threads. Fills
 * tile, block, panel, capacity, threads, bytes and least; bytes exceeds the limit where the least does. */
void knng_fit(knng_plan *plan, double limit);

/* Rows of the answer that are refined together, where the plan has so many neighbours of each (of which a search may
 * find fewer). */
int64_t knng_refine_rows(int64_t k, int64_t d);

/* A radius on GPUs (widen.h): the nearest of so many rows are looked at, where that many or more are asked for. */
enum { KNNG_WIDEN_LOOKED = 256, KNNG_WIDEN_MANY = 4096 };

/* How many are sought first of a row that can have so many others, where it is said to have k within the radius. */
int64_t knng_widen_first(int64_t k, int64_t others);

/* Places of its tables of k nearest: for all rows, or for fewer at once where that would be more than a quarter of
 * what is free. What it takes with so many places, beside its searches. */
int64_t knng_widen_places(const knng_plan *plan, int64_t k, double free);
double knng_widen_bytes(const knng_plan *plan, int64_t places);

/* Adds to plan->bytes what it takes beside a search for plan->k nearest, plan->tables: for as many rows at once as fit
 * into a quarter of what is left of the limit. */
void knng_widen_fit(knng_plan *plan, double limit);

#endif
