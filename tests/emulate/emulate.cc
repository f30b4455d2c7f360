/* emulate.cc  CUDA on the CPU: see cuda_runtime.h. KNNG_EMULATED_GPUS says how many devices there are (2), each with 2
 * GB of memory. KNNG_EMULATED_SEED changes every order, KNNG_EMULATED_SUMS how tensor cores sum. */
#include "cublas_v2.h"
#include "cuda_fp16.h"
#include "cuda_pipeline.h"

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

/* One thing at a time, whatever the host's threads want. */
static std::recursive_mutex big;
typedef std::lock_guard<std::recursive_mutex> locked;

static unsigned long long
next_random(void)
{
	static unsigned long long x = 0;
	if (x == 0) {
		const char *seed = getenv("KNNG_EMULATED_SEED");
		x = 0x9e3779b97f4a7c15u + (seed != NULL ? strtoull(seed, NULL, 10) : 0) * 2654435761u;
	}
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static void
fail(const char *what)
{
	fprintf(stderr, "emulated GPU: %s\n", what);
	abort();
}

/* ---------------------------------------------------------------- kernels */

namespace emulated
{
dim3 thread, block, threads, blocks;
unsigned char *shared;

enum { MOST_THREADS = 1024, STACK = (1 << 16) + 17 * 64, SHARED = 227 << 10, NOTHING = 0xa5 };
enum state : unsigned char { READY, AT_BARRIER, AT_WARP, ENDED };

struct pending_copy {
	void *to;
	const void *from;
	size_t bytes, zeros;
};

/* A place to jump back to: of gcc's own, since those of the C library take longer than all else. Who jumps is noipa, so
 * that gcc takes no register for kept. */
typedef void *place_in_code[5];


struct one_thread {
	int on; /* its fiber, or NONE before it begins */
	bool vote;
	bool copied; /* there may be something in copies */
	uint64_t slot[2]; /* what it shows its warp, of this meeting and of the one before */
	std::deque<std::vector<pending_copy>> copies; /* no group where a thread begins and ends */
};

enum { NONE = -1 };
static one_thread all[MOST_THREADS];
static state is[MOST_THREADS];
static int count, current;
static unsigned meetings[MOST_THREADS / WARP]; /* of each warp so far */
static uint32_t came[MOST_THREADS / WARP];     /* which of its threads came to the last */
static place_in_code place[MOST_THREADS]; /* of a fiber, beside each other: they are looked at all the time */
static ucontext_t start[MOST_THREADS];
static int made, idle[MOST_THREADS], idlers; /* fibers; those whose thread has ended, the last first */
static place_in_code home;
static ucontext_t nowhere;
static const std::function<void()> *job;
static int turn, turns_left, step; /* the thread that is asked next whether it can go on, of a round of all */

/* The next of the round that can go on becomes current, or it is over. */
static bool
next()
{
	while (turns_left > 0) {
		int t = turn;
		turn = t + step < count ? t + step : t + step - count;
		turns_left--;
		if (is[t] != READY)
			continue;
		current = t;
		if (threads.y == 1 && threads.z == 1) {
			thread = dim3((unsigned)t, 0, 0);
		} else {
			thread.x = (unsigned)t % threads.x;
			thread.y = (unsigned)t / threads.x % threads.y;
			thread.z = (unsigned)t / threads.x / threads.y;
		}
		return true;
	}
	return false;
}

static void live();

/* Those of all fibers lie in large pages, and no power of two apart, so that the processor has what is used of them at
 * hand. */
static void *
stack_of(int f)
{
	static char *stacks;
	size_t bytes = (size_t)MOST_THREADS * STACK;
	if (stacks == NULL) {
		void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			fail("no memory for stacks");
		madvise(p, bytes, MADV_HUGEPAGE);
		stacks = (char *)p;
	}
	return stacks + (size_t)f * STACK;
}

/* To what is current: where it gave way, or to a fiber that is free. */
__attribute__((noipa)) static void
enter()
{
	int f = all[current].on;
	if (f == NONE && idlers > 0)
		f = all[current].on = idle[--idlers];
	if (f != NONE)
		__builtin_longjmp(place[f], 1);
	f = all[current].on = made++;
	getcontext(&start[f]);
	start[f].uc_stack.ss_sp = stack_of(f);
	start[f].uc_stack.ss_size = STACK;
	start[f].uc_link = NULL;
	makecontext(&start[f], live, 0);
	swapcontext(&nowhere, &start[f]);
}

__attribute__((noipa)) static void
leave()
{
	__builtin_longjmp(home, 1);
}

/* Once round: each thread that can go on does, until it gives way. */
__attribute__((noipa)) static void
once_round()
{
	if (__builtin_setjmp(home) == 0 && next())
		enter();
}

static void
go_on()
{
	if (next())
		enter();
	leave();
}

__attribute__((noipa)) static void
give_way(state becomes)
{
	is[current] = becomes;
	if (__builtin_setjmp(place[all[current].on]) == 0)
		go_on();
}

/* Until this fiber has a thread again that begins. Where the next one does, that is at once. */
__attribute__((noipa)) static void
rest()
{
	int f = all[current].on;
	is[current] = ENDED;
	all[current].on = NONE;
	bool more = next();
	if (more && all[current].on == NONE) {
		all[current].on = f;
		return;
	}
	idle[idlers++] = f;
	if (__builtin_setjmp(place[f]) == 0) {
		if (more)
			enter();
		leave();
	}
}

static void
live()
{
	for (;;) {
		(*job)();
		if (all[current].copied) {
			for (auto &group : all[current].copies)
				if (!group.empty())
					fail("a thread ended before its copies had arrived");
			all[current].copies.clear();
			all[current].copied = false;
		}
		rest();
	}
}

int
lane()
{
	return current % WARP;
}

void
barrier()
{
	give_way(AT_BARRIER);
}

void
warp_barrier()
{
	give_way(AT_WARP);
}

uint64_t
exchange(uint64_t mine, int lane)
{
	int from = current / WARP * WARP + lane, at = meetings[current / WARP] % 2;
	all[current].slot[at] = mine;
	give_way(AT_WARP);
	return from < count ? all[from].slot[at] : mine;
}

uint32_t
gather(uint64_t mine, uint64_t of_all[WARP])
{
	int first = current / WARP * WARP, at = meetings[current / WARP] % 2;
	all[current].slot[at] = mine;
	give_way(AT_WARP);
	for (int i = 0; i < WARP && first + i < count; i++)
		of_all[i] = all[first + i].slot[at];
	return came[first / WARP];
}

bool
any(bool mine, bool every)
{
	all[current].vote = mine;
	give_way(AT_BARRIER);
	bool result = every;
	for (int t = 0; t < count; t++)
		if (is[t] != ENDED)
			result = every ? result && all[t].vote : result || all[t].vote;
	give_way(AT_BARRIER);
	return result;
}

/* The groups of the current thread, of which there is one from its first copy on. */
static std::deque<std::vector<pending_copy>> &
groups()
{
	one_thread &me = all[current];
	if (!me.copied)
		me.copies.resize(1);
	me.copied = true;
	return me.copies;
}

void
copy(void *to, const void *from, size_t bytes, size_t zeros)
{
	volatile char touched = *(const volatile char *)from; /* it is read even where all are zeros */
	(void)touched;
	groups().back().push_back({to, from, bytes, zeros});
}

void
commit()
{
	groups().push_back({});
}

void
wait(unsigned later)
{
	auto &copies = all[current].copies;
	while (copies.size() > later + 1) {
		for (const pending_copy &c : copies.front()) {
			memcpy(c.to, c.from, c.bytes - c.zeros);
			memset((char *)c.to + c.bytes - c.zeros, 0, c.zeros);
		}
		copies.pop_front();
	}
}

/* Whether all threads of [first, end) that have not ended wait at one place; then they go on. */
static bool
release(int first, int end, state at)
{
	bool some = false;
	uint32_t here = 0;
	for (int t = first; t < end; t++) {
		if (is[t] != at && is[t] != ENDED)
			return false;
		some |= is[t] == at;
	}
	for (int t = first; t < end && some; t++)
		if (is[t] == at) {
			is[t] = READY;
			here |= 1u << (t - first) % WARP;
		}
	if (some && at == AT_WARP) {
		meetings[first / WARP]++;
		came[first / WARP] = here;
	}
	return some;
}

static std::vector<void *> met; /* variables in shared memory, by the block that runs */

void
fresh(void *variable, size_t bytes)
{
	for (void *other : met)
		if (other == variable)
			return;
	met.push_back(variable);
	memset(variable, NOTHING, bytes);
}

static void
run_block(size_t bytes)
{
	static unsigned char memory[SHARED] __attribute__((aligned(128)));
	shared = memory;
	memset(memory, NOTHING, bytes);
	met.clear();
	for (int t = 0; t < count; t++) {
		is[t] = READY;
		all[t].on = NONE;
	}
	for (bool moved = true; moved;) {
		turn = (int)(next_random() % (unsigned)count);
		step = next_random() % 2 ? 1 : count - 1;
		turns_left = count;
		once_round();
		moved = false;
		for (int t = 0; t < count; t += WARP)
			moved |= release(t, t + WARP < count ? t + WARP : count, AT_WARP);
		moved |= release(0, count, AT_BARRIER);
	}
	for (int t = 0; t < count; t++)
		if (is[t] != ENDED)
			fail("threads wait for others that never come");
}

void
run(dim3 grid, dim3 size, size_t bytes, const std::function<void()> &kernel)
{
	uint64_t total = (uint64_t)grid.x * grid.y * grid.z;
	threads = size;
	blocks = grid;
	count = (int)(size.x * size.y * size.z);
	job = &kernel;
	if (total == 0 || count == 0 || count > MOST_THREADS || bytes > SHARED || grid.y > 65535)
		fail("a launch that no device takes");
	uint64_t first = next_random() % total;
	for (uint64_t i = 0; i < total; i++) {
		uint64_t b = (first + i) % total;
		block.x = (unsigned)(b % grid.x);
		block.y = (unsigned)(b / grid.x % grid.y);
		block.z = (unsigned)(b / grid.x / grid.y);
		run_block(bytes);
	}
}
} // namespace emulated

/* ---------------------------------------------------------------- streams and events */

struct emulated_stream {
	std::deque<std::function<void()>> work;
	uint64_t issued, done;
};
struct emulated_event {
	emulated_stream *stream;
	uint64_t after;
};

static void
drain(emulated_stream *s, uint64_t upto)
{
	locked lock(big);
	while (s->done < upto && !s->work.empty()) {
		std::function<void()> first = std::move(s->work.front());
		s->work.pop_front();
		first();
		s->done++;
	}
}

void
emulated::push(cudaStream_t stream, std::function<void()> work)
{
	locked lock(big);
	stream->work.push_back(std::move(work));
	stream->issued++;
}

cudaError_t
cudaStreamCreateWithFlags(cudaStream_t *s, unsigned)
{
	*s = new emulated_stream();
	return cudaSuccess;
}

cudaError_t
cudaStreamDestroy(cudaStream_t s)
{
	drain(s, s->issued);
	delete s;
	return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize(cudaStream_t s)
{
	locked lock(big);
	drain(s, s->issued);
	return cudaSuccess;
}

cudaError_t
cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned)
{
	locked lock(big);
	emulated_stream *other = e->stream;
	uint64_t after = e->after;
	if (other != NULL && other != s)
		emulated::push(s, [=] { drain(other, after); });
	return cudaSuccess;
}

cudaError_t
cudaEventCreateWithFlags(cudaEvent_t *e, unsigned)
{
	*e = new emulated_event();
	return cudaSuccess;
}

cudaError_t
cudaEventDestroy(cudaEvent_t e)
{
	delete e;
	return cudaSuccess;
}

cudaError_t
cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
	locked lock(big);
	e->stream = s;
	e->after = s->issued;
	return cudaSuccess;
}

