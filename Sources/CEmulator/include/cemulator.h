/* What the emulator needs of libmicrohttpd, GnuTLS, zlib, jansson, libjwt and OpenSSL, behind a flat header of its own. */
#ifndef MP_CEMULATOR_H
#define MP_CEMULATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Releases any text handed out below. NULL is allowed. */
void emu_free(char *text);

/* ---- HTTP (libmicrohttpd): one thread a connection, so a handler may block ---- */

typedef struct emu_http emu_http;
typedef struct emu_http_request emu_http_request;

/* Called once a request has been read whole. The connection is closed when it returns without an answer. */
typedef void (*emu_http_handler)(void *context, emu_http_request *request);

/* PEM texts. client_ca: who signs the certificates that clients must have; NULL when they need none. */
typedef struct {
    const char *certificate, *key, *client_ca;
} emu_tls;

/* Listens on 127.0.0.1, on a free port for port 0. tls: NULL for plain HTTP. NULL when that is not possible; errno then says why. */
emu_http *emu_http_start(uint16_t port, size_t body_limit, const emu_tls *tls, emu_http_handler handler, void *context);
uint16_t emu_http_port(const emu_http *server);
/* Waits for handlers that are running. */
void emu_http_stop(emu_http *server);

const char *emu_http_method(const emu_http_request *request);
/* Path and query as sent, still percent-encoded. */
const char *emu_http_target(const emu_http_request *request);
/* NULL when the header is missing. */
const char *emu_http_header(const emu_http_request *request, const char *name);
const uint8_t *emu_http_body(const emu_http_request *request, size_t *length);
/* The body was over the limit; what was too much has been discarded. */
bool emu_http_body_too_large(const emu_http_request *request);
/* The connection's descriptor, to notice that the client left. */
int emu_http_socket(const emu_http_request *request);
/* Bytes of the request line and the headers. */
size_t emu_http_head_size(const emu_http_request *request);
/* retry_after: value of that header, or NULL. sent: where less than length, the connection is closed after so much of the body. */
void emu_http_answer(emu_http_request *request, unsigned status, const char *content_type, const char *retry_after,
                     const void *body, size_t length, size_t sent);

/* ---- gzip (zlib) ---- */

typedef enum { EMU_GUNZIP_OK, EMU_GUNZIP_MALFORMED, EMU_GUNZIP_TOO_LARGE } emu_gunzip_verdict;

/* One whole gzip stream of at most limit bytes once unpacked. When OK, *body is for free(). */
emu_gunzip_verdict emu_gunzip(const void *bytes, size_t length, size_t limit, uint8_t **body, size_t *body_length);

/* ---- JSON, reading only (jansson): nodes live as long as their document ---- */

typedef struct emu_json emu_json;

enum { EMU_JSON_NULL, EMU_JSON_BOOLEAN, EMU_JSON_INTEGER, EMU_JSON_REAL, EMU_JSON_STRING, EMU_JSON_ARRAY, EMU_JSON_OBJECT };

/* An object or an array; duplicate keys are an error. NULL when it is not JSON, with *problem to emu_free. */
emu_json *emu_json_parse(const void *bytes, size_t length, char **problem);
void emu_json_release(emu_json *document);
int emu_json_kind(const emu_json *node);
bool emu_json_boolean(const emu_json *node);
int64_t emu_json_integer(const emu_json *node);
double emu_json_real(const emu_json *node);
const char *emu_json_string(const emu_json *node, size_t *length);
size_t emu_json_count(const emu_json *array);
const emu_json *emu_json_element(const emu_json *array, size_t index);
/* Members in their order: first, then next until NULL. */
void *emu_json_first_member(emu_json *object);
void *emu_json_next_member(emu_json *object, void *member);
const char *emu_json_member_key(void *member, size_t *length);
emu_json *emu_json_member_value(void *member);

/* ---- tokens (libjwt) and keys (OpenSSL) ---- */

/* A JWT over a JSON object of claims, for emu_free. alg: RS256, HS256 or none; kid may be NULL. NULL when that is not possible. */
char *emu_jwt_sign(const char *claims, const char *alg, const char *kid, const char *key_pem);

typedef enum { EMU_JWT_VALID, EMU_JWT_MALFORMED, EMU_JWT_WRONG_ALG, EMU_JWT_BAD_SIGNATURE } emu_jwt_verdict;

/* Checks form, alg RS256 and signature, no claims. When valid, *header and *claims are JSON objects for emu_free. */
emu_jwt_verdict emu_jwt_verify(const char *token, const char *public_key_pem, char **header, char **claims);

/* A fresh RSA key pair of 2048 bits in PEM, for emu_free. */
bool emu_rsa_key_pair(char **private_pem, char **public_pem);

enum { EMU_PEM_CA, EMU_PEM_SERVER, EMU_PEM_SERVER_KEY, EMU_PEM_CLIENT, EMU_PEM_CLIENT_KEY, EMU_PEM_COUNT };

/* A fresh CA and a server's and a client's certificate by it, in PEM, each for emu_free even on failure. server_names: as in OpenSSL's
   subjectAltName; server_days: until the server's certificate expires, negative if it has. */
bool emu_make_certificates(const char *server_names, long server_days, char *pems[EMU_PEM_COUNT]);

/* SHA-256 as 64 hexadecimal digits and a NUL. */
void emu_sha256(const void *bytes, size_t length, char digits[65]);

#endif
