/* powers.h  Logarithms and powers for maps, without libm, so that they are the same everywhere. */
#ifndef KNNG_POWERS_H
#define KNNG_POWERS_H

#include <stdint.h>
#include <string.h>

/* log2 (x) of a normal x > 0, to 3e-11. */
static inline double
knng_log2(double x)
{
	uint64_t u, e;
	double m, exponent;
	memcpy(&u, &x, sizeof u);
	e = (u >> 52) | 0x4330000000000000u; /* as a double: 2^52 + the exponent */
	u = (u & 0x000fffffffffffffu) | 0x3ff0000000000000u;
	memcpy(&m, &u, sizeof m);
	memcpy(&exponent, &e, sizeof exponent);
	exponent -= 0x1p52 + 1023;
	double large = m > 1.4142135623730951 ? 1 : 0;
	m *= 1 - 0.5 * large;
	exponent += large;
	double s = (m - 1) / (m + 1), z = s * s;
	return exponent + s * (2.8853900817779268 +
			       z * (2.8853900817779268 / 3 +
				    z * (2.8853900817779268 / 5 +
					 z * (2.8853900817779268 / 7 +
					      z * (2.8853900817779268 / 9 + z * (2.8853900817779268 / 11))))));
}

/* 2^x, to 3e-10 of it; of less than -1000 or more than 1000 as of these. */
static inline double
knng_exp2(double x)
{
	x = x < -1000 ? -1000 : x > 1000 ? 1000 : x;
	double magic = x + 0x1.8p52, f = (x - (magic - 0x1.8p52)) * 0.69314718055994531, power;
	uint64_t u;
	memcpy(&u, &magic, sizeof u);
	u = (u + 1023) << 52;
	memcpy(&power, &u, sizeof power);
	return power *
	       (1 + f * (1 + f * (1. / 2 +
				  f * (1. / 6 +
				       f * (1. / 24 +
					    f * (1. / 120 + f * (1. / 720 + f * (1. / 5040 + f * (1. / 40320)))))))));
}

#endif
