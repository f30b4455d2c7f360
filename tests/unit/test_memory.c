/* test_memory  What memory is available, and how many processors are, from files of /proc and of control groups as
 * machines, containers and batch jobs have them; with files missing, and with every call to a file made to fail. */
#include "base/sys.h"
#include "base/task.h"
#include "knng.h"
#include "testing.h"

#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/knng-test-memory-XXXXXX";

/* A file below root, with the folders that it lies in. */
static void
put(const char *name, const char *text)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/%s", root, name);
	for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = 0;
		mkdir(path, 0777);
	}
	FILE *f = fopen(path, "w");
	if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

static void
sweep(void)
{
	char command[sizeof root + 16];
	snprintf(command, sizeof command, "rm -rf %s/*", root);
	if (system(command) != 0)
		abort();
}

#define MEMINFO "MemTotal:  2000000 kB\nMemFree:  10 kB\nMemAvailable:    1000000 kB\nBuffers: 5 kB\n"
#define V2 "sys/fs/cgroup/"
#define V1 "sys/fs/cgroup/memory/"

enum { FILES = 10 };

/* Up to FILES files: their names and what is in them. */
static void
put_all(const char *const files[FILES][2])
{
	for (int f = 0; f < FILES && files[f][0] != NULL; f++)
		put(files[f][0], files[f][1]);
}

static const struct {
	const char *what;
	double available;
	const char *files[FILES][2];
} cases[] = {
	{"nothing at all", 0, {{NULL}}},
	{"a machine without control groups", 1024e6, {{"proc/meminfo", MEMINFO}}},
	{"meminfo without the line", 0, {{"proc/meminfo", "MemTotal: 5 kB\nNotMemAvailable: 7 kB\n"}}},
	{"an empty meminfo", 0, {{"proc/meminfo", ""}}},
	{"no limit", 1024e6, {{"proc/meminfo", MEMINFO}, {"proc/self/cgroup", "0::/\n"}, {V2 "memory.max", "max\n"}}},
	{"no file of the limit", 1024e6, {{"proc/meminfo", MEMINFO}, {"proc/self/cgroup", "0::/a\n"}}},
	{"a limit above what there is",
	 1024e6,
	 {{"proc/meminfo", MEMINFO}, {"proc/self/cgroup", "0::/\n"}, {V2 "memory.max", "8000000000\n"}}},
	{"a container of its own",
	 300e6 - 100e6 + 20e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "0::/\n"},
	  {V2 "memory.max", "300000000\n"},
	  {V2 "memory.current", "100000000\n"},
	  {V2 "memory.stat", "anon 7\nactive_file 9\nmy_inactive_file 8\ninactive_file 20000000\nx 1\n"}}},
	{"a limit whose use is not told",
	 300e6,
	 {{"proc/meminfo", MEMINFO}, {"proc/self/cgroup", "0::/\n"}, {V2 "memory.max", "300000000\n"}}},
	{"no statistics, no newline, no meminfo",
	 200e6,
	 {{"proc/self/cgroup", "0::/"}, {V2 "memory.max", "300000000"}, {V2 "memory.current", "100000000"}}},
	{"used up", 1, {{"proc/self/cgroup", "0::/\n"}, {V2 "memory.max", "3000\n"}, {V2 "memory.current", "4000\n"}}},
	{"the limit of a job, not of its step",
	 500e6 - 450e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "0::/slurm/job_7/step_0/task\n"},
	  {V2 "slurm/job_7/step_0/task/memory.max", "max\n"},
	  {V2 "slurm/job_7/step_0/memory.max", "400000000\n"},
	  {V2 "slurm/job_7/step_0/memory.current", "100000000\n"},
	  {V2 "slurm/job_7/memory.max", "500000000\n"},
	  {V2 "slurm/job_7/memory.current", "450000000\n"},
	  {V2 "slurm/memory.max", "max\n"},
	  {V2 "other/memory.max", "1\n"}}},
	{"a path that is the machine's, and not to be seen",
	 250e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "0::/docker/0123456789abcdef/x\n"},
	  {V2 "memory.max", "250000000\n"}}},
	{"version 1",
	 600e6 - 500e6 + 30e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "9:name=systemd:/\n4:memory:/job\n1:cpu,cpuacct:/job\n0::/\n"},
	  {V1 "memory.limit_in_bytes", "9223372036854771712\n"},
	  {V1 "memory.usage_in_bytes", "9000000000\n"},
	  {V1 "job/memory.limit_in_bytes", "600000000\n"},
	  {V1 "job/memory.usage_in_bytes", "500000000\n"},
	  {V1 "job/memory.stat", "inactive_file 1\ntotal_inactive_file 30000000\n"}}},
	{"version 1 without a limit, version 2 with one",
	 700e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "4:memory:/\n0::/a\n"},
	  {V1 "memory.limit_in_bytes", "9223372036854771712\n"},
	  {V2 "a/memory.max", "700000000\n"}}},
	{"lines that are none",
	 1024e6,
	 {{"proc/meminfo", MEMINFO},
	  {"proc/self/cgroup", "\n:\n0:\n0::\n0::x\n::\nno colon"},
	  {V2 "memory.max", "1\n"},
	  {V2 "x/memory.max", "1\n"}}},
};

