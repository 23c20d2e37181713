// quakefs: which file a Quake engine would load for a name, and its bytes.
//
// Written from src/ by cbindgen: `UPDATE=1 cargo test -p quakefs-capi`.
//
// Ownership: what a function gives by a pointer to a pointer is freed by the function that its comment names; every other
//   text is borrowed, for as long as its comment says. Memory of quakefs_load is the caller's own.
// Threads: a stack may be asked by any number of threads at the same time. A file has one user at a time.
// Errors: a quakefs_status other than 0, and a sentence by quakefs_last_error, for each thread its own.
// Sentences and other texts may hold a `%`: no text of the library is a format of printf.
// Structs that a callback is given may have more fields at their end in a later version, unless their comment says that they have not.
// Callbacks must return, or end the program: neither longjmp nor an exception may leave one.
// Names of files are bytes, usually ASCII, `/` between parts. They come from archives: print none on a terminal as it is.
// Paths on disk are the bytes of the system on Unix, and UTF-8 on Windows (CP_UTF8). Sentences show them as UTF-8.
// All else that a caller gives is UTF-8: names of games and engines, patterns, rules.

#ifndef QUAKEFS_H
#define QUAKEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef _WIN32
#define QUAKEFS_UNIX
#endif

// Lists the folders at the mount, so that a lookup asks the disk for nothing. quakefs_remount lists them again.
#define QUAKEFS_LISTED 1

// Maps archives in place of reading them by position: a file is then copied once, from the page cache. A mapped archive that
// another program cuts short ends the process by SIGBUS, where without this flag the load fails.
#define QUAKEFS_MAPPED 2

// What became of a call. 0 is success.
typedef enum {
  // Done.
  QUAKEFS_STATUS_OK = 0,
  // No layer has the name, no engine may be asked for it, or there is no layer of the number.
  QUAKEFS_STATUS_NOT_FOUND = 1,
  // A pointer is NULL where it must not be, or a text is no UTF-8, no engine, no pattern.
  QUAKEFS_STATUS_BAD_ARGUMENT = 2,
  // The game cannot be mounted.
  QUAKEFS_STATUS_NOT_MOUNTED = 3,
  // The buffer is too small.
  QUAKEFS_STATUS_TOO_SMALL = 4,
  // The allocator of the caller gave no memory.
  QUAKEFS_STATUS_NO_MEMORY = 5,
  // A read failed, or found less than there was: a damaged disk, a file that was cut short.
  QUAKEFS_STATUS_IO = 6,
  // The archive, or the entry, is damaged.
  QUAKEFS_STATUS_DAMAGED = 7,
  // A bug of quakefs. What was asked for was not done; the search path can be used and freed.
  QUAKEFS_STATUS_PANIC = 8,
  // The file is there and cannot be opened: no permission, too many open files, or it was removed since it was found.
  QUAKEFS_STATUS_NOT_OPENED = 9,
} quakefs_status;

// How severe a finding is.
typedef enum {
  // Worth to know.
  QUAKEFS_SEVERITY_NOTE = 0,
  // Probably not as its author meant it.
  QUAKEFS_SEVERITY_WARNING = 1,
  // Something is lost, or the engine stops.
  QUAKEFS_SEVERITY_ERROR = 2,
} quakefs_severity;

// What happened to a name.
typedef enum {
  // It was not served before.
  QUAKEFS_CHANGE_KIND_ADDED = 0,
  // It is not served any more.
  QUAKEFS_CHANGE_KIND_REMOVED = 1,
  // Its bytes differ, or may differ.
  QUAKEFS_CHANGE_KIND_CHANGED = 2,
  // Another layer serves the same bytes.
  QUAKEFS_CHANGE_KIND_MOVED = 3,
} quakefs_change_kind;

// A file that is open for reading. One thread may use it at a time. It stays open when its search path is freed.
typedef struct quakefs_file quakefs_file;

// A mounted game: the layers that an engine searches. It does not change, and any number of threads may ask one at the
// same time. The mount makes one owner, and each quakefs_retain one more; each owner calls quakefs_free once.
typedef struct quakefs_search_path quakefs_search_path;

// An archive or a folder that stands above the game directories.
typedef struct {
  // The path of an archive, or of a folder whose loose files count. Where `bytes` is set, a name for messages, UTF-8.
  const char *path;
  // The bytes of an archive in memory, which are copied; NULL for one on disk.
  const void *bytes;
  // How many bytes there are.
  size_t size;
  // The layout of an archive, such as "quake", "sin", "hrot" or "daikatana"; NULL for the one that its bytes show.
  const char *layout;
} quakefs_source;

