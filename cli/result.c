#include "result.h"
#include "base/sys.h"
#include "graph/adjacency.h"
#include "io/graph_file.h"
#include "io/write.h"
#include "search/knng_verify.h"
#include "watch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void
free_graph(knng_graph *g)
{
	knng_free(g->start);
	knng_free(g->row);
	knng_free(g->weight);
	*g = (knng_graph){0};
}

/* The sparse matrix of distances that knngraph returns. */
static knng_status
make_graph(knng_task *task, const knng_output *table, int64_t n, int64_t k, knng_graph *g, knng_err *err)
{
	const knng_weighing distances = {.of = knng_weights->length};
	int64_t edges;
	knng_status status = knng_adjacency_count(task, table, n, k, n, &edges, err);
	if (status != KNNG_OK)
		return status;
	*g = (knng_graph){.n = n,
			  .start = knng_alloc(n + 1, sizeof *g->start),
			  .row = knng_alloc(edges, sizeof *g->row),
			  .weight = knng_alloc(edges, sizeof *g->weight)};
	if (g->start == NULL || g->row == NULL || g->weight == NULL)
		return knng_fail_memory(err, "the edges of the graph", 8.0 * (double)n + 16.0 * (double)edges);
	knng_sparse A = {.rows = n, .columns = n, .start = g->start, .row = g->row, .value = g->weight};
	if ((status = knng_adjacency_fill(task, table, n, k, &A, err)) != KNNG_OK)
		return status;
	return knng_adjacency_weigh(task, &A, &distances, err);
}

/* Whether a graph is written by knng_write, or to opt.output. */
static bool
is_written(const knng_command *command)
{
	return !command->planned && (command->out != NULL || !command->checksum);
}

knng_status
knng_result_can_place(const knng_command *command, knng_err *err)
{
	return is_written(command) ? knng_write_can(command->out, err) : KNNG_OK;
}

knng_status
knng_result_can_names(const knng_command *command, const knng_data *data, knng_err *err)
{
	return is_written(command) && command->format != NULL
		       ? knng_write_can_names(command->format, data->text.data.names, data->rows.n, &command->opt.task,
					      err)
		       : KNNG_OK;
}

double
knng_result_bytes(int64_t n, int64_t k)
{
	return 36 * (double)n * (double)k;
}

knng_status
knng_result_make(knng_result *r, int64_t n, int64_t k, knng_err *err)
{
	int64_t slots;
	*r = (knng_result){.n = n, .k = k};
	if (!knng_mul(n, k, 1, &slots) || (r->idx = knng_alloc(slots, sizeof *r->idx)) == NULL ||
	    (r->dist = knng_alloc(slots, sizeof *r->dist)) == NULL)
		return knng_fail_memory(err, "the graph", 16.0 * (double)n * (double)k);
	r->table = (knng_output){.idx = r->idx,
				 .idx_type = KNNG_I64,
				 .index_base = 0,
				 .dist = r->dist,
				 .dist_type = KNNG_F64,
				 .row_stride = k,
				 .col_stride = 1};
	return KNNG_OK;
}

void
knng_result_free(knng_result *r)
{
	knng_free(r->dist);
	knng_free(r->idx);
	r->dist = NULL;
	r->idx = NULL;
}

static knng_status
write_graph(knng_result *r, const knng_command *command, const knng_data *data, knng_err *err)
{
	knng_task task = command->opt.task;
	task.stage = "graph";
	knng_graph graph = {0};
	const knng_write_options how = {.format = command->format, .directed = KNNG_DIRECTED, .task = task};
	knng_status status = make_graph(&task, &r->table, r->n, r->k, &graph, err);
	knng_result_free(r); /* as much again is needed to write */
	if (status == KNNG_OK) {
		graph.names = data->text.data.names;
		status = knng_write(command->out, &graph, &how, NULL, err);
	}
	free_graph(&graph);
	return status;
}

knng_status
knng_result_hash(knng_result *r, const knng_command *command, const char *part, knng_err *err)
{
	knng_graph_in *g;
	knng_table_rows table;
	knng_task task = command->opt.task;
	task.stage = "graph";
	if (!command->checksum)
		return KNNG_OK;
	knng_status status = knng_graph_in_open(&g, part, &task, err);
	if (status != KNNG_OK)
		return status;
	status = knng_graph_in_table(g, &table, err);
	if (status == KNNG_OK)
		status = knng_hash_rows(&task, &table, r->n, r->k, r->checksum, err);
	knng_graph_in_close(g);
	return status;
}

knng_status
knng_result_write(knng_result *r, const knng_command *command, const knng_data *data, knng_err *err)
{
	knng_task task = command->opt.task;
	task.stage = "graph";
	knng_status status = KNNG_OK;
	bool written = command->opt.output != NULL;
	for (int64_t e = 0; !written && data->rows.type == KNNG_F32 && e < r->n * r->k; e++)
		r->dist[e] = (double)(float)r->dist[e];
	if (command->checksum && !written)
		status = knng_hash(&task, &r->table, r->n, r->k, r->checksum, err);
	if (status == KNNG_OK && !written && (command->out != NULL || !command->checksum))
		status = write_graph(r, command, data, err);
	if (status == KNNG_OK && command->checksum && (printf("%s\n", r->checksum) < 0 || fflush(stdout) != 0))
		status = knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write standard output: %s", strerror(errno));
	knng_result_free(r);
	return status;
}

void
knng_tell_search(const knng_options *opt, int64_t n, int64_t k, const knng_info *info)
{
	char text[320];
	bool pairwise = opt->rows == KNNG_ROWS_PAIRWISE;
	if (opt->k > k)
		fprintf(stderr, "knng: k is cut from %lld to %lld: beside each row there are no more\n",
			(long long)opt->k, (long long)k);
	if (info->nonfinite > 0)
		fprintf(stderr, "knng: %lld of %lld rows (%.3g %%) hold %s: they have no neighbours%s\n",
			(long long)info->nonfinite, (long long)n, 100 * (double)info->nonfinite / (double)n,
			pairwise ? "Inf" : "missing values or Inf",
			pairwise ? "" : "; --rows pairwise compares rows over the columns that both have");
	if (info->fewer > 0)
		fprintf(stderr,
			"knng: %lld of %lld rows %s a distance to fewer than %lld other%s, since %s too few columns "
			"with the rest, or %s constant over these\n",
			(long long)info->fewer, (long long)n, info->fewer == 1 ? "has" : "have", (long long)k,
			k == 1 ? "" : "s", info->fewer == 1 ? "it shares" : "they share",
			info->fewer == 1 ? "is" : "are");
	if (info->constant > 0)
		fprintf(stderr,
			"knng: %lld of %lld rows (%.3g %%) are constant (for cosine: zero): they have no neighbours\n",
			(long long)info->constant, (long long)n, 100 * (double)info->constant / (double)n);
	if (opt->prune == KNNG_PRUNE_ON && strncmp(info->pruned, "no: ", 4) == 0)
		fprintf(stderr, "knng: all pairs were compared, though --prune is on: %s\n", info->pruned + 4);
	if (info->unsaved[0] != 0)
		fprintf(stderr, "knng: %s; the graph is complete\n", info->unsaved);
	if (info->resumed > 0) {
		snprintf(text, sizeof text, "went on from %.1f %% in %.250s", floor(1000 * info->resumed) / 10,
			 opt->checkpoint);
		knng_watch_tell(text);
	}
	if (info->fallback[0] != 0)
		fprintf(stderr, "knng: a GPU did not finish (%s)\n", info->fallback);
}
