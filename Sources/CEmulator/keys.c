#define _GNU_SOURCE
#include "cemulator.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

static char *text_of(BIO *memory) {
    char *bytes = NULL;
    long length = BIO_get_mem_data(memory, &bytes);
    return length > 0 ? strndup(bytes, (size_t)length) : NULL;
}

bool emu_rsa_key_pair(char **private_pem, char **public_pem) {
    *private_pem = *public_pem = NULL;
    EVP_PKEY *key = EVP_RSA_gen(2048);
    BIO *secret = BIO_new(BIO_s_mem()), *open = BIO_new(BIO_s_mem());
    if (key && secret && open && PEM_write_bio_PrivateKey(secret, key, NULL, NULL, 0, NULL, NULL) && PEM_write_bio_PUBKEY(open, key)) {
        *private_pem = text_of(secret);
        *public_pem = text_of(open);
    }
    BIO_free(secret);
    BIO_free(open);
    EVP_PKEY_free(key);
    return *private_pem && *public_pem;
}

void emu_sha256(const void *bytes, size_t length, char digits[65]) {
    static const char hexadecimal[] = "0123456789abcdef";
    unsigned char digest[EVP_MAX_MD_SIZE] = {0};
    unsigned size = 0;
    EVP_Digest(bytes, length, digest, &size, EVP_sha256(), NULL);
    for (int i = 0; i < 32; i++) {
        digits[2 * i] = hexadecimal[digest[i] >> 4];
        digits[2 * i + 1] = hexadecimal[digest[i] & 15];
    }
    digits[64] = 0;
}

void emu_free(char *text) { free(text); }
