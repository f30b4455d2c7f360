/* igraph.c  The gateway to igraph's C library, of knng.leiden, knng.plot, knng.shortestpath, knng.pagerank and
 * knng.betweenness:
 *
 *     [c, quality] = knng.internal.igraph ('leiden', A, seed, resolution, objective, beta, iterations)
 *     XY           = knng.internal.igraph ('layout', A, seed, method)
 *     [before, d]  = knng.internal.igraph ('paths', D, seed, directed, source)
 *     [d, before]  = knng.internal.igraph ('lengths', D, seed, directed, sources)
 *     b            = knng.internal.igraph ('betweenness', D, seed, directed, cutoff)
 *     p            = knng.internal.igraph ('pagerank', A, seed, damping, reset)
 *     c            = knng.internal.igraph ('components', A, seed)     of tests, as the next:
 *     [c, quality] = knng.internal.igraph ('louvain', A, seed, resolution)
 *     [i, j]       = knng.internal.igraph ('tree', A, seed)           the edges of a minimum spanning forest
 *
 * A is square and sparse; an edge is an entry above the diagonal that is larger than realmin, its weight. What is below
 * the diagonal is not looked at; but a graph that is directed, as 'pagerank' takes every one, has an edge from i to j
 * for each entry A(i,j) outside of the diagonal. c numbers the parts from 1 on, in no order. D holds lengths: its
 * entries are edges up to realmin, too, which stands for 0. before holds the row before each on the shortest way from
 * the source, d how long that is; 0 and Inf where there is none. 'lengths' has a column
 * of d for each source, and what is before on the ways from the last one. reset has a number for each row: how likely
 * the walk begins there.
 *
 * igraph is under the GPL, and so is what this file is linked to it as: it is built where igraph is, for the use of
 * that machine, and no package holds it. Nothing else of knng calls igraph. */
#include "base/sys.h"
#include "base/task.h"
#include "gateway.h"

#include <float.h>
#include <igraph.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The arguments that igraph 1.0 added to some functions, at their end or before those that follow. */
#if IGRAPH_VERSION_MAJOR == 0 && IGRAPH_VERSION_MINOR == 10
#define SINCE_1(...)
#define igraph_setup() IGRAPH_SUCCESS
#elif IGRAPH_VERSION_MAJOR == 1
#define SINCE_1(...) , __VA_ARGS__
#else
#error "knng is written for igraph 0.10 and 1; make IGRAPH_LIBS= builds without igraph"
#endif

enum { MODULARITY, CPM };

typedef struct {
	size_t n;
	const size_t *start, *row;
	const double *weight;
	int64_t edges;
	double least, most; /* weight */
	double seed, resolution, beta, iterations;
	bool directed, lengths;
	double source, cutoff, damping;
	const double *reset, *sources; /* [n], [columns] */
	size_t columns;                /* of the first result */
	int choice;                    /* which objective, or layout */
	double *out;                   /* the first result */
	double *other;                 /* the second, or what is not asked for */
	igraph_t graph;
	igraph_vector_t weights;
} request;

/* ---------------------------------------------------------------- what igraph is asked to do */

/* These are written in igraph's own way: what stands on its stack is destroyed by its error handler. */

static void
number_parts(const igraph_vector_int_t *part, double *out)
{
	for (igraph_integer_t i = 0; i < igraph_vector_int_size(part); i++)
		out[i] = (double)VECTOR(*part)[i] + 1;
}

/* Modularity: a node weighs the sum of its edges, and the resolution is in units of 1/(2m). Iterations are asked for
 * one by one: igraph's own rule, until nothing moves, may never be met where there are ties. */
