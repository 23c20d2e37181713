/* Prints which engine, verdict and base directory a folder gives: choices FOLDER [SYSTEM]. */

#include "quakefs.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    quakefs_options options = {0};
    quakefs_search_path *quake;
    quakefs_choice choice;
    const char *verdict;
    options.size = sizeof options;
    options.folder = argc > 1 ? argv[1] : NULL;
    options.on = argc > 2 ? argv[2] : NULL;
    if (quakefs_mount(&options, &quake) != 0) {
        printf("refused\n");
        return 0;
    }
    if (quakefs_chosen(quake, &choice) != 0 || quakefs_chosen(quake, NULL) == 0)
        return 1;
    if (quakefs_verdict(quake, &verdict) != 0)
        return 1;
    printf("%s %s %s %s\n", choice.engine, choice.because, verdict, choice.base);
    quakefs_free(quake);
    return 0;
}
