/* knng.c  The command-line program: a data set of any format in, its exact k-nearest-neighbour graph out, as text.
 *
 * Output: the bytes of knng.write, in the format that -f names or the ending of the file does, else .knn
 * (core/io/formats/knn.c). The output file appears under its name only when it is complete.
 *
 * Exit status: 0; 1 an error, with its identifier on stderr; 2 an argument that cannot be, before anything is read.
 * Ctrl-C, SIGTERM and SIGHUP stop it, and it ends by them: 128 and the signal's number for a shell. */
#include "knng.h"
#include "base/signals.h"
#include "base/sys.h"
#include "graph/adjacency.h"
#include "io/write.h"
#include "search/metric.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
print_help(FILE *to)
{
	fprintf(to, "usage: knng [-k 20] [-m euclidean] [-t threads] [-o out.knn] [-f format] [-c] [-q] file\n"
		    "\n"
		    "Finds the exact k nearest neighbours of every row of a data set (NBI, ABK, GEO\n"
		    "series matrix, GCT, CSV or TSV, plain or gzipped) and writes their graph. The format\n"
		    "knn is an edge list: a line 'n m', then m lines 'source target distance', rows\n"
		    "counted from 0; the others have the names of the rows.\n"
		    "\n"
		    "  -k, --neighbours K   neighbours a row (20)\n"
		    "  -m, --metric NAME    metric (euclidean):");
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		fprintf(to, "%s%s", i % 7 == 0 ? "\n                         " : " ", knng_metric_name(i));
	fprintf(to, "\n"
		    "  -t, --threads N      threads (all)\n"
		    "  -o, --output FILE    where to write (standard output); gzipped if it ends in .gz\n"
		    "  -f, --format NAME    format (what FILE ends in, else knn):");
	for (int i = 0; knng_write_format(i) != NULL; i++)
		fprintf(to, " %s", knng_write_format(i));
	fprintf(to, "\n"
		    "  -c, --checksum       print the graph's SHA-256; the graph itself only with -o\n"
		    "  -q, --quiet          no line about the run on standard error\n"
		    "  -h, --help           this text\n"
		    "      --version        the version\n");
}

/* The whole number from 1 on that text is, or 0. */
static int64_t
parse_count(const char *text)
{
	char *end;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	return errno == 0 && *text != '\0' && *end == '\0' && value >= 1 ? value : 0;
}

/* The format of this name (NULL: that the path ends in, before .gz), or NULL and why. */
static const char *
find_format(const char *path, const char *name, knng_err *err)
{
	const knng_writing *f;
	return knng_find_writing(KNNG_GRAPH, path, name, &f, err) == KNNG_OK ? f->name : NULL;
}

static void
free_graph(knng_graph *g)
{
	knng_free(g->start);
	knng_free(g->row);
	knng_free(g->weight);
	*g = (knng_graph){0};
}

/* The sparse matrix of distances that knngraph returns. */
static knng_status
make_graph(knng_task *task, const knng_output *table, int64_t n, int64_t k, knng_graph *g, knng_err *err)
{
	const knng_weighing distances = {.of = knng_weights->length};
	int64_t edges;
	knng_status status = knng_adjacency_count(task, table, n, k, n, &edges, err);
	if (status != KNNG_OK)
		return status;
	*g = (knng_graph){.n = n,
			  .start = knng_alloc(n + 1, sizeof *g->start),
			  .row = knng_alloc(edges, sizeof *g->row),
			  .weight = knng_alloc(edges, sizeof *g->weight)};
	if (g->start == NULL || g->row == NULL || g->weight == NULL)
		return knng_fail_memory(err, "the edges of the graph", 8.0 * (double)n + 16.0 * (double)edges);
	knng_sparse A = {.rows = n, .columns = n, .start = g->start, .row = g->row, .value = g->weight};
	if ((status = knng_adjacency_fill(task, table, n, k, &A, err)) != KNNG_OK)
		return status;
	return knng_adjacency_weigh(task, &A, &distances, err);
}

