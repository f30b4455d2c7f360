/* knng_mpi.c  The same as knng, by several processes (ranks) that MPI starts: mpirun -n 4 knng-mpi …
 *
 * All ranks read the data; rank 0 writes the graph, and says what there is to say. Exit status: as of knng, of rank 0;
 * where a signal stops it without a checkpoint, 128 and its number. */
#include "base/signals.h"
#include "base/sys.h"
#include "blocks/checkpoint.h"
#include "estimate.h"
#include "mpi/agree.h"
#include "mpi/cluster.h"
#include "result.h"
#include "search/metric.h"
#include "watch.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a job would take, on standard output; ranks, machines: of it. */
static void
tell_plan(const knng_cluster_plan *plan, double least, int ranks, int machines, const knng_rows *rows)
{
	char device[96];
	knng_plan_device(&plan->one, device, sizeof device);
	printf("%lld rows of %lld %s columns, k %lld, by %d rank%s on %d machine%s, each on %s\n", (long long)rows->n,
	       (long long)rows->d, rows->type == KNNG_F32 ? "single" : "double", (long long)plan->k, ranks,
	       plural(ranks), machines, plural(machines), device);
	printf("memory of a rank: %.3g GB, in %lld block%s of all, %s; the least that would do is -M %.0f\n",
	       plan->bytes / 1e9, (long long)plan->blocks, plural(plan->blocks),
	       plan->resident ? "its rows among it" : "which are read from the file again and again", least);
	if (plan->file == 0)
		printf("and %.3g GB for the graph, of rank 0\n", knng_result_bytes(rows->n, plan->k) / 1e9);
	knng_tell_places(&plan->one, plan->disk, plan->file, plan->lists, " of each rank");
}

/* What goes from rank to rank, and how long it would take. */
static knng_status
tell_costs(const knng_cluster_plan *plan, int ranks, const knng_rows *rows, const knng_command *command, knng_err *err)
{
	const knng_estimated e = {.n = rows->n,
				  .m = rows->n,
				  .d = rows->d,
				  .k = plan->k,
				  .graph = true,
				  .type = rows->type,
				  .metric = command->opt.metric,
				  .one = &plan->one,
				  .blocks = plan->one.ndevices == 0 ? plan->blocks : 1,
				  .ranks = ranks,
				  .network = command->network,
				  .traffic = knng_ranks_moves(plan, ranks, rows)};
	if (ranks > 1)
		printf("a rank receives %.3g GB from others, and rank 0 another %.3g GB of the graph\n",
		       e.traffic.received / 1e9, e.traffic.gathered / 1e9);
	printf("from the file all of them read %.3g GB\n", e.traffic.read / 1e9);
	knng_status status = knng_tell_time(&e, &command->opt.task, err);
	return status == KNNG_OK ? knng_told(err) : status;
}

/* The plan of this job. */
static knng_status
plan_this(knng_cluster_plan *plan, knng_post *post, const knng_command *command, const knng_rows *rows, knng_err *err)
{
	int ranks = knng_post_ranks(post);
	double least = knng_cluster_least(plan, post, rows);
	knng_status status = KNNG_OK;
	if (knng_post_rank(post) == 0) {
		tell_plan(plan, least, ranks, knng_post_hosts(post), rows);
		status = tell_costs(plan, ranks, rows, command, err);
	}
	return knng_agree(post, status, err);
}

/* That of one that does not run. */
static knng_status
plan_other(knng_post *post, knng_command *command, const knng_rows *rows, knng_err *err)
{
	knng_options *opt = &command->opt;
	const knng_team team = {.ranks = command->ranks};
	knng_cluster_plan plan;
	if (knng_post_ranks(post) > 1)
		return knng_fail(err, KNNG_EARGS, "knng:args:option",
				 "--ranks is for one process, which plans for others: call it without mpirun");
	if (command->gpus > 0) {
		opt->device = (knng_devices){.kind = KNNG_DEVICE_LIST, .count = command->gpus};
		for (int i = 0; i < command->gpus; i++)
			opt->device.number[i] = i + 1;
	}
	knng_status status = knng_ranks_imagine(&plan, command->ranks, rows, opt, err);
	if (status != KNNG_OK)
		return status;
	tell_plan(&plan, knng_ranks_least(&plan, &team, rows), command->ranks, command->ranks, rows);
	return tell_costs(&plan, command->ranks, rows, command, err);
}

