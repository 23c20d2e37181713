/* Each function of quakefs.h, with good and bad arguments. The game is the one of tests/it/main.rs. */

#include <quakefs.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, quakefs_last_error());        \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static quakefs_search_path *mount(const char *base, uint32_t flags)
{
    const char *games[] = {"mod", NULL};
    quakefs_options options = {0};
    quakefs_search_path *quake = NULL;
    options.size = sizeof options;
    options.base = base;
    options.engine = "darkplaces";
    options.games = games;
    options.flags = flags;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK && quake);
    return quake;
}

static void *from_malloc(void *context, size_t size)
{
    ++*(int *)context;
    return malloc(size);
}

static void *none(void *context, size_t size)
{
    (void)context, (void)size;
    return NULL;
}

static bool count_file(void *context, const quakefs_listed *file)
{
    CHECK(strlen(file->name) == file->name_length && file->size > 0);
    return ++*(int *)context < 3;
}

static bool count_finding(void *context, const quakefs_finding *finding)
{
    CHECK(strlen(finding->text) > 0);
    ++*(int *)context;
    return true;
}

static bool count_unregistered(void *context, const quakefs_finding *finding)
{
    *(int *)context += strstr(finding->text, "pop.lmp") != NULL;
    return true;
}

static bool note_change(void *context, const quakefs_change *change)
{
    char *line = context;
    sprintf(line + strlen(line), "%d %s;", (int)change->kind, change->name);
    return true;
}