static knng_status
run(const char *in, const char *out, const char *format, knng_options *opt, bool checksum, bool quiet, int *signal,
    knng_err *err)
{
	knng_content file = {0};
	knng_graph graph = {0};
	char hex[65];
	knng_plan plan;
	knng_info info;
	knng_status status;
	int64_t *idx = NULL;
	double *dist = NULL, t = knng_seconds();

	if ((status = knng_read(in, KNNG_DATASET, NULL, &file, err)) != KNNG_OK)
		goto done;
	t = knng_seconds() - t;
	/* Until here there is nothing that a signal would have to leave in order. */
	opt->task.interrupt = knng_signals_hold(true);
	if (file.warnings > 0 && !quiet)
		fprintf(stderr, "knng: %s\n", file.warning.text);
	const knng_dataset ds = file.data;
	const knng_matrix X = {
		.n = ds.nrows, .d = ds.ncols, .type = KNNG_F64, .data = ds.X, .row_stride = 1, .col_stride = ds.nrows};
	if ((status = knng_plan_make(&plan, &X, NULL, opt, err)) != KNNG_OK)
		goto done;
	int64_t slots;
	if (!knng_mul(plan.m, plan.k, 1, &slots) || (idx = knng_alloc(slots, sizeof *idx)) == NULL ||
	    (dist = knng_alloc(slots, sizeof *dist)) == NULL) {
		status = knng_fail_memory(err, "the graph", 16.0 * (double)plan.m * (double)plan.k);
		goto done;
	}
	const knng_output to = {.idx = idx,
				.idx_type = KNNG_I64,
				.index_base = 0,
				.dist = dist,
				.dist_type = KNNG_F64,
				.row_stride = plan.k,
				.col_stride = 1};
	if ((status = knng_run(&plan, &to, &info, err)) != KNNG_OK)
		goto done;
	knng_task task = opt->task;
	if (checksum && (status = knng_hash(&task, &to, plan.m, plan.k, hex, err)) != KNNG_OK)
		goto done;
	if (out != NULL || !checksum) {
		const knng_write_options how = {.format = format, .directed = KNNG_DIRECTED, .task = opt->task};
		if ((status = make_graph(&task, &to, plan.m, plan.k, &graph, err)) != KNNG_OK)
			goto done;
		graph.names = ds.names;
		knng_free(dist); /* as much again is needed to write */
		knng_free(idx);
		dist = NULL;
		idx = NULL;
		status = knng_write(out, &graph, &how, NULL, err);
	}
	if (status == KNNG_OK && checksum && (printf("%s\n", hex) < 0 || fflush(stdout) != 0))
		status = knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write standard output: %s", strerror(errno));
	if (status == KNNG_OK && !quiet && plan.opt.k > plan.k)
		fprintf(stderr, "knng: k is cut from %lld to %lld: beside each row there are no more\n",
			(long long)plan.opt.k, (long long)plan.k);
	if (status == KNNG_OK && !quiet && info.nonfinite + info.constant > 0)
		fprintf(stderr,
			"knng: %lld rows hold missing values or Inf and %lld are constant: they have no neighbours\n",
			(long long)info.nonfinite, (long long)info.constant);
	if (status == KNNG_OK && !quiet && info.fallback[0] != 0)
		fprintf(stderr, "knng: a GPU did not finish (%s)\n", info.fallback);
	if (status == KNNG_OK && !quiet)
		fprintf(stderr, "knng: %lld rows, %lld columns, k %lld, on %s: read %.3f s, search %.3f s\n",
			(long long)X.n, (long long)X.d, (long long)plan.k, info.device, t, info.total);
done:
	if (opt->task.interrupt != NULL)
		*signal = knng_signals_release();
	free_graph(&graph);
	knng_free(dist);
	knng_free(idx);
	knng_content_free(&file);
	return status;
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{"neighbours", required_argument, NULL, 'k'},
		{"metric", required_argument, NULL, 'm'},
		{"threads", required_argument, NULL, 't'},
		{"output", required_argument, NULL, 'o'},
		{"format", required_argument, NULL, 'f'},
		{"checksum", no_argument, NULL, 'c'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{0},
	};
	knng_options opt = {.metric = "euclidean", .k = 20};
	const char *out = NULL, *format = NULL;
	bool checksum = false, quiet = false;
	int64_t threads = 0;
	knng_err err;
	for (int c; (c = getopt_long(argc, argv, "k:m:t:o:f:cqh", longs, NULL)) != -1;)
		switch (c) {
		case 'k':
			opt.k = parse_count(optarg);
			if (opt.k == 0) {
				fprintf(stderr, "knng:args:k: -k is '%s', expected a whole number from 1 on\n", optarg);
				return 2;
			}
			break;
		case 'm':
			opt.metric = optarg;
			if (knng_metric_find(optarg) == NULL) {
				knng_metric_unknown(optarg, &err);
				fprintf(stderr, "%s: %s\n", err.id, err.text);
				return 2;
			}
			break;
		case 't':
			threads = parse_count(optarg);
			if (threads == 0 || threads > 4096) {
				fprintf(stderr, "knng:args:threads: -t is '%s', expected a whole number, 1 to 4096\n",
					optarg);
				return 2;
			}
			opt.task.threads = (int)threads;
			break;
		case 'o':
			out = optarg;
			break;
		case 'f':
			format = find_format(NULL, optarg, &err);
			if (format == NULL) {
				fprintf(stderr, "%s: %s\n", err.id, err.text);
				return 2;
			}
			break;
		case 'c':
			checksum = true;
			break;
		case 'q':
			quiet = true;
			break;
		case 'h':
			print_help(stdout);
			return 0;
		case 'V':
			printf("knng %s\n", KNNG_VERSION);
			return 0;
		default:
			print_help(stderr);
			return 2;
		}
	if (optind != argc - 1) {
		fprintf(stderr, "knng:args:count: expected one file, got %d\n", argc - optind);
		print_help(stderr);
		return 2;
	}
	if (format == NULL && (format = find_format(out, NULL, &err)) == NULL)
		format = "knn";
	int signal = 0;
	knng_status status = run(argv[optind], out, format, &opt, checksum, quiet, &signal, &err);
	if (status != KNNG_OK)
		fprintf(stderr, "%s: %s\n", err.id, err.text);
	if (signal != 0) {
		kill(getpid(), signal);
		return 128 + signal;
	}
	return status != KNNG_OK;
}
