#include "desk.h"
#include "base/sys.h"
#include "clock.h"

void
knng_desk_open(knng_desk *d)
{
	*d = (knng_desk){0};
	pthread_mutex_init(&d->lock, NULL);
	knng_clock_condition(&d->change);
	for (int i = 0; i < KNNG_DESK_RETURNS; i++)
		d->back[i].desk = d;
}

void
knng_desk_close(knng_desk *d)
{
	for (int i = 0; i < KNNG_DESK_RETURNS; i++)
		knng_found_free(&d->back[i].found);
	pthread_cond_destroy(&d->change);
	pthread_mutex_destroy(&d->lock);
}

static bool
stops(const knng_desk *d)
{
	return __atomic_load_n(&d->stop, __ATOMIC_RELAXED) != 0;
}

knng_status
knng_desk_ask(knng_desk *d, int what, int64_t block, void *to, int64_t bytes, knng_err *err)
{
	knng_request *ask = &d->ask[what];
	pthread_mutex_lock(&d->lock);
	*ask = (knng_request){KNNG_REQUEST_NEW, block, to, bytes};
	while (ask->state != KNNG_REQUEST_NONE && !stops(d))
		pthread_cond_wait(&d->change, &d->lock);
	bool there = ask->state == KNNG_REQUEST_NONE;
	pthread_mutex_unlock(&d->lock);
	return there ? KNNG_OK : knng_fail(err, KNNG_EINTERRUPTED, "knng:interrupted", "stopped");
}

void
knng_desk_tell_met(knng_desk *d, knng_visit visit)
{
	pthread_mutex_lock(&d->lock);
	while (d->mets == KNNG_DESK_VISITS && !stops(d))
		pthread_cond_wait(&d->change, &d->lock);
	if (d->mets < KNNG_DESK_VISITS)
		d->met[d->mets++] = visit;
	d->done = 0;
	pthread_mutex_unlock(&d->lock);
}

knng_return *
knng_desk_place(knng_desk *d)
{
	knng_return *place = NULL;
	pthread_mutex_lock(&d->lock);
	while (place == NULL && !stops(d)) {
		for (int i = 0; i < KNNG_DESK_RETURNS && place == NULL; i++)
			if (d->back[i].state == KNNG_FOUND_NONE)
				place = &d->back[i];
		if (place == NULL)
			pthread_cond_wait(&d->change, &d->lock);
	}
	pthread_mutex_unlock(&d->lock);
	return place;
}

void
knng_desk_sent(void *place)
{
	knng_return *r = place;
	pthread_mutex_lock(&r->desk->lock);
	r->state = KNNG_FOUND_NONE;
	pthread_cond_broadcast(&r->desk->change);
	pthread_mutex_unlock(&r->desk->lock);
}

bool
knng_desk_is_clear(knng_desk *d)
{
	bool clear = true;
	pthread_mutex_lock(&d->lock);
	for (int i = 0; i < KNNG_DESK_RETURNS; i++)
		clear &= d->back[i].state == KNNG_FOUND_NONE;
	pthread_mutex_unlock(&d->lock);
	return clear;
}