static igraph_error_t
leiden(request *r)
{
	igraph_vector_int_t part;
	igraph_vector_t strength;
	double scale = 1, before;
	bool again = false;
	IGRAPH_CHECK(igraph_vector_int_init(&part, (igraph_integer_t)r->n));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &part);
	IGRAPH_CHECK(igraph_vector_init(&strength, (igraph_integer_t)r->n));
	IGRAPH_FINALLY(igraph_vector_destroy, &strength);
	if (r->choice == MODULARITY) {
		IGRAPH_CHECK(
			igraph_strength(&r->graph, &strength, igraph_vss_all(), IGRAPH_ALL, IGRAPH_LOOPS, &r->weights));
		scale = 1 / igraph_vector_sum(&strength);
	}
	do {
		before = again ? *r->other : -INFINITY;
		IGRAPH_CHECK(igraph_community_leiden(&r->graph, &r->weights,
						     r->choice == MODULARITY ? &strength : NULL SINCE_1(NULL),
						     r->resolution * scale, r->beta, again, 1, &part, NULL, r->other));
		again = isfinite(*r->other) && *r->other > before + (isinf(before) ? 0 : 1e-12 * fabs(before));
	} while (--r->iterations > 0 && again);
	number_parts(&part, r->out);
	igraph_vector_destroy(&strength);
	igraph_vector_int_destroy(&part);
	IGRAPH_FINALLY_CLEAN(2);
	return IGRAPH_SUCCESS;
}

static igraph_error_t
louvain(request *r)
{
	igraph_vector_int_t part;
	igraph_vector_t quality;
	IGRAPH_CHECK(igraph_vector_int_init(&part, 0));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &part);
	IGRAPH_CHECK(igraph_vector_init(&quality, 0));
	IGRAPH_FINALLY(igraph_vector_destroy, &quality);
	IGRAPH_CHECK(igraph_community_multilevel(&r->graph, &r->weights, r->resolution, &part, NULL, &quality));
	number_parts(&part, r->out);
	*r->other = igraph_vector_max(&quality);
	igraph_vector_destroy(&quality);
	igraph_vector_int_destroy(&part);
	IGRAPH_FINALLY_CLEAN(2);
	return IGRAPH_SUCCESS;
}

static igraph_error_t
fruchterman_reingold(const igraph_t *g, igraph_matrix_t *xy)
{
	return igraph_layout_fruchterman_reingold(g, xy, false, 500, sqrt((double)igraph_vcount(g)),
						  IGRAPH_LAYOUT_AUTOGRID, NULL, NULL, NULL, NULL, NULL);
}

static igraph_error_t
kamada_kawai(const igraph_t *g, igraph_matrix_t *xy)
{
	igraph_integer_t n = igraph_vcount(g);
	return igraph_layout_kamada_kawai(g, xy, false, 50 * n, 0, (double)n, NULL, NULL, NULL, NULL, NULL);
}

/* With a quarter of igraph's iterations in each stage, which cost little of the picture. */
static igraph_error_t
drl(const igraph_t *g, igraph_matrix_t *xy)
{
	igraph_layout_drl_options_t o;
	IGRAPH_CHECK(igraph_layout_drl_options_init(&o, IGRAPH_LAYOUT_DRL_DEFAULT));
	o.liquid_iterations /= 4;
	o.expansion_iterations /= 4;
	o.cooldown_iterations /= 4;
	o.crunch_iterations /= 4;
	o.simmer_iterations /= 4;
	return igraph_layout_drl(g, xy, false, &o, NULL);
}

static const struct {
	const char *name;
	igraph_error_t (*run)(const igraph_t *g, igraph_matrix_t *xy);
} layouts[] = {{"fr", fruchterman_reingold}, {"kk", kamada_kawai}, {"drl", drl}, {NULL, NULL}};

