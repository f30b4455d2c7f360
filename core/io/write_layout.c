/* write_layout.c  Where a viewer should draw the nodes of a graph, and in which colour. */
#include "io/write.h"

/* A disc for each group, filled like a sunflower (H. Vogel 1979: node m at radius sqrt (m) and m golden angles); the
 * discs stand around a circle. In units of the distance between nodes. O(n + groups). */
static bool
lay_out(writer *w)
{
	const double golden = 2.399963229728653, pi = 3.141592653589793;
	const knng_graph *g = w->g;
	int64_t n = g->n, groups = g->group != NULL ? g->ngroups + 1 : 1;
	struct disc {
		double radius, x, y;
		int64_t nodes, done;
	} *disc = knng_calloc(groups, sizeof *disc);
	w->layout = knng_alloc(2 * n + 1, sizeof *w->layout);
	if (disc == NULL || w->layout == NULL) {
		knng_free(disc);
		return false;
	}
	double around = 0, turned = 0;
	int64_t discs = 0;
	for (int64_t i = 0; i < n; i++)
		disc[g->group != NULL ? g->group[i] : 0].nodes++;
	for (int64_t c = 0; c < groups; c++) {
		disc[c].radius = disc[c].nodes > 0 ? sqrt((double)disc[c].nodes) + 1 : 0;
		around += disc[c].radius;
		discs += disc[c].nodes > 0;
	}
	for (int64_t c = 0; c < groups && discs > 1; c++) { /* each has the arc that its width asks for */
		double angle = pi * (turned + disc[c].radius / 2) / around * 2;
		/* Chords are shorter than arcs: by pi/2 at worst, with two discs. */
		double far = around / pi * 1.6;
		disc[c].x = far * cos(angle);
		disc[c].y = far * sin(angle);
		turned += disc[c].radius;
	}
	for (int64_t i = 0; i < n; i++) {
		struct disc *d = &disc[g->group != NULL ? g->group[i] : 0];
		double r = sqrt((double)d->done + 0.5), a = golden * (double)d->done;
		d->done++;
		w->layout[i] = d->x + r * cos(a);
		w->layout[n + i] = d->y + r * sin(a);
	}
	knng_free(disc);
	return true;
}

/* Where the picture has node i, in pixels, y downwards; what the user gave is only stretched. */
static void
fit_positions(writer *w)
{
	enum { PIXELS = 35 };
	const double *p = w->g->positions;
	int64_t n = w->g->n;
	double least[2], most[2], scale[2] = {PIXELS, PIXELS};
	if (p != NULL) {
		for (int c = 0; c < 2; c++) {
			least[c] = most[c] = n > 0 ? p[c * n] : 0;
			for (int64_t i = 1; i < n; i++) { /* fmin and fmax skip NaN */
				least[c] = fmin(least[c], p[c * n + i]);
				most[c] = fmax(most[c], p[c * n + i]);
			}
		}
		double width = fmax(most[0] - least[0], most[1] - least[1]);
		if (width > 0 && isfinite(width))
			scale[0] = scale[1] = 2 * PIXELS * sqrt((double)n) / width;
		scale[1] = -scale[1];
	}
	for (int c = 0; c < 2; c++)
		for (int64_t i = 0; i < n; i++) {
			double *to = &w->layout[c * n + i];
			*to = rint(10 * scale[c] * (p != NULL ? p[c * n + i] - least[c] / 2 - most[c] / 2 : *to)) / 10 +
			      0.0; /* no -0 */
		}
}

bool
knng_lay_out(writer *w)
{
	if (!lay_out(w))
		return false;
	fit_positions(w);
	return true;
}

const char *
knng_group_colour(int64_t group)
{
	static const char *const palette[] = {
		"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#783818", "#8721E8",
		"#00BF00", "#FF0060", "#FF00BF", "#402080", "#608000", "#004040", "#BF80FF", "#FF9F80",
		"#602040", "#FF0000", "#004000", "#0060FF", "#BFBF00", "#9F2080", "#9FBF80", "#9F0040",
		"#9F8040", "#FF00FF", "#60BFBF", "#00BF60", "#0000FF", "#9F0000", "#809FFF", "#FF609F",
		"#404060", "#80009F", "#404020", "#80609F", "#BF6060", "#80BF20", "#FF80DF", "#608060"};
	return palette[(group - 1) % (int64_t)(sizeof palette / sizeof *palette)];
}
