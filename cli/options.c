#include "options.h"
#include "base/suggest.h"
#include "base/sys.h"
#include "base/task.h"
#include "io/graph_file.h"
#include "io/write.h"
#include "search/metric.h"

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
	       "series matrix or SOFT, GCT, CSV or TSV, plain or gzipped, or a folder of 10x\n"
	       "Genomics) or of a file of numbers, and writes their graph. The format knn is an\n"
	       "edge list: a line 'n m', then m lines 'source target distance', rows counted\n"
	       "from 0; the others have the names of the rows.\n\n",
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
	       "                       is available); 4G or 4GB is 4e9, 4GiB 2^32, and so K, M\n"
	       "                       and T\n"
	       "%s"
	       "      --rows HOW       all: rows with missing values have no neighbours (all);\n"
	       "                       pairwise: rows are compared over columns that both have\n"
	       "      --min-valid C    with pairwise: how many columns two rows must share (3)\n"
	       "  -C, --checkpoint DIR where to keep what was found; the same command goes on\n"
	       "                       from there. SIGTERM and SIGUSR1 save it and end with\n"
	       "                       status 75\n"
	       "      --save-every S   seconds from one save to the next (600 or more)\n"
	       "      --dataset NAME   of a file of HDF5 or a .npz: which of its matrices\n"
	       "      --transposed     of the same: points are the columns of the dataset, as\n"
	       "                       Julia and R store them. Files of MATLAB and Octave need\n"
	       "                       no such word; --transposed=no: points are the rows. Of\n"
	       "                       an array of MATLAB or Octave with more dimensions a\n"
	       "                       point is a slice along the first index, with =no along\n"
	       "                       the last\n"
	       "      --delimiter D    of a table: comma, semicolon, tab, blank or bar\n"
	       "      --decimal-comma  1,5 is a number; --decimal-comma=no: it is none. It is\n"
	       "                       found out where semicolons or tabs separate\n"
	       "      --header-lines N lines to leave out at the top (0)\n"
	       "      --names-column C of a table: number or name of the column that has the\n"
	       "                       names of the rows; 0: there is none\n"
	       "      --platform NAME  of a family of GEO (SOFT): which of its platforms\n"
	       "      --missing WORD   a missing value, beside NA and the like; a number is one\n"
	       "                       however it is written; may come again\n"
	       "  -o, --output FILE    where to write (standard output); .gz packs it. A FILE\n"
	       "                       that ends in .h5, .hdf5 or .mat is HDF5, for load of\n"
	       "                       Octave and MATLAB and for knng.loadgraph: idx and dist,\n"
	       "                       without names of rows\n",
	       ranks ? ""
		     : "      --prune HOW      leave out pairs of rows too far apart to matter, on\n"
		       "                       the CPU: on, off, or auto, where a sample says that it\n"
		       "                       gains (auto); the graph is the same\n");
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

static void
print_version(bool ranks)
{
	printf("%s %s\n", ranks ? "knng-mpi" : "knng", KNNG_VERSION);
}

/* Is what is in quotes at p, of the text, the name of an option, and not what the user called a column or a sample? The
 * words before it say so. */
static bool
is_of_option(const char *text, const char *p)
{
	static const char *const before[] = {"(",          "; ",     ": ",      "and ", "by ",      "give ",  "in ",
					     "knng.read ", "leave ", "option ", "or ",  "smaller ", "which ", "with "};
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		ptrdiff_t length = (ptrdiff_t)strlen(before[i]);
		if (p - text >= length && strncmp(p - length, before[i], (size_t)length) == 0)
			return true;
	}
	return p == text;
}