static igraph_error_t
layout(request *r)
{
	igraph_matrix_t xy;
	IGRAPH_CHECK(igraph_matrix_init(&xy, 0, 0));
	IGRAPH_FINALLY(igraph_matrix_destroy, &xy);
	IGRAPH_CHECK(layouts[r->choice].run(&r->graph, &xy));
	igraph_matrix_copy_to(&xy, r->out SINCE_1(IGRAPH_COLUMN_MAJOR));
	igraph_matrix_destroy(&xy);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

static igraph_error_t
components(request *r)
{
	igraph_vector_int_t part;
	IGRAPH_CHECK(igraph_vector_int_init(&part, 0));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &part);
	IGRAPH_CHECK(igraph_connected_components(&r->graph, &part, NULL, NULL, IGRAPH_WEAK));
	number_parts(&part, r->out);
	igraph_vector_int_destroy(&part);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

/* The ends of its edges; what is left of the results is 0. */
static igraph_error_t
tree(request *r)
{
	igraph_vector_int_t edges;
	IGRAPH_CHECK(igraph_vector_int_init(&edges, 0));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &edges);
	IGRAPH_CHECK(igraph_minimum_spanning_tree(&r->graph, &edges, &r->weights SINCE_1(IGRAPH_MST_AUTOMATIC)));
	for (igraph_integer_t e = 0; e < igraph_vector_int_size(&edges); e++) {
		r->out[e] = (double)IGRAPH_FROM(&r->graph, VECTOR(edges)[e]) + 1;
		r->other[e] = (double)IGRAPH_TO(&r->graph, VECTOR(edges)[e]) + 1;
	}
	igraph_vector_int_destroy(&edges);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

/* The way to each row is as long as that to the row before, and their edge; igraph has no order of them. A way is
 * walked back until a length that is known, and then forth. */
static void
lengths_of_ways(const request *r, const igraph_vector_int_t *before, const igraph_vector_int_t *edge,
		igraph_vector_int_t *way)
{
	for (size_t i = 0; i < r->n; i++) {
		r->out[i] = (double)(VECTOR(*before)[i] < 0 ? 0 : VECTOR(*before)[i] + 1);
		r->other[i] = NAN;
	}
	r->out[(size_t)r->source - 1] = 0;
	r->other[(size_t)r->source - 1] = 0;
	for (size_t i = 0; i < r->n; i++) {
		igraph_integer_t steps = 0, at = (igraph_integer_t)i;
		for (; isnan(r->other[at]) && r->out[at] > 0; at = VECTOR(*before)[at])
			VECTOR(*way)[steps++] = at;
		if (isnan(r->other[at]))
			r->other[at] = INFINITY;
		while (steps > 0) {
			igraph_integer_t next = VECTOR(*way)[--steps];
			r->other[next] = r->other[at] + VECTOR(r->weights)[VECTOR(*edge)[next]];
			at = next;
		}
	}
}

static igraph_error_t
paths(request *r)
{
	igraph_vector_int_t before, edge, way;
	IGRAPH_CHECK(igraph_vector_int_init(&before, 0));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &before);
	IGRAPH_CHECK(igraph_vector_int_init(&edge, 0));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &edge);
	IGRAPH_CHECK(igraph_vector_int_init(&way, (igraph_integer_t)r->n));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &way);
	IGRAPH_CHECK(igraph_get_shortest_paths_dijkstra(&r->graph, NULL, NULL, (igraph_integer_t)r->source - 1,
							igraph_vss_all(), &r->weights, IGRAPH_OUT, &before, &edge));
	lengths_of_ways(r, &before, &edge, &way);
	igraph_vector_int_destroy(&way);
	igraph_vector_int_destroy(&edge);
	igraph_vector_int_destroy(&before);
	IGRAPH_FINALLY_CLEAN(3);
	return IGRAPH_SUCCESS;
}

/* From many sources, by the same way. */
static igraph_error_t
lengths(request *r)
{
	double *d = r->out, *before = r->other;
	for (size_t s = 0; s < r->columns; s++) {
		r->source = r->sources[s];
		r->out = before;
		r->other = d + s * r->n;
		IGRAPH_CHECK(paths(r));
	}
	return IGRAPH_SUCCESS;
}