// Called before each archive of a game directory is opened, or shared with the search path before, with its name, UTF-8, how many came
// before it and how many there are. It must return.
typedef void (*quakefs_progress)(void *context, const char *archive, size_t done, size_t total);

// What is mounted. Set everything to zero, then `size`, then what is wanted. The texts are borrowed for the call. Paths are the bytes
// of the system, and all other texts UTF-8. Lists end with NULL, and NULL is an empty one.
typedef struct {
  // sizeof(quakefs_options): a later version of the library reads no more than that.
  size_t size;
  // The folder that holds id1; NULL where `sources` alone are mounted, and so no games, missions or base games.
  const char *base;
  // The engine whose rules count, such as "quakespasm"; NULL for "winquake". quakefs_engines lists the names.
  const char *engine;
  // The games, as -game names them, in order.
  const char *const *games;
  // The mission flags without the dash, such as "hipnotic".
  const char *const *missions;
  // The directory of the user's own, which need not exist; NULL for none, or for that of the engine below `home`.
  const char *user_directory;
  // QUAKEFS_LISTED, QUAKEFS_MAPPED, or both by `|`.
  uint32_t flags;
  // The text of a rule file, TOML, in place of an engine: `inherit = "quakespasm"` and what differs, or a whole one as
  // quakefs_engine_rules gives.
  const char *rules;
  // The user's home folder, below which the engine has a directory of the user's own; NULL where it is not looked at.
  const char *home;
  // Base directories beside the first. Whether they count, and where, is the engine's rule.
  const char *const *more_bases;
  // Game directories in place of the engine's own base, as -basegame names them.
  const char *const *base_games;
  // The system that the engine is asked to run on: "linux", "macos" or "windows"; NULL for the one at hand.
  const char *host;
  // What stands above the game directories, the lowest first.
  const quakefs_source *sources;
  // How many sources there are.
  size_t source_count;
  // A search path whose archives are shared, where they did not change and are read under the same rules and flags: another game is
  // mounted without opening id1 again. The search path stays as it is. NULL for none.
  const quakefs_search_path *before;
  // Called as the mount goes on; NULL for none.
  quakefs_progress progress;
  // What `progress` is called with.
  void *context;
} quakefs_options;

// A layer: one archive, or the loose files of one game directory. The texts live as long as the search path, and are UTF-8 but for the path.
// The struct has the same fields in all versions.
typedef struct {
  // The name, relative to the base directory: "id1/pak0.pak", "id1/".
  const char *name;
  // Where the layer is on disk, in the bytes of the system; empty for an archive in memory or in another archive.
  const char *path;
  // "pak", "zip" or "dir".
  const char *kind;
  // The game directory that the layer belongs to, such as "id1"; empty where it belongs to none.
  const char *directory;
  // How high the game directory ranks, from 1 for the lowest: what engines call a path id. 0 where there is none.
  uint32_t path_id;
  // How many entries an archive has; 0 for loose files.
  uint64_t entries;
} quakefs_layer_info;

// An engine whose rules the library has.
typedef struct {
  // The name that options take, such as "quakespasm".
  const char *name;
  // The program and the version that the rules are those of: "QuakeSpasm 0.95.1".
  const char *version;
  // Whether that program was run and its answers are tests; else the rules follow documents and source.
  bool recorded;
} quakefs_engine;

// Called for each engine; false ends the list. `engine` is valid for the call, which must return.
typedef bool (*quakefs_each_engine)(void *context, const quakefs_engine *engine);

// A file of the merged tree. The struct has the same fields in all versions.
typedef struct {
  // The name that finds the file, and a NUL. Any bytes but NUL: print no name on a terminal as it is.
  const char *name;
  // Bytes of the name, without the NUL.
  size_t name_length;
  // Bytes of content.
  uint64_t size;
  // The number of the entry in its archive; -1 for a loose file.
  int64_t entry;
  // The number of the layer that serves the file.
  uint32_t layer;
  // The rank of the game directory; 0 where there is none.
  uint32_t path_id;
} quakefs_listed;

// Called for each file; false ends the listing. `file` is valid for the call. It must return: neither longjmp nor an
// exception may leave it.
typedef bool (*quakefs_each_file)(void *context, const quakefs_listed *file);