static void
test_files(void)
{
	for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
		put_all(cases[c].files);
		double got = knng_memory_available_below(root);
		CHECK(got == cases[c].available, "%s: %.0f, not %.0f", cases[c].what, got, cases[c].available);

		/* Without one of its files it says no less than with it, or nothing. */
		int64_t live = knng_sys().live, calls = knng_sys().calls, n = 0;
		for (bool met = true; met; met = knng_sys().calls - calls >= n) {
			calls = knng_sys().calls;
			knng_sys_fail_at(++n);
			double without = knng_memory_available_below(root);
			CHECK(without == 0 || without >= got - 30e6, "%s: call %lld fails: %.0f, not %.0f",
			      cases[c].what, (long long)n, without, got);
			CHECK(knng_sys().live == live, "%s: call %lld fails: something is left", cases[c].what,
			      (long long)n);
		}
		knng_sys_fail_at(0);
		CHECK(n > 2 + (cases[c].files[0][0] != NULL), "%s: %lld calls", cases[c].what, (long long)n);
		sweep();
	}
}

/* With a limit of address space what is left of that counts, too, where the use is to be had. */
static void
test_address_space(void)
{
	static const char *const files[2][FILES][2] = {
		{{"proc/self/statm", "1000 10 1 1 0 1 0\n"}},
		{{"proc/self/statm", "1000 10 1 1 0 1 0\n"}, {"proc/meminfo", MEMINFO}},
	};
	const double want[] = {0x1p50 - 1000 * (double)sysconf(_SC_PAGESIZE), 1024e6};
	struct rlimit before, some;
	if (getrlimit(RLIMIT_AS, &before) != 0 || before.rlim_max != RLIM_INFINITY)
		return;
	some = before;
	some.rlim_cur = (rlim_t)1 << 50;
	for (int c = 0; c < 2; c++) {
		put_all(files[c]);
		CHECK(setrlimit(RLIMIT_AS, &some) == 0, "the limit cannot be set");
		double got = knng_memory_available_below(root);
		CHECK(setrlimit(RLIMIT_AS, &before) == 0, "the limit cannot be lifted");
		CHECK(got == want[c], "address space: %.0f, not %.0f", got, want[c]);
		sweep();
	}
}

#define CPU "sys/fs/cgroup/cpu/"