static void bad_arguments(const char *base)
{
    quakefs_options options = {0};
    quakefs_search_path *quake = (quakefs_search_path *)1;
    quakefs_found found;
    void *bytes;
    CHECK(quakefs_mount(NULL, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && !quake);
    CHECK(strcmp(quakefs_last_error(), "options is NULL") == 0);
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.size = sizeof options;
    CHECK(quakefs_mount(&options, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.base = "";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(strstr(quakefs_last_error(), "base is empty"));
    options.base = base;
    /* a size that ends within a field */
    for (options.size = 0; options.size < sizeof options; options.size++)
        if (options.size % sizeof(void *) != 0 || options.size < offsetof(quakefs_options, engine))
            CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && !quake);
    /* a program that was built with a later header, and sets what this library does not know */
    struct {
        quakefs_options options;
        const char *later;
    } later = {options, NULL};
    later.options.size = sizeof later;
    CHECK(quakefs_mount(&later.options, &quake) == QUAKEFS_STATUS_OK && quake);
    quakefs_free(quake);
    later.later = "set";
    CHECK(quakefs_mount(&later.options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && !quake);
    options.size = sizeof options;
    options.engine = "no such engine";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.engine = "\xff";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.engine = NULL;
    options.flags = 1u << 31;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.flags = 0;
    options.base = "/nowhere/at/all";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_NOT_MOUNTED && !quake);
    CHECK(strstr(quakefs_last_error(), "/nowhere/at/all"));
    /* a program that was built with an older header: no games, no flags */
    options.base = base;
    options.size = offsetof(quakefs_options, games);
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK && quake);
    CHECK(quakefs_find(quake, NULL, &found, NULL, 0) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_find(NULL, "a", &found, NULL, 0) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_load(quake, "quake.rc", NULL, NULL, &bytes, &found) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_load(quake, "quake.rc", none, NULL, NULL, &found) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_load(quake, "quake.rc", none, NULL, &bytes, &found) == QUAKEFS_STATUS_NO_MEMORY);
    CHECK(quakefs_list_layer(quake, 99, NULL, count_file, NULL) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_engines(NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(!quakefs_write_directory(NULL) && !quakefs_retain(NULL));
    CHECK(quakefs_list(quake, "{", count_file, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_list(quake, NULL, NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_findings(NULL, count_finding, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_remount(quake, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(!quakefs_explain(NULL, "a") && quakefs_layer_count(NULL) == 0 && quakefs_size(NULL) == 0);
    CHECK(quakefs_read(NULL, &found, 1) == -1 && quakefs_seek(NULL, 0, SEEK_SET) == -1);
    quakefs_free(quake);
    quakefs_free(NULL);
    quakefs_close(NULL);
    quakefs_free_text(NULL);
}

/* a download tells where it goes, how it starts, or why it goes nowhere */
static void places(const char *base)
{
    const quakefs_placement *placed = (const quakefs_placement *)1;
    const char *bad_names[] = {"", "..", "../pd", "a/b"};
    const quakefs_effects *effects = (const quakefs_effects *)1;
    char path[4096];
    quakefs_options options = {0};
    quakefs_search_path *quake;
    CHECK(quakefs_place(NULL, base, NULL, NULL, &placed) == QUAKEFS_STATUS_BAD_ARGUMENT && !placed);
    snprintf(path, sizeof path, "%s/none.zip", base);
    CHECK(quakefs_place(path, base, NULL, NULL, &placed) == QUAKEFS_STATUS_IO && !placed);
    CHECK(strstr(quakefs_last_error(), "none.zip"));
    snprintf(path, sizeof path, "%s/pd-3.0.zip", base);
    CHECK(quakefs_place(path, "/nowhere", NULL, NULL, &placed) != QUAKEFS_STATUS_OK && !placed);
    CHECK(strstr(quakefs_last_error(), "it is for Quake, and "));
    CHECK(quakefs_place(path, NULL, NULL, NULL, &placed) == QUAKEFS_STATUS_OK && placed->part_count == 1);
    CHECK(quakefs_effects_of(placed, &effects) == QUAKEFS_STATUS_NOT_FOUND && !effects);
    quakefs_free_placement(placed);
    CHECK(quakefs_place(path, NULL, "no such engine", NULL, &placed) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_place(path, NULL, NULL, NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    for (size_t i = 0; i < sizeof bad_names / sizeof *bad_names; i++) {
        CHECK(quakefs_place(path, base, NULL, bad_names[i], &placed) == QUAKEFS_STATUS_OK && placed->part_count == 0);
        CHECK(strcmp(placed->nothing, "bad-name") == 0 && placed->reason);
        quakefs_free_placement(placed);
    }
    CHECK(quakefs_place(path, base, NULL, "\xff", &placed) == QUAKEFS_STATUS_BAD_ARGUMENT && !placed);

    CHECK(quakefs_place(path, base, "quakespasm", NULL, &placed) == QUAKEFS_STATUS_OK);
    CHECK(placed->part_count == 1 && placed->start_count == 1 && strcmp(placed->family, "Quake") == 0);
    CHECK(!placed->nothing && !placed->reason && !placed->help);
    CHECK(strstr(placed->notes[0], "it needs Quoth, whose folder quoth/ is not in the base directory") && !placed->notes[1]);
    CHECK(strcmp(placed->left[0], "pd-3.0/readme.txt") == 0 && !placed->left[1]);
    const quakefs_part *part = placed->parts;
    CHECK(strcmp(part->from, "pd-3.0/pd/") == 0 && strcmp(part->to, "pd/") == 0 && strcmp(part->by, "folder") == 0);
    CHECK(part->files == 2 && strcmp(part->game, "pd") == 0 && !part->text);
    const quakefs_start *start = placed->starts;
    CHECK(strcmp(start->words[0], "-quoth") == 0 && strcmp(start->words[4], "start") == 0 && !start->words[5]);
    CHECK(strcmp(start->missions[0], "quoth") == 0 && strcmp(start->level, "start") == 0);
    CHECK(strcmp(placed->engine, "quakespasm") == 0 && placed->same == 0 && !*placed->different);
    /* what it would change, before anything is written */
    CHECK(quakefs_effects_of(NULL, &effects) == QUAKEFS_STATUS_BAD_ARGUMENT && !effects);
    CHECK(quakefs_effects_of(placed, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_effects_of(placed, &effects) == QUAKEFS_STATUS_OK && effects->change_count == 2);
    CHECK(strcmp(effects->changes[0].name, "maps/start.bsp") == 0 && strcmp(effects->changes[0].layer, "pd/") == 0);
    CHECK(strcmp(effects->changes[0].overrides, "id1/pak0.pak") == 0 && !effects->changes[1].overrides);
    CHECK(effects->problem_count == 0 || *effects->problems->text);
    quakefs_free_effects(effects);
    quakefs_free_effects(NULL);
    /* the game of the download is mounted as it is started */
    options.size = sizeof options, options.base = base, options.games = start->games, options.missions = start->missions;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strstr(quakefs_write_directory(quake), "/pd"));
    quakefs_free(quake);
    quakefs_free_placement(placed);

    snprintf(path, sizeof path, "%s/flat.zip", base);
    CHECK(quakefs_place(path, NULL, NULL, NULL, &placed) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(placed->parts->by, "text") == 0 && strcmp(placed->parts->text, "play it with -game frikbot: 100%n fun") == 0);
    quakefs_free_placement(placed);
    CHECK(quakefs_place(path, NULL, NULL, "mine", &placed) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(placed->parts->to, "mine/") == 0 && strcmp(placed->parts->by, "as") == 0 && !*placed->parts->from);
    quakefs_free_placement(placed);

    snprintf(path, sizeof path, "%s/skin.zip", base);
    CHECK(quakefs_place(path, base, NULL, NULL, &placed) == QUAKEFS_STATUS_OK && placed->part_count == 0);
    CHECK(strcmp(placed->nothing, "loose") == 0 && strstr(placed->reason, "without a folder") && placed->help);
    CHECK(placed->start_count == 0 && strcmp(placed->left[0], "ogre.mdl") == 0);
    quakefs_free_placement(placed);
    quakefs_free_placement(NULL);
}

/* a sentence after a failure alone, and no call that cannot fail changes it */
static void says_why(const char *base)
{
    quakefs_search_path *quake = mount(base, 0);
    quakefs_layer_info layer;
    CHECK(quakefs_layer(quake, 0, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(strcmp(quakefs_last_error(), "info is NULL") == 0);
    quakefs_free(quakefs_retain(quake));
    CHECK(*quakefs_version() && quakefs_layer_count(quake) == 5 && quakefs_write_directory(quake));
    CHECK(quakefs_size(NULL) == 0 && strcmp(quakefs_last_error(), "info is NULL") == 0);
    CHECK(quakefs_layer(quake, 99, &layer) == QUAKEFS_STATUS_NOT_FOUND && !*quakefs_last_error());
    CHECK(quakefs_list_layer(quake, 99, NULL, count_file, NULL) == QUAKEFS_STATUS_NOT_FOUND && !*quakefs_last_error());
    quakefs_free(quake);
}

/* path, offset and length are the bytes */
static void finds(const quakefs_search_path *quake)
{
    quakefs_found found = {0}, lit = {0};
    char path[4096], bytes[64], small[4];
    FILE *file;
    CHECK(quakefs_find(quake, "maps/e1m1.bsp", &found, path, sizeof path) == QUAKEFS_STATUS_OK);
    CHECK(found.plain && found.entry == 1 && found.path_id == 1 && strlen(path) + 1 == found.path_size);
    file = fopen(path, "rb");
    CHECK(file && fseek(file, (long)found.offset, SEEK_SET) == 0);
    CHECK(fread(bytes, 1, found.size, file) == found.size);
    fclose(file);
    CHECK(found.size == 14 && memcmp(bytes, "id1/pak0.pak:1", 14) == 0);

    CHECK(quakefs_find(quake, "progs.dat", &lit, path, sizeof path) == QUAKEFS_STATUS_OK);
    CHECK(lit.plain && lit.entry == -1 && lit.offset == 0 && lit.path_id == 2 && lit.path_id > found.path_id);
    CHECK(strcmp(path + strlen(path) - 14, "/mod/progs.dat") == 0);

    CHECK(quakefs_find(quake, "text.txt", &found, path, sizeof path) == QUAKEFS_STATUS_OK);
    CHECK(!found.plain && found.size == 110000 && strstr(path, "extra.pk3"));
    CHECK(quakefs_find(quake, "text.txt", NULL, NULL, 0) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_find(quake, "text.txt", &found, small, sizeof small) == QUAKEFS_STATUS_TOO_SMALL);
    CHECK(quakefs_find(quake, "nope", &found, path, sizeof path) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_find(quake, "../secret", &found, path, sizeof path) == QUAKEFS_STATUS_NOT_FOUND);
}

static bool same(const quakefs_found *one, const quakefs_found *other)
{
    return one->size == other->size && one->offset == other->offset && one->entry == other->entry
           && one->layer == other->layer && one->path_id == other->path_id && one->path_size == other->path_size
           && one->plain == other->plain;
}

static void loads(const quakefs_search_path *quake)
{
    const char *names[] = {"maps/start.bsp", "maps/e1m1.bsp", "text.txt", "progs.dat"};
    int allocations = 0;
    for (int i = 0; i < 4; i++) {
        void *bytes = NULL;
        quakefs_found found, loaded, opened;
        quakefs_file *file = NULL;
        CHECK(quakefs_load(quake, names[i], from_malloc, &allocations, &bytes, &loaded) == QUAKEFS_STATUS_OK);
        CHECK(((char *)bytes)[loaded.size] == 0 && strlen(bytes) == loaded.size && allocations == i + 1);
        free(bytes);
        CHECK(quakefs_find(quake, names[i], &found, NULL, 0) == QUAKEFS_STATUS_OK && same(&found, &loaded));
        CHECK(quakefs_open(quake, names[i], &file, &opened) == QUAKEFS_STATUS_OK && same(&found, &opened));
        quakefs_close(file);
    }
    void *bytes = (void *)1;
    quakefs_found found = {.size = 1};
    CHECK(quakefs_load(quake, "nope", from_malloc, &allocations, &bytes, &found) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(!bytes && found.size == 0 && allocations == 4);
    CHECK(quakefs_load(quake, "quake.rc", from_malloc, &allocations, &bytes, NULL) == QUAKEFS_STATUS_OK);
    free(bytes);
}

/* a FILE at the first byte, wherever that is */
static void files(const quakefs_search_path *quake)
{
    const char *names[] = {"maps/e1m1.bsp", "progs.dat", "gfx/conback.lmp"};
    for (int i = 0; i < 3; i++) {
        char bytes[64];
        void *expected;
        int allocations = 0;
        quakefs_found found, loaded;
        FILE *file = quakefs_fopen(quake, names[i], &found);
        CHECK(quakefs_load(quake, names[i], from_malloc, &allocations, &expected, &loaded) == QUAKEFS_STATUS_OK);
        CHECK(file && same(&found, &loaded) && found.size < sizeof bytes);
        CHECK(fread(bytes, 1, found.size, file) == found.size && memcmp(bytes, expected, found.size) == 0);
        fclose(file), free(expected);
    }
    CHECK(!quakefs_fopen(quake, "nope", NULL) && strcmp(quakefs_last_error(), "") == 0);
    CHECK(quakefs_descriptor(quake, "text.txt", NULL) == -1 && strstr(quakefs_last_error(), "compressed"));
}

static void streams(const quakefs_search_path *quake)
{
    quakefs_file *file = NULL;
    char bytes[12] = {0};
    int64_t sum = 0, count;
    CHECK(quakefs_open(quake, "text.txt", NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    quakefs_close(NULL);
    CHECK(strcmp(quakefs_last_error(), "file is NULL") == 0);
    CHECK(quakefs_open(quake, "nope", &file, NULL) == QUAKEFS_STATUS_NOT_FOUND && !file);
    CHECK(strcmp(quakefs_last_error(), "") == 0);
    CHECK(quakefs_open(quake, "text.txt", NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_open(quake, "text.txt", &file, NULL) == QUAKEFS_STATUS_OK && quakefs_size(file) == 110000);
    while ((count = quakefs_read(file, bytes, sizeof bytes)) > 0)
        sum += count;
    CHECK(count == 0 && sum == 110000);
    CHECK(quakefs_seek(file, 99990, SEEK_SET) == 99990 && quakefs_seek(file, -99979, SEEK_CUR) == 11);
    CHECK(quakefs_read(file, bytes, 10) == 10 && memcmp(bytes, "compressed", 10) == 0);
    CHECK(quakefs_seek(file, -1, SEEK_END) == 109999 && quakefs_read(file, bytes, 10) == 1 && bytes[0] == ' ');
    CHECK(quakefs_seek(file, 1, SEEK_END) == 110000 && quakefs_read(file, bytes, 10) == 0);
    CHECK(quakefs_seek(file, -1, SEEK_CUR) == 109999 && quakefs_read(file, bytes, 10) == 1);
    CHECK(quakefs_seek(file, -1, SEEK_SET) == -1 && quakefs_seek(file, 0, 7) == -1);
    CHECK(quakefs_seek(file, -200000, SEEK_CUR) == -1 && strstr(quakefs_last_error(), "before the start"));
    CHECK(quakefs_seek(file, 0, SEEK_SET) == 0 && strcmp(quakefs_last_error(), "") == 0);
    CHECK(quakefs_read(file, NULL, 1) == -1 && quakefs_read(file, NULL, 0) == 0);
    quakefs_close(file);
}

static bool note_file(void *context, const quakefs_listed *file)
{
    char *line = context;
    sprintf(line + strlen(line), "%s %d;", file->name, (int)file->size);
    return true;
}

static uint32_t layer_called(const quakefs_search_path *quake, const char *name)
{
    quakefs_layer_info layer;
    uint32_t number = 0;
    while (quakefs_layer(quake, number, &layer) == QUAKEFS_STATUS_OK && strcmp(layer.name, name) != 0)
        number++;
    return number;
}

/* each copy of a name, and its bytes */
static void copies(const quakefs_search_path *quake)
{
    const char *layers[] = {"mod/", "mod/extra.pk3", "id1/pak0.pak"}, *texts[] = {"loose", "hidden", "id1/pak0.pak:0"};
    char names[256] = "";
    int allocations = 0;
    quakefs_found found;
    void *bytes;
    CHECK(quakefs_copies(quake, "maps/start.bsp", note_file, names) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(names, "maps/start.bsp 5;maps/start.bsp 6;maps/start.bsp 14;") == 0);
    for (int i = 0; i < 3; i++) {
        const uint32_t layer = layer_called(quake, layers[i]);
        CHECK(quakefs_load_layer(quake, layer, "maps/start.bsp", from_malloc, &allocations, &bytes, &found)
              == QUAKEFS_STATUS_OK);
        CHECK(found.layer == layer && found.size == strlen(texts[i]) && strcmp(bytes, texts[i]) == 0);
        free(bytes);
    }
    CHECK(quakefs_load_layer(quake, layer_called(quake, "mod/pak0.pak"), "maps/start.bsp", from_malloc, &allocations,
                             &bytes, NULL) == QUAKEFS_STATUS_NOT_FOUND && !bytes && allocations == 3);
    CHECK(quakefs_load_layer(quake, 99, "maps/start.bsp", from_malloc, &allocations, &bytes, NULL)
          == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_copies(quake, "nope", note_file, names) == QUAKEFS_STATUS_NOT_FOUND && !*quakefs_last_error());
    CHECK(quakefs_copies(quake, "maps/start.bsp", NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
}

static bool note_entry(void *context, const quakefs_entry *entry)
{
    char *line = context;
    sprintf(line + strlen(line), "%d %s %d %08x%s;", (int)entry->entry, entry->name, (int)entry->size, (unsigned)entry->crc,
            entry->is_folder ? "/" : "");
    return true;
}

/* one layer: its rows in the archive's order, and its copies found and opened */
static void layers(const quakefs_search_path *quake)
{
    const uint32_t zip = layer_called(quake, "mod/extra.pk3"), folder = layer_called(quake, "mod/");
    char rows[256] = "", path[4096], bytes[8] = "";
    quakefs_file *file;
    quakefs_found found;
    CHECK(quakefs_entries(quake, zip, note_entry, rows) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(rows, "0 text.txt 110000 ", 18) == 0 && strstr(rows, ";1 maps/start.bsp 6 885de9bd;"));
    rows[0] = 0;
    CHECK(quakefs_entries(quake, layer_called(quake, "id1/pak0.pak"), note_entry, rows) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(rows, "0 maps/start.bsp 14 00000000;1 maps/e1m1.bsp 14 00000000;2 quake.rc 4 00000000;") == 0);
    CHECK(quakefs_entries(quake, folder, note_entry, rows) == QUAKEFS_STATUS_OK && strlen(rows) > 70);
    CHECK(quakefs_entries(quake, 99, note_entry, rows) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_entries(quake, 0, NULL, rows) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_find_layer(quake, zip, "maps/start.bsp", &found, path, sizeof path) == QUAKEFS_STATUS_OK);
    CHECK(found.layer == zip && found.size == 6 && !found.plain && strstr(path, "mod/extra.pk3"));
    CHECK(quakefs_find_layer(quake, folder, "text.txt", &found, NULL, 0) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_open_layer(quake, zip, "maps/start.bsp", &file, &found) == QUAKEFS_STATUS_OK && found.layer == zip);
    CHECK(quakefs_read(file, bytes, 8) == 6 && strcmp(bytes, "hidden") == 0);
    quakefs_close(file);
    CHECK(quakefs_open_layer(quake, zip, "progs.dat", &file, NULL) == QUAKEFS_STATUS_NOT_FOUND && !file);
}

static bool note_overridden(void *context, const quakefs_overridden_copy *copy)
{
    char *line = context;
    sprintf(line + strlen(line), "%s %d %d %s %d;", copy->file.name, (int)copy->file.size, (int)copy->overridden.size,
            copy->because, (int)copy->same);
    CHECK(copy->file.layer < copy->overridden.layer && *copy->rule);
    return true;
}

static bool note_difference(void *context, const quakefs_difference *difference)
{
    char *line = context;
    CHECK(difference->winner_count == 2 && *difference->because && *difference->rule);
    CHECK(strlen(difference->name) == difference->name_length);
    sprintf(line + strlen(line), "%s", difference->name);
    for (size_t i = 0; i < difference->winner_count; i++)
        sprintf(line + strlen(line), " %s:%s", difference->winners[i].engine,
                difference->winners[i].layer ? difference->winners[i].layer : "none");
    strcat(line, ";");
    return true;
}

/* what engines load differently of one game */
static void compares(const char *base)
{
    const char *engines[] = {"darkplaces", "quakespasm@windows", NULL}, *games[] = {"mod", NULL};
    char lines[2048] = "";
    quakefs_options options = {.size = sizeof options, .base = base, .engine = "fte", .games = games};
    CHECK(quakefs_compare(&options, engines, note_difference, lines) == QUAKEFS_STATUS_OK);
    CHECK(strstr(lines, "text.txt darkplaces:mod/extra.pk3 quakespasm@windows:none;"));
    CHECK(quakefs_compare(&options, engines, NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    engines[1] = "yquake2";
    CHECK(quakefs_compare(&options, engines, note_difference, lines) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(strstr(quakefs_last_error(), "are for different games"));
    engines[1] = "zoo";
    CHECK(quakefs_compare(&options, engines, note_difference, lines) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_compare(NULL, engines, note_difference, lines) == QUAKEFS_STATUS_BAD_ARGUMENT);
}

#ifdef QUAKEFS_NEEDS
static bool count_unused(void *context, const quakefs_unused_file *unused)
{
    *(int *)context += unused->file.name_length > 0;
    return true;
}

/* the program of this game is no program */
static void unused(const quakefs_search_path *quake)
{
    int count = 0;
    CHECK(quakefs_unused(quake, NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(quakefs_unused(quake, count_unused, &count) == QUAKEFS_STATUS_UNKNOWN && count == 0);
    CHECK(strstr(quakefs_last_error(), "the unused files are unknown"));
}
#endif

static void lists(const quakefs_search_path *quake)
{
    int files = 0, findings = 0;
    quakefs_layer_info layer;
    char *text;
    CHECK(quakefs_list(quake, "maps/*.bsp", count_file, &files) == QUAKEFS_STATUS_OK && files == 2);
    files = 0;
    CHECK(quakefs_list(quake, NULL, count_file, &files) == QUAKEFS_STATUS_OK && files == 3);
    CHECK(quakefs_layer_count(quake) == 5 && quakefs_layer(quake, 5, &layer) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_layer(quake, 4, &layer) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(layer.directory, "id1") == 0 && layer.path_id == 1 && strlen(layer.kind) == 3);
    CHECK(strcmp(quakefs_write_directory(quake) + strlen(quakefs_write_directory(quake)) - 4, "/mod") == 0);
    /* what a layer has, also if a higher one hides it */
    char names[256] = "";
    CHECK(quakefs_list_layer(quake, layer_called(quake, "mod/extra.pk3"), NULL, note_file, names) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(names, "maps/start.bsp 6;text.txt 110000;") == 0);
    names[0] = 0;
    CHECK(quakefs_list_layer(quake, layer_called(quake, "mod/"), "*/*", note_file, names) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(names, "maps/start.bsp 5;") == 0);
    CHECK(quakefs_findings(quake, count_finding, &findings) == QUAKEFS_STATUS_OK && findings == 0);
    CHECK(quakefs_check(quake, count_finding, &findings) == QUAKEFS_STATUS_OK && findings > 0);
    const char *verdict;
    CHECK(quakefs_verdict(quake, &verdict) == QUAKEFS_STATUS_OK && strlen(verdict) > 0);
    CHECK(quakefs_verdict(quake, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    copies(quake);
    layers(quake);
    names[0] = 0;
    CHECK(quakefs_overridden(quake, note_overridden, names) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(names, "maps/start.bsp 5 6 ", 19) == 0 && strstr(names, "maps/start.bsp 5 14 ") && strstr(names, " 0;"));
    CHECK(quakefs_overridden(quake, NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
#ifdef QUAKEFS_NEEDS
    unused(quake);
#endif
    text = quakefs_explain(quake, "maps/start.bsp");
    CHECK(text && strstr(text, "mod/ (5 bytes)") && strstr(text, "overrides id1/pak0.pak (entry 0, 14 bytes): "));
    quakefs_free_text(text);
    text = quakefs_explain(quake, "e1m1.bsp\033[2J");
    CHECK(text && strstr(text, "not found") && !strchr(text, '\033'));
    quakefs_free_text(text);
    text = quakefs_explain(quake, "e1m1.bsp");
    CHECK(text && strstr(text, "\n  help: ") && text[strlen(text) - 1] == '\n');
    quakefs_free_text(text);
}

/* what was listed at the mount has changed since */
static void grows(const char *base)
{
    quakefs_search_path *quake = NULL;
    char path[4096];
    int allocations = 0;
    void *bytes;
    quakefs_found found;
    snprintf(path, sizeof path, "%s/mod/grows.cfg", base);
    for (int listed = 0; listed < 2; listed++) {
        const char *texts[] = {"bind x", "bind x quit; bind y quit", "b", ""};
        for (int i = 0; i < 4; i++) {
            FILE *file = fopen(path, "wb");
            CHECK(file && fputs(texts[i], file) >= 0 && fclose(file) == 0);
            if (i == 0)
                quake = mount(base, listed ? QUAKEFS_LISTED : 0);
            CHECK(quakefs_load(quake, "grows.cfg", from_malloc, &allocations, &bytes, &found) == QUAKEFS_STATUS_OK);
            CHECK(found.size == strlen(texts[i]) && strcmp(bytes, texts[i]) == 0);
            free(bytes);
        }
        quakefs_free(quake);
    }
    remove(path);
}

static bool note_companion(void *context, const quakefs_companion *companion)
{
    char *names = context;
    sprintf(names + strlen(names), "%s %d %s %s;", companion->file.name, companion->loaded, companion->because,
            companion->setting ? companion->setting : "always");
    return true;
}

/* the light of a level counts where it is no lower than the level */
static void companions(const char *base)
{
    const char *games[] = {"mod", NULL}, *places[] = {"id1/maps", "mod/maps"};
    char folder[4096], path[5000], names[256];
    quakefs_search_path *quake;
    quakefs_options options = {.size = sizeof options, .base = base, .engine = "quakespasm", .games = games};
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    for (int i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, "%s/%s", base, places[i]);
        bool made = mkdir(folder, 0777) == 0;
        snprintf(path, sizeof path, "%s/start.ent", folder);
        fclose(fopen(path, "wb"));
        names[0] = 0;
        CHECK(quakefs_companions(quake, "maps/start.bsp", note_companion, names) == QUAKEFS_STATUS_OK);
        CHECK(strncmp(names, i ? "maps/start.ent 1 loaded" : "maps/start.ent 0 below-level", 23) == 0);
        remove(path);
        if (made)
            CHECK(remove(folder) == 0);
    }
    names[0] = 0;
    CHECK(quakefs_companions(quake, "maps/start.bsp", note_companion, names) == QUAKEFS_STATUS_OK && !names[0]);
    CHECK(quakefs_companions(quake, "maps/start.bsp", NULL, NULL) == QUAKEFS_STATUS_BAD_ARGUMENT);
    quakefs_free(quake);
}

static void *ends_the_program(void *context, size_t size)
{
    (void)size;
    exit(*(int *)context);
}

/* a file that cannot be opened is no failed read */
static void not_opened(const char *base)
{
    quakefs_search_path *quake;
    quakefs_file *open;
    char path[4096];
    void *bytes;
    quakefs_found found;
    snprintf(path, sizeof path, "%s/mod/gone.cfg", base);
    fclose(fopen(path, "wb"));
    quake = mount(base, QUAKEFS_LISTED);
    remove(path);
    CHECK(quakefs_load(quake, "gone.cfg", none, NULL, &bytes, &found) == QUAKEFS_STATUS_NOT_OPENED);
    CHECK(strstr(quakefs_last_error(), "gone.cfg") && !bytes && found.size == 0);
    CHECK(quakefs_open(quake, "gone.cfg", &open, NULL) == QUAKEFS_STATUS_NOT_OPENED && !open);
    quakefs_free(quake);
}

/* an archive is cut short while it is mounted: an error, and no signal */
static void cut_short(const char *base)
{
    quakefs_search_path *quake;
    quakefs_file *file = NULL;
    char pak[4096], copy[4096], bytes[16];
    int allocations = 0;
    void *loaded = NULL;
    quakefs_found found;
    snprintf(pak, sizeof pak, "%s/id1/pak0.pak", base);
    snprintf(copy, sizeof copy, "%s/id1/pak1.pak", base);
    FILE *from = fopen(pak, "rb"), *to = fopen(copy, "wb");
    CHECK(from && to);
    for (int byte; (byte = getc(from)) != EOF;)
        putc(byte, to);
    fclose(from), fclose(to);
    quake = mount(base, 0);
    CHECK(quakefs_find(quake, "maps/e1m1.bsp", &found, pak, sizeof pak) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(pak, copy) == 0);
    CHECK(quakefs_open(quake, "maps/e1m1.bsp", &file, NULL) == QUAKEFS_STATUS_OK);
    fclose(fopen(copy, "wb"));
    CHECK(quakefs_read(file, bytes, 4) == -1 && strstr(quakefs_last_error(), "pak1.pak"));
    quakefs_close(file);
    CHECK(quakefs_load(quake, "maps/e1m1.bsp", from_malloc, &allocations, &loaded, &found) == QUAKEFS_STATUS_IO);
    CHECK(strstr(quakefs_last_error(), "pak1.pak") && allocations == 1 && loaded && found.size == 0);
    free(loaded);
    CHECK(!quakefs_fopen(quake, "maps/e1m1.bsp", NULL) && strstr(quakefs_last_error(), "another one"));
    CHECK(quakefs_open(quake, "maps/e1m1.bsp", &file, NULL) != QUAKEFS_STATUS_OK || quakefs_read(file, bytes, 4) == -1);
    quakefs_close(file);
    quakefs_free(quake);
    remove(copy);
}

/* a damaged entry is the same failure as a load, a stream and a place in it */
static void damaged(const char *base)
{
    quakefs_search_path *quake;
    quakefs_file *file = NULL;
    char whole[4096], copy[4096], why[4096], bytes[16];
    int allocations = 0;
    void *loaded = NULL;
    snprintf(whole, sizeof whole, "%s/mod/extra.pk3", base);
    snprintf(copy, sizeof copy, "%s/mod/more.pk3", base);
    FILE *from = fopen(whole, "rb"), *to = fopen(copy, "wb");
    CHECK(from && to);
    for (int at = 0, byte; (byte = getc(from)) != EOF; at++)
        putc(at >= 80 && at < 90 ? ~byte : byte, to);
    fclose(from), fclose(to);
    quake = mount(base, 0);
    const quakefs_status status = quakefs_load(quake, "text.txt", from_malloc, &allocations, &loaded, NULL);
    CHECK(status == QUAKEFS_STATUS_DAMAGED && strstr(quakefs_last_error(), "mod/more.pk3"));
    snprintf(why, sizeof why, "%s", quakefs_last_error());
    free(loaded);
    CHECK(quakefs_open(quake, "text.txt", &file, NULL) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_seek(file, -2, SEEK_END) == -1 && strcmp(quakefs_last_error(), why) == 0);
    CHECK(quakefs_seek(file, 0, SEEK_SET) == 0 || strcmp(quakefs_last_error(), why) == 0);
    while (quakefs_read(file, bytes, sizeof bytes) > 0)
        ;
    CHECK(strcmp(quakefs_last_error(), why) == 0);
    quakefs_close(file);
    quakefs_free(quake);
    remove(copy);
}

static bool find_engine(void *context, const quakefs_engine *engine)
{
    if (strcmp(engine->name, "quakespasm") == 0 && engine->recorded)
        strcpy(context, engine->version);
    return true;
}

static void note_archive(void *context, const char *archive, size_t done, size_t total)
{
    char *line = context;
    sprintf(line + strlen(line), "%s %d of %d;", archive, (int)done, (int)total);
}

static const char *layers_of(const quakefs_search_path *quake)
{
    static char line[4096];
    quakefs_layer_info layer;
    line[0] = 0;
    for (uint32_t i = 0; quakefs_layer(quake, i, &layer) == QUAKEFS_STATUS_OK; i++)
        sprintf(line + strlen(line), "%s;", layer.name);
    return line;
}

/* what can be asked for beside games */
static void options(const char *base)
{
    static const unsigned char empty_pak[] = "PACK\14\0\0\0\0\0\0";
    char home[4096], bases[4096], loose[4096], version[256] = "";
    const char *more_bases[] = {bases, NULL}, *games[] = {"mod", NULL};
    quakefs_search_path *quake;
    quakefs_source sources[2] = {{0}};
    quakefs_options options = {.size = sizeof options, .base = base, .games = games};
    snprintf(home, sizeof home, "%s/home", base);
    snprintf(bases, sizeof bases, "%s/more", base);
    snprintf(loose, sizeof loose, "%s/mod/maps", base);
    CHECK(quakefs_engines(find_engine, version) == QUAKEFS_STATUS_OK && strstr(version, "QuakeSpasm "));

    options.flags = QUAKEFS_GAMES_EXIST, games[0] = "mood";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_NOT_MOUNTED && strstr(quakefs_last_error(), "folder mood"));
    options.flags = 0, games[0] = "mod";
    /* a mod on a game that is not registered */
    int unregistered = 0;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_check(quake, count_unregistered, &unregistered) == QUAKEFS_STATUS_OK && unregistered == 1);
    quakefs_free(quake);
    options.rules = "inherit = \"quakespasm\"\nname = \"mine\"\nloose.position = \"above\"";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(layers_of(quake), "mod/;mod/pak0.pak;id1/;id1/pak0.pak;") == 0);
    quakefs_free(quake);
    char *keys = quakefs_engine_rules("quakespasm");
    options.rules = keys;
    CHECK(keys && quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    quakefs_free(quake), quakefs_free_text(keys);
    CHECK(!quakefs_engine_rules("zoo") && strstr(quakefs_last_error(), "zoo") && !quakefs_engine_rules(NULL));
    options.engine = "quakespasm", options.rules = "";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "both"));
    options.engine = NULL, options.rules = "loose.position = \"beside\"";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "rules: "));

    /* a second base directory above the first, and the user's own below the home folder */
    options.rules = NULL, options.engine = "ironwail", options.home = home, options.on = "linux";
    options.more_bases = more_bases;
    CHECK(mkdir(bases, 0777) == 0 && mkdir(strcat(bases, "/mod"), 0777) == 0);
    *strrchr(bases, '/') = 0;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(layers_of(quake), "home/.ironwail/mod/;more/mod/;mod/pak0.pak;", 43) == 0);
    CHECK(strstr(quakefs_write_directory(quake), "home/.ironwail/mod"));
    quakefs_layer_info highest;
    CHECK(quakefs_layer(quake, 0, &highest) == QUAKEFS_STATUS_OK && strcmp(highest.directory, "mod") == 0);
    quakefs_free(quake);
    options.games = NULL, options.base_games = games, options.more_bases = NULL, options.home = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK && !strstr(layers_of(quake), "id1"));
    quakefs_free(quake);
    const char *settings[] = {"fs_basegame=mod", NULL};
    options.engine = "ioquake3", options.base_games = NULL, options.settings = settings;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK && strstr(layers_of(quake), "mod/"));
    quakefs_free(quake);
    settings[0] = "fs_basegame";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "NAME=VALUE"));
    settings[0] = "fs_nothing=mod";
    CHECK(quakefs_mount(&options, &quake) != QUAKEFS_STATUS_OK && strstr(quakefs_last_error(), "fs_nothing"));
    options.engine = "ironwail", options.base_games = games, options.settings = NULL;
    options.on = "amiga";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "amiga"));
    options.games = games, options.base_games = NULL;
    CHECK(remove(strcat(bases, "/mod")) == 0);
    *strrchr(bases, '/') = 0;
    CHECK(remove(bases) == 0);

    /* a folder, and an archive in memory, above everything; without a base directory too */
    options.on = NULL, options.engine = NULL, options.home = NULL, options.more_bases = NULL;
    options.mounts = sources, options.mount_count = 2;
    sources[0].path = loose;
    sources[1].path = "unsaved.pak", sources[1].bytes = empty_pak, sources[1].size = 12, sources[1].layout = "quake";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(layers_of(quake), "unsaved.pak;mod/maps/;mod/pak0.pak;mod/;", 40) == 0);
    quakefs_free(quake);
    options.base = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "base is NULL"));
    options.games = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_layer_count(quake) == 2 && !quakefs_write_directory(quake));
    quakefs_free(quake);
    sources[1].layout = "zoo";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    options.base = base, options.mount_count = 0, options.games = games, games[0] = "latin\xe9";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
    CHECK(strstr(quakefs_last_error(), "latin\\xE9") && strstr(quakefs_last_error(), "rename"));
}

/* the game is looked for from a folder, and a download lies over it */
static void looks_for(const char *base)
{
    char folder[4096], download[4096], path[4096];
    const char *games[] = {"pd", NULL};
    quakefs_search_path *quake;
    quakefs_found found;
    quakefs_over over = {NULL, download};
    quakefs_options options = {.size = sizeof options, .folder = folder};
    snprintf(folder, sizeof folder, "%s/mod", base);
    snprintf(download, sizeof download, "%s/pd-3.0.zip", base);
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(layers_of(quake), "mod/pak0.pak;mod/;id1/pak0.pak;", 31) == 0);
    quakefs_free(quake);
    options.over = &over, options.over_count = 1, options.games = games;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_find(quake, "maps/start.bsp", &found, path, sizeof path) == QUAKEFS_STATUS_OK && found.size == 0);
    CHECK(quakefs_find(quake, "maps/e1m1.bsp", &found, path, sizeof path) == QUAKEFS_STATUS_OK && found.path_id == 1);
    quakefs_free(quake);
    over.path = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && !quake);
    options.over = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "over_count"));
    options.over_count = 0, options.program_directory = "";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT);
}

/* a server names the game, and its downloads are a game directory of their own */
static void joins_a_server(const char *base)
{
    char downloads[4096];
    const char *directories[] = {downloads, NULL};
    quakefs_search_path *quake;
    quakefs_options options = {.size = sizeof options, .base = base, .engine = "quakeworld", .server_game = "mod"};
    snprintf(downloads, sizeof downloads, "%s/mod", base);
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(layers_of(quake), "mod/pak0.pak;mod/;", 18) == 0);
    quakefs_free(quake);
    options.server_game = NULL, options.game_directories = directories;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(strncmp(layers_of(quake), "mod/pak0.pak;mod/;", 18) == 0);
    quakefs_free(quake);
    options.base = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_layer_count(quake) == 2 && strstr(layers_of(quake), "/mod/pak0.pak;"));
    quakefs_free(quake);
    options.server_game = "mod";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "base is NULL"));
    options.base = base, options.server_game = "latin\xe9";
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "rename"));
    downloads[0] = '\0', options.server_game = NULL;
    CHECK(quakefs_mount(&options, &quake) == QUAKEFS_STATUS_BAD_ARGUMENT && strstr(quakefs_last_error(), "is empty"));
}

