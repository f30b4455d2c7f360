/* scale_model.c  How long a search would take on machines that are not at hand, by tools/scale/model.h:
 *
 *     make build/tools/scale_model
 *     build/tools/scale_model --rows 2e6 --columns 15876 -k 200 --ranks 32 --ranks-a-machine 8 --network 50e9
 *
 * docs/clusters.md has the options, and what it says of two searches. */
#include "scale/model.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: scale_model --rows N --columns D [options]\n"
			    "       scale_model --check\n"
			    "\n"
			    "Simulates a search by knng-mpi with rates that were measured, and says what it would\n"
			    "take. Numbers may be such as 2e6.\n"
			    "\n"
			    "  -k, --neighbours K       neighbours a row (20)\n"
			    "      --double             numbers of 8 bytes (4)\n"
			    "      --ranks R            processes (1)\n"
			    "      --ranks-a-machine R  of these on a machine (all)\n"
			    "      --gpus G             GPUs of a rank (1)\n"
			    "      --memory B           bytes of memory that a rank may take (any)\n"
			    "      --network B          bytes a second of a machine, each way (without limit)\n"
			    "      --disk B             bytes a second of the file system, for all (without limit)\n"
			    "      --checkpoint         with a checkpoint\n"
			    "      --save-every S       seconds from one save to the next (as the program)\n"
			    "      --output             the graph is written to a file\n"
			    "      --slow PART          this part of the machines is slow: 0 to 1 (0)\n"
			    "      --speed S            so fast: 0 to 1 (0.5)\n"
			    "      --failures H         hours from one failure of a machine to its next (none)\n"
			    "      --limit S            seconds that the batch system allows a run (any)\n"
			    "      --grace S            seconds before the limit at which a run is told to save (600)\n"
			    "      --queue S            seconds until the next run begins (0)\n"
			    "      --blocks B           in so many blocks (as planned)\n"
			    "      --stuck              no rank takes meetings from another\n"
			    "      --knng               one process of knng\n"
			    "      --seed N             for what is random: slow machines, failures (1)\n"
			    "      --times N            so many times, with the seeds from that on, and what they say\n"
			    "                           on average (1)\n"
			    "      --machine FILE       its rates (tools/scale/h200.rates)\n"
			    "      --table FILE         of --check (tools/scale/measured.txt)\n"
			    "      --check              what the model says of what was measured; status 1 where one\n"
			    "                           is off by more than 15 %\n";

typedef struct {
	scale_job job;
	double double_numbers, ranks_a_machine, hours, times, seed, rows, columns, k, ranks, gpus, blocks, knng, help,
		check, keeps, writes, stuck;
	const char *machine, *table;
} command;

/* What sets what: a number, or, where that is none, a flag or a name. */
typedef struct {
	const char *name;
	int letter;
	double *number;
	double *flag;
	const char **text;
} option;

enum { OPTIONS = 26 };

static bool
take(const option *o, const char *value)
{
	char *end;
	if (o->text != NULL)
		*o->text = value;
	else if (o->flag != NULL)
		*o->flag = 1;
	else {
		*o->number = strtod(value, &end);
		return *value != '\0' && *end == '\0' && *o->number >= 0 && *o->number < 1e18;
	}
	return true;
}

