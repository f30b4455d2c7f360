/* write.c  Files to write, whatever they hold: their formats, texts and ends. */
#include "io/write.h"
#include "base/task.h"
#include "io/graph_file.h"
#include "io/utf8.h"

#include <errno.h>
#include <strings.h>

void
knng_put_flush(writer *w)
{
	if (w->out != NULL && w->failed == 0 && knng_out_write(w->out, w->buffer, w->at - w->buffer) != 0)
		w->failed = errno;
	w->at = w->buffer;
}

bool
knng_put_stopped(const writer *w)
{
	return w->failed != 0 || w->misspelt != NULL || knng_task_poll(&w->task, NULL) != KNNG_OK;
}

/* ---- texts ---- */

void
knng_put_code(writer *w, int32_t c)
{
	put(w, "&#");
	put_int(w, c);
	put(w, ";");
}

void
knng_put_plain(writer *w, const char *text)
{
	for (; *text != '\0'; text++) {
		room(w, KNNG_PUT_ROOM);
		*w->at++ = *text;
	}
}

void
knng_put_spelled(writer *w, const char *what, int64_t at, const char *text, bool (*spell)(writer *w, const char *text))
{
	const char *p = text;
	while (*p != '\0' && knng_utf8_next(&p) >= 0) {
	}
	bool foreign = *p != '\0';
	if ((foreign || !spell(w, text)) && w->misspelt == NULL) {
		w->misspelt = what;
		w->misspelt_at = at + 1;
		w->is_foreign = foreign;
		if (*text != '\0')
			knng_text_quote(text, text + strlen(text), w->misspelt_text);
	}
	room(w, KNNG_PUT_ROOM);
}

void
knng_put_text(writer *w, const char *what, int64_t at, const char *text)
{
	knng_put_spelled(w, what, at, text, w->f->spell);
}

void
knng_put_node(writer *w, int64_t i)
{
	if (w->g->names != NULL)
		knng_put_text(w, "node", i, w->g->names[i]);
	else
		put_int(w, i + 1);
}

/* ---- formats and files ---- */

const char *
knng_format_ending(const knng_format *f, int i)
{
	return f->write != NULL ? f->write[i].name : NULL;
}

/* Writing i of the formats of a kind, NULL past the end. */
static const knng_writing *
writing(knng_kind kind, int i)
{
	for (const knng_format *const *f = knng_formats; *f != NULL; f++)
		for (const knng_writing *w = (*f)->write; (*f)->kind == kind && w != NULL && w->name != NULL; w++)
			if (i-- == 0)
				return w;
	return NULL;
}

const char *
knng_write_format(int i)
{
	const knng_writing *w = i < 0 ? NULL : writing(KNNG_GRAPH, i);
	return w != NULL ? w->name : NULL;
}

knng_status
knng_find_writing(knng_kind kind, const char *path, const char *name, const knng_writing **f, knng_err *err)
{
	size_t length = path != NULL ? strlen(path) : 0;
	char known[120] = "";
	if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
		length -= 3;
	for (int i = 0; (*f = writing(kind, i)) != NULL; i++) {
		size_t own = strlen((*f)->name);
		if (name != NULL ? strcasecmp(name, (*f)->name) == 0
				 : length > own && path[length - own - 1] == '.' &&
					   strncasecmp(path + length - own, (*f)->name, own) == 0)
			return KNNG_OK;
		if (strlen(known) + own + 3 < sizeof known)
			strcat(strcat(known, known[0] != '\0' ? ", " : ""), (*f)->name);
	}
	if (kind == KNNG_GRAPH && name == NULL && path != NULL && knng_graph_file_named(path))
		return knng_fail(err, KNNG_EARGS, "knng:args:format",
				 "'%.200s' ends as a file that knngraph writes itself: give it the option 'Output'; "
				 "here the endings are %s",
				 path, known);
	return knng_fail(err, KNNG_EARGS, "knng:args:format",
			 name != NULL
				 ? "there is no format '%.60s' for this, only %s"
				 : "the ending of '%.200s' names no format for this: give it one of the endings %s "
				   "(and .gz to pack it), or use the option 'Format'",
			 name != NULL   ? name
			 : path != NULL ? path
					: "",
			 known);
}

knng_status
knng_fail_spelling(const writer *w, knng_err *err)
{
	long long at = (long long)w->misspelt_at;
	if (w->misspelt_text[0] == '\0')
		return knng_fail(err, KNNG_EARGS, "knng:args:names", "a text of %s %lld is empty, which %s cannot hold",
				 w->misspelt, at, w->f->name);
	if (w->is_foreign)
		return knng_fail(
			err, KNNG_EARGS, "knng:args:names",
			"a text of %s %lld, %s, holds characters that are no UTF-8; names that knng.read gives "
			"are",
			w->misspelt, at, w->misspelt_text);
	return knng_fail(err, KNNG_EARGS, "knng:args:names",
			 "a text of %s %lld, %s, holds characters that %s cannot hold there", w->misspelt, at,
			 w->misspelt_text, w->f->name);
}

/* Why the file could not be opened. */
static knng_status
fail_open(const char *path, int reason, knng_err *err)
{
	if (reason == ENOMEM)
		return knng_fail_memory(err, "a file to write", 3e5);
	return knng_fail(err, KNNG_EIO, "knng:io:open",
			 "cannot write %.200s: %s; check the name and the rights of the folder, and of the file if it "
			 "is there (chmod u+w)",
			 path != NULL ? path : "standard output", strerror(reason));
}

knng_status
knng_write_can(const char *path, knng_err *err)
{
	errno = 0;
	return knng_out_can(path) ? KNNG_OK : fail_open(path, errno, err);
}

knng_status
knng_write_file(writer *w, const char *path, void (*body)(writer *w), knng_err *err)
{
	w->buffer = w->at = knng_alloc(KNNG_PUT_BUFFER, 1);
	if (w->buffer == NULL)
		return knng_fail_memory(err, "writing a file", KNNG_PUT_BUFFER);
	knng_digits_init(&w->digits);
	errno = 0;
	if ((w->out = knng_out_create(path, &w->task)) == NULL) {
		int reason = errno;
		if (knng_task_poll(&w->task, err) != KNNG_OK)
			return KNNG_EINTERRUPTED;
		return fail_open(path, reason, err);
	}
	body(w);
	knng_put_flush(w);
	bool good = !knng_put_stopped(w);
	errno = 0;
	bool kept = knng_out_done(w->out, good) == 0 && good;
	if (good && !kept)
		w->failed = errno;
	if (kept)
		return KNNG_OK;
	if (w->misspelt != NULL)
		return knng_fail_spelling(w, err);
	if (knng_task_poll(&w->task, err) != KNNG_OK)
		return KNNG_EINTERRUPTED;
	return knng_fail(err, KNNG_EIO, "knng:io:write", "cannot write %.200s: %s; nothing is left of it",
			 path != NULL ? path : "standard output", strerror(w->failed));
}

void
knng_list_left_out(const knng_writing *f, unsigned there, char left_out[64])
{
	static const char *const names[] = {"names", "groups", "positions", NULL, "classes", "attributes"};
	if (left_out == NULL)
		return;
	left_out[0] = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i] != NULL && (there & ~f->holds) >> i & 1)
			strcat(strcat(left_out, left_out[0] ? ", " : ""), names[i]);
}