/* a thread loads from a search path that the game has freed */
static void *loads_elsewhere(void *context)
{
    quakefs_search_path *quake = context;
    int allocations = 0;
    for (int i = 0; i < 50; i++) {
        void *bytes;
        quakefs_found found;
        CHECK(quakefs_load(quake, "text.txt", from_malloc, &allocations, &bytes, &found) == QUAKEFS_STATUS_OK);
        free(bytes);
    }
    quakefs_free(quake);
    return NULL;
}

/* how many descriptors lead to a file, where Linux says it */
static int times_open(const char *end)
{
    char link[64], path[4096];
    int count = 0;
    for (int i = 0; i < 256; i++) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        count += (size_t)(length < 0 ? 0 : length) > strlen(end) && strcmp(path + length - strlen(end), end) == 0;
    }
    return count;
}

/* another game over the same base, while threads still load from the first one */
static void changes_game(const char *base)
{
    const char *games[] = {"other", NULL};
    char archives[256] = "", path[4096];
    quakefs_search_path *old = mount(base, 0), *fresh;
    quakefs_options options = {.size = sizeof options, .base = base, .engine = "darkplaces", .games = games};
    pthread_t threads[2];
    FILE *file;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, loads_elsewhere, quakefs_retain(old)) == 0);
    options.before = old, options.progress = note_archive, options.context = archives;
    CHECK(quakefs_mount(&options, &fresh) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(archives, "id1/pak0.pak 0 of 1;") == 0 && times_open("/id1/pak0.pak") == 1);
    quakefs_free(old);
    CHECK(pthread_join(threads[0], NULL) == 0 && pthread_join(threads[1], NULL) == 0);
    CHECK(quakefs_find(fresh, "maps/start.bsp", NULL, NULL, 0) == QUAKEFS_STATUS_OK);

    /* its folder does not exist yet: what is written there is found, and ranks above id1 */
    quakefs_found found;
    CHECK(strlen(quakefs_write_directory(fresh)) < 4000);
    snprintf(path, sizeof path, "%s", quakefs_write_directory(fresh));
    CHECK(strcmp(path + strlen(path) - 6, "/other") == 0 && mkdir(path, 0777) == 0);
    strcat(path, "/config.cfg");
    file = fopen(path, "wb");
    CHECK(file && fputs("bind x quit", file) >= 0 && fclose(file) == 0);
    CHECK(quakefs_find(fresh, "config.cfg", &found, NULL, 0) == QUAKEFS_STATUS_OK && found.path_id == 2);
    quakefs_free(fresh);
    remove(path);
    *strrchr(path, '/') = 0;
    CHECK(remove(path) == 0);
}

