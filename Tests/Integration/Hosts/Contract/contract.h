/* What the contract's cases share: checks that name their line, a recorder for callbacks, a small HTTP server. */
#ifndef CONTRACT_H
#define CONTRACT_H

#define _GNU_SOURCE
#include <milepost.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- checks: print where and why, and exit with 1 -- */

void check_that(int holds, const char *text, const char *file, int line);
void check_status(milepost_status got, milepost_status wanted, const char *text, const char *file, int line);
void check_says(const char *part, const char *file, int line);

#define CHECK(condition) check_that((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_STATUS(wanted, call) check_status((call), (wanted), #call, __FILE__, __LINE__)
#define CHECK_OK(call) CHECK_STATUS(MILEPOST_OK, call)
/* milepost_last_error has these words. */
#define CHECK_SAYS(part) check_says((part), __FILE__, __LINE__)
/* The call is refused, and says so in words that have `part`. */
#define CHECK_REFUSED(wanted, call, part) \
    do {                                  \
        CHECK_STATUS(wanted, call);       \
        CHECK_SAYS(part);                 \
    } while (0)

/* An address that no library gave out: what an untouched handle must still be. */
#define UNTOUCHED ((void *)(uintptr_t)0x5a5a5a5aU)

/* -- things most cases need -- */

/* Due north along 11 degrees east, 0.01 degrees from point to point; waypoints at the second and last of three points, 40 s and 60 s. */
milepost_route *straight_route(void);
/* On that route, so many degrees north of its start; time in seconds after some moment of 2026. */
milepost_fix fix_at(double north_deg, double time_s);
/* An on-demand configuration with a fixed token. */
milepost_config *some_config(const char *endpoint);
milepost_reporter *some_reporter(const char *endpoint);
double seconds_now(void);

/* -- a recorder: what the callbacks told, for any thread to wait for -- */

typedef struct recorder {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int succeeded, failed, progress, position, tokens, lines, events, estimated, stale, reporter_events;
    /* `estimated` and `stale` count progress that says so. */
    milepost_update update; /* the last, its strings in mask and segment, its fix in fix */
    milepost_fix fix;
    milepost_failure failure;
    milepost_progress last_progress;
    milepost_route_event event; /* the last */
    milepost_reporter_event reporter_event;
    milepost_position_state position_state;
    milepost_token_request token_request;
    char mask[512], segment[4096], message[512], detail[512], event_message[512], reason[512], details[512];
} recorder;

void recorder_init(recorder *recorder);
milepost_listener recorder_listener(recorder *recorder);
/* Of that configuration, which it destroys; told to a recorder that is initialised. Tracks from the start, with a fix to report. */
milepost_reporter *tracking_reporter(milepost_config *config, recorder *recorder);
/* A token callback that counts and answers nothing; user is the recorder. */
void recorder_ask(void *user, milepost_token_request request, const milepost_token_context *context);
int recorder_get(recorder *recorder, const int *count);
/* Waits until the count is at least so much; fails after a generous while. */
void recorder_await(recorder *recorder, const int *count, int at_least, const char *file, int line);
#define AWAIT(recorder, member, at_least) recorder_await((recorder), &(recorder)->member, (at_least), __FILE__, __LINE__)
/* The same for a reporter that this thread drives with poll. */
void drive_until(milepost_reporter *reporter, recorder *recorder, const int *count, int at_least, const char *file, int line);
#define DRIVE(reporter, recorder, member, at_least) \
    drive_until((reporter), (recorder), &(recorder)->member, (at_least), __FILE__, __LINE__)

/* -- a server on loopback -- */

typedef struct server server;

enum { SERVER_MUTE = 0 }; /* takes requests and never answers */

/* Answers every request with this status and "{}", until told otherwise. */
server *server_start(int status);
const char *server_url(const server *server);
void server_answer(server *server, int status, const char *body);
/* Header lines that every answer has from now on, each ending with CR LF. */
void server_head(server *server, const char *headers);
int server_requests(server *server);
/* Waits for the request of this number, from 1. */
void server_await(server *server, int requests, const char *file, int line);
#define SERVER_AWAIT(server, requests) server_await((server), (requests), __FILE__, __LINE__)
/* Whether some request so far had these words in its head or body. */
int server_heard(server *server, const char *part);
void server_stop(server *server);

/* -- the cases -- */

typedef struct contract_case {
    const char *name;
    void (*run)(void);
} contract_case;

extern const contract_case argument_cases[], config_cases[], route_cases[], tracker_cases[], journey_cases[], reporter_cases[], guidance_cases[],
    listener_cases[], loop_cases[], token_cases[], thread_cases[], stop_cases[], descriptor_cases[], https_cases[],
    security_cases[], stop_list_cases[], trip_cases[], host_guidance_cases[], state_cases[], statistics_cases[],
    backend_cases[];

#endif
