/* xml.c  Reads and spells XML, as far as formats of graphs need it. */
#include "io/xml.h"
#include "io/entities.h"
#include "io/utf8.h"

/* ---- reading ---- */

/* Behind the mark, or an error. */
static knng_status
pass(knng_text *t, const char *mark, knng_err *err)
{
	char *p = strstr(t->at, mark);
	if (p == NULL) {
		knng_text_advance(t, t->end);
		return knng_text_fail_truncated(t, mark, err);
	}
	knng_text_advance(t, p + strlen(mark));
	return KNNG_OK;
}

/* <!DOCTYPE …>, which may hold declarations in brackets. */
static knng_status
pass_declaration(knng_text *t, knng_err *err)
{
	int brackets = 0;
	char *p = t->at;
	for (; *p != '\0' && (*p != '>' || brackets > 0); p++)
		brackets += *p == '[' ? 1 : *p == ']' ? -1 : 0;
	knng_text_advance(t, p);
	if (*p == '\0')
		return knng_text_fail_truncated(t, "the end of a declaration", err);
	t->at++;
	return KNNG_OK;
}

bool
knng_xml_is(knng_name a, const char *name)
{
	return a.length == (int64_t)strlen(name) && memcmp(a.text, name, (size_t)a.length) == 0;
}

knng_status
knng_xml_next(knng_xml *x, knng_tag *g, char **text_end, knng_err *err)
{
	knng_text *t = x->t;
	knng_status status = KNNG_OK;
	*g = (knng_tag){.kind = KNNG_XML_CLOSE};
	*text_end = t->at;
	if (x->closes) {
		x->closes = false;
		g->name = x->open[--x->deep];
		return KNNG_OK;
	}
	for (;;) {
		char *p = knng_text_stopped(t) ? NULL : strchr(t->at, '<');
		knng_text_advance(t, p != NULL ? p : t->end);
		*text_end = t->at;
		if (p == NULL)
			return knng_text_fail_truncated(t, x->last, err);
		if (strncmp(p, "<!--", 4) == 0)
			status = pass(t, "-->", err);
		else if (strncmp(p, "<![CDATA[", 9) == 0)
			status = pass(t, "]]>", err);
		else if (p[1] == '?')
			status = pass(t, "?>", err);
		else if (p[1] == '!')
			status = pass_declaration(t, err);
		else
			break;
		if (status != KNNG_OK)
			return status;
	}
	g->kind = t->at[1] == '/' ? KNNG_XML_CLOSE : KNNG_XML_OPEN;
	char *name = t->at + (g->kind == KNNG_XML_CLOSE ? 2 : 1), *p = name;
	while (!is_blank(*p) && !is_end(*p) && *p != '>' && *p != '/' && *p != '<')
		p++;
	if (p == name)
		return knng_text_fail_found(t, t->at, "the name of an element", err);
	g->name = (knng_name){name, p - name};
	g->attributes = p;
	for (char quote = '\0'; *p != '>' || quote != '\0'; p++) { /* a > in quotes ends nothing */
		if (*p == '\0' || (*p == '<' && quote == '\0')) {
			bool cut = *p == '\0';
			knng_text_advance(t, p);
			return cut ? knng_text_fail_truncated(t, "the end of a tag", err)
				   : knng_text_fail(t, err, "found < in a tag, expected its end");
		}
		if (*p == quote)
			quote = '\0';
		else if (quote == '\0' && (*p == '"' || *p == '\''))
			quote = *p;
	}
	g->end = p;
	if (g->kind == KNNG_XML_OPEN) {
		if (x->deep == KNNG_XML_DEEPEST)
			return knng_text_fail(t, err, "elements lie more than %d deep in each other", KNNG_XML_DEEPEST);
		x->open[x->deep++] = g->name;
		x->closes = p[-1] == '/';
		g->end -= x->closes;
	} else {
		char q[KNNG_QUOTED + 8], open[KNNG_QUOTED + 8];
		if (x->deep == 0)
			return knng_text_fail(t, err, "found the end of %s, which has not begun",
					      knng_text_quote(g->name.text, g->name.text + g->name.length, q));
		knng_name last = x->open[--x->deep];
		if (last.length != g->name.length || memcmp(last.text, g->name.text, (size_t)last.length) != 0)
			return knng_text_fail(t, err, "found the end of %s, expected that of %s",
					      knng_text_quote(g->name.text, g->name.text + g->name.length, q),
					      knng_text_quote(last.text, last.text + last.length, open));
	}
	knng_text_advance(t, p + 1);
	/* y:NodeLabel is NodeLabel. */
	const char *colon = memchr(g->name.text, ':', (size_t)g->name.length);
	if (colon != NULL) {
		g->name.length -= colon + 1 - g->name.text;
		g->name.text = colon + 1;
	}
	return KNNG_OK;
}

knng_name
knng_xml_attribute(const knng_tag *g, const char *name)
{
	size_t length = strlen(name);
	for (char *p = g->attributes; p < g->end;) {
		while (p < g->end && (is_blank(*p) || *p == '\n'))
			p++;
		char *key = p;
		while (p < g->end && *p != '=' && !is_blank(*p) && *p != '\n')
			p++;
		size_t have = (size_t)(p - key);
		while (p < g->end && *p != '"' && *p != '\'')
			p++;
		if (p == g->end)
			break;
		char *value = p + 1, *end = memchr(value, *p, (size_t)(g->end - value));
		if (end == NULL)
			break;
		if (have == length && memcmp(key, name, length) == 0)
			return (knng_name){value, end - value};
		p = end + 1;
	}
	return (knng_name){0};
}

int64_t
knng_xml_spelled(const char *piece, int64_t length, char *to)
{
	if (length >= 12 && memcmp(piece, "<![CDATA[", 9) == 0 && memcmp(piece + length - 3, "]]>", 3) == 0) {
		memcpy(to, piece + 9, (size_t)length - 12);
		return length - 12;
	}
	return knng_entities(piece, length, to, true);
}

knng_status
knng_xml_number(const knng_graph_builder *b, knng_name value, double *number, knng_err *err)
{
	char *p = (char *)value.text, *end = p + value.length;
	while (p < end && (is_blank(*p) || *p == '\n'))
		p++;
	while (end > p && (is_blank(end[-1]) || end[-1] == '\n'))
		end--;
	return knng_graph_weight(b, p, end, number, err);
}

/* ---- writing ---- */

/* XML knows no control characters but these, and would take \r for a \n; in values of attributes it takes all of them
 * for blanks. */
static bool
spell(writer *w, const char *s, bool value)
{
	while (*s != '\0') {
		const char *from = s;
		int32_t c = knng_utf8_next(&s);
		room(w, KNNG_PUT_ROOM);
		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0xFFFE || c == 0xFFFF)
			return false;
		if (c == '&')
			put(w, "&amp;");
		else if (c == '<')
			put(w, "&lt;");
		else if (c == '>')
			put(w, "&gt;");
		else if (c == '"' && value)
			put(w, "&quot;");
		else if (c == '\r' || (c < ' ' && value))
			knng_put_code(w, c);
		else
			while (from < s)
				*w->at++ = *from++;
	}
	return true;
}

bool
knng_xml_spell(writer *w, const char *text)
{
	return spell(w, text, false);
}

bool
knng_xml_spell_value(writer *w, const char *text)
{
	return spell(w, text, true);
}
