#include "cemulator.h"

#include <jwt.h>
#include <stdlib.h>
#include <string.h>

char *emu_jwt_sign(const char *claims, const char *alg, const char *kid, const char *key_pem) {
    jwt_t *jwt = NULL;
    if (jwt_new(&jwt) != 0) return NULL;
    jwt_alg_t algorithm = jwt_str_alg(alg);
    bool keyed = algorithm != JWT_ALG_NONE;
    char *token = NULL;
    if (jwt_add_grants_json(jwt, claims) == 0 && (!kid || jwt_add_header(jwt, "kid", kid) == 0) &&
        jwt_set_alg(jwt, algorithm, keyed ? (const unsigned char *)key_pem : NULL, keyed ? (int)strlen(key_pem) : 0) == 0)
        token = jwt_encode_str(jwt);
    jwt_free(jwt);
    return token;
}

emu_jwt_verdict emu_jwt_verify(const char *token, const char *public_key_pem, char **header, char **claims) {
    /* Read without a key first: which key fits is for us to say, never for the token's own header. */
    jwt_t *jwt = NULL;
    if (jwt_decode(&jwt, token, NULL, 0) != 0) return EMU_JWT_MALFORMED;
    const char *algorithm = jwt_get_header(jwt, "alg");
    bool is_rs256 = algorithm && strcmp(algorithm, "RS256") == 0;
    jwt_free(jwt);
    if (!is_rs256) return EMU_JWT_WRONG_ALG;

    jwt = NULL;
    if (jwt_decode(&jwt, token, (const unsigned char *)public_key_pem, (int)strlen(public_key_pem)) != 0) return EMU_JWT_BAD_SIGNATURE;
    *header = jwt_get_headers_json(jwt, NULL);
    *claims = jwt_get_grants_json(jwt, NULL);
    jwt_free(jwt);
    return *header && *claims ? EMU_JWT_VALID : EMU_JWT_MALFORMED;
}
