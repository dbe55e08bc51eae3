#include "cgps.h"
typedef int cgps_none;