/* a base directory whose path is not UTF-8 */
static void not_utf8(const char *base)
{
    char link[4096], path[4096];
    quakefs_search_path *quake;
    quakefs_found found;
    quakefs_layer_info layer;
    FILE *file;
    snprintf(link, sizeof link, "%s/caf\xe9", base);
    CHECK(symlink(base, link) == 0);
    quake = mount(link, 0);
    CHECK(quakefs_find(quake, "progs.dat", &found, path, sizeof path) == QUAKEFS_STATUS_OK && found.plain);
    CHECK(strstr(path, "/caf\xe9/mod/progs.dat"));
    file = fopen(path, "rb");
    CHECK(file && fclose(file) == 0);
    CHECK(quakefs_find(quake, "maps/e1m1.bsp", &found, path, sizeof path) == QUAKEFS_STATUS_OK && found.plain);
    CHECK(strstr(path, "/caf\xe9/id1/pak0.pak") && strlen(path) + 1 == found.path_size);
    CHECK(quakefs_layer(quake, 0, &layer) == QUAKEFS_STATUS_OK && strcmp(layer.name, "mod/") == 0);
    CHECK(strstr(layer.path, "/caf\xe9/mod") && strstr(quakefs_write_directory(quake), "/caf\xe9/mod"));
    quakefs_free(quake);
    const quakefs_placement *placed;
    snprintf(path, sizeof path, "%s/caf\xe9/pd-3.0.zip", base);
    CHECK(quakefs_place(path, link, NULL, NULL, &placed) == QUAKEFS_STATUS_OK && strcmp(placed->parts->to, "pd/") == 0);
    quakefs_free_placement(placed);
    CHECK(remove(link) == 0);
}