static const struct {
	const char *what;
	int allowed;
	const char *files[FILES][2];
} quotas[] = {
	{"nothing at all", 0, {{NULL}}},
	{"no limit", 0, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "max 100000\n"}}},
	{"no file of the limit", 0, {{"proc/self/cgroup", "0::/\n"}, {V2 "memory.max", "1\n"}}},
	{"whole ones", 3, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "300000 100000\n"}}},
	{"a part of one more", 4, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "300001 100000\n"}}},
	{"a part of one", 1, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "1000 100000"}}},
	{"half of a line", 0, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "300000\n"}}},
	{"no time at all, which is none", 0, {{"proc/self/cgroup", "0::/\n"}, {V2 "cpu.max", "0 100000\n"}}},
	{"the limit of a job, not of its step",
	 2,
	 {{"proc/self/cgroup", "0::/slurm/job_7/step_0/\n"},
	  {V2 "slurm/job_7/step_0/cpu.max", "1600000 100000\n"},
	  {V2 "slurm/job_7/cpu.max", "100000 50000\n"},
	  {V2 "slurm/cpu.max", "max 100000\n"},
	  {V2 "other/cpu.max", "1 100000\n"}}},
	{"a path that is the machine's, and not to be seen",
	 8,
	 {{"proc/self/cgroup", "0::/docker/0123456789abcdef\n"}, {V2 "cpu.max", "800000 100000\n"}}},
	{"version 1",
	 5,
	 {{"proc/self/cgroup", "9:name=systemd:/\n8:cpuset:/x\n4:memory:/job\n1:cpu,cpuacct:/job\n0::/\n"},
	  {CPU "cpu.cfs_quota_us", "-1\n"},
	  {CPU "cpu.cfs_period_us", "100000\n"},
	  {CPU "x/cpu.cfs_quota_us", "1\n"},
	  {CPU "x/cpu.cfs_period_us", "100000\n"},
	  {CPU "job/cpu.cfs_quota_us", "450000\n"},
	  {CPU "job/cpu.cfs_period_us", "100000\n"}}},
	{"version 1, the other order",
	 6,
	 {{"proc/self/cgroup", "1:cpuacct,cpu:/\n"},
	  {CPU "cpu.cfs_quota_us", "60000\n"},
	  {CPU "cpu.cfs_period_us", "10000\n"}}},
	{"version 1 without a period", 0, {{"proc/self/cgroup", "1:cpu:/\n"}, {CPU "cpu.cfs_quota_us", "60000\n"}}},
	{"controllers of like names",
	 0,
	 {{"proc/self/cgroup", "1:cpuset,cpuacct,xcpu:/\n"},
	  {CPU "cpu.cfs_quota_us", "60000\n"},
	  {CPU "cpu.cfs_period_us", "10000\n"}}},
};

static void
test_processors(void)
{
	for (size_t c = 0; c < sizeof quotas / sizeof *quotas; c++) {
		put_all(quotas[c].files);
		int got = knng_processors_allowed_below(root);
		CHECK(got == quotas[c].allowed, "%s: %d, not %d", quotas[c].what, got, quotas[c].allowed);
		sweep();
	}
	/* This process's own. */
	int allowed = knng_processors_allowed();
	const knng_task task = {0};
	unsetenv("OMP_NUM_THREADS");
	CHECK(allowed == knng_processors_allowed_below("") && (allowed == 0 || knng_task_threads(&task) <= allowed),
	      "%d processors, %d threads", allowed, knng_task_threads(&task));
}

/* A path as long as a path may be, and longer. */
static void
test_long(void)
{
	char line[12000] = "0::";
	put("proc/meminfo", MEMINFO);
	put(V2 "memory.max", "250000000\n");
	for (size_t length = 3900; length < sizeof line - 100; length += 37) {
		for (size_t i = 3; i < length; i++)
			line[i] = i % 50 == 3 ? '/' : 'a';
		line[length] = 0;
		put("proc/self/cgroup", line);
		double got = knng_memory_available_below(root);
		CHECK(got == 250e6, "%zu: %.0f", length, got);
	}
	sweep();
}

