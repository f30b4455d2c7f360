/* blocks.h  Where the HDF5 library has its memory in programs that have it read many files (fuzz_h5ad.c, fuzz_hdf5.c),
 * most of them in children (core/io/hdf5.c).
 *
 * Of the address sanitizer each size would lie in a region of its own, and what was freed would not be used again for
 * long: then a fork has hundreds of tables of pages to copy, and the child as many pages to get, which takes longer
 * than all that is tested. So the library's blocks lie close together, and its largest ones, one of half a megabyte for
 * every file and more for some datasets, in memory that all children use in turns.
 *
 * Nothing else may be touched as before: what is around a block, and a block that was freed, if it was one of the last
 * ones. Of what its parent had a child only notes that it was freed, so that it is not freed twice: the library does
 * that to thousands of blocks before a child ends. knng's own memory, and all that others ask for, is the sanitizer's
 * as ever. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "testing.h"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__)
#include <link.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#include <sys/mman.h>

enum {
	BLOCKS_ROOM = 1 << 24, /* bytes; where there is no more, the sanitizer has some */
	BLOCKS_UNIT = 64,      /* blocks are so many of them */
	BLOCKS_EDGE = 16,      /* bytes before a block, and at least as many behind it */
	BLOCKS_SIZES = 64,
	BLOCKS_LAST = 256,      /* that were freed, and are not used again yet */
	BLOCKS_AHEAD = 1 << 10, /* units */

	SLOTS = 6,           /* for the largest ones, three smaller and three larger */
	SLOT_LEAST = 400000, /* bytes */
	SLOT_SMALL = 600000,
	SLOT_LARGE = 1 << 20 | 1 << 12,
	SLOT_BEFORE = 1 << 12,
	SLOT_STEP = 1 << 20 | 1 << 16,
	SLOT_PAGE = 1 << 21,
	SLOT_ROOM = 4 * SLOT_PAGE
};

typedef struct {
	char *from;
	bool used[SLOTS];
} slot_place;

static struct {
	char *from;
	uint32_t end, ready;                      /* what was ever in use, and what is poisoned for more, in units */
	uint32_t size[BLOCKS_ROOM / BLOCKS_UNIT]; /* of the block that begins at a unit, and 1; 0: none does */
	uint32_t next[BLOCKS_ROOM /
		      BLOCKS_UNIT]; /* of the free ones of a size; which of these it is, before it is free */
	uint32_t free[BLOCKS_SIZES], last[BLOCKS_LAST], turn;
	uint8_t gone[BLOCKS_ROOM / BLOCKS_UNIT / 8]; /* blocks of its parent that this child has freed */
	slot_place own, child;
	uintptr_t code, code_size; /* of the library */
	pid_t owner;
	bool is_child;      /* for sure: it has had a block */
	uint32_t inherited; /* units that were in use when it began */
} blocks;

void *__interceptor_malloc(size_t size);
void *__interceptor_calloc(size_t count, size_t size);
void *__interceptor_realloc(void *block, size_t size);
void __interceptor_free(void *block);

/* Those of the C library's names are called before the sanitizer is ready, and end in its own functions, which see who
 * has called. Where something is wrong with a block, they have these say so: it is the library's fault then. */
#define BLOCKS_PLAIN __attribute__((no_sanitize("address", "undefined"), optimize("O2")))
#define BLOCKS_SHOWN __attribute__((visibility("default")))

/* Which of the sizes has so many units, and how many it has: up to 16 each, and then four for each power of two. */
BLOCKS_PLAIN static int
which_size(uint32_t units, uint32_t *has)
{
	uint32_t step = 4, first = 16;
	int which = 16;
	*has = units;
	if (units <= 16)
		return (int)units - 1;
	while (units > 2 * first) {
		first *= 2;
		step *= 2;
		which += 4;
	}
	uint32_t more = (units - first + step - 1) / step;
	*has = first + more * step;
	return which + (int)more - 1;
}

/* Whether this is a child. What its parent had stays where it is, and what it asks for comes behind all that. */
BLOCKS_PLAIN static bool
in_child(void)
{
	if (!blocks.is_child && getpid() != blocks.owner) {
		blocks.is_child = true;
		blocks.inherited = blocks.end;
		memset(blocks.free, 0, sizeof blocks.free);
		memset(blocks.last, 0, sizeof blocks.last);
	}
	return blocks.is_child;
}

BLOCKS_PLAIN static void *
take_slot(size_t size)
{
	bool own = !in_child();
	slot_place *place = own ? &blocks.own : &blocks.child;
	int first = size <= SLOT_SMALL ? 0 : SLOTS / 2;
	for (int i = first; i < first + SLOTS / 2; i++)
		if (!place->used[i]) {
			char *block = place->from + i * SLOT_STEP + SLOT_BEFORE;
			place->used[i] = true;
			if (!own) /* all pages at once, where the system knows how */
				madvise(block, (size + 4095) / 4096 * 4096, MADV_POPULATE_WRITE);
			if (size > SLOT_SMALL) /* into the others the library writes zeros */
				memset(block, 0, size);
			return block;
		}
	return NULL;
}

