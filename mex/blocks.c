/* blocks.c  [idx, dist, refined, pruned] = knng.internal.blocks (X, k, metric, size, device, tile, room, prune): the
 * graph of X from pairs of blocks of `size` rows (core/blocks/blocks.h), [] for the device and the tile that the plan
 * chooses; room, if given and not []: bytes a device; prune, if given: 1, pairs are left out by boxes, or 2, they are
 * not; pruned: what info.pruned says of that. */
#include "blocks/blocks.h"
#include "base/sys.h"
#include "gateway.h"

#include <math.h>

static char *metric;
static knng_neighbours lists;

static void
release(void)
{
	knng_free(metric);
	metric = NULL;
	knng_neighbours_free(&lists);
}

static knng_status
check(const knng_call *call, knng_question *q, knng_options *opt, double *size, knng_err *err)
{
	knng_matrix X;
	double k, tile = 0, prune = KNNG_PRUNE_AUTO;
	if (call->nrhs < 6 || call->nrhs > 8)
		return knng_call_wrong(err);
	knng_status status = knng_mex_matrix(call->prhs[0], "X", &X, err);
	if (status != KNNG_OK)
		return status;
	if (!knng_mex_number(call->prhs[1], 1, 0x1p53, true, &k))
		return knng_fail(err, KNNG_EARGS, "knng:args:k", "k must be a whole number from 1 on");
	if ((status = knng_mex_metric(call->prhs[2], &metric, err)) != KNNG_OK)
		return status;
	if (!knng_mex_number(call->prhs[3], 1, 0x1p31, true, size))
		return knng_mex_bad_option("size", call->prhs[3], "a whole number of rows, 1 or more", err);
	if (!mxIsEmpty(call->prhs[4]) &&
	    (status = knng_mex_device(call->prhs[4], KNNG_MAX_DEVICES, &opt->device, err)) != KNNG_OK)
		return status;
	if (!mxIsEmpty(call->prhs[5]) && !knng_mex_number(call->prhs[5], 1, 0x1p31, true, &tile))
		return knng_mex_bad_option("tile", call->prhs[5], "a whole number of rows, 1 or more", err);
	if (call->nrhs > 6 && !mxIsEmpty(call->prhs[6]) &&
	    !knng_mex_number(call->prhs[6], 1, INFINITY, false, &opt->max_device_memory))
		return knng_mex_bad_option("room", call->prhs[6], "a number of bytes a device, such as 4e9", err);
	if (call->nrhs > 7 && !knng_mex_number(call->prhs[7], KNNG_PRUNE_ON, KNNG_PRUNE_OFF, true, &prune))
		return knng_mex_bad_option("prune", call->prhs[7], "1 or 2", err);
	opt->prune = (int)prune;
	opt->tile = (int64_t)tile;
	opt->metric = metric;
	return knng_ask(q, &X, NULL, metric, (int64_t)k, err);
}

static knng_status
run(knng_call *call, knng_err *err)
{
	knng_question q;
	knng_options opt = {0};
	knng_info info;
	double size;
	knng_status status = check(call, &q, &opt, &size, err);
	if (status != KNNG_OK || (status = knng_neighbours_make(&lists, q.m, q.k, 0, err)) != KNNG_OK)
		return status;
	knng_rows rows = {.n = q.x.n, .d = q.x.d, .type = q.x.type, .read = knng_read_matrix, .context = &q.x};
	bool single = q.x.type == KNNG_F32;
	if ((call->plhs[0] = knng_mex_result(q.m, q.k, false, err)) == NULL)
		return KNNG_EMEMORY;
	mxArray *dist = knng_mex_result(q.m, q.k, single, err);
	if (dist == NULL)
		return KNNG_EMEMORY;
	if (call->nlhs > 1)
		call->plhs[1] = dist;
	knng_call_start(call);
	opt.task = call->task;
	knng_shelf shelf = knng_shelf_of(&lists);
	status = knng_call_end(call, knng_blocks_run(&rows, (int64_t)size, &opt, &shelf, &info, err));
	if (status != KNNG_OK)
		return status;
	const knng_output out = {mxGetData(call->plhs[0]),     KNNG_F64, 1,  mxGetData(dist),
				 single ? KNNG_F32 : KNNG_F64, 1,        q.m};
	knng_neighbours_write(&lists, (knng_part){0, q.m}, &out);
	if (call->nlhs > 2)
		call->plhs[2] = mxCreateDoubleScalar((double)info.refined);
	if (call->nlhs > 3)
		call->plhs[3] = mxCreateString(info.pruned);
	return KNNG_OK;
}

const knng_gateway knng_this_gateway = {
	.results = 4, .stage = "blocks", .functions = "knngraph", .run = run, .release = release};