cudaError_t
cudaEventSynchronize(cudaEvent_t e)
{
	locked lock(big);
	if (e->stream != NULL)
		drain(e->stream, e->after);
	return cudaSuccess;
}

/* ---------------------------------------------------------------- devices and memory */

enum { MOST_DEVICES = 8 };
/* Of each GPU: 2 GiB, or what a plan is to be asked for. */
static size_t
memory()
{
	const char *text = getenv("KNNG_EMULATED_MEMORY");
	return text != NULL ? (size_t)atof(text) : (size_t)2 << 30;
}
static size_t taken[MOST_DEVICES];
static thread_local int device;
static std::map<const char *, std::pair<size_t, int>> allocated; /* bytes, and the device, or -1: pinned */

cudaError_t
cudaGetLastError(void)
{
	return cudaSuccess;
}

cudaError_t
cudaPeekAtLastError(void)
{
	return cudaSuccess;
}

const char *
cudaGetErrorString(cudaError_t)
{
	return "emulated";
}

cudaError_t
cudaSetDevice(int d)
{
	device = d;
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceCount(int *n)
{
	const char *text = getenv("KNNG_EMULATED_GPUS");
	*n = text != NULL ? atoi(text) : 2;
	return *n > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t
cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
	memset(p, 0, sizeof *p);
	strcpy(p->name, "emulated GPU");
	p->uuid.bytes[0] = (char)(device + 1);
	p->major = 9;
	return cudaSuccess;
}

cudaError_t
cudaMemGetInfo(size_t *free, size_t *total)
{
	locked lock(big);
	*free = memory() - taken[device];
	*total = memory();
	return cudaSuccess;
}

static cudaError_t
allocate(void **p, size_t bytes, int where)
{
	locked lock(big);
	if (where >= 0 && bytes > memory() - taken[where])
		return cudaErrorMemoryAllocation;
	*p = aligned_alloc(256, (bytes + 255) / 256 * 256);
	if (*p == NULL)
		return cudaErrorMemoryAllocation;
	memset(*p, 0xff, bytes);
	allocated[(const char *)*p] = {bytes, where};
	if (where >= 0)
		taken[where] += bytes;
	return cudaSuccess;
}

static cudaError_t
release_memory(void *p)
{
	locked lock(big);
	auto it = allocated.find((const char *)p);
	if (it == allocated.end())
		fail("what was never allocated is freed");
	if (it->second.second >= 0)
		taken[it->second.second] -= it->second.first;
	allocated.erase(it);
	free(p);
	return cudaSuccess;
}

/* The allocation that holds all these bytes: -2: none; -1: pinned; or the device. */
static int
home_of(const void *p, size_t bytes)
{
	locked lock(big);
	auto it = allocated.upper_bound((const char *)p);
	if (it == allocated.begin())
		return -2;
	--it;
	return (const char *)p + bytes <= it->first + it->second.first ? it->second.second : -2;
}

cudaError_t
cudaMalloc(void **p, size_t bytes)
{
	return allocate(p, bytes, device);
}

cudaError_t
cudaFree(void *p)
{
	return release_memory(p);
}

cudaError_t
cudaHostAlloc(void **p, size_t bytes, unsigned)
{
	return allocate(p, bytes, -1);
}

cudaError_t
cudaFreeHost(void *p)
{
	return release_memory(p);
}

static void
on_device(const void *p, size_t bytes)
{
	if (bytes > 0 && home_of(p, bytes) < 0)
		fail("a copy goes beyond the memory of a device");
}

cudaError_t
cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t s)
{
	locked lock(big);
	if (kind != cudaMemcpyDeviceToHost)
		on_device(to, bytes);
	if (kind != cudaMemcpyHostToDevice)
		on_device(from, bytes);
	if (kind == cudaMemcpyHostToDevice && home_of(from, bytes) != -1) {
		/* Pageable memory is read before the call returns. */
		std::vector<char> held((const char *)from, (const char *)from + bytes);
		emulated::push(s, [=] { memcpy(to, held.data(), bytes); });
		return cudaSuccess;
	}
	emulated::push(s, [=] { memmove(to, from, bytes); });
	if (kind == cudaMemcpyDeviceToHost && home_of(to, bytes) != -1)
		return cudaStreamSynchronize(s);
	return cudaSuccess;
}