void
knng_print(const char *who, const char *text)
{
	static const struct {
		const char *there, *here;
	} names[] = {{"'MaxMemory'", "-M"},
		     {"'MinValid'", "--min-valid"},
		     {"give 'Rows', 'complete'", "leave columns with missing values out"},
		     {"'Rows', 'pairwise'", "--rows pairwise"},
		     {"'Output'", "-o"},
		     {" (-o of the program)", ""},
		     {"the option 'Format'", "-f"},
		     {"'Dataset', ", "--dataset "},
		     {"'Dataset'", "--dataset"},
		     {"'Transposed', false", "--transposed=no"},
		     {"'Transposed', true", "--transposed"},
		     {"'Transposed'", "--transposed"},
		     {"give knng.read 'DecimalComma', true", "give --decimal-comma"},
		     {"give knng.read 'DecimalComma', false", "give --decimal-comma=no"},
		     {"give knng.read 'Missing', ", "give --missing "},
		     {"'DecimalComma'", "--decimal-comma"},
		     {"'Missing'", "--missing"},
		     {"'Delimiter'", "--delimiter"},
		     {"'HeaderLines'", "--header-lines"},
		     {"'NamesColumn'", "--names-column"},
		     {"'Platform'", "--platform"},
		     {"'Device', 'auto' or 'cpu' works on the CPU", "leave out --gpus to plan without"},
		     {"'Device', 'auto' takes", "without --gpus it takes"}};
	static const char *const ends[][2] = {/* what follows is for Octave */
					      {"leave it out: ds.X(", "leave it out of the file"},
					      {", or of ds.X and ds.names (", ""}};
	const char *end = text + strlen(text), *last = "";
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const char *found = strstr(text, ends[i][0]);
		if (found != NULL) {
			end = found;
			last = ends[i][1];
		}
	}
	fprintf(stderr, "%s: ", who);
	for (const char *p = text; p < end;) {
		size_t i = 0, n = sizeof names / sizeof *names;
		while (i < n && strncmp(p, names[i].there, strlen(names[i].there)) != 0)
			i++;
		if (*p == '\'' && !is_of_option(text, p))
			i = n;
		if (i < n) {
			fputs(names[i].here, stderr);
			p += strlen(names[i].there);
		} else {
			fputc(*p++, stderr);
		}
	}
	fprintf(stderr, "%s\n", last);
}

