/* Reporting over TLS to a server of one's own, whose certificate a CA file vouches for. */
#include "contract.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/* A key and a certificate for localhost, made on the spot. */
static EVP_PKEY *make_key(void) { return EVP_EC_gen("P-256"); }

static X509 *make_certificate(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -86400);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"localhost", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    const char *const extensions[][2] = {{"basicConstraints", "critical,CA:TRUE"}, {"subjectAltName", "DNS:localhost"}};
    for (int i = 0; i < 2; i++) {
        X509_EXTENSION *extension = X509V3_EXT_conf(NULL, &context, extensions[i][0], extensions[i][1]);
        CHECK(extension && X509_add_ext(certificate, extension, -1));
        X509_EXTENSION_free(extension);
    }
    CHECK(X509_sign(certificate, key, EVP_sha256()) > 0);
    return certificate;
}

typedef struct tls_server {
    int listener, connection, requests;
    pthread_mutex_t lock;
    SSL_CTX *context;
    char url[64], ca_file[64];
    pthread_t thread;
} tls_server;

/* One connection: answers each request of up to 64 KiB. */
static void converse(tls_server *s, SSL *ssl) {
    static char bytes[64 * 1024];
    static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
    size_t length = 0;
    for (int n; (n = SSL_read(ssl, bytes + length, (int)(sizeof bytes - 1 - length))) > 0;) {
        length += (size_t)n;
        bytes[length] = 0;
        const char *end = strstr(bytes, "\r\n\r\n"), *declared = strcasestr(bytes, "content-length:");
        if (!end || !declared || length < (size_t)(end - bytes) + 4 + strtoul(declared + 15, NULL, 10)) continue;
        length = 0;
        pthread_mutex_lock(&s->lock);
        s->requests++;
        pthread_mutex_unlock(&s->lock);
        CHECK(SSL_write(ssl, answer, sizeof answer - 1) > 0);
    }
}