/* As if another library of the process had reset the device, KNNG_EMULATED_LOST: 'device', so that calls fail, 'device9',
 * so that they do from the ninth copy on, or 'memory', so that others have it. */
cudaError_t
cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	locked lock(big);
	const char *lost = getenv("KNNG_EMULATED_LOST");
	static int copies;
	copies = lost != NULL && strncmp(lost, "device", 6) == 0 ? copies + 1 : 0;
	if (copies > 0 && copies >= atoi(lost + 6))
		return cudaErrorContextIsDestroyed;
	if (lost != NULL && kind == cudaMemcpyDeviceToHost && strcmp(lost, "memory") == 0)
		memset((void *)from, 0x55, bytes);
	memmove(to, from, bytes);
	return cudaSuccess;
}

cudaError_t
cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t s)
{
	on_device(to, bytes);
	on_device(from, bytes);
	emulated::push(s, [=] { memmove(to, from, bytes); });
	return cudaSuccess;
}

cudaError_t
cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t s)
{
	on_device(p, bytes);
	emulated::push(s, [=] { memset(p, value, bytes); });
	return cudaSuccess;
}

cudaError_t
cudaDeviceCanAccessPeer(int *can, int, int)
{
	*can = 1;
	return cudaSuccess;
}

cudaError_t
cudaDeviceEnablePeerAccess(int, unsigned)
{
	return cudaSuccess;
}

