#include "peer_line.hpp"

double peer_line_locate(const peer_line *line, double latitude, double longitude) { return line->locate(latitude, longitude); }

void peer_line_free(peer_line *line) { delete line; }
