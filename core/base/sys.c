#include "base/sys.h"

#include <ctype.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>

static atomic_llong calls, live, bytes_now, bytes_peak, fail_in;

/* What stands in front of a block, and keeps the alignment. */
enum { HEADER = 64 };
typedef struct {
	int64_t bytes;
	bool mapped; /* by itself, and not by the allocator */
} header;

/* Counts a wrapped call; true when a test wants this one to fail. */
bool
knng_sys_fault(void)
{
	atomic_fetch_add(&calls, 1);
	if (atomic_load(&fail_in) <= 0)
		return false;
	return atomic_fetch_sub(&fail_in, 1) == 1;
}

void
knng_sys_live(int64_t change)
{
	atomic_fetch_add(&live, change);
}

bool
knng_mul(int64_t a, int64_t b, int64_t c, int64_t *out)
{
	int64_t ab;
	if (a < 0 || b < 0 || c < 0)
		return false;
	return !__builtin_mul_overflow(a, b, &ab) && !__builtin_mul_overflow(ab, c, out);
}

/* Asks for large pages in large blocks: searches in blocks claim the same memory again and again, and thousands of
 * small pages that are touched for the first time cost more than a tenth of them. */
static void
prefer_large_pages(char *block, int64_t bytes)
{
	enum { LARGE = 1 << 21 };
	if (bytes < 4 * LARGE)
		return;
	uintptr_t first = ((uintptr_t)block + LARGE - 1) / LARGE * LARGE,
		  end = ((uintptr_t)block + (uintptr_t)bytes) / LARGE * LARGE;
	madvise((void *)first, end - first, MADV_HUGEPAGE); /* a wish */
}

/* ---- memory that is kept ---- */

enum { KEPT = 64, LEAST = 1 << 17 }; /* blocks; bytes of one */

