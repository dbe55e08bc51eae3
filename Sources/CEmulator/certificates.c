#define _GNU_SOURCE
#include "cemulator.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <string.h>

enum { DAY = 86400 };

typedef struct {
    X509 *certificate;
    EVP_PKEY *key;
} identity;

static bool extend(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool added = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

/* issuer: NULL for the CA, which signs itself. names: alternative names, or NULL. */
static bool issue(identity *self, const identity *issuer, const char *common_name, const char *usage, const char *names, long days) {
    self->key = EVP_EC_gen("P-256");
    self->certificate = X509_new();
    X509 *certificate = self->certificate, *parent = issuer ? issuer->certificate : certificate;
    uint8_t serial[16];
    if (!self->key || !certificate || RAND_bytes(serial, sizeof serial) != 1) return false;
    serial[0] &= 0x7f;
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    bool done = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) && X509_set_version(certificate, 2) == 1 &&
                X509_gmtime_adj(X509_getm_notBefore(certificate), -2L * DAY) &&
                X509_gmtime_adj(X509_getm_notAfter(certificate), days * DAY) && X509_set_pubkey(certificate, self->key) == 1 &&
                X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, (const uint8_t *)common_name, -1, -1, 0) &&
                X509_set_issuer_name(certificate, X509_get_subject_name(parent)) == 1 &&
                extend(certificate, parent, NID_subject_key_identifier, "hash") &&
                extend(certificate, parent, NID_authority_key_identifier, "keyid") &&
                extend(certificate, parent, NID_basic_constraints, issuer ? "critical,CA:FALSE" : "critical,CA:TRUE") &&
                extend(certificate, parent, NID_key_usage, issuer ? "critical,digitalSignature" : "critical,keyCertSign,cRLSign") &&
                (!usage || extend(certificate, parent, NID_ext_key_usage, usage)) &&
                (!names || extend(certificate, parent, NID_subject_alt_name, names)) &&
                X509_sign(certificate, issuer ? issuer->key : self->key, EVP_sha256()) > 0;
    BN_free(number);
    return done;
}

static char *pem(const identity *from, bool key) {
    BIO *memory = BIO_new(BIO_s_mem());
    char *bytes = NULL, *text = NULL;
    bool written = memory && (key ? PEM_write_bio_PrivateKey(memory, from->key, NULL, NULL, 0, NULL, NULL)
                                  : PEM_write_bio_X509(memory, from->certificate));
    long length = written ? BIO_get_mem_data(memory, &bytes) : 0;
    if (length > 0) text = strndup(bytes, (size_t)length);
    BIO_free(memory);
    return text;
}

bool emu_make_certificates(const char *server_names, long server_days, char *pems[EMU_PEM_COUNT]) {
    identity ca = {0}, server = {0}, client = {0};
    memset(pems, 0, EMU_PEM_COUNT * sizeof *pems);
    bool done = issue(&ca, NULL, "fleet-engine-emulator test CA", NULL, NULL, 30) &&
                issue(&server, &ca, "fleet-engine-emulator", "serverAuth", server_names, server_days) &&
                issue(&client, &ca, "vehicle", "clientAuth", NULL, 30);
    if (done) {
        pems[EMU_PEM_CA] = pem(&ca, false);
        pems[EMU_PEM_SERVER] = pem(&server, false);
        pems[EMU_PEM_SERVER_KEY] = pem(&server, true);
        pems[EMU_PEM_CLIENT] = pem(&client, false);
        pems[EMU_PEM_CLIENT_KEY] = pem(&client, true);
        for (int i = 0; i < EMU_PEM_COUNT; i++) done = done && pems[i];
    }
    identity *all[] = {&ca, &server, &client};
    for (int i = 0; i < 3; i++) {
        X509_free(all[i]->certificate);
        EVP_PKEY_free(all[i]->key);
    }
    return done;
}
