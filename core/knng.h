/* knng.h  All public headers of knng's core. */
#ifndef KNNG_H
#define KNNG_H

#include "base/knng_base.h"
#include "io/knng_io.h"
#include "search/knng_search.h"
#include "search/knng_verify.h"

#endif
