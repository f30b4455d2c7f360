/* sanitizer.h  How the address sanitizer runs in programs that read a million small files: included by one file of
 * each. What it has always done costs more than all that is tested. */
#ifndef SANITIZER_H
#define SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return "quarantine_size_mb=4:thread_local_quarantine_size_kb=64:allocator_release_to_os_interval_ms=-1:"
	       "malloc_context_size=8"
#if defined(FUZZING_CHILDREN)
	       ":handle_abort=1:symbolize=0" /* symbols take longer than all the rest, in a child */
#endif
		;
}
#endif

#endif
