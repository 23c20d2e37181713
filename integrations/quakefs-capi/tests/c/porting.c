/* What follows the code of docs/porting.md, so that it is a program. The game is the one of tests/it/main.rs. */

#include <stdarg.h>

#ifndef _WIN32
#include <sys/stat.h>

static FILE *Sys_fopen(const char *path, const char *mode) { return fopen(path, mode); }
static void Sys_mkdir(const char *path) { mkdir(path, 0777); }
#endif

static void *Hunk_AllocName(size_t size, const char *name) { return *name ? malloc(size) : NULL; }

static void Sys_Error(const char *error, ...)
{
    va_list arguments;
    va_start(arguments, error);
    vprintf(error, arguments);
    va_end(arguments);
    exit(1);
}

static void Con_Printf(const char *fmt, ...)
{
    va_list arguments;
    va_start(arguments, fmt);
    vprintf(fmt, arguments);
    va_end(arguments);
}

static void Cbuf_AddText(const char *text)
{
    fputs(text, stdout);
    free((void *)text);
}

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
    Cmd_ExecAll_f("autoexec.cfg");
    const bool allowed[] = {false, false, true, false, true};
    uint32_t longs[8];
    printf("%d %d\n", (int)FS_PureLayer("maps/start.bsp", allowed), FS_HeaderLongs(0, longs));
    COM_Game_f(argv[argc - 1], fresh);
    COM_Game_f(argv[argc - 1], mod);
    printf("%d\n", com_modified);
    fclose(COM_CreateFile("saves/config.cfg"));
    printf("%d\n", COM_FileExists("saves/config.cfg", NULL));
    for (int i = 0; i < 2; i++) {
        char download[4096];
        snprintf(download, sizeof download, "%s/%s.zip", argv[argc - 1], i == 0 ? "pd-3.0" : "skin");
        COM_Place_f(argv[argc - 1], download);
    }
    COM_Which_f("maps/%n%s.bsp");
    COM_Shutdown();
    return 0;
}