/* Units that were never in use; 0: there are no more. */
BLOCKS_PLAIN static uint32_t
more_room(uint32_t units)
{
	uint32_t at = blocks.end, most = BLOCKS_ROOM / BLOCKS_UNIT;
	if (units > most - at)
		return 0;
	blocks.end += units;
	if (blocks.end > blocks.ready) {
		uint32_t ready = blocks.end < most - BLOCKS_AHEAD ? blocks.end + BLOCKS_AHEAD : most;
		__asan_poison_memory_region(blocks.from + (size_t)blocks.ready * BLOCKS_UNIT,
					    (size_t)(ready - blocks.ready) * BLOCKS_UNIT);
		blocks.ready = ready;
	}
	return at;
}

__attribute__((noinline)) BLOCKS_PLAIN static void *
take_block(size_t size)
{
	size += size == 0; /* as the sanitizer does: the library ends texts of no characters so */
	uint32_t units = (uint32_t)((size + 2 * BLOCKS_EDGE + BLOCKS_UNIT - 1) / BLOCKS_UNIT), at;
	void *block = NULL;
	if (size >= SLOT_LEAST) {
		block = take_slot(size);
	} else {
		int which = which_size(units, &units);
		in_child();
		if ((at = blocks.free[which]) != 0)
			blocks.free[which] = blocks.next[at];
		else
			at = more_room(units);
		if (at != 0) {
			block = blocks.from + (size_t)at * BLOCKS_UNIT + BLOCKS_EDGE;
			blocks.size[at] = (uint32_t)size + 1;
			__asan_unpoison_memory_region(block, size);
		}
	}
	if (block != NULL) /* as the sanitizer does */
		memset(block, 0xbe, size < 4096 ? size : 4096);
	return block;
}

BLOCKS_PLAIN static bool
is_own(const void *block)
{
	return (uintptr_t)block - (uintptr_t)blocks.from < BLOCKS_ROOM ||
	       (uintptr_t)block - (uintptr_t)blocks.own.from < SLOT_ROOM ||
	       (uintptr_t)block - (uintptr_t)blocks.child.from < SLOT_ROOM;
}

/* Of one that is_own; 0: it is none, or was freed. */
__attribute__((noinline)) BLOCKS_PLAIN static size_t
size_of_block(const char *block)
{
	if ((uintptr_t)block - (uintptr_t)blocks.from < BLOCKS_ROOM) {
		size_t at = (size_t)(block - blocks.from), unit = at / BLOCKS_UNIT;
		bool gone = (blocks.gone[unit / 8] >> unit % 8 & 1) != 0;
		return at % BLOCKS_UNIT == BLOCKS_EDGE && !gone ? blocks.size[unit] : 0;
	}
	const slot_place *place =
		(uintptr_t)block - (uintptr_t)blocks.own.from < SLOT_ROOM ? &blocks.own : &blocks.child;
	int64_t i = (block - place->from) / SLOT_STEP;
	bool fine = i < SLOTS && block == place->from + i * SLOT_STEP + SLOT_BEFORE && place->used[i];
	return !fine ? 0 : 1 + (i < SLOTS / 2 ? SLOT_SMALL : SLOT_LARGE);
}

__attribute__((noinline)) BLOCKS_PLAIN static void
drop_block(char *block)
{
	if ((uintptr_t)block - (uintptr_t)blocks.from >= BLOCKS_ROOM) {
		slot_place *place =
			(uintptr_t)block - (uintptr_t)blocks.own.from < SLOT_ROOM ? &blocks.own : &blocks.child;
		place->used[(block - place->from) / SLOT_STEP] = false;
		return;
	}
	uint32_t at = (uint32_t)((block - blocks.from) / BLOCKS_UNIT), before = blocks.last[blocks.turn];
	size_t size = blocks.size[at] - 1;
	uint32_t units;
	if (in_child() && at < blocks.inherited) {
		blocks.gone[at / 8] |= (uint8_t)(1 << at % 8);
		return;
	}
	__asan_poison_memory_region(block, size);
	blocks.size[at] = 0;
	blocks.next[at] =
		(uint32_t)which_size((uint32_t)((size + 2 * BLOCKS_EDGE + BLOCKS_UNIT - 1) / BLOCKS_UNIT), &units);
	blocks.last[blocks.turn] = at;
	blocks.turn = (blocks.turn + 1) % BLOCKS_LAST;
	if (before != 0) {
		uint32_t which = blocks.next[before];
		blocks.next[before] = blocks.free[which];
		blocks.free[which] = before;
	}
}

