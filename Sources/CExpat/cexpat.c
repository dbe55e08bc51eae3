#include "cexpat.h"

#include <expat.h>
#include <stdint.h>

static XML_Parser in(const mp_xml *parser) { return (XML_Parser)(uintptr_t)parser; }

mp_xml *mp_xml_create(const mp_xml_handlers *handlers, void *context) {
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) return NULL;
    XML_SetUserData(parser, context);
    XML_SetElementHandler(parser, handlers->start, handlers->end);
    XML_SetCharacterDataHandler(parser, handlers->text);
    XML_SetStartDoctypeDeclHandler(parser, handlers->doctype);
    return (mp_xml *)parser;
}

void mp_xml_destroy(mp_xml *parser) { XML_ParserFree(in(parser)); }

bool mp_xml_feed(mp_xml *parser, const void *bytes, int length, bool is_last) {
    return XML_Parse(in(parser), bytes, length, is_last) == XML_STATUS_OK;
}

void mp_xml_stop(mp_xml *parser) { XML_StopParser(in(parser), XML_FALSE); }

size_t mp_xml_line(const mp_xml *parser) { return XML_GetCurrentLineNumber(in(parser)); }

size_t mp_xml_column(const mp_xml *parser) { return XML_GetCurrentColumnNumber(in(parser)) + 1; }

const char *mp_xml_error(const mp_xml *parser) { return XML_ErrorString(XML_GetErrorCode(in(parser))); }