/* What the user should know, on standard error. */
static void
tell(const knng_post *post, const knng_command *command, const knng_data *data, int64_t k, const knng_info *info,
     const knng_cluster_info *more)
{
	knng_tell_search(&command->opt, data->rows.n, k, info);
	/* The whole line at once: what comes in parts mpirun may put into standard output. */
	fprintf(stderr,
		"knng: %s%lld row%s, %lld column%s, k %lld, by %d rank%s on %d machine%s, each on %s: search %.3f s, "
		"in "
		"%lld block%s, %lld meeting%s moved; rank 0 received %.3g MB\n",
		data->which, (long long)data->rows.n, plural(data->rows.n), (long long)data->rows.d,
		plural(data->rows.d), (long long)k, knng_post_ranks(post), plural(knng_post_ranks(post)),
		knng_post_hosts(post), plural(knng_post_hosts(post)), info->device, info->total,
		(long long)info->blocks, plural(info->blocks), (long long)more->taken, plural(more->taken),
		more->moved / 1e6);
}

/* Where rank 0 puts the graph: opt.output, whose space is claimed, or the result. */
static knng_status
make_place(const knng_command *command, const knng_rows *rows, const knng_cluster_plan *plan, knng_result *result,
	   knng_graph_out **file, knng_err *err)
{
	const knng_options *opt = &command->opt;
	knng_graph_shape shape = {.n = rows->n, .k = plan->k, .type = rows->type};
	knng_status status = knng_checkpoint_ask(opt, rows, plan->k, err);
	if (status != KNNG_OK)
		return status;
	if (opt->output == NULL)
		return knng_result_make(result, rows->n, plan->k, err);
	*result = (knng_result){.n = rows->n, .k = plan->k};
	snprintf(shape.metric, sizeof shape.metric, "%s", knng_metric_find(opt->metric)->name);
	return knng_graph_out_create(file, opt->output, &shape, &opt->task, err);
}

/* As knng_post_last: where all is ended nobody else does it. */
static void
remove_part(void *path)
{
	unlink(path);
}

/* The checksum of a file that has no name yet. */
static knng_status
hash_written(const knng_graph_out *file, knng_result *result, const knng_command *command, knng_err *err)
{
	char part[PATH_MAX];
	knng_status status = knng_graph_out_part(file, part, err);
	return status == KNNG_OK ? knng_result_hash(result, command, part, err) : status;
}

/* The graph, on rank 0. */
static knng_status
search(knng_post *post, knng_command *command, const knng_data *data, int *signal, knng_err *err)
{
	bool first = knng_post_rank(post) == 0;
	knng_cluster_plan plan;
	knng_cluster_info more = {0};
	knng_result result = {0};
	knng_info info = {0};
	if (command->ranks > 0)
		return plan_other(post, command, &data->rows, err);
	knng_status status = knng_cluster_plan_make(&plan, post, &data->rows, &command->opt, err);
	if (status != KNNG_OK)
		return status;
	if (first && plan.hint[0] != 0 && !command->quiet)
		fprintf(stderr, "knng: %s\n", plan.hint);
	if (command->planned)
		return plan_this(&plan, post, command, &data->rows, err);
	knng_graph_out *file = NULL;
	if (first)
		status = make_place(command, &data->rows, &plan, &result, &file, err);
	char part[PATH_MAX];
	if (file != NULL && knng_graph_out_part(file, part, NULL) == KNNG_OK)
		knng_post_last(post, remove_part, part);
	status = knng_agree(post, status, err);
	if (status == KNNG_OK)
		status = knng_cluster_run(&plan, post, &data->rows, &result.table, file, &info, &more, err);
	if (status == KNNG_OK && file != NULL)
		status = hash_written(file, &result, command, err);
	knng_post_last(post, NULL, NULL);
	knng_status closed = knng_graph_out_done(file, status == KNNG_OK, status == KNNG_OK ? err : NULL);
	status = status != KNNG_OK ? status : closed;
	knng_watch_end();
	*signal = more.signal;
	if (status == KNNG_OK && first)
		status = knng_result_write(&result, command, data, err);
	knng_watch_end();
	if (status == KNNG_OK && first && !command->quiet)
		tell(post, command, data, plan.k, &info, &more);
	if (info.unsaved[0] != 0 && status != KNNG_OK)
		*signal = 0; /* the same command would not go on from here */
	knng_result_free(&result);
	return status;
}

