/* 1,024 files of 20 KiB: loose, and as entries of a pak beside seven others, all in the page cache. */

#include <quakefs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { FILES = 1024, SIZE = 20 * 1024, ROUNDS = 31 };

static char base[3000], name[FILES][32], loose_path[FILES][4096];
static unsigned char memory[SIZE + 1];
static quakefs_search_path *packed, *mapped, *loose;
static unsigned long sum;

static void *give(void *context, size_t size)
{
    (void)context;
    return size <= sizeof memory ? memory : NULL;
}

static void little(FILE *file, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        putc((int)(number >> 8 * i & 255), file);
}

static void write_pak(int number)
{
    char path[4096], field[56];
    snprintf(path, sizeof path, "%s/packed/id1/pak%d.pak", base, number);
    FILE *file = fopen(path, "wb");
    fputs("PACK", file);
    little(file, 12 + FILES * SIZE), little(file, FILES * 64);
    for (int i = 0; i < FILES; i++)
        memset(memory, 'a' + i % 26, SIZE), fwrite(memory, 1, SIZE, file);
    for (int i = 0; i < FILES; i++) {
        memset(field, 0, sizeof field);
        snprintf(field, sizeof field, number == 7 ? "%s" : "%s.%d", name[i], number);
        fwrite(field, 1, sizeof field, file);
        little(file, (uint32_t)(12 + i * SIZE)), little(file, SIZE);
    }
    fclose(file);
}

static void find_only(int i)
{
    quakefs_found found;
    quakefs_find(packed, name[i], &found, NULL, 0);
    sum += found.size;
}

static void find_path(int i)
{
    quakefs_found found;
    char path[4096];
    quakefs_find(packed, name[i], &found, path, sizeof path);
    sum += found.offset;
}

static void find_loose(int i)
{
    quakefs_found found;
    char path[4096];
    quakefs_find(loose, name[i], &found, path, sizeof path);
    sum += found.size;
}

static void open_only(int i)
{
    FILE *file = fopen(loose_path[i], "rb");
    sum += file != NULL;
    fclose(file);
}

static void read_plain(int i)
{
    FILE *file = fopen(loose_path[i], "rb");
    sum += fread(memory, 1, SIZE, file);
    fclose(file);
}

static void find_and_read(quakefs_search_path *quake, int i)
{
    quakefs_found found;
    char path[4096];
    quakefs_find(quake, name[i], &found, path, sizeof path);
    FILE *file = fopen(path, "rb");
    if (found.offset)
        fseek(file, (long)found.offset, SEEK_SET);
    sum += fread(memory, 1, found.size, file);
    fclose(file);
}

static void find_and_read_packed(int i) { find_and_read(packed, i); }
static void find_and_read_loose(int i) { find_and_read(loose, i); }

static void load(quakefs_search_path *quake, int i)
{
    void *bytes;
    quakefs_found found;
    quakefs_load(quake, name[i], give, NULL, &bytes, &found);
    sum += found.size;
}

static void load_packed(int i) { load(packed, i); }
static void load_mapped(int i) { load(mapped, i); }
static void load_loose(int i) { load(loose, i); }

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double round_of(void (*work)(int))
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < FILES; i++)
        work(i * 389 % FILES);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / FILES;
}

/* The rounds of the two take turns, so that what else the machine does meets both. */
static void compare(const char *what, void (*ours)(int), void (*plain)(int))
{
    static double mine[ROUNDS], other[ROUNDS], ratio[ROUNDS];
    round_of(ours), round_of(plain);
    for (int i = 0; i < ROUNDS; i++) {
        mine[i] = round_of(ours), other[i] = round_of(plain);
        ratio[i] = mine[i] / other[i];
    }
    qsort(mine, ROUNDS, sizeof *mine, by_number);
    qsort(other, ROUNDS, sizeof *other, by_number);
    qsort(ratio, ROUNDS, sizeof *ratio, by_number);
    printf("%-58s %7.0f ns  %7.0f ns  %.2f x\n", what, mine[ROUNDS / 2], other[ROUNDS / 2], ratio[ROUNDS / 2]);
}

static quakefs_search_path *mount(const char *folder, uint32_t flags)
{
    char path[4096];
    quakefs_search_path *quake;
    quakefs_options options = {.size = sizeof options, .base = path, .engine = "quakespasm", .flags = flags};
    snprintf(path, sizeof path, "%s/%s", base, folder);
    if (quakefs_mount(&options, &quake) != QUAKEFS_STATUS_OK)
        fprintf(stderr, "%s\n", quakefs_last_error()), exit(1);
    return quake;
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folders[] = {"packed", "packed/id1", "loose", "loose/id1", "loose/id1/progs"};
    snprintf(base, sizeof base, "%s", argc > 1 ? argv[1] : ".");
    for (int i = 0; i < 5; i++)
        snprintf(path, sizeof path, "%s/%s", base, folders[i]), mkdir(path, 0777);
    for (int i = 0; i < FILES; i++) {
        snprintf(name[i], sizeof name[i], "progs/model%04d.mdl", i);
        snprintf(loose_path[i], sizeof loose_path[i], "%s/loose/id1/%s", base, name[i]);
        FILE *file = fopen(loose_path[i], "wb");
        fwrite(memory, 1, SIZE, file), fclose(file);
    }
    for (int i = 0; i < 8; i++)
        write_pak(i);
    packed = mount("packed", 0), mapped = mount("packed", QUAKEFS_MAPPED), loose = mount("loose", 0);
    printf("%-58s %10s  %10s\n", "", "quakefs", "plain file");
    compare("find, entry of a pak | fopen", find_only, open_only);
    compare("find with path, entry of a pak | fopen", find_path, open_only);
    compare("find with path, loose | fopen", find_loose, open_only);
    compare("find, fopen, fseek, fread, entry of a pak | fopen, fread", find_and_read_packed, read_plain);
    compare("find, fopen, fread, loose | fopen, fread", find_and_read_loose, read_plain);
    compare("load, entry of a pak | fopen, fread", load_packed, read_plain);
    compare("load, entry of a mapped pak | fopen, fread", load_mapped, read_plain);
    compare("load, loose | fopen, fread", load_loose, read_plain);
    quakefs_free(packed), quakefs_free(mapped), quakefs_free(loose);
    return sum == 0;
}
