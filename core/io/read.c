/* read.c  Reading a file of any format. */
#include "base/task.h"
#include "io/format.h"
#include "io/graph_builder.h"

#include <string.h>

/* The first format of a wanted kind that knows the beginning. */
static const knng_format *
recognise(const knng_text *t, int kinds, knng_err *err)
{
	char titles[480] = "", q[KNNG_QUOTED + 8];
	const knng_format *other = NULL;
	for (int i = 0; knng_formats[i] != NULL; i++) {
		const knng_format *f = knng_formats[i];
		bool wanted = (f->kind & kinds) != 0;
		if ((wanted || other == NULL) && f->looks_like(t->at)) {
			if (wanted)
				return f;
			other = f;
		}
		if (wanted && strlen(titles) + strlen(f->title) + 3 < sizeof titles) {
			strcat(titles, titles[0] != '\0' ? ", " : "");
			strcat(titles, f->title);
		}
	}
	if (other != NULL)
		knng_text_fail(t, err, "this is %s, which holds a %s, expected %s", other->title,
			       other->kind == KNNG_GRAPH ? "graph" : "data set", titles);
	else
		knng_text_fail(t, err, "found %s, expected the beginning of %s",
			       knng_text_quote(skip_blanks(t->at), skip_word(skip_blanks(t->at)), q), titles);
	return NULL;
}

knng_status
knng_read(const char *path, int kinds, const knng_task *task, knng_content *content, knng_err *err)
{
	knng_text t;
	const knng_format *f;
	knng_status status;

	*content = (knng_content){0};
	if ((status = knng_text_open(&t, path, task, err)) != KNNG_OK)
		goto done;
	knng_text_next_line(&t);
	if ((f = recognise(&t, kinds, err)) == NULL) {
		status = KNNG_EIO;
		goto done;
	}
	content->kind = f->kind;
	content->format = f->name;
	if ((status = knng_text_rest(&t, err)) == KNNG_OK)
		status = f->parse(&t, content, err);
	if (task != NULL && knng_task_poll(task, err) != KNNG_OK)
		status = KNNG_EINTERRUPTED;
	content->warning = t.warning;
	content->warnings = t.warnings;
done:
	if (status != KNNG_OK)
		knng_content_free(content);
	knng_text_close(&t);
	return status;
}

void
knng_content_free(knng_content *content)
{
	knng_dataset *ds = &content->data;
	knng_free(ds->X);
	knng_free(ds->meta);
	knng_free(ds->text);
	knng_free(ds->strings);
	knng_free(ds->lists);
	knng_graph_free(&content->graph);
	*content = (knng_content){0};
}
