/* listing.c  What a file holds, see listing.h. */
#include "io/formats/listing.h"
#include "base/suggest.h"
#include "base/sys.h"

#include <string.h>
#include <strings.h>

enum { NAME = KNNG_LISTED_NAME, LISTED = 6, KNOWN = sizeof((knng_listing *)0)->known / 64 };

void
knng_listing_add(knng_listing *l, const char *name, int dimensions, int64_t n, int64_t d)
{
	bool full = dimensions >= 2 && n > 1 && d > 1;
	size_t used = strlen(l->text);
	if (l->count++ < LISTED)
		snprintf(l->text + used, sizeof l->text - used, "%s%.60s (%lld x %lld)", used > 0 ? ", " : "", name,
			 (long long)n, (long long)d);
	if (l->names < KNOWN && strlen(name) < sizeof l->known[0])
		snprintf(l->known[l->names++], sizeof l->known[0], "%.63s", name);
	snprintf(l->only, sizeof l->only, "%s", name);
	if (full && l->matrices++ == 0)
		snprintf(l->only_matrix, sizeof l->only_matrix, "%s", name);
}

void
knng_listing_add_refused(knng_listing *l, const char *name)
{
	if (l->refusals++ == 0)
		snprintf(l->refused, sizeof l->refused, "%s", name);
}

const char *
knng_listing_only(const knng_listing *l)
{
	return l->cut                              ? NULL
	       : l->matrices == 1                  ? l->only_matrix
	       : l->count == 1                     ? l->only
	       : l->count == 0 && l->refusals == 1 ? l->refused
						   : NULL;
}

/* Which of them may be meant by the name; or NULL. */
static const char *
nearest(const knng_listing *l, const char *name)
{
	const char *names[KNOWN];
	char rooted[NAME];
	for (int i = 0; i < l->names; i++)
		names[i] = l->known[i];
	const char *near = knng_nearest_name(name, names, l->names);
	for (int i = 0; near == NULL && i < l->names; i++) { /* without the slash, or in a group */
		const char *last = strrchr(names[i], '/');
		if (strcasecmp(last != NULL ? last + 1 : names[i], name) == 0)
			near = names[i];
	}
	if (near == NULL && name[0] != '/' && snprintf(rooted, sizeof rooted, "/%s", name) < NAME)
		near = knng_nearest_name(rooted, names, l->names);
	return near;
}

knng_status
knng_listing_refuse(const knng_listing *l, const char *what, const char *name, knng_err *err)
{
	const char *near = name != NULL ? nearest(l, name) : NULL;
	char more[40] = "", meant[KNNG_MEANT];
	if (l->cut)
		snprintf(more, sizeof more, ", and what was not looked at");
	else if (l->count > LISTED)
		snprintf(more, sizeof more, " and %d more", l->count - LISTED);
	if (l->count == 0 && l->cut)
		return knng_fail(err, KNNG_EIO, "knng:io:format",
				 "%.200s %s; what was looked at is no %s of real numbers: name one, as in "
				 "'Dataset', '/images'",
				 l->path, what, l->what);
	if (l->count == 0)
		return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s %s; it holds no %s of real numbers at all",
				 l->path, what, l->what);
	return knng_fail(err, KNNG_EIO, "knng:io:format", "%.200s %s%s; it holds %s%s: name one, as in 'Dataset', '%s'",
			 l->path, what, knng_meant(meant, "'", near, "'"), l->text, more,
			 near != NULL ? near : l->known[0]);
}
