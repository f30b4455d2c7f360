/* children.h  For programs that have many damaged files of HDF5 read (fuzz_h5ad.c, fuzz_hdf5.c): what becomes of the
 * children in which knng tries such files (core/io/hdf5.c).
 *
 * The library may do anything over such a file: then the file is refused, and all is well. But knng's own code runs in
 * the child, too, and what the sanitizers say of it there would be taken for the library's. So their report is looked
 * at: where the first function in it is not the library's, it is printed, and counts. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include "testing.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

static bool children_hurry; /* damaged files are read from now on, no sound ones */

/* A few files in a thousand have the library go round for ever, for which it has some seconds of the processor. Here it
 * has a tenth of one, many times what it needs, since otherwise it would be all that there is to wait for; test_hdf5.c
 * tests that it has an end. In place of the C library's. */
int
setrlimit(__rlimit_resource_t what, const struct rlimit *most)
{
	const struct itimerval patience = {.it_value = {.tv_usec = 100000}};
	if (what == RLIMIT_CPU && children_hurry)
		return setitimer(ITIMER_PROF, &patience, NULL);
	return (int)syscall(SYS_prlimit64, 0, what, most, NULL);
}

static int64_t *children_faults; /* shared with all children */

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));

/* What the library itself loses of a damaged file. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
	return "leak:libhdf5\n";
}

/* The child asks for what it would have without a sanitizer, whose report of a crash is wanted here. In place of the C
 * library's. */
__sighandler_t
signal(int number, __sighandler_t handler)
{
	struct sigaction act = {.sa_handler = handler}, before = {0};
	if (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT)
		return SIG_DFL;
	return sigaction(number, &act, &before) == 0 ? before.sa_handler : SIG_ERR;
}

static pid_t children_parent;
static int children_output;

/* Undefined behaviour ends in a signal, which the address sanitizer reports as well, and asks below. */
__attribute__((visibility("default"))) const char *__ubsan_default_options(void);
const char *
__ubsan_default_options(void)
{
	return "abort_on_error=1:print_stacktrace=1:symbolize=0";
}

/* Whether the first function in a report, but for those of the sanitizers and of the C library, is HDF5's. */
static bool
is_of_library(const char *report)
{
	for (const char *line = strstr(report, "    #"); line != NULL; line = strchr(line, '\n')) {
		const char *frame = strstr(line, "    #"), *end = frame != NULL ? strchr(frame, '\n') : NULL;
		if (end == NULL)
			return false;
		char text[400];
		snprintf(text, sizeof text, "%.*s", (int)(end - frame < 399 ? end - frame : 399), frame);
		if (strstr(text, "libasan") == NULL && strstr(text, "libubsan") == NULL &&
		    strstr(text, "/libc.") == NULL)
			return strstr(text, "libhdf5") != NULL;
		line = end;
	}
	return false;
}

/* A sanitizer ends this process. The child's standard error is a file, which has the report. */
static void
look_at_report(void)
{
	static char report[1 << 14];
	if (getpid() == children_parent)
		return;
	ssize_t got = pread(STDERR_FILENO, report, sizeof report - 1, 0);
	report[got > 0 ? got : 0] = '\0';
	if (is_of_library(report))
		return;
	__atomic_add_fetch(children_faults, 1, __ATOMIC_SEQ_CST);
	dprintf(children_output, "FAILED in a child, by knng's own code:\n%s\n", report);
}
#endif

/* Before the first file. False: a child that does what it may not is not noticed. */
static inline bool
watch_children(void)
{
	bool fine = true;
	children_faults =
		mmap(NULL, sizeof *children_faults, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (children_faults == MAP_FAILED)
		abort();
#if defined(__SANITIZE_ADDRESS__)
	children_parent = getpid();
	children_output = open("/dev/null", O_WRONLY | O_CLOEXEC); /* nobody wants to read of these */
	__sanitizer_set_death_callback(look_at_report);
	for (int what = 0; what < 3; what++) {
		pid_t pid = fork();
		if (pid == 0) {
			char *volatile block = malloc(8);
			volatile int most = INT32_MAX;
			dup2(memfd_create("said", MFD_CLOEXEC), STDERR_FILENO);
			if (what == 0)
				block[8] = 1;
			else if (what == 1)
				most = most + 1;
			else
				raise(SIGSEGV);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	fine = *children_faults == 3;
	*children_faults = 0;
	close(children_output);
	children_output = dup(STDOUT_FILENO);
#endif
	return fine;
}

/* How many children knng's own code has ended since this was asked before. */
static inline int64_t
faults_of_children(void)
{
	return __atomic_exchange_n(children_faults, 0, __ATOMIC_SEQ_CST);
}

#endif
