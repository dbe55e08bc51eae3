/* expat behind a flat header: reading XML as a stream of events. No namespaces: names come with their prefix. External entities are never
   loaded. */
#ifndef MP_CEXPAT_H
#define MP_CEXPAT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct mp_xml mp_xml;

typedef struct mp_xml_handlers {
    /* attributes: name, value, name, value, …, NULL */
    void (*start)(void *context, const char *name, const char **attributes);
    void (*end)(void *context, const char *name);
    /* UTF-8, in pieces, not terminated */
    void (*text)(void *context, const char *bytes, int length);
    /* a document type declaration, before anything in it is read */
    void (*doctype)(void *context, const char *name, const char *system_id, const char *public_id, int has_internal_subset);
} mp_xml_handlers;

/* NULL when there is no memory. */
mp_xml *mp_xml_create(const mp_xml_handlers *handlers, void *context);
void mp_xml_destroy(mp_xml *parser);
/* Reads the next bytes, which are the last or not. False at an error, or once stopped. */
bool mp_xml_feed(mp_xml *parser, const void *bytes, int length, bool is_last);
/* Ends the feed under way; for handlers. */
void mp_xml_stop(mp_xml *parser);
/* Of the error, or of the event being handled; from 1. */
size_t mp_xml_line(const mp_xml *parser);
size_t mp_xml_column(const mp_xml *parser);
const char *mp_xml_error(const mp_xml *parser);

#endif
