#include "options.h"
#include "base/sys.h"
#include "base/task.h"
#include "io/graph_file.h"
#include "io/write.h"
#include "search/metric.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 80 };

static bool silent;         /* nothing is said of what is wrong */
static const char *program; /* whose help has the options */

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void
complain(const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	knng_clean(text);
	if (!silent)
		fprintf(stderr, "%s\n", text);
}

/* A word behind those of a line that has so many columns, or on a new line, behind `indent` blanks. */
static void
print_word(const char *word, int indent, int *columns)
{
	if (*columns + 1 + (int)strlen(word) >= WIDTH)
		*columns = printf("\n%*s", indent, "") - 1;
	*columns += printf(" %s", word);
}

static void
print_help(bool ranks)
{
	enum { INDENT = 22 };
	int columns;
	printf("usage: %s [-k 20] [-m euclidean] [-t threads] [-M bytes]%s[-o out.knn]%s"
	       "[-f format] [-c] [-q] file\n"
	       "\n"
	       "Finds the exact k nearest neighbours of every row of a data set (NBI, ABK, GEO\n"
	       "series matrix or SOFT, GCT, CSV or TSV, plain or gzipped) or of a file of\n"
	       "numbers, and writes their graph. The format knn is an edge list: a line 'n m',\n"
	       "then m lines 'source target distance', rows counted from 0; the others have the\n"
	       "names of the rows.\n\n",
	       ranks ? "mpirun -n 4 knng-mpi" : "knng", ranks ? "\n            " : " ", ranks ? " " : "\n            ");
	if (ranks)
		printf("Several processes do it together, on one machine or on several; all of them\n"
		       "read the file. -t and -M are of each.\n\n");
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
	       "                       is available); 4G is 4e9, and so K, M and T\n"
	       "  -C, --checkpoint DIR where to keep what was found; the same command goes on\n"
	       "                       from there. SIGTERM and SIGUSR1 save it and end with\n"
	       "                       status 75\n"
	       "      --save-every S   seconds from one save to the next (600 or more)\n"
	       "      --dataset NAME   of a file of HDF5: which of its matrices\n"
	       "      --transposed     of a file of HDF5: a row is a column of the dataset, as\n"
	       "                       Julia and R store it, MATLAB and Octave too, of which it\n"
	       "                       shows in the file; --transposed=no: it is none\n"
	       "  -o, --output FILE    where to write (standard output); .gz packs it. A FILE\n"
	       "                       that ends in .h5, .hdf5 or .mat is HDF5, for load of\n"
	       "                       Octave and MATLAB and for knng.loadgraph: idx and dist,\n"
	       "                       without names of rows\n");
	columns = printf("  -f, --format NAME    format (what FILE ends in; on standard output knn):");
	for (int i = 0; knng_write_format(i) != NULL; i++)
		print_word(knng_write_format(i), INDENT, &columns);
	printf("\n"
	       "  -c, --checksum       print the graph's SHA-256; the graph itself only with -o\n"
	       "      --plan           print what the search would take, and make none; the\n"
	       "                       time is that of short searches here, scaled up\n"
	       "%s"
	       "  -q, --quiet          no line about the run on standard error\n"
	       "  -h, --help           this text\n"
	       "      --version        the version\n",
	       ranks ? "      --ranks R        with --plan, and without mpirun: for so many processes,\n"
		       "                       each on a machine as this one\n"
		       "      --gpus G         with --ranks: so many of the GPUs here for each (all)\n"
		       "      --network B      with --plan: bytes that a machine receives in a second\n"
		       "      --deadline S     give up a process that says nothing for so many seconds\n"
		       "                       (120)\n"
		     : "");
}

