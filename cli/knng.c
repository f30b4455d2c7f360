/* knng.c  The command-line program: a data set of any format in, its exact k-nearest-neighbour graph out, as text.
 *
 * Output: the bytes of knng.write, in the format that -f names or the ending of the file does; on standard output,
 * and to pipes and devices, .knn (core/io/formats/knn.c). The output file appears under its name only when it is
 * complete.
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
#include "search/describe.h"
#include "search/metric.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 80 };

/* A word behind those of a line that has so many columns, or on a new line, behind `indent` blanks. */
static void
print_word(const char *word, int indent, int *columns)
{
	if (*columns + 1 + (int)strlen(word) >= WIDTH)
		*columns = printf("\n%*s", indent, "") - 1;
	*columns += printf(" %s", word);
}

static void
print_help(void)
{
	enum { INDENT = 22 };
	int columns;
	printf("usage: knng [-k 20] [-m euclidean] [-t threads] [-M bytes] [-o out.knn]\n"
	       "            [-f format] [-c] [-q] file\n"
	       "\n"
	       "Finds the exact k nearest neighbours of every row of a data set (NBI, ABK, GEO\n"
	       "series matrix, GCT, CSV or TSV, plain or gzipped) or of a file of numbers, and\n"
	       "writes their graph. The format knn is an edge list: a line 'n m', then m lines\n"
	       "'source target distance', rows counted from 0; the others have the names of the\n"
	       "rows.\n\n");
	columns = printf("Files of numbers, which may be larger than the memory:");
	for (int i = 0; knng_matrix_formats[i] != NULL; i++)
		for (int e = 0; knng_matrix_formats[i]->endings[e] != NULL; e++)
			print_word(knng_matrix_formats[i]->endings[e], 1, &columns);
	printf("\n\n"
	       "  -k, --neighbours K   neighbours a row (20)\n");
	columns = printf("  -m, --metric NAME    metric (euclidean):");
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		print_word(knng_metric_name(i), INDENT, &columns);
	printf("\n"
	       "  -t, --threads N      threads (all)\n"
	       "  -M, --max-memory B   bytes of memory to use at most, beside the graph, and\n"
	       "                       beside the numbers if they are text (nine tenths of what\n"
	       "                       is available)\n"
	       "  -C, --checkpoint DIR where to keep what was found; the same command goes on\n"
	       "                       from there. SIGTERM and SIGUSR1 save it and end with\n"
	       "                       status 75\n"
	       "      --save-every S   seconds from one save to the next (600 or more)\n"
	       "  -o, --output FILE    where to write (standard output); .gz packs it\n");
	columns = printf("  -f, --format NAME    format (what FILE ends in; on standard output knn):");
	for (int i = 0; knng_write_format(i) != NULL; i++)
		print_word(knng_write_format(i), INDENT, &columns);
	printf("\n"
	       "  -c, --checksum       print the graph's SHA-256; the graph itself only with -o\n"
	       "      --plan           print what the search would take, and make none\n"
	       "  -q, --quiet          no line about the run on standard error\n"
	       "  -h, --help           this text\n"
	       "      --version        the version\n");
}