static void remounts(const char *base)
{
    quakefs_search_path *old = mount(base, QUAKEFS_LISTED | QUAKEFS_MAPPED), *fresh = NULL;
    char path[4096], changes[256] = "";
    quakefs_file *open = NULL;
    FILE *file;
    CHECK(quakefs_open(old, "maps/e1m1.bsp", &open, NULL) == QUAKEFS_STATUS_OK);
    snprintf(path, sizeof path, "%s/mod/later.cfg", base);
    file = fopen(path, "wb");
    CHECK(file && fputs("bind x quit", file) > 0 && fclose(file) == 0);
    CHECK(quakefs_find(old, "later.cfg", NULL, NULL, 0) == QUAKEFS_STATUS_NOT_FOUND);
    CHECK(quakefs_remount(old, &fresh) == QUAKEFS_STATUS_OK && fresh);
    CHECK(quakefs_find(fresh, "later.cfg", NULL, NULL, 0) == QUAKEFS_STATUS_OK);
    CHECK(quakefs_changes(fresh, old, note_change, changes) == QUAKEFS_STATUS_OK);
    CHECK(strcmp(changes, "0 later.cfg;") == 0);
    remove(path);
    quakefs_free(old);
    quakefs_free(fresh);
    /* a file outlives its search path */
    CHECK(quakefs_read(open, changes, 3) == 3 && memcmp(changes, "id1", 3) == 0);
    quakefs_close(open);
}