// What is wrong or unexpected about the game.
typedef struct {
  // The name of its kind, which stays the same in all versions: "gap", "hidden-loose". docs/findings.md lists them.
  const char *kind;
  // A sentence: where it is, and what. UTF-8, without characters that steer a terminal.
  const char *text;
  // What to do about it, in the same form; empty where nothing is known.
  const char *help;
  // How severe it is.
  quakefs_severity severity;
  // Whether the engine stops with an error because of it.
  bool stops_engine;
} quakefs_finding;

// Called for each finding; false ends the list. `finding` is valid for the call, which must return.
typedef bool (*quakefs_each_finding)(void *context, const quakefs_finding *finding);

// A name whose served copy differs between two search paths.
typedef struct {
  // The name and a NUL, as in quakefs_listed.
  const char *name;
  // Bytes of the name, without the NUL.
  size_t name_length;
  // What happened.
  quakefs_change_kind kind;
} quakefs_change;

// Called for each change; false ends the list. `change` is valid for the call, which must return.
typedef bool (*quakefs_each_change)(void *context, const quakefs_change *change);

// The copy of a file that is served under the name of a level's companion, such as `maps/e1m1.lit`.
typedef struct {
  // The file, under the name that the engine asks for.
  quakefs_listed file;
  // Whether the engine loads this copy for the level.
  bool loaded;
  // Why, in a word that stays the same: "loaded", "below-level", "other-name", "other-size", "no-level", "unread-level".
  const char *because;
  // The setting without which the engine loads no such file; NULL where it needs none.
  const char *setting;
} quakefs_companion;

// Called for each copy; false ends the list. `companion` is valid for the call. It must return: neither longjmp nor an
// exception may leave it.
typedef bool (*quakefs_each_companion)(void *context, const quakefs_companion *companion);

// Where a file is. The struct has the same fields in all versions.
typedef struct {
  // Bytes of content.
  uint64_t size;
  // Where the content begins in the file whose path is given; 0 unless `plain`.
  uint64_t offset;
  // The number of the entry in its archive; -1 for a loose file.
  int64_t entry;
  // The number of the layer that serves the file, 0 for the highest.
  uint32_t layer;
  // The rank of the game directory: a .lit file counts only if its path_id is not below that of its .bsp. 0 where there
  // is none.
  uint32_t path_id;
  // Bytes of the path with its NUL.
  size_t path_size;
  // Whether `size` bytes from `offset` in the file at the path are the content: fopen and fseek read them. Else they are
  // compressed or damaged, and quakefs_load or quakefs_open read them.
  bool plain;
} quakefs_found;

// Gives memory for `size` bytes, aligned as the caller likes, or NULL. It may end the program, as the allocators of engines do
// where no memory is left; else it must return: neither longjmp nor an exception may leave it.
typedef void *(*quakefs_alloc)(void *context, size_t size);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Why the last call on this thread failed, in a sentence: UTF-8, without characters that steer a terminal. It may hold a `%`: print
// it by "%s". Never NULL; empty where the call did not fail, and after a miss, QUAKEFS_STATUS_NOT_FOUND. Valid until the next call
// on this thread. The functions that cannot fail leave it as it is: those that free and close, quakefs_version, quakefs_retain,
// quakefs_layer_count, quakefs_write_directory and quakefs_size.
const char *quakefs_last_error(void);

// The version of the library, such as "0.1.0".
const char *quakefs_version(void);

// Mounts a game. On success, `*search_path` is to be freed by quakefs_free; else it is NULL.
//
// What the engine leaves out is no failure: quakefs_findings says it.
//
// # Safety
// `options` is NULL, or leads to `size` bytes whose texts end with NUL; `search_path` leads to a pointer.
quakefs_status quakefs_mount(const quakefs_options *options, quakefs_search_path **search_path);

// Mounts the same game as it is now: new archives, new game directories, new loose files. `search_path` stays as it is and is
// still to be freed; archives that did not change are shared. On success, `*fresh` is to be freed; else it is NULL.
//
// # Safety
// `search_path` is one that was mounted and not freed; `fresh` leads to a pointer.
quakefs_status quakefs_remount(const quakefs_search_path *search_path,
                               quakefs_search_path **fresh);

// Keeps a search path for one more owner, such as another thread that loads from it while the game goes on with a fresh one, and gives
// it. Each owner calls quakefs_free, from any thread. NULL for NULL.
//
// # Safety
// `search_path` is NULL, or one that the caller owns: a thread that finds it in a variable which another thread may free and replace
// takes the engine's lock around both.
quakefs_search_path *quakefs_retain(const quakefs_search_path *search_path);

