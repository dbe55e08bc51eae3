#pragma once

#include "peers.h"

struct peer_line {
    virtual ~peer_line() = default;
    virtual double locate(double latitude, double longitude) const = 0;
};
