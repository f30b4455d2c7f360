/* knng.c  The command-line program: a data set of any format in, its exact k-nearest-neighbour graph out, as text.
 *
 * Output: the bytes of knng.write, in the format that -f names or the ending of the file does, or those of 'Output'
 * (core/io/graph_file.h); on standard output, and to pipes and devices, .knn (core/io/formats/knn.c). The output file
 * appears under its name only when it is complete.
 *
 * Exit status: 0; 1 an error, with its identifier on stderr; 2 an argument that cannot be, before anything is read; 75
 * stopped by SIGTERM or SIGUSR1 with a checkpoint: the same command goes on from there. Ctrl-C and SIGHUP stop it, and
 * these without a checkpoint, and it ends by them: 128 and the signal's number for a shell. */
#include "base/signals.h"
#include "base/sys.h"
#include "estimate.h"
#include "result.h"
#include "search/describe.h"
#include "watch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a search would take, on standard output. */
static knng_status
tell_plan(const knng_blocks_plan *plan, const knng_data *data, const knng_options *opt, knng_err *err)
{
	const int64_t n = data->rows.n, d = data->rows.d;
	const knng_type type = data->rows.type;
	char device[96];
	int64_t blocks = (n + plan->size - 1) / plan->size;
	knng_plan_device(&plan->one, device, sizeof device);
	printf("%s%lld rows of %lld %s columns, k %lld, on %s\n", data->which, (long long)n, (long long)d,
	       type == KNNG_F32 ? "single" : "double", (long long)plan->k, device);
	printf("memory: %.3g GB, in %lld block%s; the least that would do is -M %.0f\n", plan->bytes / 1e9,
	       (long long)blocks, plural(blocks), plan->least);
	if (plan->file == 0)
		printf("and %.3g GB for the graph\n", knng_result_bytes(n, plan->k) / 1e9);
	knng_tell_places(&plan->one, plan->disk, plan->file, plan->lists, "");
	const knng_estimated e = {.n = n,
				  .m = n,
				  .d = d,
				  .k = plan->k,
				  .graph = true,
				  .type = type,
				  .columns = data->is_text,
				  .metric = opt->metric,
				  .one = &plan->one,
				  .blocks = plan->one.ndevices == 0 ? blocks : 1,
				  .ranks = 1};
	knng_status status = knng_tell_time(&e, &opt->task, err);
	return status == KNNG_OK ? knng_told(err) : status;
}

typedef struct {
	const knng_command *command;
	knng_result *result;
} wanted;

/* As knng_options.written. */
static knng_status
hash_written(void *context, const char *part, knng_err *err)
{
	const wanted *w = context;
	return knng_result_hash(w->result, w->command, part, err);
}

/* In blocks, where that has to be; to opt.output, or to the result. */
static knng_status
search_rows(const knng_command *command, const knng_data *data, knng_result *result, knng_info *info, knng_err *err)
{
	const knng_rows *rows = &data->rows;
	wanted w = {command, result};
	knng_options with = command->opt;
	const knng_options *opt = &with;
	with.written = hash_written;
	with.written_context = &w;
	knng_blocks_plan plan;
	knng_status status = knng_blocks_plan_make(&plan, rows, opt, err);
	if (status != KNNG_OK)
		return status;
	plan.least = command->planned ? knng_blocks_least(&plan, rows, opt) : plan.least;
	if (command->planned)
		return tell_plan(&plan, data, opt, err);
	*result = (knng_result){.n = rows->n, .k = plan.k};
	if (opt->output == NULL && (status = knng_result_make(result, rows->n, plan.k, err)) != KNNG_OK)
		return status;
	if ((status = knng_blocks_graph(&plan, rows, opt, &result->table, info, err)) == KNNG_EMEMORY)
		knng_suggest_limit(plan.bytes, knng_blocks_least(&plan, rows, opt) < plan.bytes, err);
	return status;
}