void
knng_print_error(const knng_err *err)
{
	knng_print(err->id, err->text);
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
	double value = strtod(text, &end);
	bool plain = text[strspn(text, "0123456789.eE+")] == '\0';
	return plain && *text != '\0' && *end == '\0' && value >= 1 && value <= 0x1p53 && value == floor(value)
		       ? (int64_t)value
		       : 0;
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

/* Whether the path is standard output (NULL), a pipe or a device, whose names have no endings. */
static bool
is_stream(const char *path)
{
	struct stat st;
	return path == NULL || strncmp(path, "/dev/", 5) == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
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

/* ---------------------------------------------------------------- the table of options */

typedef struct option_row option_row;

struct option_row {
	const char *name;
	int letter; /* or 0 */
	int argument;
	/* Reads optarg into a field of the command; false: it is wrong, and err says why where the row does not. */
	bool (*take)(const option_row *o, void *field, knng_err *err);
	size_t field;
	bool ranks, single;      /* of knng-mpi alone, of knng alone */
	double least, most;      /* of the value, or of the length of a text; most: of take_int alone */
	const char *wanted;      /* in place of a wrong value */
	const char *id;          /* of that error; NULL: knng:args:option */
	void (*say)(bool ranks); /* instead of all that: the program says something, and ends */
};

static bool
take_count(const option_row *o, void *field, knng_err *err)
{
	int64_t value = parse_count(optarg);
	(void)err;
	*(int64_t *)field = value;
	return (double)value >= o->least;
}

static bool
take_int(const option_row *o, void *field, knng_err *err)
{
	int64_t value = parse_count(optarg);
	(void)err;
	if ((double)value < o->least || (double)value > o->most)
		return false;
	*(int *)field = (int)value;
	return true;
}

static bool
take_positive(const option_row *o, void *field, knng_err *err)
{
	double value = parse_positive(optarg);
	(void)err;
	*(double *)field = value;
	return value > 0 && value >= o->least;
}

static bool
take_bytes(const option_row *o, void *field, knng_err *err)
{
	double value = knng_bytes(optarg);
	(void)err;
	*(double *)field = value;
	return value >= o->least;
}

static bool
take_text(const option_row *o, void *field, knng_err *err)
{
	(void)err;
	*(const char **)field = optarg;
	return (double)strlen(optarg) >= o->least;
}

static bool
take_flag(const option_row *o, void *field, knng_err *err)
{
	(void)o, (void)err;
	return *(bool *)field = true;
}

static bool
take_transposed(const option_row *o, void *field, knng_err *err)
{
	bool yes = optarg == NULL || strcmp(optarg, "yes") == 0;
	(void)o, (void)err;
	*(int *)field = yes;
	return yes || strcmp(optarg, "no") == 0;
}

static bool
take_delimiter(const option_row *o, void *field, knng_err *err)
{
	(void)o, (void)err;
	return (*(char *)field = knng_read_delimiter(optarg)) != '\0';
}

static bool
take_decimal(const option_row *o, void *field, knng_err *err)
{
	int yes;
	bool right = take_transposed(o, &yes, err);
	((knng_read_options *)field)->decimal = yes ? KNNG_DECIMAL_COMMA : KNNG_DECIMAL_POINT;
	return right;
}

/* A number, 0 for none; else a name. */
static bool
take_names_column(const option_row *o, void *field, knng_err *err)
{
	knng_read_options *of_text = field;
	(void)o, (void)err;
	of_text->names_column = strcmp(optarg, "0") == 0 ? -1 : parse_count(optarg);
	of_text->names = of_text->names_column == 0 ? optarg : NULL;
	return optarg[0] != '\0';
}

static bool
take_missing(const option_row *o, void *field, knng_err *err)
{
	knng_command *command = field;
	int n = 0;
	(void)o, (void)err;
	while (command->missing[n] != NULL)
		n++;
	if (n == KNNG_WORDS)
		return false;
	command->missing[n] = optarg;
	command->of_text.missing = command->missing;
	return true;
}

static bool
take_metric(const option_row *o, void *field, knng_err *err)
{
	(void)o;
	*(const char **)field = optarg;
	return knng_metric_find(optarg) != NULL || knng_metric_unknown(optarg, err) == KNNG_OK;
}

static bool
take_prune(const option_row *o, void *field, knng_err *err)
{
	static const char *const names[] = {"auto", "on", "off"}; /* KNNG_PRUNE_… */
	(void)o, (void)err;
	for (int i = 0; i < 3; i++)
		if (strcmp(optarg, names[i]) == 0) {
			*(int *)field = i;
			return true;
		}
	return false;
}

static bool
take_rows(const option_row *o, void *field, knng_err *err)
{
	(void)o, (void)err;
	bool pairwise = strcmp(optarg, "pairwise") == 0;
	*(int *)field = pairwise ? KNNG_ROWS_PAIRWISE : KNNG_ROWS_ALL;
	return pairwise || strcmp(optarg, "all") == 0;
}

static bool
take_format(const option_row *o, void *field, knng_err *err)
{
	(void)o;
	*(const char **)field = find_format(NULL, optarg, err);
	return *(const char **)field != NULL;
}

enum { NO = no_argument, ONE = required_argument, MAYBE = optional_argument };
#define TAKES(how, of) .take = how, .field = offsetof(knng_command, of)

static const option_row options[] = {
	{"neighbours", 'k', ONE, TAKES(take_count, opt.k), .least = 1, .wanted = "a whole number from 1 on",
	 .id = "knng:args:k"},
	{"metric", 'm', ONE, TAKES(take_metric, opt.metric)},
	{"threads", 't', ONE, TAKES(take_int, opt.task.threads), .least = 1, .most = 4096,
	 .wanted = "a whole number, 1 to 4096", .id = "knng:args:threads"},
	{"max-memory", 'M', ONE, TAKES(take_bytes, opt.max_memory), .least = 1,
	 .wanted = "a number of bytes, such as 4e9 or 4G", .id = "knng:args:maxMemory"},
	{"prune", 0, ONE, TAKES(take_prune, opt.prune), .single = true, .wanted = "auto, on or off"},
	{"rows", 0, ONE, TAKES(take_rows, opt.rows), .wanted = "all or pairwise"},
	{"min-valid", 0, ONE, TAKES(take_count, opt.least_shared), .least = 1,
	 .wanted = "a whole number of columns from 1 on"},
	{"checkpoint", 'C', ONE, TAKES(take_text, opt.checkpoint), .least = 1, .wanted = "the name of a folder"},
	{"save-every", 0, ONE, TAKES(take_positive, opt.save_every), .wanted = "a number of seconds, such as 600"},
	{"dataset", 0, ONE, TAKES(take_text, choice.dataset), .least = 1, .wanted = "the name of a dataset"},
	{"transposed", 0, MAYBE, TAKES(take_transposed, choice.transposed), .wanted = "yes or no"},
	{"delimiter", 0, ONE, TAKES(take_delimiter, of_text.delimiter),
	 .wanted = "comma, semicolon, tab, blank or bar"},
	{"decimal-comma", 0, MAYBE, TAKES(take_decimal, of_text), .wanted = "yes or no"},
	{"header-lines", 0, ONE, TAKES(take_count, of_text.skip), .least = 1, .wanted = "a whole number from 1 on"},
	{"names-column", 0, ONE, TAKES(take_names_column, of_text),
	 .wanted = "the number or name of a column, or 0 for none"},
	{"platform", 0, ONE, TAKES(take_text, of_text.platform), .least = 1, .wanted = "the name of a platform"},
	{"missing", 0, ONE, .take = take_missing, .wanted = "32 words at most"},
	{"output", 'o', ONE, TAKES(take_text, out)},
	{"format", 'f', ONE, TAKES(take_format, format)},
	{"checksum", 'c', NO, TAKES(take_flag, checksum)},
	{"plan", 0, NO, TAKES(take_flag, planned)},
	{"quiet", 'q', NO, TAKES(take_flag, quiet)},
	{"help", 'h', NO, .say = print_help},
	{"version", 0, NO, .say = print_version},
	{"deadline", 0, ONE, TAKES(take_positive, deadline), .ranks = true, .least = 2,
	 .wanted = "a number of seconds from 2 on"},
	{"ranks", 0, ONE, TAKES(take_int, ranks), .ranks = true, .least = 1, .most = 65536,
	 .wanted = "a whole number, 1 to 65536"},
	{"gpus", 0, ONE, TAKES(take_int, gpus), .ranks = true, .least = 1, .most = KNNG_MAX_DEVICES,
	 .wanted = "a whole number, 1 to 64"},
	{"network", 0, ONE, TAKES(take_bytes, network), .ranks = true, .least = 1,
	 .wanted = "a number of bytes a second, such as 10e9 or 10G"},
};

enum { OPTIONS = sizeof options / sizeof *options, LETTERLESS = 256 };

/* What getopt_long wants to know. It returns the letter of an option, or LETTERLESS and its place in the table. */
typedef struct {
	struct option longs[OPTIONS + 1];
	char letters[2 * OPTIONS + 2];
} spelling;

/* s: zeros. */
static void
spell(spelling *s, bool ranks)
{
	char *letter = s->letters;
	int n = 0;
	*letter++ = ':'; /* a value that is missing is told from an option that there is not */
	for (int o = 0; o < OPTIONS; o++) {
		int returned = options[o].letter != 0 ? options[o].letter : LETTERLESS + o;
		if (ranks ? options[o].single : options[o].ranks)
			continue;
		s->longs[n++] = (struct option){options[o].name, options[o].argument, NULL, returned};
		if (options[o].letter == 0)
			continue;
		*letter++ = (char)options[o].letter;
		if (options[o].argument == ONE)
			*letter++ = ':';
	}
}

static const option_row *
row_of(int returned)
{
	int o = returned - LETTERLESS;
	for (int i = 0; o < 0 && i < OPTIONS; i++)
		if (options[i].letter == returned)
			return &options[i];
	return &options[o];
}

/* Says what is wrong with the option at which getopt_long stopped; c is what it returned. */
static int
refuse_option(int c, char **argv, const struct option *longs)
{
	const char *names[OPTIONS], *near = NULL;
	char given[60] = {'-', (char)optopt, '\0'}, meant[KNNG_MEANT];
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
		complain("knng:args:unknownOption: there is no option %s%s: see %s --help", given,
			 knng_meant(meant, "--", near, ""), program);
	return 2;
}

/* One option, whose value is optarg; 0, or the status to end with. */
static int
take(const option_row *o, knng_command *command)
{
	knng_err err;
	char letter[] = {'-', (char)o->letter, '\0'};
	if (o->take(o, (char *)command + o->field, &err))
		return 0;
	if (o->wanted == NULL)
		return refuse(&err);
	complain("%s: %s%s is '%s', expected %s", o->id != NULL ? o->id : "knng:args:option",
		 o->letter != 0 ? letter : "--", o->letter != 0 ? "" : o->name, optarg, o->wanted);
	return 2;
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

/* The format of what is written. 0, or the status to end with; so of the next ones. */
static int
check_out(knng_command *command)
{
	knng_err err;
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
	return 0;
}

static int
check_checkpoint(const knng_command *command)
{
	if (command->opt.save_every == 0 || command->opt.checkpoint != NULL)
		return 0;
	complain("knng:args:option: --save-every is for a search with a checkpoint: name its folder with -C, or leave "
		 "it out");
	return 2;
}

static int
check_rows(const knng_command *command)
{
	if (command->opt.least_shared == 0 || command->opt.rows == KNNG_ROWS_PAIRWISE)
		return 0;
	complain("knng:args:option: --min-valid is for --rows pairwise: give that, too, or leave it out");
	return 2;
}

static int
check_places(const knng_command *command)
{
	const char *what = NULL;
	if (command->out == NULL)
		return 0;
	if (knng_same_file(command->in, command->out))
		what = "file that is read";
	if (command->opt.checkpoint != NULL && knng_same_place(command->opt.checkpoint, command->out))
		what = "folder of the checkpoint";
	if (what == NULL)
		return 0;
	complain("knng:args:file: %.200s is the %s: name another one for the graph", command->out, what);
	return 2;
}

int
knng_parse_command(int argc, char **argv, bool ranks, bool quietly, knng_command *command)
{
	spelling s = {0};
	int status = 0;
	*command = (knng_command){.choice = knng_matrix_any, .opt = {.metric = "euclidean", .k = 20}, .deadline = 120};
	silent = quietly;
	program = ranks ? "knng-mpi" : "knng";
	opterr = 0;
	spell(&s, ranks);
	for (int c; status == 0 && (c = getopt_long(argc, argv, s.letters, s.longs, NULL)) != -1;) {
		if (c == '?' || c == ':')
			return refuse_option(c, argv, s.longs);
		const option_row *o = row_of(c);
		if (o->say != NULL) {
			o->say(ranks);
			return 0;
		}
		status = take(o, command);
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
	if ((status = check_out(command)) != 0 || (status = check_checkpoint(command)) != 0 ||
	    (status = check_rows(command)) != 0 || (status = check_places(command)) != 0)
		return status;
	return KNNG_COMMAND_RUN;
}