// Frees a search path, or what one owner has of it: the last one frees the whole. NULL is nothing to free. Handles of quakefs_open stay
// open; the texts of its layers are gone with the last owner.
//
// # Safety
// `search_path` is NULL, or one that was mounted or retained for this call and that its owner does not ask any more.
void quakefs_free(quakefs_search_path *search_path);

// How many layers the search path has; 0 for NULL.
//
// # Safety
// `search_path` is NULL, or one that was mounted and not freed.
uint32_t quakefs_layer_count(const quakefs_search_path *search_path);

// A layer by its number, 0 for the highest. QUAKEFS_STATUS_NOT_FOUND ends a loop over all.
//
// # Safety
// `search_path` is one that was mounted and not freed; `info` leads to memory for it.
quakefs_status quakefs_layer(const quakefs_search_path *search_path,
                             uint32_t number,
                             quakefs_layer_info *info);

// The folder that the engine writes to: the highest game directory, in the user's directory where there is one. It need not exist.
// NULL where no base directory is mounted. The text lives as long as the search path.
//
// # Safety
// `search_path` is NULL, or one that was mounted and not freed.
const char *quakefs_write_directory(const quakefs_search_path *search_path);

// Says which engines there are.
//
// # Safety
// `each` wants the context.
quakefs_status quakefs_engines(quakefs_each_engine each, void *context);

// Lists each name once, sorted by bytes, with the layer that serves it.
//
// `pattern` is a glob such as "maps/*.bsp" (`*` stops at `/`, `**` does not), UTF-8, and compares case as the engine does; NULL lists
// everything.
//
// # Safety
// `search_path` is one that was mounted and not freed; `pattern` is NULL or a text that ends with NUL.
quakefs_status quakefs_list(const quakefs_search_path *search_path,
                            const char *pattern,
                            quakefs_each_file each,
                            void *context);

// Lists the copies of a file that the layers have, the highest first: the one that the engine would load, and those that it hides.
// quakefs_load_layer loads each by its layer, and of those of one layer the first. A miss gives QUAKEFS_STATUS_NOT_FOUND.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL.
quakefs_status quakefs_copies(const quakefs_search_path *search_path,
                              const char *name,
                              quakefs_each_file each,
                              void *context);

// Lists the files of one layer by its number, 0 for the highest, sorted by bytes: also those that a higher layer hides, each as it
// would be served if there were no other layer.
//
// # Safety
// As quakefs_list.
quakefs_status quakefs_list_layer(const quakefs_search_path *search_path,
                                  uint32_t number,
                                  const char *pattern,
                                  quakefs_each_file each,
                                  void *context);

// Says what was left out at the mount and why, and what cannot be read or reached.
//
// # Safety
// `search_path` is one that was mounted and not freed.
quakefs_status quakefs_findings(const quakefs_search_path *search_path,
                                quakefs_each_finding each,
                                void *context);

// Says which names to load again after `old` gave way to `fresh`, sorted by bytes. A loose file that was edited between the two is
// seen where `old` was mounted with QUAKEFS_LISTED.
//
// # Safety
// Both search paths were mounted and not freed.
quakefs_status quakefs_changes(const quakefs_search_path *fresh,
                               const quakefs_search_path *old,
                               quakefs_each_change each,
                               void *context);

// Lists what is served under the names of a level's companions, in the order in which the engine asks for them: those that it loads
// beside the level, and those that it ignores. `level` is a name such as "maps/e1m1.bsp". Where the level cannot be read, its
// companions are listed before the failure is given.
//
// # Safety
// `search_path` is one that was mounted and not freed; `level` ends with NUL.
quakefs_status quakefs_companions(const quakefs_search_path *search_path,
                                  const char *level,
                                  quakefs_each_companion each,
                                  void *context);

// Finds the file that the engine would load.
//
// `plain`, the offset and the size of an archive's entry are those of the mount. The bytes are there as long as no program replaces
// or changes the archive: quakefs_descriptor and quakefs_fopen look whether one did.
//
// `found` may be NULL. `path` receives the path of the loose file, or of the archive, in the bytes of the system, and a NUL; it
// has room for `path_size` bytes, and may be NULL where no path is wanted. A path that does not fit gives QUAKEFS_STATUS_TOO_SMALL, with
// all of `found` filled. A miss gives QUAKEFS_STATUS_NOT_FOUND and leaves both as they were.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL; the others are NULL or lead to memory for them.
quakefs_status quakefs_find(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_found *found,
                            char *path,
                            size_t path_size);