/* The machine's own. */
static void
test_here(void)
{
	double got = knng_memory_available();
	CHECK(got == 0 || (got >= 1 && got < 0x1p60), "%.0f", got);
	CHECK(got > 0 || access("/proc/meminfo", R_OK) != 0, "nothing is known");
}

/* With 64 MB of address space left. */
static void
test_can_map(void)
{
	struct rlimit before, little;
	long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f == NULL || fscanf(f, "%lld", &pages) != 1 || getrlimit(RLIMIT_AS, &before) != 0)
		pages = 0;
	if (f != NULL)
		fclose(f);
	CHECK(knng_memory_can_map(32 << 20), "no limit");
	if (pages == 0)
		return;
	little = before;
	little.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (64 << 20);
	CHECK(setrlimit(RLIMIT_AS, &little) == 0, "a limit");
	bool fits = true, more = false;
	for (int again = 0; again < 10; again++) { /* nothing stays */
		fits = fits && knng_memory_can_map(32 << 20);
		more = more || knng_memory_can_map(128 << 20);
	}
	CHECK(setrlimit(RLIMIT_AS, &before) == 0, "no limit");
	CHECK(fits && !more, "fits %d, more %d", fits, more);
}

/* Memory that is kept for the next that asks for as much: it is nobody else's, and never makes more than was held. */
static void
test_keep(void)
{
	enum { BLOCKS = 12 };
#if defined(__SANITIZE_ADDRESS__)
	const bool keeps = false;
#else
	const bool keeps = true;
#endif
	const knng_sys_count before = knng_sys();
	int64_t *block[BLOCKS] = {NULL}, size[BLOCKS] = {0}, most = 0, again = 0, most_kept = 0, last = 0;
	const void *freed = NULL;
	bool fine = true;
	block[0] = knng_alloc(1 << 17, sizeof **block); /* from before, as some of a search are */
	size[0] = 1 << 17;
	knng_sys_keep(true);
	knng_sys_keep(true);
	most = knng_sys().bytes;
	for (int step = 0; step < 20000; step++) {
		int i = (int)random_below(BLOCKS);
		int64_t *b = block[i];
		if (b != NULL) {
			fine = fine && (i == 0 || (b[0] == i && b[size[i] - 1] == i));
			freed = b;
			last = size[i];
			knng_free(b);
			block[i] = NULL;
		} else {
			size[i] = (int64_t)1000 << random_below(8);
			b = block[i] = knng_alloc(size[i], sizeof *b);
			if (b == NULL)
				abort();
			b[0] = b[size[i] - 1] = i;
			if (i == 0)
				b[0] = 0;
			again += b == freed && size[i] == last && size[i] > 20000;
		}
		knng_sys_count now = knng_sys();
		most = now.bytes > most ? now.bytes : most;
		most_kept = now.spare > most_kept ? now.spare : most_kept;
		fine = fine && now.spare >= 0 && now.bytes + now.spare <= most;
		if (step == 10000)
			knng_sys_keep(false); /* one of two */
	}
	CHECK(fine, "blocks that are used twice, or more than was held");
	CHECK(keeps ? most_kept > 200000 && again > 100 : most_kept == 0, "%lld bytes kept, %lld used again",
	      (long long)most_kept, (long long)again);
	knng_sys_keep(false);
	CHECK(knng_sys().spare == 0, "%lld bytes are kept at last", (long long)knng_sys().spare);
	for (int i = 0; i < BLOCKS; i++)
		knng_free(block[i]);
	CHECK(knng_sys().spare == 0 && knng_sys().bytes == before.bytes && knng_sys().live == before.live,
	      "something is left");
}

int
main(void)
{
	test_keep();
	if (mkdtemp(root) == NULL)
		return 1;
	test_files();
	test_address_space();
	test_processors();
	test_long();
	test_here();
	test_can_map();
	rmdir(root);
	return summary();
}
