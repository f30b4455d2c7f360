/* titles.c  Names of what samples are, see titles.h. */
#include "io/titles.h"
#include "io/text.h"

#include <stddef.h>

unsigned
knng_title_says(const char *name, const char *end)
{
	enum {
		CLASSES = KNNG_CLASSES,
		TEXTS = KNNG_TEXTS,
		NUMBERS = KNNG_NUMBERS,
		LABELS = CLASSES | KNNG_NO_SIZE,
		NO_SIZE = NUMBERS | KNNG_NO_SIZE,
		BOTH = TEXTS | NUMBERS
	};
	static const struct {
		const char *word;
		unsigned says;
	} titles[] = {
		{"age", BOTH},
		{"agegroup", NUMBERS},
		{"ageyears", NUMBERS},
		{"batch", TEXTS | NO_SIZE},
		{"batches", NO_SIZE},
		{"bmi", NUMBERS},
		{"cell", TEXTS},
		{"cellline", TEXTS},
		{"celltype", TEXTS},
		{"class", LABELS | NUMBERS},
		{"classes", LABELS},
		{"classlabel", LABELS},
		{"classlabels", LABELS},
		{"cohort", TEXTS | NO_SIZE},
		{"condition", BOTH},
		{"days", NUMBERS},
		{"diagnosis", TEXTS},
		{"disease", TEXTS},
		{"diseasestate", TEXTS},
		{"dose", BOTH},
		{"followup", NUMBERS},
		{"gender", BOTH},
		{"genotype", TEXTS},
		{"grade", BOTH},
		{"group", LABELS | NUMBERS},
		{"groups", LABELS},
		{"individual", TEXTS},
		{"label", LABELS},
		{"labels", LABELS},
		{"months", NUMBERS},
		{"organism", TEXTS},
		{"outcome", BOTH},
		{"patient", TEXTS | NO_SIZE},
		{"patientid", NO_SIZE},
		{"phenotype", LABELS | NUMBERS},
		{"phenotypes", LABELS},
		{"platform", TEXTS},
		{"relapse", NUMBERS},
		{"response", BOTH},
		{"sample", TEXTS | NO_SIZE},
		{"sampleclass", LABELS},
		{"sampleclasses", LABELS},
		{"samplegroup", LABELS},
		{"samplegroups", LABELS},
		{"sampleid", NO_SIZE},
		{"samplename", TEXTS},
		{"sampletype", TEXTS},
		{"sex", BOTH},
		{"source", TEXTS},
		{"species", TEXTS},
		{"stage", BOTH},
		{"status", BOTH},
		{"strain", TEXTS},
		{"subject", TEXTS | NO_SIZE},
		{"subjectid", NO_SIZE},
		{"subtype", TEXTS},
		{"survival", NUMBERS},
		{"survivaldays", NUMBERS},
		{"survivalmonths", NUMBERS},
		{"survivaltime", NUMBERS},
		{"survivalyears", NUMBERS},
		{"target", LABELS},
		{"time", BOTH},
		{"timepoint", BOTH},
		{"tissue", TEXTS},
		{"title", TEXTS},
		{"treatment", BOTH},
		{"tumorstage", NUMBERS},
		{"tumourstage", NUMBERS},
		{"type", TEXTS},
		{"weeks", NUMBERS},
		{"years", NUMBERS},
	};
	char word[20];
	knng_text_word(name, end, word, sizeof word);
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		if (strcmp(titles[i].word, word) == 0)
			return titles[i].says;
	return 0;
}