static bool
parse(int argc, char **argv, command *c)
{
	scale_job *j = &c->job;
	const option options[OPTIONS] = {
		{"rows", 0, &c->rows, NULL, NULL},        {"columns", 0, &c->columns, NULL, NULL},
		{"neighbours", 'k', &c->k, NULL, NULL},   {"double", 0, NULL, &c->double_numbers, NULL},
		{"ranks", 0, &c->ranks, NULL, NULL},      {"ranks-a-machine", 0, &c->ranks_a_machine, NULL, NULL},
		{"gpus", 0, &c->gpus, NULL, NULL},        {"memory", 0, &j->memory, NULL, NULL},
		{"network", 0, &j->network, NULL, NULL},  {"disk", 0, &j->disk, NULL, NULL},
		{"checkpoint", 0, NULL, &c->keeps, NULL}, {"save-every", 0, &j->interval, NULL, NULL},
		{"output", 0, NULL, &c->writes, NULL},    {"slow", 0, &j->slow, NULL, NULL},
		{"speed", 0, &j->speed, NULL, NULL},      {"failures", 0, &c->hours, NULL, NULL},
		{"limit", 0, &j->limit, NULL, NULL},      {"grace", 0, &j->grace, NULL, NULL},
		{"queue", 0, &j->queue, NULL, NULL},      {"blocks", 0, &c->blocks, NULL, NULL},
		{"stuck", 0, NULL, &c->stuck, NULL},      {"knng", 0, NULL, &c->knng, NULL},
		{"seed", 0, &c->seed, NULL, NULL},        {"times", 0, &c->times, NULL, NULL},
		{"machine", 0, NULL, NULL, &c->machine},  {"table", 0, NULL, NULL, &c->table},
	};
	struct option longs[OPTIONS + 3] = {{NULL}};
	for (int i = 0; i < OPTIONS; i++)
		longs[i] = (struct option){options[i].name, options[i].flag == NULL ? required_argument : no_argument,
					   NULL, 256 + i};
	longs[OPTIONS] = (struct option){"check", no_argument, NULL, 'c'};
	longs[OPTIONS + 1] = (struct option){"help", no_argument, NULL, 'h'};
	for (int o; (o = getopt_long(argc, argv, "k:h", longs, NULL)) != -1;) {
		if (o == 'h')
			c->help = 1;
		else if (o == 'c')
			c->check = 1;
		else if (o == '?')
			return false;
		else if (!take(&options[o == 'k' ? 2 : o - 256], optarg)) {
			fprintf(stderr, "scale_model: '%s' is no number from 0 on\n", optarg);
			return false;
		}
	}
	return optind == argc;
}

/* The job that a command means. */
static scale_job
job_of(const command *c)
{
	scale_job j = c->job;
	j.kind = c->knng > 0 ? SCALE_KNNG : SCALE_MPI;
	j.rows = (int64_t)fmin(c->rows, INT32_MAX);
	j.columns = (int64_t)fmin(c->columns, INT32_MAX);
	j.k = (int64_t)fmin(c->k, INT32_MAX);
	j.bytes = c->double_numbers > 0 ? 8 : 4;
	j.ranks = (int)fmin(c->ranks, 1e6);
	j.gpus = (int)fmin(c->gpus, 1e3);
	j.blocks = (int64_t)fmin(c->blocks, INT32_MAX);
	j.nodes = c->ranks_a_machine >= 1 ? (int)ceil(j.ranks / c->ranks_a_machine) : 1;
	j.failures = 3600 * c->hours;
	j.keeps = c->keeps > 0;
	j.writes = c->writes > 0;
	j.stuck = c->stuck > 0;
	j.seed = (uint64_t)c->seed;
	return j;
}

static int
complain(const knng_err *err)
{
	fprintf(stderr, "scale_model: %s\n", err->text);
	return 1;
}

static void
share(const scale_result *r, int ranks, const char *name, size_t at)
{
	double least = INFINITY, most = 0, sum = 0;
	for (int i = 0; i < ranks; i++) {
		double one;
		memcpy(&one, (const char *)&r->rank[i] + at, sizeof one);
		least = fmin(least, one);
		most = fmax(most, one);
		sum += one / ranks;
	}
	printf("  %-28s %10.4g s, %.4g to %.4g\n", name, sum, least, most);
}