/* An error, with the options of Octave's functions under their names here. */
static void
print_error(const knng_err *err)
{
	static const struct {
		const char *there, *here;
	} names[] = {{"'MaxMemory'", "-M"}, {"the option 'Format'", "-f"}};
	fprintf(stderr, "%s: ", err->id);
	for (const char *p = err->text; *p != '\0';) {
		size_t i = 0, n = sizeof names / sizeof *names;
		while (i < n && strncmp(p, names[i].there, strlen(names[i].there)) != 0)
			i++;
		if (i < n) {
			fputs(names[i].here, stderr);
			p += strlen(names[i].there);
		} else {
			fputc(*p++, stderr);
		}
	}
	fputc('\n', stderr);
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

/* How far it is: on a terminal a line that is written over, once it takes longer; in the log of a job with a checkpoint
 * a line at the start and every ten minutes. */
static struct {
	double began, shown;
	bool terminal, logged;
} watch;

static void
show_progress(void *context, const char *stage, double fraction)
{
	double now = knng_seconds();
	(void)context;
	if (watch.began == 0)
		watch.began = now;
	if (watch.terminal && now - watch.began > 3 && now - watch.shown > 0.5)
		fprintf(stderr, "\rknng: %-8s %3.0f %% ", stage, floor(100 * fraction));
	else if (watch.logged && (watch.shown == 0 || now - watch.shown > 600))
		fprintf(stderr, "knng: %.1f %%\n", floor(1000 * fraction) / 10);
	else
		return;
	watch.shown = now;
}

static void
end_progress(void)
{
	if (watch.terminal && watch.shown > 0)
		fprintf(stderr, "\r%24s\r", "");
}

/* A second signal ends the program at once; not where it would keep the first from saving. */
static const volatile sig_atomic_t *
hold_signals(const knng_options *opt)
{
	return knng_signals_hold(opt->checkpoint == NULL, opt->checkpoint != NULL);
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
tell_plan(const knng_blocks_plan *plan, int64_t n, int64_t d, knng_type type, knng_err *err)
{
	char device[96];
	int64_t blocks = (n + plan->size - 1) / plan->size;
	knng_plan_device(&plan->one, device, sizeof device);
	printf("%lld rows of %lld %s columns, k %lld, on %s\n", (long long)n, (long long)d,
	       type == KNNG_F32 ? "single" : "double", (long long)plan->k, device);
	printf("memory: %.3g GB, in %lld block%s; the least that would do is -M %.0f\n", plan->bytes / 1e9,
	       (long long)blocks, blocks == 1 ? "" : "s", plan->least);
	printf("and %.3g GB for the graph\n", 32 * (double)n * (double)plan->k / 1e9);
	if (plan->one.ndevices > 0)
		printf("on each GPU: %.3g GB\n", plan->one.device_bytes / 1e9);
	if (plan->disk > 0)
		printf("disk for the checkpoint: %.3g GB\n", plan->disk / 1e9);
	if (fflush(stdout) != 0)
		return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write standard output: %s", strerror(errno));
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
	plan.least = j->planned ? knng_blocks_least(&plan, rows, opt) : plan.least;
	if (j->planned)
		return tell_plan(&plan, rows->n, rows->d, rows->type, err);
	j->n = rows->n;
	j->d = rows->d;
	j->k = plan.k;
	if ((status = make_table(j, err)) != KNNG_OK)
		return status;
	if ((status = knng_blocks_graph(&plan, rows, opt, &j->table, &j->info, err)) == KNNG_EMEMORY)
		knng_suggest_limit(plan.bytes, knng_blocks_least(&plan, rows, opt) < plan.bytes, err);
	return status;
}

static knng_status
search_text(job *j, const char *in, bool quiet, knng_options *opt, knng_err *err)
{
	const knng_dataset *ds = &j->text.data;
	knng_plan plan;
	double start = knng_seconds();
	if (opt->checkpoint != NULL) /* a batch system may send them at any time */
		opt->task.interrupt = hold_signals(opt);
	knng_status status = knng_read(in, KNNG_DATASET, NULL, &j->text, err);
	if (status != KNNG_OK)
		return status;
	j->seconds = knng_seconds() - start;
	/* Until here there is nothing that a signal would have to leave in order. */
	if (opt->checkpoint == NULL)
		opt->task.interrupt = hold_signals(opt);
	if (j->text.warnings > 0 && !quiet)
		fprintf(stderr, "knng: %s\n", j->text.warning.text);
	const knng_matrix X = {ds->nrows, ds->ncols, KNNG_F64, ds->X, 1, ds->nrows};
	if (opt->checkpoint != NULL) {
		const knng_rows rows = {
			.n = X.n, .d = X.d, .type = X.type, .read = knng_read_matrix, .context = (void *)&X};
		return search_rows(j, &rows, opt, err);
	}
	if ((status = knng_plan_make(&plan, &X, NULL, opt, err)) != KNNG_OK)
		return status;
	if (j->planned) {
		const knng_blocks_plan whole = {
			.size = X.n, .k = plan.k, .bytes = plan.bytes, .least = plan.least, .one = plan};
		return tell_plan(&whole, X.n, X.d, X.type, err);
	}
	j->n = X.n;
	j->d = X.d;
	j->k = plan.k;
	if ((status = make_table(j, err)) != KNNG_OK)
		return status;
	if ((status = knng_run(&plan, &j->table, &j->info, err)) == KNNG_EMEMORY)
		knng_suggest_limit(plan.bytes, plan.least < plan.bytes, err);
	return status;
}

static knng_status
search_numbers(job *j, const char *in, knng_options *opt, knng_err *err)
{
	opt->task.interrupt = hold_signals(opt);
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

static const char *
plural(int64_t count)
{
	return count == 1 ? "" : "s";
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
			"knng: rows with missing values or Inf: %lld, constant ones: %lld; they have no neighbours\n",
			(long long)info->nonfinite, (long long)info->constant);
	if (info->unsaved[0] != 0)
		fprintf(stderr, "knng: %s; the graph is complete\n", info->unsaved);
	if (info->resumed > 0)
		fprintf(stderr, "knng: went on from %.1f %% in %s\n", floor(1000 * info->resumed) / 10,
			opt->checkpoint);
	if (info->fallback[0] != 0)
		fprintf(stderr, "knng: a GPU did not finish (%s)\n", info->fallback);
	fprintf(stderr, "knng: %lld row%s, %lld column%s, k %lld, on %s: ", (long long)j->n, plural(j->n),
		(long long)j->d, plural(j->d), (long long)j->k, info->device);
	if (j->numbers == NULL)
		fprintf(stderr, "read %.3f s, search %.3f s\n", j->seconds, info->total);
	else
		fprintf(stderr, "search %.3f s, in %lld block%s\n", info->total, (long long)info->blocks,
			plural(info->blocks));
}

/* Whether the graph would take the place of the data. A pipe or a device is no such thing. */
static bool
is_same_file(const char *in, const char *out)
{
	struct stat a, b;
	return out != NULL && stat(in, &a) == 0 && stat(out, &b) == 0 && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

static knng_status
run(const char *in, const char *out, const char *format, knng_options *opt, bool checksum, bool quiet, bool planned,
    int *signal, knng_err *err)
{
	job j = {.planned = planned};
	knng_graph graph = {0};
	char hex[65];
	knng_status status;

	if (is_same_file(in, out))
		return knng_fail(err, KNNG_EARGS, "knng:args:file",
				 "%.200s is the file that is read: name another one for the graph", out);
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
	end_progress();
	if (status == KNNG_OK && !quiet)
		tell(&j, opt);
done:
	end_progress();
	/* With a checkpoint more of them may come until the end, and change nothing. */
	if (opt->task.interrupt != NULL)
		*signal = opt->checkpoint != NULL ? *opt->task.interrupt : knng_signals_release();
	if (status == KNNG_EINTERRUPTED && opt->checkpoint != NULL && strstr(err->text, "nothing was kept") != NULL)
		knng_fail(err, status, "knng:interrupted",
			  "stopped by %s; what was found before is in %.200s, and the same command goes on from there",
			  knng_signals_name(*signal), opt->checkpoint);
	if (j.info.unsaved[0] != 0 && status != KNNG_OK)
		*signal = 0; /* the same command would not go on from here */
	free_graph(&graph);
	free_job(&j);
	return status;
}

/* Whether the path is standard output (NULL), a pipe or a device, whose names have no endings. */
static bool
is_stream(const char *path)
{
	struct stat st;
	return path == NULL || strncmp(path, "/dev/", 5) == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
}

enum { SAVE_EVERY = 256, PLAN, VERSION }; /* options that have no letter */

/* Says what is wrong with the option at which getopt_long stopped; c is what it returned. */
static int
refuse_option(int c, char **argv, const struct option *longs)
{
	const char *names[20], *near = NULL;
	char given[60] = {'-', (char)optopt, '\0'};
	const struct option *known = longs;
	while (known->name != NULL && known->val != optopt)
		known++;
	int n = 0;
	for (const struct option *o = longs; o->name != NULL; o++)
		names[n++] = o->name;
	if (optopt == 0) { /* a long one, whose name is none or short for several */
		snprintf(given, sizeof given, "%.*s", (int)strcspn(argv[optind - 1], "="), argv[optind - 1]);
		near = knng_nearest_name(given + 2, names, n);
	}
	if (c == ':')
		fprintf(stderr, "knng:args:option: the option --%s needs a value: see knng --help\n", known->name);
	else if (optopt != 0 && known->name != NULL)
		fprintf(stderr, "knng:args:option: the option --%s takes no value: see knng --help\n", known->name);
	else
		fprintf(stderr, "knng:args:unknownOption: there is no option %s%s%s%s: see knng --help\n", given,
			near != NULL ? " (did you mean --" : "", near != NULL ? near : "", near != NULL ? "?)" : "");
	return 2;
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
		{"save-every", required_argument, NULL, SAVE_EVERY},
		{"output", required_argument, NULL, 'o'},
		{"format", required_argument, NULL, 'f'},
		{"checksum", no_argument, NULL, 'c'},
		{"plan", no_argument, NULL, PLAN},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, VERSION},
		{0},
	};
	knng_options opt = {.metric = "euclidean", .k = 20};
	const char *out = NULL, *format = NULL;
	bool checksum = false, quiet = false, planned = false;
	int64_t threads = 0;
	knng_err err;
	opterr = 0;
	for (int c; (c = getopt_long(argc, argv, ":k:m:t:M:C:o:f:cqh", longs, NULL)) != -1;)
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
				print_error(&err);
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
			if (*optarg == '\0') {
				fprintf(stderr, "knng:args:option: -C is '', expected the name of a folder\n");
				return 2;
			}
			break;
		case SAVE_EVERY:
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
				print_error(&err);
				return 2;
			}
			break;
		case 'c':
			checksum = true;
			break;
		case PLAN:
			planned = true;
			break;
		case 'q':
			quiet = true;
			break;
		case 'h':
			print_help();
			return 0;
		case VERSION:
			printf("knng %s\n", KNNG_VERSION);
			return 0;
		default:
			return refuse_option(c, argv, longs);
		}
	if (optind != argc - 1) {
		fprintf(stderr, "knng:args:count: expected one file, got %d: see knng --help\n", argc - optind);
		return 2;
	}
	if (format == NULL && (format = is_stream(out) ? "knn" : find_format(out, NULL, &err)) == NULL) {
		print_error(&err);
		return 2;
	}
	int signal = 0;
	watch.terminal = isatty(STDERR_FILENO);
	watch.logged = opt.checkpoint != NULL && !watch.terminal;
	if (!quiet)
		opt.task.progress = show_progress;
	knng_status status = run(argv[optind], out, format, &opt, checksum, quiet, planned, &signal, &err);
	if (status != KNNG_OK)
		print_error(&err);
	if (status == KNNG_EARGS && strcmp(err.id, "knng:args:file") == 0)
		return 2;
	if (signal != 0 && opt.checkpoint != NULL && (signal == SIGTERM || signal == SIGUSR1))
		return status == KNNG_EINTERRUPTED ? 75 : status != KNNG_OK;
	if (signal != 0) {
		if (opt.checkpoint != NULL)
			knng_signals_release();
		kill(getpid(), signal);
		return 128 + signal;
	}
	return status != KNNG_OK;
}