static void *serve(void *argument) {
    tls_server *s = argument;
    for (int fd; (fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) {
        SSL *ssl = SSL_new(s->context);
        SSL_set_fd(ssl, fd);
        pthread_mutex_lock(&s->lock);
        s->connection = fd;
        pthread_mutex_unlock(&s->lock);
        if (SSL_accept(ssl) > 0) converse(s, ssl);
        SSL_free(ssl);
        pthread_mutex_lock(&s->lock);
        close(fd);
        s->connection = -1;
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

static void tls_start(tls_server *s) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    memset(s, 0, sizeof *s);
    s->connection = -1;
    pthread_mutex_init(&s->lock, NULL);
    EVP_PKEY *key = make_key();
    X509 *certificate = make_certificate(key);
    s->context = SSL_CTX_new(TLS_server_method());
    CHECK(SSL_CTX_use_certificate(s->context, certificate) == 1 && SSL_CTX_use_PrivateKey(s->context, key) == 1);
    strcpy(s->ca_file, "/tmp/milepost-contract-XXXXXX");
    FILE *file = fdopen(mkstemp(s->ca_file), "w");
    CHECK(file && PEM_write_X509(file, certificate) == 1 && fclose(file) == 0);
    X509_free(certificate);
    EVP_PKEY_free(key);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(s->listener, (struct sockaddr *)&address, size) == 0 && listen(s->listener, 4) == 0);
    CHECK(getsockname(s->listener, (struct sockaddr *)&address, &size) == 0);
    snprintf(s->url, sizeof s->url, "https://localhost:%d", ntohs(address.sin_port));
    CHECK(pthread_create(&s->thread, NULL, serve, s) == 0);
}

/* Dies without a word: the other side's next write finds a connection that was closed and then reset. */
static void tls_die(tls_server *s) {
    struct linger reset = {1, 0};
    pthread_mutex_lock(&s->lock);
    if (s->connection >= 0) { /* where the other side has not gone already */
        shutdown(s->connection, SHUT_WR);
        setsockopt(s->connection, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        shutdown(s->connection, SHUT_RD); /* ends SSL_read, and the thread closes it */
    }
    pthread_mutex_unlock(&s->lock);
    shutdown(s->listener, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->listener);
    unlink(s->ca_file);
    SSL_CTX_free(s->context);
}

static milepost_reporter *https_reporter(tls_server *s, int trusts, const char *url, recorder *r) {
    milepost_config *config = some_config(url);
    if (trusts) CHECK_OK(milepost_config_set_ca_file(config, s->ca_file));
    recorder_init(r);
    return tracking_reporter(config, r);
}

/* SIGPIPE would end this process: only the writes of the server itself, which inherits the mask, are kept from it. */
static void tls_start_with_sigpipe_blocked(tls_server *s) {
    sigset_t pipe_only, before;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    tls_start(s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void https_reports_to_a_server_that_the_ca_file_vouches_for(void) {
    tls_server s;
    recorder r;
    tls_start_with_sigpipe_blocked(&s);
    milepost_reporter *reporter = https_reporter(&s, 1, s.url, &r);
    CHECK_OK(milepost_reporter_start(reporter));
    AWAIT(&r, succeeded, 1);
    CHECK_OK(milepost_reporter_set_tracking(reporter, 0));
    CHECK_OK(milepost_reporter_stop(reporter, 30000));
    CHECK(s.requests == 2);
    CHECK_OK(milepost_reporter_destroy(reporter));
    tls_die(&s);
}

static void https_sends_nothing_to_a_server_that_nobody_vouches_for(void) {
    tls_server s;
    recorder r;
    tls_start_with_sigpipe_blocked(&s);
    char by_address[64]; /* the certificate is localhost's */
    snprintf(by_address, sizeof by_address, "https://127.0.0.1%s", strrchr(s.url, ':'));
    for (int trusts = 0; trusts <= 1; trusts++) {
        milepost_reporter *reporter = https_reporter(&s, trusts, trusts ? by_address : s.url, &r);
        DRIVE(reporter, &r, failed, 1);
        CHECK(r.failure.http_status == 0 && r.failure.code == MILEPOST_CODE_UNAVAILABLE && strcasestr(r.message, "certificate"));
        CHECK(r.failure.meaning == MILEPOST_FAILURE_CONFIGURATION);
        milepost_diagnosis diagnosis = MILEPOST_DIAGNOSIS_INIT;
        CHECK_OK(milepost_reporter_diagnose(reporter, &diagnosis));
        CHECK(diagnosis.failing & 1U << MILEPOST_LINK_CERTIFICATE && diagnosis.holding & 1U << MILEPOST_LINK_SERVER);
        CHECK_OK(milepost_reporter_destroy(reporter));
    }
    CHECK(s.requests == 0);
    tls_die(&s);
}

static void no_sigpipe_comes_when_a_tls_server_dies(void) {
    for (int how = 0; how < 3; how++) {
        tls_server s;
        recorder r;
        tls_start_with_sigpipe_blocked(&s);
        milepost_reporter *reporter = https_reporter(&s, 1, s.url, &r);
        if (how == 1) CHECK_OK(milepost_reporter_start(reporter));
        if (how == 1) AWAIT(&r, succeeded, 1);
        else DRIVE(reporter, &r, succeeded, 1);
        tls_die(&s);
        /* Either the next update meets the dead connection, or destroy does. */
        if (how < 2) CHECK_OK(milepost_reporter_set_vehicle_state(reporter, MILEPOST_VEHICLE_ONLINE));
        if (how == 0) DRIVE(reporter, &r, failed, 1);
        if (how == 1) AWAIT(&r, failed, 1);
        CHECK_OK(milepost_reporter_destroy(reporter));
    }
}

const contract_case https_cases[] = {
    {"https_reports_to_a_server_that_the_ca_file_vouches_for", https_reports_to_a_server_that_the_ca_file_vouches_for},
    {"https_sends_nothing_to_a_server_that_nobody_vouches_for", https_sends_nothing_to_a_server_that_nobody_vouches_for},
    {"no_sigpipe_comes_when_a_tls_server_dies", no_sigpipe_comes_when_a_tls_server_dies},
    {NULL, NULL}};