// Loads a file into memory of the caller's allocator, which is asked once, for the content and one byte more: a NUL at
// the end, as engines have it. The memory belongs to the caller from then on, also where reading into it fails. `found` says where
// the file is, as quakefs_find does, and its size is that of the content as it was read, without the NUL; it may be NULL. Where
// nothing was loaded, `*bytes` is NULL unless memory was given, and the size is 0.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL; `bytes` leads to memory for it, and `found` too or is NULL;
// `alloc` gives as many bytes as it is asked for.
quakefs_status quakefs_load(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_alloc alloc,
                            void *context,
                            void **bytes,
                            quakefs_found *found);

// Loads the copy that one layer has of a file, by the layer's number, 0 for the highest: also one that a higher layer hides, as of
// an autoexec.cfg that each game directory may have. Else as quakefs_load.
//
// # Safety
// As quakefs_load.
quakefs_status quakefs_load_layer(const quakefs_search_path *search_path,
                                  uint32_t number,
                                  const char *name,
                                  quakefs_alloc alloc,
                                  void *context,
                                  void **bytes,
                                  quakefs_found *found);

#if defined(QUAKEFS_UNIX)
// Opens the file on disk that holds a file, at its first byte, for code that reads and streams by descriptor: gives the descriptor,
// which is the caller's to close, or -1. The content is `found->size` bytes from there; what follows in an archive is not of it.
// A compressed file has no such place, and gives -1: quakefs_open reads it. So does an archive that was replaced or written to since
// the mount. quakefs_last_error says which; it is empty after a miss, which gives -1 too. Not on Windows.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL; `found` leads to memory for it or is NULL.
int quakefs_descriptor(const quakefs_search_path *search_path,
                       const char *name,
                       quakefs_found *found);
#endif

#if defined(QUAKEFS_UNIX)
// The same as a FILE, to be closed by fclose; NULL where quakefs_descriptor gives -1. docs/porting.md has one for Windows.
//
// # Safety
// As quakefs_descriptor.
FILE *quakefs_fopen(const quakefs_search_path *search_path,
                    const char *name,
                    quakefs_found *found);
#endif

// Opens a file for reading, whatever layer it comes from and however it is stored. A deflated entry is decoded as it is
// read; a seek backwards starts the decoding again. On success, `*file` is to be closed by quakefs_close; else it is NULL. `found`
// says where the file is, as quakefs_find does, with the size that the open file has; it may be NULL.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL; `file` leads to a pointer, and `found` to memory for it or
// is NULL.
quakefs_status quakefs_open(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_file **file,
                            quakefs_found *found);

// Reads up to `size` bytes, and gives how many: fewer only at the end of the file. -1 is a failure, of which
// quakefs_last_error says why; bytes before it may have been written.
//
// # Safety
// `file` is one that was opened and not closed, and no other thread uses it; `buffer` has room for `size` bytes.
int64_t quakefs_read(quakefs_file *file,
                     void *buffer,
                     size_t size);

// Goes to another place, as fseek does: `whence` is SEEK_SET (0), SEEK_CUR (1) or SEEK_END (2). Gives the new place, or -1 for
// a failure.
//
// # Safety
// `file` is one that was opened and not closed, and no other thread uses it.
int64_t quakefs_seek(quakefs_file *file,
                     int64_t offset,
                     int whence);

// Bytes in a file that is open; 0 for NULL.
//
// # Safety
// `file` is NULL, or one that was opened and not closed.
uint64_t quakefs_size(const quakefs_file *file);

// Closes a file. NULL is nothing to close.
//
// # Safety
// `file` is NULL, or one that was opened and not closed, and no other thread uses it.
void quakefs_close(quakefs_file *file);

// Says in lines of text which copy of a name is served and what it hides, or why none is and what to do about it. Each line ends with
// a newline; the text is UTF-8, without other characters that steer a terminal. It may hold a `%`. To be freed by quakefs_free_text;
// NULL is a failure.
//
// # Safety
// `search_path` is one that was mounted and not freed; `name` ends with NUL.
char *quakefs_explain(const quakefs_search_path *search_path,
                      const char *name);

// Gives the rules of an engine as the text of a rule file, TOML, as `rules` of the options takes it. To be freed by quakefs_free_text;
// NULL is a failure.
//
// # Safety
// `engine` ends with NUL.
char *quakefs_engine_rules(const char *engine);

// Frees a text of quakefs_explain or quakefs_engine_rules. NULL is nothing to free.
//
// # Safety
// `text` is NULL, or one that those gave and that was not freed.
void quakefs_free_text(char *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUAKEFS_H */
