/* size.c  The host memory of a search, and the choices that fit into a limit. */
#include "search/size.h"
#include "base/pairs.h"
#include "base/sys.h"
#include "search/prepared.h"

#include <math.h>

enum { REFINE_ROWS = 64, REFINE_PAIRS = 1 << 16, REFINE_ELEMENTS = 1 << 27 };

double
knng_matrix_bytes(const knng_matrix *X)
{
	double rows = (double)(X->pairs != NULL ? X->pairs->n : X->n);
	return rows * (double)X->d * knng_type_bytes(X->type);
}

int64_t
knng_refine_rows(int64_t k, int64_t d)
{
	int64_t rows = REFINE_ROWS;
	while (rows > 1 && (rows * k > REFINE_PAIRS || (double)(rows * k) * (double)d > REFINE_ELEMENTS))
		rows /= 2;
	return rows;
}

double
knng_run_bytes(const knng_plan *plan, int threads)
{
	double rows = (double)knng_refine_rows(plan->k, plan->x.d), k = (double)plan->k;
	return plan->opt.held + 4.0 * (double)plan->m +
	       threads * (rows * (k + 1) * sizeof(knng_pair) + rows * 8 + 12 * k + 1024) + 4096;
}

double
knng_gathered_bytes(int64_t m, int64_t k)
{
	return (double)m * ((double)k * sizeof(knng_pair) + sizeof(double)) + 128;
}

knng_budget
knng_budget_of(const knng_plan *plan)
{
	knng_budget b = {.free = plan->opt.max_memory > 0 ? 0 : knng_memory_available()};
	b.result = plan->opt.output != NULL ? 0 : 16 * (double)plan->m * (double)plan->k;
	if (plan->opt.rows == KNNG_ROWS_PAIRWISE) /* how many columns neighbours share */
		b.result += 8 * (double)plan->m * (double)plan->k;
	if (plan->x.data == NULL)
		b.result += knng_matrix_bytes(&plan->x) + (plan->y.data == NULL ? 0 : knng_matrix_bytes(&plan->y));
	b.limit = plan->opt.max_memory > 0 ? plan->opt.max_memory : b.free > 0 ? 0.9 * b.free - b.result : INFINITY;
	return b;
}

knng_budget
knng_budget_beside(const knng_options *opt, int64_t m, int64_t k)
{
	const knng_plan search = {.opt = *opt, .m = m, .k = k, .x.data = &knng_elsewhere};
	return knng_budget_of(&search);
}

/* ---------------------------------------------------------------- fitting */

typedef struct {
	int64_t tile, capacity, shortest; /* slots of a list, and the fewest that will do */
	int threads;
} choice;

static double
bytes_of(const knng_plan *plan, int64_t tile, int64_t capacity, int threads)
{
	return knng_cpu_bytes(plan, tile, capacity, threads) + knng_run_bytes(plan, threads);
}

static choice
largest_choice(const knng_plan *plan)
{
	int64_t candidates = plan->y.data == NULL ? plan->x.n - 1 : plan->x.n;
	int64_t k = plan->k, capacity = k > 64 ? 2 * k : k + 64;
	choice c = {plan->tile, capacity, k + 16, plan->threads};
	c.capacity = capacity < candidates ? capacity : candidates;
	c.shortest = c.shortest < candidates ? c.shortest : candidates;
	if (c.capacity < 1 || plan->opt.range != NULL) /* no list is kept */
		c.capacity = c.shortest = 1;
	return c;
}

/* The next smaller choice; false: there is none. A tile that was asked for stays. */
static bool
make_do(choice *c, bool any_tile)
{
	if (c->tile > 64 && any_tile)
		c->tile = knng_tile_of(c->tile / 2);
	else if (c->capacity > c->shortest)
		c->capacity = c->shortest + (c->capacity - c->shortest) / 2;
	else if (c->threads > 1)
		c->threads--;
	else if (c->tile > KNNG_SMALLEST_TILE && any_tile)
		c->tile = knng_tile_of(c->tile / 2);
	else
		return false;
	return true;
}

/* Below so many rows all pairs take no time that is worth a look. */
enum { PRUNE_LEAST = 2000, PRUNE_LEAST_QUERIES = 1000, PRUNE_BLOCK = 1000 };

/* Whether a search is large enough for trees, if rows lie so that all pairs would take long. The tree of a block serves
 * many meetings. */
static bool
is_large(const knng_plan *plan)
{
	const struct knng_prepared *left = plan->opt.prepared;
	int64_t rows = plan->x.n, split = plan->opt.split, fewest = split < rows - split ? split : rows - split;
	if (knng_prepared_meets(left, split))
		return (split > 0 ? fewest : rows) >= PRUNE_BLOCK;
	return rows >= PRUNE_LEAST && (knng_prepared_whole(left) || plan->m >= PRUNE_LEAST_QUERIES);
}