/* Whoever finds it locked does without: a child after a fork may find it so for ever. */
static struct {
	pthread_mutex_t lock;
	int wishes;         /* keep (true) without a keep (false) */
	atomic_bool on;     /* there are some; for a look without the lock */
	long long most;     /* bytes held at most since the first of them */
	atomic_llong bytes; /* kept */
	char *block[KEPT];
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static header
header_of(const char *block)
{
	header h;
	memcpy(&h, block, sizeof h);
	return h;
}

/* Memory of its own where much is kept: the allocator would keep more, in the gaps between large blocks of different
 * sizes. Its pages go back to the system with it. */
static char *
claim(int64_t bytes)
{
	header h = {.bytes = bytes, .mapped = bytes >= LEAST && atomic_load(&spare.on)};
	void *p;
	if (h.mapped) {
		p = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			return NULL;
	} else if (posix_memalign(&p, 64, (size_t)bytes) != 0) { /* not a byte more: a sanitizer sees the end */
		return NULL;
	}
	prefer_large_pages(p, bytes);
	memcpy(p, &h, sizeof h);
	return p;
}

/* Gives it back, NULL too. */
static void
release(char *block)
{
	if (block != NULL && header_of(block).mapped)
		munmap(block, (size_t)header_of(block).bytes);
	else
		free(block);
}

static bool
enter_spare(void)
{
	return atomic_load(&spare.on) && pthread_mutex_trylock(&spare.lock) == 0;
}

/* Takes one out. */
static char *
take_spare(int i)
{
	char *block = spare.block[i];
	spare.bytes -= header_of(block).bytes;
	spare.block[i] = NULL;
	return block;
}

/* A block of this size that is kept; NULL: there is none, and others have made room for a new one. */
static char *
reuse(int64_t bytes)
{
	char *found = NULL;
	if (!enter_spare())
		return NULL;
	long long now = atomic_load(&bytes_now) + bytes;
	for (int i = 0; i < KEPT && found == NULL; i++)
		if (spare.block[i] != NULL && header_of(spare.block[i]).bytes == bytes)
			found = take_spare(i);
	spare.most = now > spare.most ? now : spare.most;
	for (int i = 0; i < KEPT && now + spare.bytes > spare.most; i++)
		if (spare.block[i] != NULL)
			release(take_spare(i));
	pthread_mutex_unlock(&spare.lock);
	return found;
}

/* Keeps a block, or frees it. */
static void
retire(char *block)
{
	if (header_of(block).bytes >= LEAST && enter_spare()) {
		int i = 0;
		while (i < KEPT && spare.block[i] != NULL)
			i++;
		if (i < KEPT && spare.on) {
			spare.block[i] = block;
			spare.bytes += header_of(block).bytes;
			block = NULL;
		}
		pthread_mutex_unlock(&spare.lock);
	}
	release(block);
}

void
knng_sys_keep(bool keeps)
{
	pthread_mutex_lock(&spare.lock);
	if (keeps && spare.wishes == 0)
		spare.most = atomic_load(&bytes_now);
	spare.wishes += keeps ? 1 : -1;
#if !defined(__SANITIZE_ADDRESS__) /* it has to see what is used when it is free */
	atomic_store(&spare.on, spare.wishes > 0);
#endif
	for (int i = 0; i < KEPT && !spare.on; i++)
		if (spare.block[i] != NULL)
			release(take_spare(i));
	pthread_mutex_unlock(&spare.lock);
}

/* ---- the allocator ---- */

void *
knng_alloc(int64_t count, size_t size)
{
	int64_t bytes;
	if (knng_sys_fault() || !knng_mul(count, (int64_t)size, 1, &bytes) || bytes > INT64_MAX / 2)
		return NULL;
	bytes += HEADER;
	char *p = reuse(bytes);
	if (p == NULL && (p = claim(bytes)) == NULL)
		return NULL;
	atomic_fetch_add(&live, 1);
	long long now = atomic_fetch_add(&bytes_now, bytes) + bytes, top = atomic_load(&bytes_peak);
	while (now > top && !atomic_compare_exchange_weak(&bytes_peak, &top, now)) {
	}
	return p + HEADER;
}

void *
knng_calloc(int64_t count, size_t size)
{
	void *p = knng_alloc(count, size);
	if (p != NULL)
		memset(p, 0, (size_t)count * size);
	return p;
}

void
knng_free(void *p)
{
	if (p == NULL)
		return;
	char *block = (char *)p - HEADER;
	atomic_fetch_sub(&bytes_now, header_of(block).bytes);
	atomic_fetch_sub(&live, 1);
	retire(block);
}

knng_sys_count
knng_sys(void)
{
	return (knng_sys_count){.calls = atomic_load(&calls),
				.live = atomic_load(&live),
				.bytes = atomic_load(&bytes_now),
				.peak = atomic_load(&bytes_peak),
				.spare = atomic_load(&spare.bytes)};
}

void
knng_sys_mark_peak(void)
{
	atomic_store(&bytes_peak, atomic_load(&bytes_now));
}

void
knng_sys_fail_at(int64_t nth)
{
	atomic_store(&fail_in, nth);
}

double
knng_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Names from outside may hold any bytes, and a cut may fall inside a character; a message does not: what is no UTF-8,
 * or a control character, becomes '?'. */
void
knng_clean(char *text)
{
	static const uint32_t least[] = {' ', 0x80, 0x800, 0x10000}; /* by the bytes that follow the first */
	for (unsigned char *s = (unsigned char *)text; *s != 0;) {
		int more = *s < 0x7f ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : *s >> 3 == 30 ? 3 : -1, n = 1;
		uint32_t c = more > 0 ? *s & (0x3fu >> more) : *s;
		while (n <= more && s[n] >> 6 == 2)
			c = c << 6 | (s[n++] & 0x3fu);
		if (n != more + 1 || c < least[more] || c > 0x10ffff || c >> 11 == 0xd800 >> 11) {
			*s = '?';
			n = 1;
		}
		s += n;
	}
}

knng_status
knng_fail(knng_err *err, knng_status status, const char *id, const char *format, ...)
{
	if (err != NULL) {
		va_list ap;
		snprintf(err->id, sizeof err->id, "%s", id);
		va_start(ap, format);
		vsnprintf(err->text, sizeof err->text, format, ap);
		va_end(ap);
		knng_clean(err->text);
	}
	return status;
}

const char *
knng_amount(double bytes, char text[KNNG_AMOUNT])
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
	size_t u = 0;
	for (; u + 1 < sizeof units / sizeof *units && bytes >= 999.5; u++)
		bytes *= 1e-3;
	snprintf(text, KNNG_AMOUNT, "%.3g %s", bytes, units[u]);
	return text;
}

double
knng_bytes(const char *text)
{
	static const char letters[] = "KMGT";
	char *end;
	double value = strtod(text, &end);
	const char *letter = end > text && *end != '\0' ? strchr(letters, toupper((unsigned char)*end)) : NULL;
	bool binary = letter != NULL && strcasecmp(end + 1, "iB") == 0;
	for (const char *l = letters; letter != NULL && l <= letter; l++)
		value *= binary ? 1024 : 1000;
	const char *rest = letter != NULL ? end + 1 : end;
	return end > text && value > 0 && (binary || *rest == '\0' || strcasecmp(rest, "B") == 0) ? value : 0;
}

knng_status
knng_fail_memory(knng_err *err, const char *what, double bytes)
{
	char amount[KNNG_AMOUNT];
	return knng_fail(err, KNNG_EMEMORY, "knng:memory:host",
			 "the machine has no %s left for %s; close other programs, or search fewer rows at once",
			 knng_amount(bytes, amount), what);
}
