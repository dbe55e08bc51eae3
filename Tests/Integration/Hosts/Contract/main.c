/* contract CASE: runs one case of what milepost.h promises. Without a case it lists them. Exit 0: the promise holds. */
#include "contract.h"

#include <unistd.h>

static const contract_case *const groups[] = {argument_cases, config_cases, route_cases, tracker_cases, journey_cases, reporter_cases,   guidance_cases,
                                              listener_cases, loop_cases,   token_cases, thread_cases,  stop_cases,    descriptor_cases, https_cases,
                                              security_cases, stop_list_cases, trip_cases, host_guidance_cases, state_cases, statistics_cases,
                                              backend_cases};

int main(int argc, char **argv) {
    /* A case that hangs is a failure, not a hang. */
    alarm(100);
    for (size_t group = 0; group < sizeof groups / sizeof *groups; group++)
        for (const contract_case *c = groups[group]; c->name; c++) {
            if (argc < 2) {
                puts(c->name);
            } else if (strcmp(c->name, argv[1]) == 0) {
                c->run();
                return 0;
            }
        }
    if (argc < 2) return 0;
    fprintf(stderr, "contract: no case %s\n", argv[1]);
    return 2;
}