static int
run(knng_post *post, int argc, char **argv)
{
	bool first = knng_post_rank(post) == 0;
	knng_command command;
	knng_data data = {0};
	knng_err err = {0};
	int signal = 0, ends = knng_parse_command(argc, argv, true, !first, &command);
	/* What files and pipes there are each machine sees for itself. */
	if (knng_post_least(post, ends == KNNG_COMMAND_RUN) == 0) {
		if (first && ends == KNNG_COMMAND_RUN)
			fprintf(stderr, "knng:mpi:args: another machine does not take these arguments: give -f, and "
					"names that mean the same on all\n");
		return !first ? 0 : ends == KNNG_COMMAND_RUN ? 2 : ends;
	}
	knng_post_deadline(post, command.deadline);
	bool keeps = command.opt.checkpoint != NULL;
	knng_watch_open(keeps);
	if (!command.quiet && first) {
		command.opt.task.progress = knng_watch_show;
		command.opt.tell = knng_watch_tell;
		knng_tell_threads(&command.opt);
	}
	knng_status status = first ? knng_result_can_place(&command, &err) : KNNG_OK;
	status = knng_agree(post, status, &err);
	if (status == KNNG_OK) {
		status = knng_data_open(&data, command.in, &command.of_text, &command.choice, command.quiet || !first,
					&command.opt, &err);
		if (status == KNNG_OK && first)
			status = knng_result_can_names(&command, &data, &err);
		status = knng_agree(post, status, &err);
	}
	if (status == KNNG_OK)
		status = search(post, &command, &data, &signal, &err);
	if (status == KNNG_EINTERRUPTED && signal == 0 && command.opt.task.interrupt != NULL) {
		/* before the search, or while the graph is written */
		signal = *command.opt.task.interrupt;
		if (keeps && strstr(err.text, "nothing was kept") != NULL)
			knng_fail(
				&err, status, "knng:interrupted",
				"stopped by %s; what was found before is in %.200s, and the same command goes on from "
				"there",
				knng_signals_name(signal), command.opt.checkpoint);
	}
	if (status != KNNG_OK && first)
		knng_print_error(&err);
	knng_data_close(&data);
	if (!first)
		return 0;
	if (signal != 0 && keeps && (signal == SIGTERM || signal == SIGUSR1) && status == KNNG_EINTERRUPTED)
		return 75;
	return signal != 0 && status != KNNG_OK ? 128 + signal : status != KNNG_OK;
}

int
main(int argc, char **argv)
{
	knng_post *post;
	knng_err err;
	knng_command command;
	signal(SIGXFSZ, SIG_IGN);      /* a limit of the size of files is an error as others are */
	for (int i = 1; i < argc; i++) /* what needs no MPI */
		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0)
			return knng_parse_command(2, (char *[]){argv[0], argv[i], NULL}, true, false, &command);
	if (knng_post_open(&post, &argc, &argv, &err) != KNNG_OK) {
		knng_print_error(&err);
		return 1;
	}
	int status = run(post, argc, argv);
	knng_post_close(post, status);
	return status;
}
