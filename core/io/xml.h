/* xml.h  XML as far as formats of graphs need it: elements, attributes, texts, CDATA. Comments, declarations and
 * processing instructions are skipped. */
#ifndef KNNG_XML_H
#define KNNG_XML_H

#include "io/graph_builder.h"
#include "io/write.h"

/* ---- reading ---- */

typedef struct {
	knng_name name;                              /* of the element, without a prefix */
	char *attributes, *end;                      /* what stands behind the name in the tag */
	enum { KNNG_XML_OPEN, KNNG_XML_CLOSE } kind; /* <a> or </a>; <a/> is both, one after the other */
} knng_tag;

enum { KNNG_XML_DEEPEST = 100 };

typedef struct {
	knng_text *t;
	const char *last;                 /* the end that a whole document has, for messages: "</graphml>" */
	knng_name open[KNNG_XML_DEEPEST]; /* the elements that are open */
	int deep;
	bool closes; /* the tag just read was <a/> */
} knng_xml;

/* The next tag; x->t->at goes behind it. The text before it ends at *text_end. Errors: knng:io:format,
 * knng:io:truncated. */
knng_status knng_xml_next(knng_xml *x, knng_tag *g, char **text_end, knng_err *err);
/* The value of an attribute; text NULL: there is none. */
knng_name knng_xml_attribute(const knng_tag *g, const char *name);
bool knng_xml_is(knng_name a, const char *name);
/* A value, with blanks around it or not, as a weight or a place. */
knng_status knng_xml_number(const knng_graph_builder *b, knng_name value, double *number, knng_err *err);
/* For knng_graph_format: a piece of text, or of a CDATA section, without the mark-up of the latter. */
int64_t knng_xml_spelled(const char *piece, int64_t length, char *to);

/* ---- writing: for `spell` (write.h) ---- */

/* As text of an element, and as the value of an attribute in double quotes. */
bool knng_xml_spell(writer *w, const char *text);
bool knng_xml_spell_value(writer *w, const char *text);

#endif
