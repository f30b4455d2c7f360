/* knng.c  The command-line program: a data set of any format in, its exact k-nearest-neighbour graph out, as text.
 *
 * Output, the edge list of the first paper: a line 'n m', then m lines 'source target weight', rows counted from 0,
 * nearest first; the weight is the distance, in 17 digits, so that reading it gives the same double. Missing
 * neighbours are left out. The output file appears under its name only when it is complete.
 *
 * Exit status: 0; 1 an error, with its identifier on stderr; 2 wrong usage; 130 interrupted. */
#include "sys.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static volatile sig_atomic_t interrupted;

static void
on_signal(int signal)
{
	(void)signal;
	__atomic_store_n(&interrupted, 1, __ATOMIC_RELAXED); /* other threads read it */
}

static void
print_help(FILE *to)
{
	fprintf(to, "usage: knng [-k 20] [-m pearson] [-t threads] [-o out.knn] [-c] [-q] file\n"
		    "\n"
		    "Finds the exact k nearest neighbours of every row of a data set (NBI, ABK, GEO\n"
		    "series matrix, GCT, CSV or TSV, plain or gzipped) and writes the edge list: a line 'n m', then m "
		    "lines\n"
		    "'source target distance', rows counted from 0.\n"
		    "\n"
		    "  -k, --neighbours K   neighbours a row (20)\n"
		    "  -m, --metric NAME    metric (pearson):");
	for (int i = 0; knng_metric_name(i) != NULL; i++)
		fprintf(to, "%s%s", i % 7 == 0 ? "\n                         " : " ", knng_metric_name(i));
	fprintf(to, "\n"
		    "  -t, --threads N      threads (all)\n"
		    "  -o, --output FILE    where to write (standard output)\n"
		    "  -c, --checksum       print the graph's SHA-256; the edge list only with -o\n"
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

static knng_status
write_edges(FILE *to, const char *name, const knng_plan *plan, const int64_t *idx, const double *dist, knng_err *err)
{
	int64_t edges = 0, slots = plan->m * plan->k;
	for (int64_t e = 0; e < slots; e++)
		edges += idx[e] >= 0;
	fprintf(to, "%lld %lld\n", (long long)plan->m, (long long)edges);
	for (int64_t e = 0; e < slots && !ferror(to); e++) {
		if (idx[e] >= 0)
			fprintf(to, "%lld %lld %.17g\n", (long long)(e / plan->k), (long long)idx[e], dist[e]);
		if (interrupted)
			return knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "interrupted while writing %s",
					 name);
	}
	errno = 0;
	if (fflush(to) != 0 || ferror(to))
		return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write %.200s: %s", name,
				 errno ? strerror(errno) : "an earlier write failed");
	return KNNG_OK;
}

/* Writes to a file beside `path`, which takes its name at the end; straight to `path` if that is a pipe or a device. */
static knng_status
write_file(const char *path, const knng_plan *plan, const int64_t *idx, const double *dist, knng_err *err)
{
	struct stat st;
	bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
	knng_status status;
	int64_t length = (int64_t)strlen(path) + 8;
	char *name = knng_alloc(length, 1);
	if (name == NULL)
		return knng_fail_memory(err, "a file name", (double)length);
	snprintf(name, (size_t)length, "%s%s", path, direct ? "" : ".part");
	FILE *to = knng_file_create(name);
	if (to == NULL) {
		status = knng_fail(err, KNNG_EIO, "knng:io:open", "cannot write %.200s: %s", name, strerror(errno));
		goto done;
	}
	status = write_edges(to, path, plan, idx, dist, err);
	if (knng_file_done(to) != 0 && status == KNNG_OK)
		status = knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write %.200s: %s", path, strerror(errno));
	if (status == KNNG_OK && !direct && rename(name, path) != 0)
		status = knng_fail(err, KNNG_EIO, "knng:io:write", "cannot name a file %.200s: %s", path,
				   strerror(errno));
	if (status != KNNG_OK && !direct)
		remove(name);
done:
	knng_free(name);
	return status;
}

static knng_status
run(const char *in, const char *out, const knng_options *opt, bool checksum, bool quiet, knng_err *err)
{
	knng_content file = {0};
	knng_plan plan;
	knng_info info;
	knng_status status;
	int64_t *idx = NULL;
	double *dist = NULL, t = knng_seconds();

	if ((status = knng_read(in, KNNG_DATASET, &file, err)) != KNNG_OK)
		goto done;
	t = knng_seconds() - t;
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
	if (out != NULL)
		status = write_file(out, &plan, idx, dist, err);
	else if (!checksum)
		status = write_edges(stdout, "standard output", &plan, idx, dist, err);
	char hex[65];
	if (status == KNNG_OK && checksum &&
	    (status = knng_hash(&to, plan.m, plan.k, opt->interrupt, hex, err)) == KNNG_OK)
		printf("%s\n", hex);
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
		{"checksum", no_argument, NULL, 'c'},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{0},
	};
	knng_options opt = {.metric = "pearson", .k = 20, .interrupt = &interrupted};
	const char *out = NULL;
	bool checksum = false, quiet = false;
	int64_t threads = 0;
	for (int c; (c = getopt_long(argc, argv, "k:m:t:o:cqh", longs, NULL)) != -1;)
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
			break;
		case 't':
			threads = parse_count(optarg);
			if (threads == 0 || threads > 4096) {
				fprintf(stderr, "knng:args:threads: -t is '%s', expected a whole number, 1 to 4096\n",
					optarg);
				return 2;
			}
			opt.threads = (int)threads;
			break;
		case 'o':
			out = optarg;
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
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND}; /* a second one ends it at once */
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);

	knng_err err;
	knng_status status = run(argv[optind], out, &opt, checksum, quiet, &err);
	if (status == KNNG_OK)
		return 0;
	fprintf(stderr, "%s: %s\n", err.id, err.text);
	return status == KNNG_EINTERRUPTED ? 130 : 1;
}
