/* Prints what a game has under each name: hostile BASE NAME... A line for each: "file" and its content, "error" or "none". */

#include <quakefs.h>
#include <stdio.h>

static bool count(void *context, const quakefs_listed *file)
{
    (void)file;
    ++*(int *)context;
    return true;
}

int main(int argc, char **argv)
{
    quakefs_options options = {0};
    quakefs_search_path *quake;
    int i, files = 0;
    options.size = sizeof options;
    options.base = argv[1];
    options.engine = "darkplaces";
    options.on = "linux";
    if (quakefs_mount(&options, &quake) != QUAKEFS_STATUS_OK)
        return 1;
    if (quakefs_list(quake, NULL, count, &files) != QUAKEFS_STATUS_OK)
        return 2;
    printf("%d\n", files);
    for (i = 2; i < argc; i++) {
        char buffer[64] = "";
        quakefs_file *file;
        if (quakefs_find(quake, argv[i], NULL, NULL, 0) != QUAKEFS_STATUS_OK)
            printf("none\n");
        else if (quakefs_open(quake, argv[i], &file, NULL) != QUAKEFS_STATUS_OK)
            printf("error\n");
        else {
            if (quakefs_read(file, buffer, sizeof buffer - 1) < 0)
                printf("error\n");
            else
                printf("file %s\n", buffer);
            quakefs_close(file);
        }
    }
    quakefs_free(quake);
    return 0;
}
