#include "data.h"
#include "base/signals.h"
#include "base/sys.h"
#include "io/text.h"
#include "options.h"
#include "search/metric.h"

#include <stdio.h>

/* A second signal ends the program at once; not where it would keep the first from saving. */
static void
hold_signals(knng_options *opt)
{
	opt->task.interrupt = knng_signals_hold(opt->checkpoint == NULL, true);
}

static knng_status
open_text(knng_data *data, const char *path, const knng_read_options *of_text, bool quiet, knng_options *opt,
	  knng_err *err)
{
	const knng_dataset *ds = &data->text.data;
	double start = knng_seconds();
	if (opt->checkpoint != NULL) /* a batch system may send them at any time */
		hold_signals(opt);
	knng_status status = knng_read_with(path, KNNG_DATASET, of_text, NULL, &data->text, err);
	if (status != KNNG_OK)
		return status;
	data->seconds = knng_seconds() - start;
	if (opt->checkpoint == NULL)
		hold_signals(opt);
	if (data->text.warnings > 0 && !quiet)
		knng_print("knng", data->text.warning.text);
	for (int i = 0; i < KNNG_DOUBTS && !quiet; i++)
		if (data->text.doubts[i].id[0] != '\0')
			knng_print("knng", data->text.doubts[i].text);
	data->matrix =
		(knng_matrix){.n = ds->nrows, .d = ds->ncols, .data = ds->X, .row_stride = 1, .col_stride = ds->nrows};
	data->rows = (knng_rows){.n = ds->nrows,
				 .d = ds->ncols,
				 .type = KNNG_F64,
				 .read = knng_read_matrix,
				 .context = &data->matrix,
				 .there = &data->matrix};
	return KNNG_OK;
}

/* Whether there are numbers that may stand for missing values; what cannot be read is told later. */
static void
doubt_filled(const knng_data *data, const char *path, const char *metric)
{
	knng_filled filled;
	char text[500], name[300];
	const knng_metric *m = knng_metric_find(metric);
	if (knng_rows_filled(&data->rows, &filled, NULL) != KNNG_OK)
		return;
	if (m != NULL && m->prep != KNNG_PREP_NONE)
		knng_filled_take_dead(&filled);
	if (filled.column == 0)
		return;
	snprintf(name, sizeof name, "%.250s", path);
	knng_filled_say(&filled, name, text, sizeof text);
	knng_err doubt;
	knng_fail(&doubt, KNNG_OK, "", "%s: if that stands for a missing value, it decides which rows are near", text);
	knng_print("knng", doubt.text);
}

static knng_status
open_numbers(knng_data *data, const char *path, const knng_matrix_choice *choice, bool quiet, knng_options *opt,
	     knng_err *err)
{
	hold_signals(opt);
	knng_status status = knng_matrix_file_open(&data->numbers, path, choice, &opt->task, err);
	if (status != KNNG_OK)
		return status;
	const knng_layout *l = knng_matrix_file_layout(data->numbers);
	data->rows = (knng_rows){.n = l->n,
				 .d = l->d,
				 .type = l->element->type,
				 .read = knng_matrix_file_read,
				 .context = data->numbers,
				 .costly = knng_matrix_file_is_costly(data->numbers),
				 .bytes = knng_matrix_file_bytes(data->numbers)};
	if (l->name[0] != '\0') {
		char name[KNNG_QUOTED + 8];
		snprintf(data->which, sizeof data->which,
			 "dataset %s: ", knng_text_quote(l->name, l->name + strlen(l->name), name));
	}
	if (!quiet)
		doubt_filled(data, path, opt->metric);
	return KNNG_OK;
}

knng_status
knng_data_open(knng_data *data, const char *path, const knng_read_options *of_text, const knng_matrix_choice *choice,
	       bool quiet, knng_options *opt, knng_err *err)
{
	knng_read_options how = *of_text;
	how.choice = choice;
	*data = (knng_data){.is_text = knng_matrix_format_find(path) == NULL};
	if (data->is_text)
		return open_text(data, path, &how, quiet, opt, err);
	knng_status status = knng_read_no_text(of_text, path, NULL, err);
	return status == KNNG_OK ? open_numbers(data, path, choice, quiet, opt, err) : status;
}

void
knng_data_close(knng_data *data)
{
	knng_content_free(&data->text);
	knng_matrix_file_close(data->numbers);
	data->numbers = NULL;
}
