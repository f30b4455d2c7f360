/* knng.c  The command-line program: a data set of any format in, its exact k-nearest-neighbour graph out, as text.
 *
 * Output: the bytes of knng.write, in the format that -f names or the ending of the file does, else .knn
 * (core/io/formats/knn.c). The output file appears under its name only when it is complete.
 *
 * Exit status: 0; 1 an error, with its identifier on stderr; 2 an argument that cannot be, before anything is read; 75
 * stopped by SIGTERM or SIGUSR1 with a checkpoint: the same command goes on from there. Ctrl-C and SIGHUP stop it, and
 * SIGTERM without a checkpoint, and it ends by them: 128 and the signal's number for a shell. */
#include "knng.h"
#include "base/signals.h"
#include "base/sys.h"
#include "blocks/blocks.h"
#include "graph/adjacency.h"
#include "io/matrix_file.h"
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
	fprintf(to,
		"usage: knng [-k 20] [-m euclidean] [-t threads] [-M bytes] [-o out.knn] [-f format] [-c] [-q] file\n"
		"\n"
		"Finds the exact k nearest neighbours of every row of a data set (NBI, ABK, GEO\n"
		"series matrix, GCT, CSV or TSV, plain or gzipped) or of a file of numbers, and\n"
		"writes their graph. The format knn is an edge list: a line 'n m', then m lines\n"
		"'source target distance', rows counted from 0; the others have the names of the\n"
		"rows. Files of numbers:");
	for (int i = 0; knng_matrix_formats[i] != NULL; i++)
		for (int e = 0; knng_matrix_formats[i]->endings[e] != NULL; e++)
			fprintf(to, " %s", knng_matrix_formats[i]->endings[e]);
	fprintf(to, ". They may be larger than the memory.\n"
		    "\n"
		    "  -k, --neighbours K   neighbours a row (20)\n"
		    "  -m, --metric NAME    metric (euclidean):");
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		fprintf(to, "%s%s", i % 7 == 0 ? "\n                         " : " ", knng_metric_name(i));
	fprintf(to, "\n"
		    "  -t, --threads N      threads (all)\n"
		    "  -M, --max-memory B   bytes of memory to use at most, beside the graph, and beside the\n"
		    "                       numbers if they are text (nine tenths of what is available)\n"
		    "  -C, --checkpoint DIR  where to keep what was found: the same command goes on from there.\n"
		    "                       SIGTERM and SIGUSR1 then save it, and end with status 75\n"
		    "      --save-every S   seconds from one save to the next (600 or more)\n"
		    "  -o, --output FILE    where to write (standard output); gzipped if it ends in .gz\n"
		    "  -f, --format NAME    format (what FILE ends in, else knn):");
	for (int i = 0; knng_write_format(i) != NULL; i++)
		fprintf(to, " %s", knng_write_format(i));
	fprintf(to, "\n"
		    "  -c, --checksum       print the graph's SHA-256; the graph itself only with -o\n"
		    "      --plan           print what the search would take, and make none\n"
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

/* The positive number that text is, such as 4e9, or 0. */
static double
parse_positive(const char *text)
{
	char *end;
	double value = strtod(text, &end);
	return *text != '\0' && *end == '\0' && value > 0 ? value : 0;
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

/* What is searched, and its graph. */
typedef struct {
	knng_content text;
	knng_matrix_file *numbers;
	int64_t n, d, k;
	int64_t *idx;
	double *dist;
	knng_output table;
	knng_info info;
	double seconds; /* of reading a text */
	bool planned;   /* nothing is searched */
} job;

static void
free_job(job *j)
{
	knng_free(j->dist);
	knng_free(j->idx);
	knng_content_free(&j->text);
	knng_matrix_file_close(j->numbers);
	j->idx = NULL;
	j->dist = NULL;
	j->numbers = NULL;
}

static knng_status
make_table(job *j, knng_err *err)
{
	int64_t slots;
	if (!knng_mul(j->n, j->k, 1, &slots) || (j->idx = knng_alloc(slots, sizeof *j->idx)) == NULL ||
	    (j->dist = knng_alloc(slots, sizeof *j->dist)) == NULL)
		return knng_fail_memory(err, "the graph", 16.0 * (double)j->n * (double)j->k);
	j->table = (knng_output){.idx = j->idx,
				 .idx_type = KNNG_I64,
				 .index_base = 0,
				 .dist = j->dist,
				 .dist_type = KNNG_F64,
				 .row_stride = j->k,
				 .col_stride = 1};
	return KNNG_OK;
}

/* What a search would take, on standard output. */
static knng_status
tell_plan(const knng_blocks_plan *plan, const knng_rows *rows)
{
	char device[96];
	int64_t blocks = (rows->n + plan->size - 1) / plan->size;
	knng_plan_device(&plan->one, device, sizeof device);
	printf("%lld rows of %lld %s columns, k %lld, on %s\n", (long long)rows->n, (long long)rows->d,
	       rows->type == KNNG_F32 ? "single" : "double", (long long)plan->k, device);
	printf("memory: %.3g GB, in %lld block%s; %.3g GB would do (-M)\n", plan->bytes / 1e9, (long long)blocks,
	       blocks == 1 ? "" : "s", plan->least / 1e9);
	printf("and %.3g GB for the graph\n", 16 * (double)rows->n * (double)plan->k / 1e9);
	if (plan->one.ndevices > 0)
		printf("on each GPU: %.3g GB\n", plan->one.device_bytes / 1e9);
	if (plan->disk > 0)
		printf("disk for the checkpoint: %.3g GB\n", plan->disk / 1e9);
	return KNNG_OK;
}

/* In blocks, where that has to be. */
static knng_status
search_rows(job *j, const knng_rows *rows, const knng_options *opt, knng_err *err)
{
	knng_blocks_plan plan;
	knng_status status = knng_blocks_plan_make(&plan, rows, opt, err);
	if (status != KNNG_OK)
		return status;
	if (j->planned)
		return tell_plan(&plan, rows);
	j->n = rows->n;
	j->d = rows->d;
	j->k = plan.k;
	if ((status = make_table(j, err)) == KNNG_OK)
		status = knng_blocks_graph(&plan, rows, opt, &j->table, &j->info, err);
	return status;
}

static knng_status
search_text(job *j, const char *in, bool quiet, knng_options *opt, knng_err *err)
{
	const knng_dataset *ds = &j->text.data;
	knng_plan plan;
	double start = knng_seconds();
	knng_status status = knng_read(in, KNNG_DATASET, NULL, &j->text, err);
	if (status != KNNG_OK)
		return status;
	j->seconds = knng_seconds() - start;
	/* Until here there is nothing that a signal would have to leave in order. */
	opt->task.interrupt = knng_signals_hold(true, opt->checkpoint != NULL);
	if (j->text.warnings > 0 && !quiet)
		fprintf(stderr, "knng: %s\n", j->text.warning.text);
	const knng_matrix X = {ds->nrows, ds->ncols, KNNG_F64, ds->X, 1, ds->nrows};
	if (opt->checkpoint != NULL || j->planned) {
		const knng_rows rows = {
			.n = X.n, .d = X.d, .type = X.type, .read = knng_read_matrix, .context = (void *)&X};
		return search_rows(j, &rows, opt, err);
	}
	if ((status = knng_plan_make(&plan, &X, NULL, opt, err)) != KNNG_OK)
		return status;
	j->n = X.n;
	j->d = X.d;
	j->k = plan.k;
	status = make_table(j, err);
	return status == KNNG_OK ? knng_run(&plan, &j->table, &j->info, err) : status;
}

static knng_status
search_numbers(job *j, const char *in, knng_options *opt, knng_err *err)
{
	opt->task.interrupt = knng_signals_hold(true, opt->checkpoint != NULL);
	knng_status status = knng_matrix_file_open(&j->numbers, in, &opt->task, err);
	if (status != KNNG_OK)
		return status;
	const knng_layout *l = knng_matrix_file_layout(j->numbers);
	const knng_rows rows = {.n = l->n,
				.d = l->d,
				.type = l->element->type,
				.read = knng_matrix_file_read,
				.context = j->numbers,
				.bytes = knng_matrix_file_bytes(j->numbers)};
	status = search_rows(j, &rows, opt, err);
	/* Distances of single rows are single, as from knngraph. */
	for (int64_t e = 0; status == KNNG_OK && rows.type == KNNG_F32 && e < j->n * j->k; e++)
		j->dist[e] = (double)(float)j->dist[e];
	return status;
}

/* What the user should know, on standard error. */
static void
tell(const job *j, const knng_options *opt)
{
	const knng_info *info = &j->info;
	if (opt->k > j->k)
		fprintf(stderr, "knng: k is cut from %lld to %lld: beside each row there are no more\n",
			(long long)opt->k, (long long)j->k);
	if (info->nonfinite + info->constant > 0)
		fprintf(stderr,
			"knng: %lld rows hold missing values or Inf and %lld are constant: they have no neighbours\n",
			(long long)info->nonfinite, (long long)info->constant);
	if (info->unsaved[0] != 0)
		fprintf(stderr, "knng: %s; the graph is complete\n", info->unsaved);
	if (info->resumed > 0)
		fprintf(stderr, "knng: went on from %.1f %% in %s\n", floor(1000 * info->resumed) / 10,
			opt->checkpoint);
	if (info->fallback[0] != 0)
		fprintf(stderr, "knng: a GPU did not finish (%s)\n", info->fallback);
	fprintf(stderr, "knng: %lld rows, %lld columns, k %lld, on %s: ", (long long)j->n, (long long)j->d,
		(long long)j->k, info->device);
	if (j->numbers == NULL)
		fprintf(stderr, "read %.3f s, search %.3f s\n", j->seconds, info->total);
	else
		fprintf(stderr, "search %.3f s, in %lld block%s\n", info->total, (long long)info->blocks,
			info->blocks == 1 ? "" : "s");
}

static knng_status
run(const char *in, const char *out, const char *format, knng_options *opt, bool checksum, bool quiet, bool planned,
    int *signal, knng_err *err)
{
	job j = {.planned = planned};
	knng_graph graph = {0};
	char hex[65];
	knng_status status;

	if (knng_matrix_format_of(in) != NULL)
		status = search_numbers(&j, in, opt, err);
	else
		status = search_text(&j, in, quiet, opt, err);
	if (status != KNNG_OK || planned)
		goto done;
	knng_task task = opt->task;
	if (checksum && (status = knng_hash(&task, &j.table, j.n, j.k, hex, err)) != KNNG_OK)
		goto done;
	if (out != NULL || !checksum) {
		const knng_write_options how = {.format = format, .directed = KNNG_DIRECTED, .task = opt->task};
		if ((status = make_graph(&task, &j.table, j.n, j.k, &graph, err)) != KNNG_OK)
			goto done;
		graph.names = j.text.data.names;
		knng_free(j.dist); /* as much again is needed to write */
		knng_free(j.idx);
		j.dist = NULL;
		j.idx = NULL;
		status = knng_write(out, &graph, &how, NULL, err);
	}
	if (status == KNNG_OK && checksum && (printf("%s\n", hex) < 0 || fflush(stdout) != 0))
		status = knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write standard output: %s", strerror(errno));
	if (status == KNNG_OK && !quiet)
		tell(&j, opt);
done:
	if (opt->task.interrupt != NULL)
		*signal = knng_signals_release();
	if (j.info.unsaved[0] != 0 && status != KNNG_OK)
		*signal = 0; /* the same command would not go on from here */
	free_graph(&graph);
	free_job(&j);
	return status;
}

int
main(int argc, char **argv)
{
	static const struct option longs[] = {
		{"neighbours", required_argument, NULL, 'k'},
		{"metric", required_argument, NULL, 'm'},
		{"threads", required_argument, NULL, 't'},
		{"max-memory", required_argument, NULL, 'M'},
		{"checkpoint", required_argument, NULL, 'C'},
		{"save-every", required_argument, NULL, 'E'},
		{"output", required_argument, NULL, 'o'},
		{"format", required_argument, NULL, 'f'},
		{"checksum", no_argument, NULL, 'c'},
		{"plan", no_argument, NULL, 'P'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{0},
	};
	knng_options opt = {.metric = "euclidean", .k = 20};
	const char *out = NULL, *format = NULL;
	bool checksum = false, quiet = false, planned = false;
	int64_t threads = 0;
	knng_err err;
	for (int c; (c = getopt_long(argc, argv, "k:m:t:M:C:o:f:cqh", longs, NULL)) != -1;)
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
		case 'M':
			opt.max_memory = parse_positive(optarg);
			if (opt.max_memory < 1) {
				fprintf(stderr,
					"knng:args:maxMemory: -M is '%s', expected a number of bytes, such as "
					"4e9\n",
					optarg);
				return 2;
			}
			break;
		case 'C':
			opt.checkpoint = optarg;
			break;
		case 'E':
			opt.save_every = parse_positive(optarg);
			if (opt.save_every == 0) {
				fprintf(stderr,
					"knng:args:option: --save-every is '%s', expected a number of seconds, such as "
					"600\n",
					optarg);
				return 2;
			}
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
		case 'P':
			planned = true;
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
	knng_status status = run(argv[optind], out, format, &opt, checksum, quiet, planned, &signal, &err);
	if (status != KNNG_OK)
		fprintf(stderr, "%s: %s\n", err.id, err.text);
	if (signal != 0 && opt.checkpoint != NULL && (signal == SIGTERM || signal == SIGUSR1))
		return status == KNNG_EINTERRUPTED ? 75 : status != KNNG_OK;
	if (signal != 0) {
		kill(getpid(), signal);
		return 128 + signal;
	}
	return status != KNNG_OK;
}
