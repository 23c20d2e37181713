/* What follows the code of docs/porting.md, so that it is a program. The game is the one of tests/it/main.rs. */

#include <sys/stat.h>

static void *Hunk_AllocName(size_t size, const char *name) { return *name ? malloc(size) : NULL; }

static void Sys_Error(const char *text)
{
    puts(text);
    exit(1);
}

static void Con_Printf(const char *text) { puts(text); }

int main(int argc, char **argv)
{
    const char *mod[] = {"mod", NULL}, *fresh[] = {"fresh", NULL};
    unsigned int level = 0, lights = 0;
    long size = 0;
    FILE *file;
    COM_InitFilesystem(argv[argc - 1], mod);
    unsigned char *bytes = COM_LoadHunkFile("maps/e1m1.bsp", &level);
    const bool has_lights = COM_FileExists("progs.dat", &lights);
    printf("%s %u %d %u\n", bytes ? (char *)bytes : "none", level, has_lights, lights);
    free(bytes);
    printf("%d\n", COM_LoadHunkFile("nope", NULL) != NULL);
    file = COM_FOpenFile("progs.dat", &size);
    printf("%ld %c\n", size, getc(file));
    fclose(file);
    COM_Game_f(argv[argc - 1], fresh);
    mkdir(quakefs_write_directory(fs), 0777);
    fclose(COM_CreateFile("config.cfg"));
    printf("%d\n", COM_FileExists("config.cfg", NULL));
    COM_Which_f("maps/nope.bsp");
    quakefs_free(fs);
    return 0;
}
