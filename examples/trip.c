/*
 * trip - a rear-seat display or a depot's gate: prints where a trip's vehicle is, how far and how long to go, and how old that is,
 * until the trip is over. Driven by its own loop: no thread.
 *
 *   trip PROVIDER TRIP TOKEN_URL [ENDPOINT]      TOKEN_URL: a server of yours; {trip} in it is replaced
 *   cc trip.c -o trip $(pkg-config --cflags --libs milepost)
 */
#define _POSIX_C_SOURCE 200809L

#include <milepost.h>
#include <poll.h>
#include <stdio.h>

/* A position older than this is not shown as where the vehicle is now. */
static const double stale_s = 60;

static const char *const words[] = {"unknown",  "new",       "on the way to the pickup",  "at the pickup",
                                    "on the way to the drop-off", "complete", "cancelled", "at a stop between", "on the way to a stop between"};

static void show(void *user, const milepost_trip_info *trip) {
    int *is_over = user;
    printf("%s", trip->status >= 0 && trip->status <= 8 ? words[trip->status] : "unknown");
    if (trip->fields & MILEPOST_TRIP_LOCATION) printf(", at %.5f %.5f", trip->latitude_deg, trip->longitude_deg);
    if (trip->fields & MILEPOST_TRIP_LOCATION_AGE)
        printf(" %.0f s ago%s", trip->location_age_s, trip->location_age_s > stale_s ? " (stale)" : "");
    if (trip->fields & MILEPOST_TRIP_DISTANCE) printf(", %.0f m to go", trip->remaining_m);
    if (trip->fields & MILEPOST_TRIP_DURATION) printf(", %.0f s", trip->remaining_s);
    printf(", %zu stops\n", trip->waypoint_count);
    fflush(stdout);
    *is_over = trip->status == MILEPOST_TRIP_COMPLETE || trip->status == MILEPOST_TRIP_CANCELED;
}

static void complain(void *user, const milepost_failure *failure) {
    (void)user;
    fprintf(stderr, "trip: %s (HTTP %d)\n", failure->message, (int)failure->http_status);
}

static int failed(void) {
    fprintf(stderr, "trip: %s\n", milepost_last_error());
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("usage: trip PROVIDER TRIP TOKEN_URL [ENDPOINT]\n", stderr);
        return 2;
    }
    int is_over = 0;
    milepost_config *config = NULL;
    milepost_trip *trip = NULL;
    milepost_listener_id id = 0;
    milepost_trip_listener listener = MILEPOST_TRIP_LISTENER_INIT;
    listener.user = &is_over;
    listener.trip_updated = show;
    listener.trip_failed = complain;
    if (milepost_config_create(MILEPOST_SERVICE_ON_DEMAND, &config) || milepost_config_set_provider_id(config, argv[1]) ||
        milepost_config_set_trip_id(config, argv[2]) ||
        milepost_config_set_token_url(config, argv[3], "token", NULL, MILEPOST_TOKEN_EXPIRY_SECONDS_FROM_NOW) ||
        (argc > 4 && milepost_config_set_endpoint(config, argv[4])) || milepost_trip_create(config, &trip) ||
        milepost_trip_add_listener(trip, &listener, &id))
        return failed();
    milepost_config_destroy(config);
    struct pollfd wait = {milepost_trip_fd(trip), POLLIN, 0};
    while (!is_over) {
        poll(&wait, 1, -1);
        if (milepost_trip_dispatch(trip)) return failed();
    }
    return milepost_trip_destroy(trip) != MILEPOST_OK;
}
