#include "peers.h"

#include <jansson.h>
#include <stdlib.h>

double *peer_decode_polyline(const char *text, size_t length, double units_per_degree, size_t *count) {
    double *degrees = malloc(length * sizeof *degrees);
    size_t numbers = 0;
    long value[2] = {0, 0};
    for (size_t i = 0; degrees && i < length; numbers++) {
        unsigned long zigzag = 0;
        int shift = 0, bits;
        do {
            bits = text[i++] - 63;
            zigzag |= (unsigned long)(bits & 31) << shift;
            shift += 5;
        } while (bits >= 32 && i < length);
        value[numbers & 1] += zigzag & 1 ? ~(long)(zigzag >> 1) : (long)(zigzag >> 1);
        degrees[numbers] = value[numbers & 1] / units_per_degree;
    }
    *count = numbers / 2;
    return degrees;
}

bool peer_jansson_read(const void *text, size_t length) {
    json_t *tree = json_loadb(text, length, 0, NULL);
    json_decref(tree);
    return tree != NULL;
}