int main(int argc, char **argv)
{
    const uint32_t flags[] = {0, QUAKEFS_LISTED, QUAKEFS_MAPPED, QUAKEFS_LISTED | QUAKEFS_MAPPED};
    if (argc == 3) { /* an allocator without memory ends the program, as Sys_Error does */
        int status = 7;
        void *bytes;
        quakefs_load(mount(argv[1], 0), "progs.dat", ends_the_program, &status, &bytes, NULL);
        return 1;
    }
    CHECK(argc == 2 && strcmp(quakefs_last_error(), "") == 0 && strchr(quakefs_version(), '.'));
    bad_arguments(argv[1]);
    places(argv[1]);
    says_why(argv[1]);
    for (int i = 0; i < 4; i++) {
        quakefs_search_path *quake = mount(argv[1], flags[i]);
        finds(quake);
        loads(quake);
        files(quake);
        streams(quake);
        lists(quake);
        quakefs_free(quake);
    }
    companions(argv[1]);
    grows(argv[1]);
    cut_short(argv[1]);
    damaged(argv[1]);
    not_opened(argv[1]);
    options(argv[1]);
    joins_a_server(argv[1]);
    looks_for(argv[1]);
    compares(argv[1]);
    changes_game(argv[1]);
    not_utf8(argv[1]);
    remounts(argv[1]);
    puts("all done");
    return 0;
}
