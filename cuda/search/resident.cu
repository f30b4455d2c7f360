/* resident.cu  What a searcher keeps on its GPU: prepared rows, and copies of them. It is an allocation of its own,
 * beside the arena, which each search carves anew. */
#include "cuda/search/backend_cuda.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static double held[MAX_DEVICES]; /* bytes, of all searchers */

double
residents_on(int device)
{
	return held[device];
}

/* Divides room from `at` on. How many bytes it takes. */
static int64_t
divide(const knng_plan *plan, char *at, resident *r)
{
	int64_t n = plan->x.n, used = 0;
	int64_t bytes[] = {8, n * row_bytes(plan), (n + 8) * copy_bytes(plan), n * 4, n * 8, n * 8, n * 8};
	void *part[sizeof bytes / sizeof *bytes];
	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		part[i] = at + used;
		used += up_to(bytes[i], 256);
	}
	prepared rows = {part[1], plan->ld, plan->single};
	r->mark = (uint64_t *)part[0];
	r->rows = rows;
	r->x.f = (__half *)part[2];
	r->x.scale = (float *)part[3];
	r->x.half = (double *)part[4];
	r->x.eps = (double *)part[5];
	r->x.base = (double *)part[6];
	return used;
}

double
resident_bytes(const knng_plan *plan)
{
	resident r;
	return (double)divide(plan, NULL, &r);
}

/* A number that no other has, and no other memory by chance. */
static uint64_t
new_stamp(void)
{
	static uint64_t count;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) * 0x9e3779b97f4a7c15u +
	       ++count * 0xbf58476d1ce4e5b9u + (uint64_t)getpid();
}

knng_status
resident_open(const knng_plan *plan, int device, resident **made, knng_err *err)
{
	knng_status status = KNNG_OK;
	resident *r = *made = (resident *)host->alloc(1, sizeof *r);
	if (r == NULL)
		return host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
	memset(r, 0, sizeof *r);
	r->device = device;
	r->process = getpid();
	r->level = -1;
	r->exponent = INT32_MIN;
	r->grids = plan->grids;
	r->stamp = new_stamp();
	r->t.centre = (double *)host->alloc(plan->ld, sizeof *r->t.centre);
	if (r->t.centre == NULL) {
		status = host->fail(err, KNNG_EMEMORY, "knng:memory:host", "the machine has no memory left");
		goto out;
	}
	r->bytes = divide(plan, NULL, r);
	TRY(cudaMalloc((void **)&r->memory, (size_t)r->bytes));
	host->live(1);
	held[device] += (double)r->bytes;
	divide(plan, r->memory, r);
	TRY(cudaMemcpy(r->mark, &r->stamp, sizeof r->stamp, cudaMemcpyHostToDevice));
out:
	return status;
}

/* Gives an allocation back; or forgets it, where it is there no more: what has its place now is not ours to free, and a
 * forked child has no use of the device. */
static void
give_back(const resident *r, char **memory, int64_t bytes, bool there)
{
	if (*memory == NULL)
		return;
	held[r->device] -= (double)bytes;
	host->live(-1);
	if (there && r->process == getpid()) {
		cudaSetDevice(r->device);
		cudaFree(*memory);
		cudaGetLastError();
	}
	*memory = NULL;
}

knng_status
resident_plant(resident *r, int64_t bytes, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = r->device;
	TRY(cudaSetDevice(device));
	TRY(cudaMalloc((void **)&r->tree, (size_t)bytes));
	host->live(1);
	r->tree_bytes = bytes;
	held[device] += (double)bytes;
out:
	return status;
}

void
resident_fell(resident *r)
{
	r->planted = false;
	give_back(r, &r->tree, r->tree_bytes, true);
	r->tree_bytes = 0;
}

knng_status
resident_check(resident *r, knng_err *err)
{
	knng_status status = KNNG_OK;
	int device = r->device;
	uint64_t found = 0;
	cudaError_t error = cudaSuccess;
	if (r->memory != NULL) {
		TRY(cudaSetDevice(device));
		TRY(cudaStreamSynchronize(device_session(device)->list));
		error = cudaMemcpy(&found, r->mark, sizeof found, cudaMemcpyDeviceToHost);
		if (error != cudaErrorInvalidValue)
			TRY(error);
		cudaGetLastError();
		if (found == r->stamp)
			return KNNG_OK;
		give_back(r, &r->memory, r->bytes, false);
		give_back(r, &r->tree, r->tree_bytes, false);
	}
	status = host->fail(err, KNNG_EARGS, "knng:searcher:gone",
			    "GPU %d had the rows of this searcher, and has lost them, as when another library of this "
			    "process resets it: make the searcher anew with knng.createns (X)",
			    device + 1);
out:
	return status;
}

void
resident_free(void *state)
{
	resident *r = (resident *)state;
	if (r == NULL)
		return;
	give_back(r, &r->memory, r->bytes, true);
	give_back(r, &r->tree, r->tree_bytes, true);
	host->free(r->t.centre);
	host->free(r);
}

void
resident_leave(struct knng_prepared *left, resident *r)
{
	left->state = r;
	left->free = resident_free;
	left->device = r->device;
	left->device_bytes = (double)((r->memory != NULL ? r->bytes : 0) + (r->tree != NULL ? r->tree_bytes : 0));
	if (device_session(r->device)->dead[0] != 0)
		left->device_bytes = 0;
}