/* Whether it asks for memory that is to come from here. */
#define BLOCKS_ASKED(size)                                                                                             \
	((uintptr_t)__builtin_return_address(0) - blocks.code < blocks.code_size && (size) <= SLOT_LARGE)

BLOCKS_SHOWN BLOCKS_PLAIN void *
malloc(size_t size)
{
	if (BLOCKS_ASKED(size)) {
		void *block = take_block(size);
		if (block != NULL)
			return block;
	}
	return __interceptor_malloc(size);
}

BLOCKS_SHOWN BLOCKS_PLAIN void *
calloc(size_t count, size_t size)
{
	if (BLOCKS_ASKED(size) && count <= SLOT_LARGE && BLOCKS_ASKED(count * size)) {
		void *block = take_block(count * size);
		if (block != NULL)
			return memset(block, 0, count * size);
	}
	return __interceptor_calloc(count, size);
}

BLOCKS_SHOWN BLOCKS_PLAIN void
free(void *block)
{
	if (block != NULL && is_own(block) && size_of_block(block) > 0)
		drop_block(block);
	else
		__interceptor_free(block);
}

BLOCKS_SHOWN BLOCKS_PLAIN void *
realloc(void *block, size_t size)
{
	size_t before = block != NULL && size > 0 && is_own(block) ? size_of_block(block) : 0;
	if (before == 0)
		return __interceptor_realloc(block, size);
	void *made = size <= SLOT_LARGE ? take_block(size) : NULL;
	if (size > 1 << 28) /* where a file says so; the sanitizer would take it for a fault of who calls it */
		return NULL;
	if (made == NULL && (made = __interceptor_malloc(size)) == NULL)
		return NULL;
	memcpy(made, block, before - 1 < size ? before - 1 : size);
	drop_block(block);
	return made;
}

/* Pages that begin at a large one. */
static char *
map_room(size_t size, int kind)
{
	char *from = mmap(NULL, size + SLOT_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (from == MAP_FAILED)
		abort();
	from += -(uintptr_t)from % SLOT_PAGE;
	if (mmap(from, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != from)
		abort();
	__lsan_register_root_region(from, size);
	return from;
}

static char *
make_slots(int kind)
{
	char *from = map_room(SLOT_ROOM, kind);
	madvise(from, SLOT_ROOM, MADV_HUGEPAGE); /* where the system has them */
	__asan_poison_memory_region(from, SLOT_ROOM);
	for (int i = 0; i < SLOTS; i++)
		__asan_unpoison_memory_region(from + i * SLOT_STEP + SLOT_BEFORE,
					      i < SLOTS / 2 ? SLOT_SMALL : SLOT_LARGE);
	return from;
}

static int
find_library(struct dl_phdr_info *module, size_t size, void *context)
{
	(void)size, (void)context;
	if (strstr(module->dlpi_name, "libhdf5") == NULL)
		return 0;
	for (int i = 0; i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &module->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
			blocks.code = module->dlpi_addr + part->p_vaddr;
			blocks.code_size = part->p_memsz;
		}
	}
	return 1;
}
#endif

/* Before the library has any memory. */
static inline void
make_blocks(void)
{
#if defined(__SANITIZE_ADDRESS__)
	blocks.owner = getpid();
	blocks.from = map_room(BLOCKS_ROOM, MAP_PRIVATE);
	madvise(blocks.from, BLOCKS_ROOM, MADV_HUGEPAGE);
	blocks.end = blocks.ready = 1;
	blocks.own.from = make_slots(MAP_PRIVATE);
	blocks.child.from = make_slots(MAP_SHARED);
	dl_iterate_phdr(find_library, NULL);
	if (blocks.code == 0)
		abort();
#endif
}

/* Whether what may not be done to a block of the library is found: whoever does so ends. */
static inline bool
blocks_are_watched(void)
{
#if defined(__SANITIZE_ADDRESS__)
	for (int what = 0; what < 6; what++) {
		int ended;
		fflush(NULL);
		pid_t pid = fork();
		if (pid == 0) {
			volatile char *block = H5allocate_memory(41, false);
			int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
			if (what > 0) /* nothing is said of what is allowed */
				dup2(quiet, STDERR_FILENO);
			block[0] = block[40] = 1;
			if (what == 1)
				block[41] = 1;
			else if (what == 2)
				block[-1] = 1;
			else if (what > 2)
				H5free_memory((void *)block);
			if (what == 3)
				block[8] = 1;
			else if (what == 4)
				H5free_memory((void *)block);
			else if (what == 5)
				H5free_memory((void *)(block + BLOCKS_UNIT));
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, &ended, 0) != pid || (ended == 0) != (what == 0))
			return false;
	}
#endif
	return true;
}

#endif
