/* Listeners come and go at any time; after remove returns, one is not called again. */
#include "contract.h"

#include <sched.h>
#include <unistd.h>

static double clock_s; /* of the fixes pushed: each is a call of the progress listeners */

static void push_next(milepost_reporter *reporter) {
    milepost_fix fix = fix_at(0, clock_s += 1);
    fix.speed_mps = 0;
    CHECK_OK(milepost_reporter_push_fix(reporter, &fix));
}

/* A listener that does one thing when it is called. */
typedef struct visit {
    milepost_reporter *reporter;
    milepost_listener_id id;
    recorder *recorder;
    int calls;
    struct visit *other; /* added or removed inside */
} visit;

static milepost_listener_id add(milepost_reporter *reporter, void *user, void (*progress)(void *, const milepost_progress *)) {
    milepost_listener listener = MILEPOST_LISTENER_INIT;
    milepost_listener_id id = 0;
    listener.user = user;
    listener.progress = progress;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    CHECK(id != 0);
    return id;
}

static void count(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    v->calls++;
}

static void remove_itself(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    v->calls++;
    CHECK_OK(milepost_reporter_remove_listener(v->reporter, v->id));
}

static void remove_the_other(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    if (v->calls++ == 0) CHECK_OK(milepost_reporter_remove_listener(v->reporter, v->other->id));
}

static void add_the_other(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    if (v->calls++ == 0) v->other->id = add(v->reporter, v->other, count);
}

static void come_and_go_inside_callbacks(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    recorder r;
    recorder_init(&r);
    visit added = {reporter, 0, &r, 0, NULL}, once = {reporter, 0, &r, 0, NULL}, victim = {reporter, 0, &r, 0, NULL};
    visit adder = {reporter, 0, &r, 0, &added}, remover = {reporter, 0, &r, 0, &victim}, always = {reporter, 0, &r, 0, NULL};
    adder.id = add(reporter, &adder, add_the_other);
    once.id = add(reporter, &once, remove_itself);
    remover.id = add(reporter, &remover, remove_the_other);
    victim.id = add(reporter, &victim, count); /* behind its remover, so it is not called at all */
    always.id = add(reporter, &always, count);
    milepost_listener last = recorder_listener(&r);
    milepost_listener_id last_id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &last, &last_id));
    for (int i = 1; i <= 3; i++) {
        push_next(reporter);
        DRIVE(reporter, &r, progress, i);
    }
    CHECK(adder.calls == 3 && once.calls == 1 && remover.calls == 3 && victim.calls == 0 && always.calls == 3);
    CHECK(added.calls == 2); /* from the next event on */
    CHECK_STATUS(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_remove_listener(reporter, once.id));
    CHECK_REFUSED(MILEPOST_ERROR_NOT_FOUND, milepost_reporter_remove_listener(reporter, 987654), "987654");
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void a_listener_may_have_no_functions(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    recorder r;
    recorder_init(&r);
    milepost_listener empty = MILEPOST_LISTENER_INIT, listener = recorder_listener(&r);
    milepost_listener_id first = 0, second = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &empty, &first));
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &second));
    CHECK(first != second);
    push_next(reporter);
    DRIVE(reporter, &r, progress, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

/* A call that this thread can hold open. */
typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int inside, is_open, left, removing, removed;
    pid_t remover;
    milepost_reporter *reporter;
    milepost_listener_id id;
} gate;

static void wait_for(gate *g, const int *flag) {
    pthread_mutex_lock(&g->lock);
    while (!*flag) pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

static void raise_flag(gate *g, int *flag) {
    pthread_mutex_lock(&g->lock);
    *flag = 1;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

static void pass_the_gate(void *user, const milepost_progress *progress) {
    gate *g = user;
    (void)progress;
    raise_flag(g, &g->inside);
    wait_for(g, &g->is_open);
    raise_flag(g, &g->left);
}

static void *remove_elsewhere(void *user) {
    gate *g = user;
    g->remover = gettid();
    raise_flag(g, &g->removing);
    CHECK_OK(milepost_reporter_remove_listener(g->reporter, g->id));
    pthread_mutex_lock(&g->lock);
    int left = g->left;
    pthread_mutex_unlock(&g->lock);
    CHECK(left); /* the call under way had returned first */
    raise_flag(g, &g->removed);
    return NULL;
}

/* Whether a thread of ours waits, or is gone. */
static int is_asleep(pid_t thread) {
    char path[64], state = 'X';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *file = fopen(path, "re");
    if (!file) return 1;
    CHECK(fscanf(file, "%*d (%*[^)]) %c", &state) == 1);
    fclose(file);
    return state == 'S';
}

static void remove_waits_for_a_call_on_another_thread(void) {
    gate g = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0, 0, 0, 0, some_reporter(NULL), 0};
    g.id = add(g.reporter, &g, pass_the_gate);
    CHECK_OK(milepost_reporter_start(g.reporter));
    push_next(g.reporter);
    wait_for(&g, &g.inside);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, remove_elsewhere, &g) == 0);
    wait_for(&g, &g.removing);
    while (!is_asleep(g.remover)) sched_yield();
    pthread_mutex_lock(&g.lock);
    CHECK(!g.removed);
    pthread_mutex_unlock(&g.lock);
    raise_flag(&g, &g.is_open);
    pthread_join(thread, NULL);
    CHECK_OK(milepost_reporter_destroy(g.reporter));
}

