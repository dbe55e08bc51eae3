#include "peers.h"

#include <jansson.h>

size_t peer_decode_polyline(const char *text, size_t length, double units_per_degree, double *latitudes, double *longitudes) {
    size_t count = 0;
    long value[2] = {0, 0};
    for (size_t i = 0; i < length; count++) {
        for (int part = 0; part < 2; part++) {
            unsigned long zigzag = 0;
            int shift = 0, bits;
            do {
                bits = text[i++] - 63;
                zigzag |= (unsigned long)(bits & 31) << shift;
                shift += 5;
            } while (bits >= 32 && i < length);
            value[part] += zigzag & 1 ? ~(long)(zigzag >> 1) : (long)(zigzag >> 1);
        }
        latitudes[count] = value[0] / units_per_degree;
        longitudes[count] = value[1] / units_per_degree;
    }
    return count;
}

bool peer_jansson_read(const void *text, size_t length) {
    json_t *tree = json_loadb(text, length, 0, NULL);
    json_decref(tree);
    return tree != NULL;
}