static igraph_error_t
betweenness(request *r)
{
	igraph_vector_t b;
	double cutoff = isinf(r->cutoff) ? -1 : r->cutoff;
	/* where all lengths are 1, steps are counted, which takes half the time */
	const igraph_vector_t *lengths = r->least == 1 && r->most == 1 ? NULL : &r->weights;
	IGRAPH_CHECK(igraph_vector_init(&b, 0));
	IGRAPH_FINALLY(igraph_vector_destroy, &b);
#if IGRAPH_VERSION_MAJOR == 0
	IGRAPH_CHECK(igraph_betweenness_cutoff(&r->graph, &b, igraph_vss_all(), r->directed, lengths, cutoff));
#else
	IGRAPH_CHECK(igraph_betweenness_cutoff(&r->graph, lengths, &b, igraph_vss_all(), r->directed, false, cutoff));
#endif
	igraph_vector_copy_to(&b, r->out);
	igraph_vector_destroy(&b);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

static igraph_error_t
pagerank(request *r)
{
	igraph_vector_t p, reset;
	IGRAPH_CHECK(igraph_vector_init(&p, 0));
	IGRAPH_FINALLY(igraph_vector_destroy, &p);
	IGRAPH_CHECK(igraph_vector_init_array(&reset, r->reset, (igraph_integer_t)r->n));
	IGRAPH_FINALLY(igraph_vector_destroy, &reset);
#if IGRAPH_VERSION_MAJOR == 0
	IGRAPH_CHECK(igraph_personalized_pagerank(&r->graph, IGRAPH_PAGERANK_ALGO_PRPACK, &p, NULL, igraph_vss_all(),
						  true, r->damping, &reset, &r->weights, NULL));
#else
	IGRAPH_CHECK(igraph_personalized_pagerank(&r->graph, &r->weights, &p, NULL, &reset, r->damping, true,
						  igraph_vss_all(), IGRAPH_PAGERANK_ALGO_PRPACK, NULL));
#endif
	igraph_vector_copy_to(&p, r->out);
	igraph_vector_destroy(&reset);
	igraph_vector_destroy(&p);
	IGRAPH_FINALLY_CLEAN(2);
	return IGRAPH_SUCCESS;
}

static const char *const objectives[] = {[MODULARITY] = "modularity", [CPM] = "CPM", NULL};
static const struct {
	const char *name;
	igraph_error_t (*run)(request *r);
	int arguments, columns; /* of the call, and of the first result, which has a row for each node; 0: as sources */
	enum { NONE, NUMBER, COLUMN } second;
} calls[] = {{"leiden", leiden, 7, 1, NUMBER},   {"louvain", louvain, 4, 1, NUMBER},
	     {"layout", layout, 4, 2, NONE},     {"components", components, 3, 1, NONE},
	     {"tree", tree, 3, 1, COLUMN},       {"paths", paths, 5, 1, COLUMN},
	     {"lengths", lengths, 5, 0, COLUMN}, {"betweenness", betweenness, 5, 1, NONE},
	     {"pagerank", pagerank, 5, 1, NONE}, {NULL, NULL, 0, 0, NONE}};

/* ---------------------------------------------------------------- checks */

/* Bytes: igraph holds an edge in some 60, a partition's copies of the graph as much again. */
static double
need(const request *r)
{
	return 120.0 * (double)r->edges + (200.0 + 16.0 * (double)r->columns) * (double)r->n;
}

static bool
is_edge(const request *r, size_t e, size_t column)
{
	return (r->directed ? r->row[e] != column : r->row[e] < column) && (r->lengths || r->weight[e] > DBL_MIN);
}

static knng_status
check_graph(request *r, const mxArray *a, knng_err *err)
{
	if (!mxIsSparse(a) || mxGetClassID(a) != mxDOUBLE_CLASS || mxIsComplex(a) || mxGetM(a) != mxGetN(a))
		return knng_fail(err, KNNG_EARGS, "knng:args:class",
				 "A is no square sparse matrix of real numbers: call knng.leiden, not this gateway");
	r->n = mxGetM(a);
	r->least = INFINITY;
	r->start = (const size_t *)mxGetJc(a);
	r->row = (const size_t *)mxGetIr(a);
	r->weight = mxGetData(a);
	for (size_t j = 0; j < r->n; j++)
		for (size_t e = r->start[j]; e < r->start[j + 1]; e++) {
			if (!(r->weight[e] >= 0 && r->weight[e] <= DBL_MAX))
				return knng_fail(err, KNNG_EARGS, "knng:args:weight",
						 "the edge from %zu to %zu weighs %g: a weight must be a number from 0 "
						 "on; leave the edge out, or choose another 'Weight'",
						 r->row[e] + 1, j + 1, r->weight[e]);
			r->edges += is_edge(r, e, j);
			r->most = fmax(r->most, r->weight[e]);
			r->least = fmin(r->least, r->weight[e]);
		}
	return knng_afford(need(r), "the graph in igraph", err);
}

static knng_status
take_number(double *value, const char *name, const mxArray *a, double low, double high, bool whole, const char *wanted,
	    knng_err *err)
{
	return knng_mex_number(a, low, high, whole, value) ? KNNG_OK : knng_mex_bad_option(name, a, wanted, err);
}

static knng_status
take_sources(request *r, const mxArray *a, size_t n, knng_err *err)
{
	bool fine = mxGetClassID(a) == mxDOUBLE_CLASS && !mxIsSparse(a) && !mxIsComplex(a);
	r->columns = mxGetNumberOfElements(a);
	r->sources = fine ? mxGetData(a) : NULL;
	for (size_t s = 0; fine && s < r->columns; s++)
		fine = r->sources[s] >= 1 && r->sources[s] <= (double)n && r->sources[s] == floor(r->sources[s]);
	return fine ? KNNG_OK : knng_mex_bad_option("sources", a, "the numbers of rows", err);
}

static knng_status
check(request *r, int *which, const knng_call *call, knng_err *err)
{
	int nrhs = call->nrhs;
	const mxArray **prhs = call->prhs;
	char word[16] = "";
	knng_status status = KNNG_OK;
	if (nrhs > 0 && knng_mex_word(prhs[0], word, sizeof word))
		while (calls[*which].name != NULL && strcmp(calls[*which].name, word) != 0)
			++*which;
	if (word[0] == 0 || calls[*which].name == NULL || nrhs != calls[*which].arguments)
		return knng_call_wrong(err);
	status = take_number(&r->seed, "Seed", prhs[2], 0, 2147483645, true, "one whole number from 0 to 2147483645",
			     err);
	if (status != KNNG_OK)
		return status;
	if (calls[*which].run == layout) {
		if (!knng_mex_word(prhs[3], word, sizeof word))
			word[0] = 0;
		while (layouts[r->choice].name != NULL && strcasecmp(layouts[r->choice].name, word) != 0)
			r->choice++;
		if (layouts[r->choice].name == NULL)
			return knng_mex_bad_option("Layout", prhs[3], "'auto', 'kk', 'fr' or 'drl'", err);
	} else if (calls[*which].run == paths || calls[*which].run == lengths || calls[*which].run == betweenness) {
		double directed = 0;
		status = take_number(&directed, "Directed", prhs[3], 0, 1, true, "true or false", err);
		if (status == KNNG_OK && calls[*which].run == paths)
			status = take_number(&r->source, "source", prhs[4], 1, (double)mxGetM(prhs[1]), true,
					     "the number of a row", err);
		else if (status == KNNG_OK && calls[*which].run == lengths)
			status = take_sources(r, prhs[4], mxGetM(prhs[1]), err);
		else if (status == KNNG_OK)
			status = take_number(&r->cutoff, "Cutoff", prhs[4], 0, INFINITY, false,
					     "a length from 0 on, or Inf", err);
		r->directed = directed != 0;
		r->lengths = true;
	} else if (calls[*which].run == pagerank) {
		status = take_number(&r->damping, "Damping", prhs[3], 0, 1, false, "a number from 0 to 1", err);
		if (!mxIsDouble(prhs[4]) || mxIsComplex(prhs[4]) || mxIsSparse(prhs[4]) ||
		    mxGetNumberOfElements(prhs[4]) != mxGetM(prhs[1]))
			return knng_call_wrong(err);
		r->reset = mxGetData(prhs[4]);
		r->directed = true;
	} else if (nrhs > 3)
		status = take_number(&r->resolution, "Resolution", prhs[3], 0, DBL_MAX, false, "a number from 0 on",
				     err);
	if (status == KNNG_OK && calls[*which].run == leiden) {
		if (!knng_mex_word(prhs[4], word, sizeof word))
			word[0] = 0;
		while (objectives[r->choice] != NULL && strcasecmp(objectives[r->choice], word) != 0)
			r->choice++;
		if (objectives[r->choice] == NULL)
			return knng_mex_bad_option("Objective", prhs[4], "'modularity' or 'CPM'", err);
		status = take_number(&r->beta, "Beta", prhs[5], 0, DBL_MAX, false, "a number from 0 on", err);
		/* Inf is as whole as any */
		if (status == KNNG_OK)
			status = take_number(&r->iterations, "Iterations", prhs[6], 1, INFINITY, true,
					     "a whole number from 1 on, or Inf: until quality does not grow", err);
	}
	return status != KNNG_OK ? status : check_graph(r, prhs[1], err);
}

/* ---------------------------------------------------------------- running */

/* igraph multiplies weights, and what has no room in a double would decide for it: very large and very small ones are
 * taken relative to the largest. No quality changes by that; CPM's resolution is a weight itself. Lengths are only
 * added. */
static igraph_error_t
run(request *r, igraph_error_t (*operation)(request *r))
{
	igraph_vector_int_t ends;
	igraph_integer_t e = 0;
	bool fits = r->lengths || r->most == 0 || (r->most > 0x1p-300 && r->most < 0x1p300);
	double scale = fits ? 1 : ldexp(1, -ilogb(r->most));
	if (operation == leiden && r->choice == CPM)
		r->resolution *= scale;
	IGRAPH_CHECK(igraph_setup());
	IGRAPH_CHECK(igraph_rng_seed(igraph_rng_default(), (igraph_uint_t)r->seed));
	IGRAPH_CHECK(igraph_vector_init(&r->weights, r->edges));
	IGRAPH_FINALLY(igraph_vector_destroy, &r->weights);
	IGRAPH_CHECK(igraph_vector_int_init(&ends, 2 * r->edges));
	IGRAPH_FINALLY(igraph_vector_int_destroy, &ends);
	for (size_t j = 0; j < r->n; j++)
		for (size_t at = r->start[j]; at < r->start[j + 1]; at++)
			if (is_edge(r, at, j)) {
				VECTOR(ends)[2 * e] = (igraph_integer_t)r->row[at];
				VECTOR(ends)[2 * e + 1] = (igraph_integer_t)j;
				VECTOR(r->weights)[e++] = r->weight[at] > DBL_MIN ? scale * r->weight[at] : 0;
			}
	IGRAPH_CHECK(igraph_create(&r->graph, &ends, (igraph_integer_t)r->n, r->directed));
	igraph_vector_int_destroy(&ends);
	IGRAPH_FINALLY_CLEAN(1);
	IGRAPH_FINALLY(igraph_destroy, &r->graph);
	IGRAPH_CHECK(operation(r));
	igraph_destroy(&r->graph);
	igraph_vector_destroy(&r->weights);
	IGRAPH_FINALLY_CLEAN(2);
	return IGRAPH_SUCCESS;
}

/* igraph runs in a process of its own, a fork of this one, whose results come back in shared memory. So it can be
 * stopped at any time, also where it does not ask; what it claims is given back, and where it ends itself, this session
 * goes on. (Leiden of igraph 0.10.2 frees what is not its own when it is stopped in igraph's way.) */
typedef struct {
	int outcome; /* 0: none yet; 1 + igraph_error_t */
	double value[];
} shared_memory;

static _Noreturn void
child(request *r, igraph_error_t (*operation)(request *r), shared_memory *shared, size_t first, pid_t parent)
{
	sigset_t none;
	for (int s = 1; s < NSIG; s++) /* Octave's handlers are not for a fork, and it keeps some signals off */
		signal(s, SIG_DFL);
	signal(SIGINT, SIG_IGN); /* a terminal sends these to both; this session decides */
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it is gone already */
		_exit(1);
	r->out = shared->value;
	r->other = shared->value + first;
	igraph_set_error_handler(igraph_error_handler_ignore); /* frees what is on igraph's stack */
	igraph_set_warning_handler(igraph_warning_handler_ignore);
	shared->outcome = 1 + (int)run(r, operation);
	_exit(0);
}

static knng_status
run_apart(knng_call *call, request *r, igraph_error_t (*operation)(request *r), size_t first, size_t second,
	  knng_err *err)
{
	knng_task *control = &call->task; /* where signals are told */
	size_t bytes = sizeof(shared_memory) + (first + second) * sizeof(double);
	struct timespec nap = {.tv_nsec = 50000};
	int ended = 0;
	knng_status status = KNNG_OK;
	shared_memory *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return knng_fail_memory(err, "the results of igraph", (double)bytes);
	knng_call_start(call);
	pid_t own = getpid(), pid = fork();
	if (pid == 0)
		child(r, operation, shared, first, own);
	while (pid > 0 && waitpid(pid, &ended, WNOHANG) == 0) {
		control->progress(control->context, "igraph", 0); /* MATLAB is asked there */
		if (*control->interrupt)
			kill(pid, SIGKILL);
		nanosleep(&nap, NULL);
		nap.tv_nsec = nap.tv_nsec < 20000000 ? 2 * nap.tv_nsec : nap.tv_nsec;
	}
	igraph_error_t failed = shared->outcome - 1;
	if (shared->outcome > 0 && failed == IGRAPH_SUCCESS) {
		memcpy(r->out, shared->value, first * sizeof(double));
		memcpy(r->other, shared->value + first, second * sizeof(double));
	} else if (knng_task_poll(control, err) != KNNG_OK)
		status = KNNG_EINTERRUPTED;
	else if (pid < 0 || failed == IGRAPH_ENOMEM || (WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL))
		status = knng_fail_memory(err, "the graph in igraph", need(r));
	else if (shared->outcome > 0)
		status = knng_fail(err, KNNG_EARGS, "knng:toolbox:igraph", "igraph %s: %s", IGRAPH_VERSION,
				   igraph_strerror(failed));
	else
		status = knng_fail(err, KNNG_EARGS, "knng:toolbox:igraph", "igraph %s ended with signal %d",
				   IGRAPH_VERSION, WIFSIGNALED(ended) ? WTERMSIG(ended) : 0);
	munmap(shared, bytes);
	return knng_call_end(call, status);
}

static knng_status
run_call(knng_call *call, knng_err *err)
{
	int which = 0;
	request r = {0};
	knng_status status = check(&r, &which, call, err);
	if (status != KNNG_OK)
		return status;
	if (call->nlhs > 1 && calls[which].second == NONE)
		return knng_fail(err, KNNG_EARGS, "knng:args:count", "'%s' has one result", calls[which].name);
	r.columns = calls[which].columns > 0 ? (size_t)calls[which].columns : r.columns;
	size_t second = calls[which].second == COLUMN ? r.n : 1;
	call->plhs[0] = mxCreateDoubleMatrix((mwSize)r.n, (mwSize)r.columns, mxREAL);
	mxArray *other = mxCreateDoubleMatrix((mwSize)second, 1, mxREAL);
	r.out = mxGetData(call->plhs[0]);
	r.other = mxGetData(other);
	if (r.n > 0)
		status = run_apart(call, &r, calls[which].run, r.n * r.columns, second, err);
	if (call->nlhs > 1)
		call->plhs[1] = other;
	else
		mxDestroyArray(other);
	return status;
}

const knng_gateway knng_this_gateway = {.results = 2, .silent = true, .functions = "knng.leiden", .run = run_call};