/* What one simulation says. */
static void
tell(const scale_job *j, const scale_result *r, double alone)
{
	printf("%lld rows of %lld columns, k %lld, by %d rank%s on %d machine%s, %d GPU%s each\n", (long long)j->rows,
	       (long long)j->columns, (long long)j->k, j->ranks, j->ranks == 1 ? "" : "s", j->nodes,
	       j->nodes == 1 ? "" : "s", j->gpus, j->gpus == 1 ? "" : "s");
	printf("time                         %11.4g s", r->seconds);
	if (r->runs > 1)
		printf(", in %d runs (%.4g s), %d failed; %lld meetings made again", r->runs, r->running, r->failures,
		       (long long)r->again);
	printf("%s\n", r->finished ? "" : "; IT DOES NOT END");
	if (alone > 0)
		printf("of one rank                  %11.4g s, %.4g times as long\n", alone, alone / r->seconds);
	printf("blocks                       %6lld of %lld rows, %s; %lld of %lld meetings moved\n",
	       (long long)r->blocks, (long long)r->size, r->resident ? "in memory" : "read again and again",
	       (long long)r->moved, (long long)(r->blocks * (r->blocks + 1) / 2));
	printf("a rank, %s:\n", r->runs > 1 ? "in the last run" : "on average, least to most");
	share(r, j->ranks, "until its rows are there", offsetof(scale_rank, load));
	share(r, j->ranks, "its devices work", offsetof(scale_rank, search));
	share(r, j->ranks, "it waits, or copies rows", offsetof(scale_rank, wait));
	share(r, j->ranks, "it saves", offsetof(scale_rank, save));
	printf("rank 0 gathers and writes    %11.4g s\n", r->gathered);
	printf("between machines             %11.4g GB\n", r->network / 1e9);
	printf("from and to the file system  %11.4g GB\n", r->disk / 1e9);
	printf("memory of a rank             %11.4g GB, planned %.4g\n", r->peak / 1e9, r->planned / 1e9);
}

/* Many simulations, with other seeds. */
static int
tell_times(const scale_rates *rates, scale_job j, int times)
{
	double sum = 0, least = INFINITY, most = 0, runs = 0, failures = 0, again = 0;
	for (int i = 0; i < times; i++, j.seed++) {
		scale_result r;
		knng_err err;
		if (scale_run(rates, &j, &r, &err) != KNNG_OK)
			return complain(&err);
		sum += r.finished ? r.seconds : INFINITY;
		least = fmin(least, r.seconds);
		most = fmax(most, r.seconds);
		runs += r.runs;
		failures += r.failures;
		again += (double)r.again;
		scale_free(&r);
	}
	printf("time %.4g s on average of %d, %.4g to %.4g; %.3g runs, %.3g failures, %.4g meetings made again\n",
	       sum / times, times, least, most, runs / times, failures / times, again / times);
	return 0;
}

static int
check(const scale_rates *rates, const char *path)
{
	scale_measured m;
	knng_err err;
	int off = 0;
	FILE *f = fopen(path, "r");
	if (f == NULL) {
		fprintf(stderr, "scale_model: cannot open %s\n", path);
		return 1;
	}
	while (scale_measured_read(&m, f, &err)) {
		double model = scale_measured_model(&m, rates), error = scale_measured_error(&m, model);
		off += !(fabs(error) <= 0.15);
		printf("%-88s %9.4g %+6.1f %%%s\n", m.line, model, 100 * error, fabs(error) <= 0.15 ? "" : "  OFF");
	}
	fclose(f);
	return err.text[0] != '\0' ? complain(&err) : off > 0;
}

int
main(int argc, char **argv)
{
	command c = {.job = {.speed = 0.5, .grace = 600},
		     .k = 20,
		     .ranks = 1,
		     .gpus = 1,
		     .seed = 1,
		     .times = 1,
		     .machine = "tools/scale/h200.rates",
		     .table = "tools/scale/measured.txt"};
	knng_err err;
	scale_rates rates;
	scale_result r, one;
	if (!parse(argc, argv, &c) || (c.help == 0 && c.check == 0 && (c.rows == 0 || c.columns == 0))) {
		fputs(usage, stderr);
		return 2;
	}
	if (c.help > 0)
		return fputs(usage, stdout) == EOF;
	if (scale_rates_read(&rates, c.machine, &err) != KNNG_OK)
		return complain(&err);
	if (c.check > 0)
		return check(&rates, c.table);
	scale_job job = job_of(&c), alone = job;
	if (c.times > 1)
		return tell_times(&rates, job, (int)fmin(c.times, 1e6));
	if (scale_run(&rates, &job, &r, &err) != KNNG_OK)
		return complain(&err);
	alone.ranks = alone.nodes = 1;
	alone.slow = alone.failures = alone.limit = 0;
	double seconds = 0;
	if (job.ranks > 1 && scale_run(&rates, &alone, &one, NULL) == KNNG_OK) {
		seconds = one.seconds;
		scale_free(&one);
	}
	tell(&job, &r, seconds);
	scale_free(&r);
	return 0;
}