/* ---------------------------------------------------------------- products */

struct emulated_blas {
	cudaStream_t stream;
};

cublasStatus_t
cublasCreate(cublasHandle_t *blas)
{
	*blas = new emulated_blas();
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasDestroy(cublasHandle_t blas)
{
	delete blas;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetStream(cublasHandle_t blas, cudaStream_t s)
{
	blas->stream = s;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetMathMode(cublasHandle_t, cublasMath_t)
{
	return CUBLAS_STATUS_SUCCESS;
}

const char *
cublasGetStatusString(cublasStatus_t)
{
	return "emulated";
}

static std::vector<float>
floats_of(const void *a, int type, int rows, int k, int ld)
{
	std::vector<float> f((size_t)rows * (size_t)k);
	for (int i = 0; i < rows; i++)
		for (int l = 0; l < k; l++) {
			int64_t at = (int64_t)i * ld + l;
			f[(size_t)i * (size_t)k + (size_t)l] =
				type == CUDA_R_16F ? __half2float(((const __half *)a)[at]) : ((const float *)a)[at];
		}
	return f;
}

/* Eight sums at once, which compilers turn into one instruction. */
template <class T>
static T
dot(const T *a, const T *b, int k)
{
	T sum[8] = {};
	int l = 0;
	for (; l + 8 <= k; l += 8)
		for (int e = 0; e < 8; e++)
			sum[e] += a[l + e] * b[l + e];
	for (; l < k; l++)
		sum[l % 8] += a[l] * b[l];
	return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

/* Sums as canonical.md, 6, has them, of blocks of four: what goes into a block, and its result, is cut to so many bits
 * of the largest number there. Of WIDE columns b at once, element l of which is at b[l * WIDE]. */
enum { WIDE = 8, OF_BLOCK = 4 };

/* The last of so many bits of each size, and one over it. */
static inline void
last_bit(const double *size, int bits, double *unit, double *units)
{
	uint64_t of_unit[WIDE], of_units[WIDE];
	memcpy(of_unit, size, sizeof of_unit);
	for (int e = 0; e < WIDE; e++) {
		uint64_t exponent = of_unit[e] >> 52;
		exponent = exponent > 64 ? exponent - (uint64_t)(bits - 1) : 1023;
		of_unit[e] = exponent << 52;
		of_units[e] = (2046 - exponent) << 52;
	}
	memcpy(unit, of_unit, sizeof of_unit);
	memcpy(units, of_units, sizeof of_units);
}

__attribute__((optimize("O3"))) static void
cut_sums(const float *a, const float *b, int k, int bits, const double *start, double *sum)
{
	for (int e = 0; e < WIDE; e++)
		sum[e] = start[e];
	for (int l = 0; l < k; l += OF_BLOCK) {
		double x[OF_BLOCK + 1][WIDE], size[WIDE], unit[WIDE], units[WIDE], total[WIDE];
		for (int e = 0; e < WIDE; e++) {
			x[OF_BLOCK][e] = sum[e];
			size[e] = fabs(sum[e]);
			total[e] = 0;
		}
		for (int i = 0; i < OF_BLOCK; i++)
			for (int e = 0; e < WIDE; e++) {
				x[i][e] = l + i < k ? (double)a[l + i] * (double)b[(l + i) * WIDE + e] : 0;
				size[e] = size[e] < fabs(x[i][e]) ? fabs(x[i][e]) : size[e];
			}
		last_bit(size, bits, unit, units);
		for (int i = 0; i <= OF_BLOCK; i++)
			for (int e = 0; e < WIDE; e++)
				total[e] += trunc(x[i][e] * units[e]) * unit[e];
		for (int e = 0; e < WIDE; e++)
			size[e] = fabs(total[e]);
		last_bit(size, bits, unit, units);
		for (int e = 0; e < WIDE; e++)
			sum[e] = trunc(total[e] * units[e]) * unit[e];
	}
}

/* KNNG_EMULATED_SUMS: so many bits, as above; "carried": 24, and a part begins with the sum of those before; "halves":
 * 24, and sums of 256 products are stored as halves before they are added. None: plain sums in single precision. */
static void
cut_product(const std::vector<float> &x, const std::vector<float> &y, int m, int n, int k, float more, void *c,
	    int type, int ldc, const char *sums)
{
	bool carried = strcmp(sums, "carried") == 0, halves = strcmp(sums, "halves") == 0;
	int bits = carried || halves ? 24 : atoi(sums), split = halves ? 256 : k;
	std::vector<float> b((size_t)k * WIDE);
	if (bits < 4 || bits > 24)
		fail("KNNG_EMULATED_SUMS is not understood");
	for (int i0 = 0; i0 < m; i0 += WIDE) {
		for (int l = 0; l < k; l++)
			for (int e = 0; e < WIDE; e++)
				b[(size_t)l * WIDE + (size_t)e] =
					i0 + e < m ? x[(size_t)(i0 + e) * (size_t)k + (size_t)l] : 0;
		for (int j = 0; j < n; j++) {
			double before[WIDE], none[WIDE] = {}, sum[WIDE], all[WIDE] = {};
			for (int e = 0; e < WIDE; e++)
				before[e] = more != 0 && i0 + e < m
						    ? (double)(more * ((float *)c)[(int64_t)j * ldc + i0 + e])
						    : 0;
			for (int l = 0; l < k; l += split) {
				cut_sums(&y[(size_t)j * (size_t)k + (size_t)l], &b[(size_t)l * WIDE],
					 std::min(split, k - l), bits, carried ? before : none, sum);
				for (int e = 0; e < WIDE; e++)
					all[e] += halves ? (double)__half2float(__double2half(sum[e])) : sum[e];
			}
			for (int e = 0; e < WIDE && i0 + e < m; e++) {
				int64_t at = (int64_t)j * ldc + i0 + e;
				float s = carried ? (float)all[e] : (float)all[e] + (float)before[e];
				if (type == CUDA_R_16F)
					((__half *)c)[at] = __float2half(s);
				else
					((float *)c)[at] = s;
			}
		}
	}
}

/* of: the type of the factors; tensor cores multiply halves alone. */
static void
product(const std::vector<float> &x, const std::vector<float> &y, int of, int m, int n, int k, float more, void *c,
	int type, int ldc)
{
	const char *sums = of == CUDA_R_16F ? getenv("KNNG_EMULATED_SUMS") : NULL;
	if (sums != NULL) {
		cut_product(x, y, m, n, k, more, c, type, ldc, sums);
		return;
	}
	for (int j = 0; j < n; j++)
		for (int i = 0; i < m; i++) {
			float s = dot(&x[(size_t)i * (size_t)k], &y[(size_t)j * (size_t)k], k);
			int64_t at = (int64_t)j * ldc + i;
			if (type == CUDA_R_16F)
				((__half *)c)[at] = __float2half(s);
			else
				((float *)c)[at] = more != 0 ? more * ((float *)c)[at] + s : s;
		}
}

/* Leaves each row of k numbers once; which of these each of the n rows is. */
static std::vector<int>
distinct(std::vector<float> *rows, int n, int k)
{
	std::map<std::string, int> seen; /* by their bits, since some are no numbers */
	std::vector<float> left;
	std::vector<int> which((size_t)n);
	for (int i = 0; i < n; i++) {
		const float *row = rows->data() + (size_t)i * (size_t)k;
		std::string bits((const char *)row, (size_t)k * sizeof *row);
		auto it = seen.find(bits);
		if (it == seen.end()) {
			it = seen.insert({bits, (int)seen.size()}).first;
			left.insert(left.end(), row, row + k);
		}
		which[(size_t)i] = it->second;
	}
	*rows = left;
	return which;
}

cublasStatus_t
cublasGemmEx(cublasHandle_t blas, int, int, int m, int n, int k, const void *, const void *a, int of, int lda,
	     const void *b, int, int ldb, const void *beta, void *c, int type, int ldc, int, int)
{
	size_t each = of == CUDA_R_16F ? 2 : 4;
	float more = *(const float *)beta;
	on_device(c, ((size_t)(n - 1) * (size_t)ldc + (size_t)m) * (type == CUDA_R_16F ? 2 : 4));
	on_device(a, ((size_t)(m - 1) * (size_t)lda + (size_t)k) * each);
	on_device(b, ((size_t)(n - 1) * (size_t)ldb + (size_t)k) * each);
	emulated::push(blas->stream, [=] {
		std::vector<float> x = floats_of(a, of, m, k, lda), y = floats_of(b, of, n, k, ldb);
		if (more != 0) {
			product(x, y, of, m, n, k, more, c, type, ldc);
			return;
		}
		/* Rows that are there many times are multiplied once. */
		std::vector<int> of_x = distinct(&x, m, k), of_y = distinct(&y, n, k);
		int width = (int)(x.size() / (size_t)k), height = (int)(y.size() / (size_t)k);
		size_t size = type == CUDA_R_16F ? 2 : 4;
		std::vector<char> some((size_t)width * (size_t)height * size);
		product(x, y, of, width, height, k, 0, some.data(), type, width);
		for (int j = 0; j < n; j++)
			for (int i = 0; i < m; i++)
				memcpy((char *)c + ((size_t)j * (size_t)ldc + (size_t)i) * size,
				       &some[((size_t)of_y[j] * (size_t)width + (size_t)of_x[i]) * size], size);
	});
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasDgemm(cublasHandle_t blas, int, int, int m, int n, int k, const double *, const double *a, int lda,
	    const double *b, int ldb, const double *, double *c, int ldc)
{
	emulated::push(blas->stream, [=] {
		for (int j = 0; j < n; j++)
			for (int i = 0; i < m; i++)
				c[(int64_t)j * ldc + i] = dot(a + (int64_t)i * lda, b + (int64_t)j * ldb, k);
	});
	return CUBLAS_STATUS_SUCCESS;
}
