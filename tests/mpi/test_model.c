/* test_model.c  The simulation of knng-mpi (tools/scale/model.h): it says what was measured to 15 %, and what has to be
 * so whatever the rates are. */
#include "base/sys.h"
#include "testing.h"
#include "tools/scale/model.h"

static scale_rates h200;

/* A GPU that computes distances, and nothing else takes time. */
static const scale_rates ideal = {.products = 1e14, .threads = 16, .gpu_memory = INFINITY};

static const scale_job shape = {
	.kind = SCALE_MPI, .rows = 320000, .columns = 100, .k = 20, .bytes = 4, .ranks = 1, .gpus = 1, .nodes = 1};

static scale_result
run(const scale_rates *rates, const scale_job *job)
{
	scale_result r;
	knng_err err = {0};
	CHECK(scale_run(rates, job, &r, &err) == KNNG_OK, "%s", err.text);
	if (err.text[0] != '\0')
		abort();
	CHECK(r.finished || job->limit > 0, "it ends");
	return r;
}

static double
seconds_of(const scale_rates *rates, const scale_job *job)
{
	scale_result r = run(rates, job);
	scale_free(&r);
	return r.seconds;
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

static void
test_measured(void)
{
	scale_measured m;
	knng_err err;
	int lines = 0;
	FILE *f = fopen("tools/scale/measured.txt", "r");
	if (f == NULL)
		abort();
	for (; scale_measured_read(&m, f, &err); lines++) {
		double model = scale_measured_model(&m, &h200);
		CHECK(fabs(scale_measured_error(&m, model)) <= 0.15, "%s: the model says %g", m.line, model);
	}
	CHECK(err.text[0] == '\0' && lines >= 20, "%d lines, %s", lines, err.text);
	fclose(f);
	/* a line that is not met is seen */
	m = (scale_measured){.low = 2, .high = 3};
	CHECK(scale_measured_error(&m, 2.5) == 0 && near(scale_measured_error(&m, 3.6), 0.2) &&
		      near(scale_measured_error(&m, 1.5), -0.25) && !(scale_measured_error(&m, NAN) <= 1),
	      "errors of the model");
}

/* One process takes as long as all that it does, one after the other. */
static void
test_sum(void)
{
	for (int64_t blocks = 1; blocks <= 9; blocks += 4) {
		scale_job job = shape;
		scale_rates rates = h200;
		job.blocks = blocks;
		rates.beside = rates.latency = 0; /* blocks meet where they lie, and are given at once */
		rates.thresholds = blocks > 4;
		scale_result r = run(&rates, &job);
		double n = (double)job.rows, d = (double)job.columns, k = (double)job.k;
		double row = 4 * d, b = (double)blocks, met = b * n, harmonic = 0;
		for (int64_t h = 1; h <= blocks; h++)
			harmonic += 1 / (double)h;
		double refined = rates.thresholds > 0 ? harmonic * n : met;
		double sum =
			rates.start + n * row / rates.read + b * (b + 1) / 2 * rates.meeting +
			n * n / 2 * (2 * d / rates.products + 1 / rates.compare) +
			met * (rates.row + k * rates.place + row / rates.upload + k * rates.merge / rates.threads) +
			refined * rates.refined * k * row / rates.refine + n * k * rates.output;
		/* the blocks that are not the first of both have met less often than that */
		CHECK(rates.thresholds > 0 ? r.seconds >= sum && r.seconds < 1.5 * sum : near(r.seconds, sum),
		      "%lld blocks: %.9g, of %.9g", (long long)blocks, r.seconds, sum);
		CHECK(near(r.rank[0].load + r.rank[0].search + r.rank[0].wait + r.gathered, r.seconds),
		      "%lld blocks: the parts", (long long)blocks);
		CHECK(r.blocks == blocks && r.network == 0 && r.disk == n * row && r.again == 0 && r.runs == 1, "%lld",
		      (long long)blocks);
		scale_free(&r);
	}
}

/* Where nothing but distances takes time, R ranks are R times as fast. */
static void
test_ideal(void)
{
	double one = seconds_of(&ideal, &shape);
	CHECK(near(one, 3.2e5 * 3.2e5 / 2 * 200 / 1e14), "%g", one);
	for (int ranks = 2; ranks <= 64; ranks *= 2) {
		scale_job job = shape;
		job.ranks = job.nodes = ranks;
		scale_result r = run(&ideal, &job);
		CHECK(near(one / r.seconds, ranks) && r.moved == 0, "%d ranks: %.12g times, %lld moved", ranks,
		      one / r.seconds, (long long)r.moved);
		/* of a GPU more in each rank the same holds */
		job.gpus = 2;
		CHECK(near(seconds_of(&ideal, &job), r.seconds / 2), "two GPUs of %d ranks", ranks);
		scale_free(&r);
	}
}

/* Half of all rows comes to each machine. */
static void
test_traffic(void)
{
	scale_job job = shape;
	job.ranks = job.nodes = 16;
	job.network = 1e10;
	scale_result r = run(&h200, &job);
	double half = 0.5 * (double)job.rows * 400, mean = 0;
	for (int i = 1; i < job.ranks; i++)
		mean += r.rank[i].received / (job.ranks - 1);
	CHECK(mean > 0.9 * half && mean < 1.3 * half, "%g bytes, of %g", mean, half);
	job.network = 1e8;
	double slow = seconds_of(&h200, &job);
	CHECK(slow > mean / 1e8 && slow > r.seconds, "a slow network: %g s", slow);
	job.network = 0;
	CHECK(seconds_of(&h200, &job) <= r.seconds, "a network without limit");
	scale_free(&r);
}

static void
test_slow(void)
{
	scale_job job = shape;
	job.ranks = job.nodes = 16;
	job.slow = 1.0 / 16;
	job.speed = 0.3;
	double even, helped, stuck;
	for (job.seed = 1; job.seed <= 5; job.seed++) {
		scale_result r = run(&ideal, &job);
		helped = r.seconds;
		int slow = 0;
		for (int i = 0; i < job.ranks; i++)
			slow += r.rank[i].slow;
		CHECK(slow == 1 && r.moved > 0, "%d slow, %lld moved", slow, (long long)r.moved);
		scale_free(&r);
		job.stuck = true;
		stuck = seconds_of(&ideal, &job);
		job.stuck = false;
		const scale_job all = {.kind = SCALE_MPI,
				       .rows = job.rows,
				       .columns = 100,
				       .k = 20,
				       .bytes = 4,
				       .ranks = 16,
				       .gpus = 1,
				       .nodes = 16};
		even = seconds_of(&ideal, &all);
		CHECK(near(stuck, even / 0.3), "without help %g, of %g", stuck, even / 0.3);
		CHECK(helped < 0.6 * stuck && helped > even * 16 / 15.3, "with help %g, of %g and %g", helped, even,
		      stuck);
	}
}

/* Failures and limits: what is saved is not made again, and what is not saved is. */
static void
test_runs(void)
{
	scale_job job = shape;
	scale_rates rates = ideal;
	rates.products = 2e10; /* 512 s on one GPU, 32 s on each of 16 */
	rates.restart = 5;
	job.ranks = job.nodes = 16;
	double whole = seconds_of(&rates, &job);
	job.keeps = true;
	job.interval = 1;
	CHECK(near(seconds_of(&rates, &job), whole), "saving costs nothing here");
	double lost[2] = {0, 0};
	for (job.seed = 1; job.seed <= 40; job.seed++) {
		job.failures = 16 * whole; /* one in the time of the search */
		for (int often = 0; often < 2; often++) {
			job.interval = often ? 1 : 1e6;
			scale_result r = run(&rates, &job);
			CHECK(r.runs == r.failures + 1 && (r.failures > 0) == (r.runs > 1), "%d runs", r.runs);
			CHECK(r.failures > 0 ? r.seconds > whole + 5 * r.failures && r.again > 0
					     : near(r.seconds, whole) && r.again == 0,
			      "%d failures: %g s, of %g, %lld again", r.failures, r.seconds, whole, (long long)r.again);
			lost[often] += r.seconds - whole - 5 * r.failures;
			scale_free(&r);
		}
	}
	CHECK(lost[0] > 0 && lost[1] < 0.5 * lost[0], "lost %g s without saving, %g with", lost[0], lost[1]);
	job.failures = 0;
	job.limit = 0.4 * whole;
	job.queue = 100;
	scale_result r = run(&rates, &job);
	CHECK(r.finished && r.runs >= 3 && near(r.seconds, r.running + 100 * (r.runs - 1)) && r.running >= whole &&
		      r.running < 1.7 * whole && r.again > 0,
	      "%d runs, %g s of %g", r.runs, r.running, whole);
	scale_free(&r);
	job.limit = 1e-3; /* shorter than a meeting */
	r = run(&rates, &job);
	CHECK(!r.finished, "it does not end");
	scale_free(&r);
}

/* What a rank holds is never more than what it planned, and a limit on that makes smaller meetings, smaller blocks,
 * and then rows that are read again and again. */
static void
test_memory(void)
{
	for (int ranks = 1; ranks <= 64; ranks *= 2) {
		scale_job job = shape;
		job.ranks = job.nodes = ranks;
		double least = INFINITY;
		int64_t size = job.rows + 1;
		int64_t together = INT64_MAX;
		bool resident = true;
		for (int i = 0; i < 8; i++) {
			scale_result r;
			knng_err err = {0};
			knng_status status = scale_run(&h200, &job, &r, &err);
			if (status != KNNG_OK) {
				CHECK(status == KNNG_EMEMORY && i > 1, "%d ranks: %s", ranks, err.text);
				break;
			}
			CHECK(r.peak > 0.5 * r.planned && r.peak <= r.planned, "%d ranks: %g bytes, planned %g", ranks,
			      r.peak, r.planned);
			CHECK((job.memory == 0 || r.planned <= job.memory) && r.planned < least &&
				      (r.size < size || r.together < together || r.resident < resident) &&
				      r.resident <= resident,
			      "%d ranks, %g bytes: %lld blocks", ranks, job.memory, (long long)r.blocks);
			least = r.planned;
			size = r.size;
			together = r.together;
			resident = r.resident;
			job.memory = 0.97 * r.planned;
			scale_free(&r);
		}
	}
}

static void
test_refused(void)
{
	scale_result r;
	knng_err err;
	scale_job job = shape;
	job.ranks = 0;
	CHECK(scale_run(&h200, &job, &r, &err) == KNNG_EARGS && strstr(err.text, "ranks") != NULL, "%s", err.text);
	job = shape;
	job.memory = 1e6;
	CHECK(scale_run(&h200, &job, &r, &err) == KNNG_EMEMORY, "%s", err.text);
	job = shape;
	job.nodes = 2;
	CHECK(scale_run(&h200, &job, &r, &err) == KNNG_EARGS && strstr(err.text, "machines") != NULL, "%s", err.text);
	for (int64_t fail = 1;; fail++) { /* no memory, at every place */
		int64_t live = knng_sys().live;
		job = shape;
		job.ranks = job.nodes = 8;
		knng_sys_fail_at(fail);
		knng_status status = scale_run(&h200, &job, &r, &err);
		knng_sys_fail_at(0);
		if (status == KNNG_OK) {
			CHECK(fail > 10, "%lld allocations", (long long)fail);
			scale_free(&r);
			break;
		}
		CHECK(status == KNNG_EMEMORY && knng_sys().live == live, "allocation %lld: %s", (long long)fail,
		      err.text);
	}
}

int
main(void)
{
	knng_err err;
	if (scale_rates_read(&h200, "tools/scale/h200.rates", &err) != KNNG_OK) {
		printf("%s\n", err.text);
		return 1;
	}
	test_measured();
	test_sum();
	test_ideal();
	test_traffic();
	test_slow();
	test_runs();
	test_memory();
	test_refused();
	return summary();
}