/* Why a run with so many bytes may not prune, or NULL. */
static const char *
why_all(const knng_plan *plan, double bytes, double limit)
{
	const struct knng_prepared *left = plan->opt.prepared;
	if (knng_prepared_all(left) && !left->pruned)
		return left->why;
	return plan->opt.prune == KNNG_PRUNE_OFF                       ? "as 'Prune' asks"
	       : plan->opt.prune == KNNG_PRUNE_AUTO && !is_large(plan) ? "there are too few rows to gain"
	       : plan->k < 1 && plan->opt.range == NULL                ? "there is nothing to compare"
	       : bytes + knng_boxes_bytes(plan, plan->threads) > limit ? "there is no memory for it"
								       : NULL;
}

/* Whether a run with so many bytes may look at principal components first: rows are long enough for that, and so many
 * that a sample of them costs nothing beside the search. */
static bool
may_shorten(const knng_plan *plan, double bytes, double limit)
{
	enum { LEAST_COLUMNS = 128, LARGEST_TILE = 2048 };
	const double work = 5e10; /* multiply-adds */
	bool meets = knng_prepared_meets(plan->opt.prepared, plan->opt.split);
	bool large = (meets || plan->x.n >= KNNG_PRUNE_ROWS) && plan->m >= KNNG_PRUNE_QUERIES &&
		     (double)plan->m * (double)plan->x.n * (double)plan->x.d >= work;
	bool wanted = plan->opt.components == KNNG_PRUNE_ON ||
		      (plan->opt.components == KNNG_PRUNE_AUTO && plan->opt.prune != KNNG_PRUNE_OFF && large);
	return wanted && plan->metric->sum == KNNG_SUM_MINUS && plan->x.d >= LEAST_COLUMNS && plan->k > 0 &&
	       plan->tile <= LARGEST_TILE && plan->opt.range == NULL && !knng_prepared_whole(plan->opt.prepared) &&
	       bytes + knng_components_bytes(plan, plan->threads) <= limit;
}

void
knng_fit(knng_plan *plan, double limit)
{
	bool any_tile = plan->opt.tile == 0, meets = knng_prepared_meets(plan->opt.prepared, plan->opt.split);
	choice c = largest_choice(plan);
	do
		plan->bytes = bytes_of(plan, c.tile, c.capacity, c.threads);
	while (plan->bytes > limit && make_do(&c, any_tile));
	plan->least = ceil(bytes_of(plan, any_tile ? KNNG_SMALLEST_TILE : c.tile, c.shortest, 1));
	plan->tile = c.tile;
	plan->capacity = c.capacity;
	plan->threads = c.threads;
	plan->why_all = why_all(plan, plan->bytes, limit);
	plan->prunes = plan->why_all == NULL;
	double boxes = plan->prunes ? knng_boxes_bytes(plan, plan->threads) : 0;
	plan->shortens = may_shorten(plan, plan->bytes + (meets ? boxes : 0), limit);
	double components = plan->shortens ? knng_components_bytes(plan, plan->threads) : 0;
	if (meets) /* a block keeps its tree */
		plan->bytes += boxes + components;
	else
		plan->bytes += boxes > components ? boxes : components; /* one after the other */
	plan->block = plan->m;
	plan->panel = plan->x.n > plan->m ? plan->x.n : plan->m;
}

/* ---------------------------------------------------------------- a radius on GPUs */

int64_t
knng_widen_first(int64_t k, int64_t others)
{
	enum { FIRST = 32 }; /* where no sample says how many */
	k = k > FIRST ? k : (int64_t)FIRST;
	return others < k ? others : k;
}

/* Of the tables: for so many rows, each of which finds itself, too, where it is asked for again in a graph; or for all
 * that one row may find, and for a sample. */
static int64_t
places_of(const knng_plan *plan, int64_t each, int64_t k)
{
	enum { DEEP = 2048 }; /* the nearest that are looked at, at most */
	int64_t places = each * (k + 1), deep = plan->x.n < DEEP ? plan->x.n : (int64_t)DEEP;
	places = places > plan->x.n ? places : plan->x.n;
	return plan->m < KNNG_WIDEN_MANY || places > KNNG_WIDEN_LOOKED * deep ? places : KNNG_WIDEN_LOOKED * deep;
}

double
knng_widen_bytes(const knng_plan *plan, int64_t places)
{
	enum { PLACE = sizeof(int32_t) + sizeof(double), ROW = sizeof(uint8_t) + sizeof(int32_t) };
	return (double)places * PLACE + (double)plan->m * ROW + 4096;
}

int64_t
knng_widen_places(const knng_plan *plan, int64_t k, double free)
{
	int64_t each = plan->m;
	while (each > 1 && knng_widen_bytes(plan, places_of(plan, each, k)) > free / 4)
		each = (each + 1) / 2;
	return places_of(plan, each, k);
}

void
knng_widen_fit(knng_plan *plan, double limit)
{
	plan->tables = knng_widen_bytes(plan, knng_widen_places(plan, plan->k, limit - plan->bytes));
	plan->bytes += plan->tables;
}
