/* The file code of a small engine: it loads everything onto a hunk, and its console tells where files come from.

   engine BASE [-engine NAME] [-game DIR]... [+COMMAND [NAME]]...
   Commands: path, which NAME, list PATTERN, map NAME, restart. */

#include <quakefs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hunk: memory that is allocated in order and freed all at once, when a level ends. */
static unsigned char hunk[32 << 20];
static size_t hunk_used;

static void *Hunk_Alloc(void *context, size_t size)
{
    const size_t rounded = (size + 15) & ~(size_t)15;
    (void)context;
    if (rounded < size || rounded > sizeof hunk - hunk_used)
        return NULL; /* quakefs_load fails with NO_MEMORY; a longjmp from here would leak */
    hunk_used += rounded;
    return hunk + hunk_used - rounded;
}

static quakefs_search_path *fs;

/* COM_LoadFile: the bytes and a NUL on the hunk, or NULL; `found` has their length and game directory. */
static void *COM_LoadFile(const char *name, quakefs_found *found)
{
    void *bytes = NULL;
    const quakefs_status status = quakefs_load(fs, name, Hunk_Alloc, NULL, &bytes, found);
    if (status != QUAKEFS_STATUS_OK && status != QUAKEFS_STATUS_NOT_FOUND)
        printf("%s\n", quakefs_last_error());
    return status == QUAKEFS_STATUS_OK ? bytes : NULL;
}

/* COM_FOpenFile: a FILE at the first byte, for code that streams. Use quakefs_open for compressed files. docs/porting.md has
   quakefs_fopen for Windows. */
static FILE *COM_FOpenFile(const char *name, uint64_t *size)
{
    quakefs_found found;
    FILE *file = quakefs_fopen(fs, name, &found);
    *size = file ? found.size : 0;
    return file;
}

/* A level, its music, and its coloured lights unless they come from a lower game directory. */
static void Host_Map_f(const char *map)
{
    char name[64], lights[64];
    quakefs_found level, light;
    uint64_t length = 0;
    FILE *music;
    snprintf(name, sizeof name, "maps/%s.bsp", map);
    snprintf(lights, sizeof lights, "maps/%s.lit", map);
    hunk_used = 0;
    if (!COM_LoadFile(name, &level)) {
        char *why = quakefs_explain(fs, name);
        printf("%s", why ? why : "");
        quakefs_free_text(why);
        return;
    }
    printf("%s: %llu bytes, %zu of the hunk in use\n", name, (unsigned long long)level.size, hunk_used);
    if (quakefs_find(fs, lights, &light, NULL, 0) == QUAKEFS_STATUS_OK && light.path_id >= level.path_id
        && COM_LoadFile(lights, &light))
        printf("%s: %llu bytes\n", lights, (unsigned long long)light.size);
    music = COM_FOpenFile("music/track02.ogg", &length);
    if (music && fclose(music) == 0)
        printf("music: streams %llu bytes\n", (unsigned long long)length);
}

static bool count_listed(void *context, const quakefs_listed *file)
{
    (void)file;
    ++*(unsigned long long *)context;
    return true;
}

static void COM_Path_f(void)
{
    quakefs_layer_info layer;
    for (uint32_t i = 0; quakefs_layer(fs, i, &layer) == QUAKEFS_STATUS_OK; i++) {
        unsigned long long files = 0;
        quakefs_list_layer(fs, i, "**", count_listed, &files);
        printf("%u %-16s %s, %llu files\n", layer.path_id, layer.name, layer.kind, files);
    }
}

static void COM_Which_f(const char *name)
{
    char *text = quakefs_explain(fs, name);
    printf("%s", text ? text : quakefs_last_error());
    quakefs_free_text(text);
}

static bool print_listed(void *context, const quakefs_listed *file)
{
    (void)context;
    /* a name comes from an archive: print only printable letters */
    for (size_t i = 0; i < file->name_length; i++)
        putchar(file->name[i] >= ' ' && file->name[i] <= '~' ? file->name[i] : '?');
    printf(" (%llu bytes)\n", (unsigned long long)file->size);
    return true;
}

static bool print_finding(void *context, const quakefs_finding *finding)
{
    (void)context;
    printf("%s%s\n", finding->severity == QUAKEFS_SEVERITY_NOTE ? "" : "warning: ", finding->text);
    if (finding->help[0] != '\0')
        printf("  help: %s\n", finding->help);
    return true;
}

/* Mounts the game again; nobody may still use the old search path. */
static void FS_Restart_f(void)
{
    quakefs_search_path *fresh;
    if (quakefs_remount(fs, &fresh) == QUAKEFS_STATUS_OK)
        quakefs_free(fs), fs = fresh;
    else
        printf("%s\n", quakefs_last_error());
}

int main(int argc, char **argv)
{
    const char *games[16] = {0};
    quakefs_options options = {.size = sizeof options, .base = argc > 1 ? argv[1] : ".", .games = games};
    int arg = 2, game = 0;
    for (; arg + 1 < argc && argv[arg][0] == '-'; arg += 2) {
        if (strcmp(argv[arg], "-engine") == 0)
            options.engine = argv[arg + 1];
        else if (strcmp(argv[arg], "-game") == 0 && game < 15)
            games[game++] = argv[arg + 1];
    }
    if (quakefs_mount(&options, &fs) != QUAKEFS_STATUS_OK) {
        fprintf(stderr, "%s\n", quakefs_last_error());
        return 1;
    }
    quakefs_findings(fs, print_finding, NULL);
    for (; arg < argc; arg++) {
        const char *value = arg + 1 < argc ? argv[arg + 1] : "";
        if (strcmp(argv[arg], "+path") == 0)
            COM_Path_f();
        else if (strcmp(argv[arg], "+restart") == 0)
            FS_Restart_f();
        else if (strcmp(argv[arg], "+which") == 0)
            COM_Which_f(value), arg++;
        else if (strcmp(argv[arg], "+list") == 0)
            quakefs_list(fs, value, print_listed, NULL), arg++;
        else if (strcmp(argv[arg], "+map") == 0)
            Host_Map_f(value), arg++;
    }
    quakefs_free(fs);
    return 0;
}