/* Memory that is made for a listener and freed as soon as it is removed: a late call would touch it. */
typedef struct life {
    pthread_mutex_t lock;
    int is_alive, calls;
} life;

static void touch(void *user, const milepost_progress *progress) {
    life *l = user;
    (void)progress;
    pthread_mutex_lock(&l->lock);
    CHECK(l->is_alive == 0x600d);
    sched_yield(); /* room for a remove that does not wait */
    CHECK(l->is_alive == 0x600d);
    l->calls++;
    pthread_mutex_unlock(&l->lock);
}

static void *add_and_remove(void *argument) {
    milepost_reporter *reporter = argument;
    for (int i = 0; i < 300; i++) {
        life *l = calloc(1, sizeof *l);
        pthread_mutex_init(&l->lock, NULL);
        l->is_alive = 0x600d;
        milepost_listener_id id = add(reporter, l, touch);
        if (i % 3) sched_yield();
        CHECK_OK(milepost_reporter_remove_listener(reporter, id));
        l->is_alive = 0xdead;
        pthread_mutex_destroy(&l->lock);
        free(l);
    }
    return NULL;
}

static void a_removed_listener_is_never_called_however_many_come_and_go(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    recorder r;
    recorder_init(&r);
    milepost_listener listener = recorder_listener(&r);
    milepost_listener_id id = 0;
    CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
    CHECK_OK(milepost_reporter_start(reporter));
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, add_and_remove, reporter) == 0);
    for (int i = 0; i < 200; i++) push_next(reporter);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    push_next(reporter);
    AWAIT(&r, progress, 1);
    CHECK_OK(milepost_reporter_destroy(reporter));
}

static void refuse_everything_inside(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_reporter_dispatch(v->reporter), "callback");
    CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_reporter_stop(v->reporter, 10), "callback");
    CHECK_REFUSED(MILEPOST_ERROR_IN_CALLBACK, milepost_reporter_destroy(v->reporter), "callback");
    CHECK_STATUS(MILEPOST_ERROR_STATE, milepost_reporter_start(v->reporter));
    /* The rest of the interface is open. */
    int32_t value = 0;
    milepost_route *route = straight_route();
    CHECK_OK(milepost_reporter_set_route(v->reporter, route));
    milepost_route_destroy(route);
    CHECK_OK(milepost_reporter_set_interval(v->reporter, 30));
    CHECK_OK(milepost_reporter_get_interval(v->reporter, &value));
    CHECK(value == 30);
    CHECK_OK(milepost_reporter_set_tracking(v->reporter, 0));
    v->calls++;
}

static void dispatch_stop_and_destroy_are_refused_inside_a_callback(void) {
    for (int threaded = 0; threaded <= 1; threaded++) {
        milepost_reporter *reporter = some_reporter(NULL);
        recorder r;
        recorder_init(&r);
        visit v = {reporter, 0, &r, 0, NULL};
        v.id = add(reporter, &v, refuse_everything_inside);
        milepost_listener listener = recorder_listener(&r);
        milepost_listener_id id = 0;
        CHECK_OK(milepost_reporter_add_listener(reporter, &listener, &id));
        push_next(reporter);
        if (threaded) {
            CHECK_OK(milepost_reporter_start(reporter));
            AWAIT(&r, progress, 1);
        } else {
            DRIVE(reporter, &r, progress, 1);
        }
        CHECK_OK(milepost_reporter_destroy(reporter));
        CHECK(v.calls == 1);
    }
}

static void push_another(void *user, const milepost_progress *progress) {
    visit *v = user;
    (void)progress;
    v->calls++;
    push_next(v->reporter);
}

/* Each fix causes the next: dispatch must return all the same. */
static void dispatch_returns_though_callbacks_cause_more(void) {
    milepost_reporter *reporter = some_reporter(NULL);
    recorder r;
    recorder_init(&r);
    visit v = {reporter, 0, &r, 0, NULL};
    v.id = add(reporter, &v, push_another);
    push_next(reporter);
    CHECK_OK(milepost_reporter_dispatch(reporter));
    int first = v.calls;
    CHECK(first >= 1);
    CHECK_OK(milepost_reporter_dispatch(reporter)); /* goes on where it left */
    CHECK(v.calls > first);
    CHECK_OK(milepost_reporter_remove_listener(reporter, v.id));
    CHECK_OK(milepost_reporter_destroy(reporter));
}

const contract_case listener_cases[] = {
    {"come_and_go_inside_callbacks", come_and_go_inside_callbacks},
    {"a_listener_may_have_no_functions", a_listener_may_have_no_functions},
    {"remove_waits_for_a_call_on_another_thread", remove_waits_for_a_call_on_another_thread},
    {"a_removed_listener_is_never_called_however_many_come_and_go", a_removed_listener_is_never_called_however_many_come_and_go},
    {"dispatch_stop_and_destroy_are_refused_inside_a_callback", dispatch_stop_and_destroy_are_refused_inside_a_callback},
    {"dispatch_returns_though_callbacks_cause_more", dispatch_returns_though_callbacks_cause_more},
    {NULL, NULL}};
