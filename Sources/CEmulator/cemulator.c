#include "cemulator.h"
typedef int cemulator_none;