/* A text, which is in memory. */
static knng_status
search_matrix(const knng_command *command, const knng_data *data, knng_result *result, knng_info *info, knng_err *err)
{
	const knng_matrix *X = &data->matrix;
	knng_plan plan;
	knng_status status = knng_plan_make(&plan, X, NULL, &command->opt, err);
	if (status != KNNG_OK)
		return status;
	if (command->planned) {
		const knng_blocks_plan whole = {
			.size = X->n, .k = plan.k, .bytes = plan.bytes, .least = plan.least, .one = plan};
		return tell_plan(&whole, data, &command->opt, err);
	}
	if ((status = knng_result_make(result, X->n, plan.k, err)) != KNNG_OK)
		return status;
	if ((status = knng_run(&plan, &result->table, info, err)) == KNNG_EMEMORY)
		knng_suggest_limit(plan.bytes, plan.least < plan.bytes, err);
	return status;
}

/* What the user should know, on standard error. */
static void
tell(const knng_data *data, int64_t k, const knng_options *opt, const knng_info *info)
{
	const knng_rows *rows = &data->rows;
	knng_tell_search(opt, rows->n, k, info);
	fprintf(stderr, "knng: %s%lld row%s, %lld column%s, k %lld, on %s: ", data->which, (long long)rows->n,
		plural(rows->n), (long long)rows->d, plural(rows->d), (long long)k, info->device);
	if (data->is_text)
		fprintf(stderr, "read %.3f s, search %.3f s\n", data->seconds, info->total);
	else
		fprintf(stderr, "search %.3f s, in %lld block%s\n", info->total, (long long)info->blocks,
			plural(info->blocks));
}

static knng_status
run(knng_command *command, int *signal, knng_err *err)
{
	knng_options *opt = &command->opt;
	knng_data data = {0};
	knng_result result = {0};
	knng_info info = {0};
	int64_t k = 0;
	knng_status status = knng_result_can_place(command, err);
	if (status == KNNG_OK)
		status = knng_data_open(&data, command->in, &command->of_text, &command->choice, command->quiet, opt,
					err);
	if (status == KNNG_OK)
		status = knng_result_can_names(command, &data, err);
	if (status == KNNG_OK)
		status = (data.is_text && opt->checkpoint == NULL && opt->output == NULL ? search_matrix : search_rows)(
			command, &data, &result, &info, err);
	k = result.k;
	if (status == KNNG_OK && !command->planned) {
		status = knng_result_write(&result, command, &data, err);
		knng_watch_end();
		if (status == KNNG_OK && !command->quiet)
			tell(&data, k, opt, &info);
	}
	knng_watch_end();
	/* With a checkpoint more of them may come until the end, and change nothing. */
	if (opt->task.interrupt != NULL)
		*signal = opt->checkpoint != NULL ? *opt->task.interrupt : knng_signals_release();
	if (status == KNNG_EINTERRUPTED && opt->checkpoint != NULL && strstr(err->text, "nothing was kept") != NULL)
		knng_fail(err, status, "knng:interrupted",
			  "stopped by %s; what was found before is in %.200s, and the same command goes on from there",
			  knng_signals_name(*signal), opt->checkpoint);
	if (info.unsaved[0] != 0 && status != KNNG_OK)
		*signal = 0; /* the same command would not go on from here */
	knng_result_free(&result);
	knng_data_close(&data);
	return status;
}

int
main(int argc, char **argv)
{
	knng_command command;
	knng_err err;
	signal(SIGXFSZ, SIG_IGN); /* a limit of the size of files is an error as others are */
	int stopped = 0, ends = knng_parse_command(argc, argv, false, false, &command);
	if (ends != KNNG_COMMAND_RUN)
		return ends;
	bool keeps = command.opt.checkpoint != NULL;
	knng_watch_open(keeps);
	if (!command.quiet) {
		command.opt.task.progress = knng_watch_show;
		command.opt.tell = knng_watch_tell;
		knng_tell_threads(&command.opt);
	}
	knng_status status = run(&command, &stopped, &err);
	if (status != KNNG_OK)
		knng_print_error(&err);
	if (stopped != 0 && keeps && (stopped == SIGTERM || stopped == SIGUSR1))
		return status == KNNG_EINTERRUPTED ? 75 : status != KNNG_OK;
	if (stopped != 0) {
		if (keeps)
			knng_signals_release();
		kill(getpid(), stopped);
		return 128 + stopped;
	}
	return status != KNNG_OK;
}
