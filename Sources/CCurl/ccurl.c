#include "ccurl.h"
typedef int ccurl_none;