/* An error, with the options of Octave's functions under their names here. */
void
knng_print_error(const knng_err *err)
{
	static const struct {
		const char *there, *here;
	} names[] = {{"'MaxMemory'", "-M"},
		     {"'Output'", "-o"},
		     {"the option 'Format'", "-f"},
		     {"'Dataset', ", "--dataset "},
		     {"'Dataset'", "--dataset"},
		     {"'Transposed'", "--transposed"},
		     {"'Device', 'auto' or 'cpu' works on the CPU", "leave out --gpus to plan without"},
		     {"'Device', 'auto' takes", "without --gpus it takes"}};
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

void
knng_tell_threads(const knng_options *opt)
{
	int threads = knng_task_threads(&opt->task);
	if (opt->task.threads > threads)
		fprintf(stderr, "knng: -t is cut from %d to %d: more threads only wait for each other\n",
			opt->task.threads, threads);
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

/* Bytes, such as 4e9 or 4G, or 0. The suffixes are powers of 1000, as all sizes that the programs print. */
static double
parse_bytes(const char *text)
{
	static const char suffixes[] = "KMGT";
	char *end;
	double value = strtod(text, &end), unit = 1;
	const char *suffix = end > text && *end != '\0' ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;
	for (const char *s = suffixes; suffix != NULL && s <= suffix; s++)
		unit *= 1000;
	return end > text && end[suffix != NULL] == '\0' && value > 0 ? value * unit : 0;
}

/* The format of this name (NULL: that the path ends in, before .gz), or NULL and why. */
static const char *
find_format(const char *path, const char *name, knng_err *err)
{
	const knng_writing *f;
	return knng_find_writing(KNNG_GRAPH, path, name, &f, err) == KNNG_OK ? f->name : NULL;
}

/* Whether the path is standard output (NULL), a pipe or a device, whose names have no endings. */
static bool
is_stream(const char *path)
{
	struct stat st;
	return path == NULL || strncmp(path, "/dev/", 5) == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
}

enum {
	SAVE_EVERY = 256,
	DATASET,
	TRANSPOSED,
	PLAN,
	VERSION,
	DEADLINE,
	RANKS,
	GPUS,
	NETWORK
}; /* options that have no letter */

/* Says what is wrong with the option at which getopt_long stopped; c is what it returned. */
static int
refuse_option(int c, char **argv, const struct option *longs)
{
	const char *names[24], *near = NULL;
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
		complain("knng:args:option: the option --%s needs a value: see %s --help", known->name, program);
	else if (optopt != 0 && known->name != NULL)
		complain("knng:args:option: the option --%s takes no value: see %s --help", known->name, program);
	else
		complain("knng:args:unknownOption: there is no option %s%s%s%s: see %s --help", given,
			 near != NULL ? " (did you mean --" : "", near != NULL ? near : "", near != NULL ? "?)" : "",
			 program);
	return 2;
}

/* Says what is wrong with the value of an option; the status to end with. */
static int
refuse_value(const char *id, const char *option, const char *expected)
{
	complain("%s: %s is '%s', expected %s", id, option, optarg, expected);
	return 2;
}

static int
refuse(const knng_err *err)
{
	if (!silent)
		knng_print_error(err);
	return 2;
}

/* The file of the graph has no ending that is known. */
static int
refuse_ending(const char *path)
{
	char known[120] = "";
	for (int i = 0; knng_write_format(i) != NULL; i++)
		if (strlen(known) + strlen(knng_write_format(i)) + 3 < sizeof known)
			strcat(strcat(known, known[0] != '\0' ? ", " : ""), knng_write_format(i));
	complain("knng:args:format: the ending of '%.200s' names no format for this: give it one of the endings %s "
		 "(and .gz to pack it)%s, or use -f",
		 path, known, knng_graph_out_can(NULL) == KNNG_OK ? ", or h5, hdf5, mat" : "");
	return 2;
}

/* One option that getopt_long has found; 0, or the status to end with. */
static int
take(int c, knng_command *command)
{
	knng_options *opt = &command->opt;
	knng_err err;
	int64_t threads;
	switch (c) {
	case 'k':
		opt->k = parse_count(optarg);
		return opt->k > 0 ? 0 : refuse_value("knng:args:k", "-k", "a whole number from 1 on");
	case 'm':
		opt->metric = optarg;
		if (knng_metric_find(optarg) != NULL)
			return 0;
		knng_metric_unknown(optarg, &err);
		return refuse(&err);
	case 't':
		threads = parse_count(optarg);
		opt->task.threads = (int)threads;
		return threads > 0 && threads <= 4096
			       ? 0
			       : refuse_value("knng:args:threads", "-t", "a whole number, 1 to 4096");
	case 'M':
		opt->max_memory = parse_bytes(optarg);
		return opt->max_memory >= 1
			       ? 0
			       : refuse_value("knng:args:maxMemory", "-M", "a number of bytes, such as 4e9 or 4G");
	case 'C':
		opt->checkpoint = optarg;
		return *optarg != '\0' ? 0 : refuse_value("knng:args:option", "-C", "the name of a folder");
	case SAVE_EVERY:
		opt->save_every = parse_positive(optarg);
		return opt->save_every > 0
			       ? 0
			       : refuse_value("knng:args:option", "--save-every", "a number of seconds, such as 600");
	case DEADLINE:
		command->deadline = parse_positive(optarg);
		return command->deadline >= 2
			       ? 0
			       : refuse_value("knng:args:option", "--deadline", "a number of seconds from 2 on");
	case RANKS:
		command->ranks = (int)fmin((double)parse_count(optarg), 65537);
		return command->ranks > 0 && command->ranks <= 65536
			       ? 0
			       : refuse_value("knng:args:option", "--ranks", "a whole number, 1 to 65536");
	case GPUS:
		command->gpus = (int)fmin((double)parse_count(optarg), KNNG_MAX_DEVICES + 1);
		return command->gpus > 0 && command->gpus <= KNNG_MAX_DEVICES
			       ? 0
			       : refuse_value("knng:args:option", "--gpus", "a whole number, 1 to 64");
	case NETWORK:
		command->network = parse_positive(optarg);
		return command->network >= 1 ? 0
					     : refuse_value("knng:args:option", "--network",
							    "a number of bytes a second, such as 10e9");
	case DATASET:
		command->choice.dataset = optarg;
		return *optarg != '\0' ? 0 : refuse_value("knng:args:option", "--dataset", "the name of a dataset");
	case TRANSPOSED:
		command->choice.transposed = optarg == NULL || strcmp(optarg, "yes") == 0;
		return command->choice.transposed || strcmp(optarg, "no") == 0
			       ? 0
			       : refuse_value("knng:args:option", "--transposed", "yes or no");
	case 'o':
		command->out = optarg;
		return 0;
	case 'f':
		command->format = find_format(NULL, optarg, &err);
		return command->format != NULL ? 0 : refuse(&err);
	case 'c':
		command->checksum = true;
		return 0;
	case PLAN:
		command->planned = true;
		return 0;
	default: /* 'q' */
		command->quiet = true;
		return 0;
	}
}

/* Options that only a plan has. */
static int
check_plan(const knng_command *command)
{
	const char *needless = command->ranks > 0 ? "--ranks" : command->network > 0 ? "--network" : NULL;
	if (command->gpus > 0 && command->ranks == 0)
		complain("knng:args:option: --gpus is for --plan with --ranks: see knng-mpi --help");
	else if (needless != NULL && !command->planned)
		complain("knng:args:option: %s is for --plan: see knng-mpi --help", needless);
	else
		return 0;
	return 2;
}

int
knng_parse_command(int argc, char **argv, bool ranks, bool quietly, knng_command *command)
{
	const struct option longs[] = {
		{"neighbours", required_argument, NULL, 'k'},
		{"metric", required_argument, NULL, 'm'},
		{"threads", required_argument, NULL, 't'},
		{"max-memory", required_argument, NULL, 'M'},
		{"checkpoint", required_argument, NULL, 'C'},
		{"save-every", required_argument, NULL, SAVE_EVERY},
		{"dataset", required_argument, NULL, DATASET},
		{"transposed", optional_argument, NULL, TRANSPOSED},
		{"output", required_argument, NULL, 'o'},
		{"format", required_argument, NULL, 'f'},
		{"checksum", no_argument, NULL, 'c'},
		{"plan", no_argument, NULL, PLAN},
		{"quiet", no_argument, NULL, 'q'},
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, VERSION},
		{ranks ? "deadline" : NULL, required_argument, NULL, DEADLINE},
		{"ranks", required_argument, NULL, RANKS},
		{"gpus", required_argument, NULL, GPUS},
		{"network", required_argument, NULL, NETWORK},
		{0},
	};
	int status = 0;
	knng_err err;
	*command = (knng_command){.choice = knng_matrix_any, .opt = {.metric = "euclidean", .k = 20}, .deadline = 120};
	silent = quietly;
	program = ranks ? "knng-mpi" : "knng";
	opterr = 0;
	for (int c; status == 0 && (c = getopt_long(argc, argv, ":k:m:t:M:C:o:f:cqh", longs, NULL)) != -1;) {
		if (c == '?' || c == ':')
			return refuse_option(c, argv, longs);
		if (c == 'h')
			print_help(ranks);
		else if (c == VERSION)
			printf("%s %s\n", program, KNNG_VERSION);
		else
			status = take(c, command);
		if (c == 'h' || c == VERSION)
			return 0;
	}
	if (status == 0)
		status = check_plan(command);
	if (status != 0)
		return status;
	if (optind != argc - 1) {
		complain("knng:args:count: expected one file, got %d: see %s --help", argc - optind, program);
		return 2;
	}
	command->in = argv[optind];
	bool stream = is_stream(command->out);
	if (command->format == NULL && !stream && knng_graph_file_named(command->out)) {
		if (knng_graph_out_can(&err) != KNNG_OK)
			return refuse(&err);
		command->opt.output = command->out;
	} else if (command->format == NULL) {
		command->format = stream ? "knn" : find_format(command->out, NULL, &err);
		if (command->format == NULL)
			return refuse_ending(command->out);
	}
	if (command->opt.save_every > 0 && command->opt.checkpoint == NULL) {
		complain(
			"knng:args:option: --save-every is for a search with a checkpoint: name its folder with -C, or "
			"leave it out");
		return 2;
	}
	if (command->out == NULL)
		return KNNG_COMMAND_RUN;
	const char *what = knng_same_file(command->in, command->out) ? "file that is read" : NULL;
	if (command->opt.checkpoint != NULL && knng_same_place(command->opt.checkpoint, command->out))
		what = "folder of the checkpoint";
	if (what == NULL)
		return KNNG_COMMAND_RUN;
	complain("knng:args:file: %.200s is the %s: name another one for the graph", command->out, what);
	return 2;
}
