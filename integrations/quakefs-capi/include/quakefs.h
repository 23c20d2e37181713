// quakefs: the file that a Quake engine would load for a name, and its bytes.
//
// cbindgen writes this header from src/: `UPDATE=1 cargo test -p quakefs-capi`.
//
// Ownership: if a function returns a pointer through a pointer, its comment names the function that frees it. Other texts are
//   borrowed, for as long as their comment tells. Memory of quakefs_load belongs to the caller.
// Threads: any number of threads may use a search path at the same time. Only one thread at a time may use a file.
// Errors: a quakefs_status other than 0, and a sentence from quakefs_last_error, separate for each thread.
// Texts may contain a `%`: never use one as a format of printf.
// Later versions may add fields to the end of structs that callbacks receive, unless the comment of a struct excludes it.
// Callbacks must return, or end the program: neither longjmp nor an exception may leave one.
// Names of files are bytes, usually ASCII, with `/` between parts. They come from archives: never print one unescaped.
// Paths on disk are bytes of the system on Unix, and UTF-8 on Windows (CP_UTF8). Sentences show them as UTF-8.
// All other texts of the caller are UTF-8: names of games and engines, patterns, rules.

#ifndef QUAKEFS_H
#define QUAKEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef _WIN32
#define QUAKEFS_UNIX
#endif

// Lists all folders at the mount, so that a lookup makes no system call. quakefs_remount lists them again.
#define QUAKEFS_LISTED 1

// Maps archives instead of reading them by position, which saves a copy of the bytes. If another program
// truncates a mapped archive, SIGBUS ends the process; without this flag the load fails.
#define QUAKEFS_MAPPED 2

// Fails with QUAKEFS_STATUS_NOT_MOUNTED if the folder of a game does not exist, for a console where its name
// may be mistyped. Without this flag, the game is mounted, because the engine may be about to create the
// folder.
#define QUAKEFS_GAMES_EXIST 4

// The result of a call. 0 is success.
typedef enum {
  // Done.
  QUAKEFS_STATUS_OK = 0,
  // No layer has the name, the engine refuses the name, or no layer has that number.
  QUAKEFS_STATUS_NOT_FOUND = 1,
  // A required pointer is NULL, or a text is not UTF-8, not an engine, or not a pattern.
  QUAKEFS_STATUS_BAD_ARGUMENT = 2,
  // The game cannot be mounted.
  QUAKEFS_STATUS_NOT_MOUNTED = 3,
  // The buffer is too small.
  QUAKEFS_STATUS_TOO_SMALL = 4,
  // The allocator of the caller returned NULL.
  QUAKEFS_STATUS_NO_MEMORY = 5,
  // A read failed or returned too few bytes, for example from a damaged disk or a truncated file.
  QUAKEFS_STATUS_IO = 6,
  // The archive, or the entry, is damaged.
  QUAKEFS_STATUS_DAMAGED = 7,
  // A bug of quakefs. The call has done nothing; the search path can still be used and freed.
  QUAKEFS_STATUS_PANIC = 8,
  // The file exists but cannot be opened: no permission, too many open files, or somebody removed it.
  QUAKEFS_STATUS_NOT_OPENED = 9,
  // The answer is not known, for example because the code of the game is native.
  QUAKEFS_STATUS_UNKNOWN = 10,
} quakefs_status;

// How severe a finding is.
typedef enum {
  // Worth knowing.
  QUAKEFS_SEVERITY_NOTE = 0,
  // Probably a mistake.
  QUAKEFS_SEVERITY_WARNING = 1,
  // Something is lost, or the engine stops.
  QUAKEFS_SEVERITY_ERROR = 2,
} quakefs_severity;

// The kind of a change.
typedef enum {
  // The name is new.
  QUAKEFS_CHANGE_KIND_ADDED = 0,
  // The name is gone.
  QUAKEFS_CHANGE_KIND_REMOVED = 1,
  // Its bytes differ, or may differ.
  QUAKEFS_CHANGE_KIND_CHANGED = 2,
  // The same bytes, from another layer.
  QUAKEFS_CHANGE_KIND_MOVED = 3,
} quakefs_change_kind;

// A file that is open for reading. One thread at a time may use it. It stays open after its search path is
// freed.
typedef struct quakefs_file quakefs_file;

// A mounted game: the layers that an engine searches. It never changes, and any number of threads may use it
// at the same time. The mount makes one owner, and each quakefs_retain another; each owner calls
// quakefs_free once.
typedef struct quakefs_search_path quakefs_search_path;

// An archive or a folder above the game directories.
typedef struct {
  // The path of an archive, or of a folder with loose files. If `bytes` is set, a name for messages, in
  // UTF-8.
  const char *path;
  // The bytes of an archive in memory, which the mount copies; NULL for an archive on disk.
  const void *bytes;
  // The number of bytes.
  size_t size;
  // The layout of an archive, such as "quake", "sin", "hrot" or "daikatana"; NULL to detect it.
  const char *layout;
} quakefs_source;

// Called before an archive of a game directory is opened or shared, with its name in UTF-8, the number of
// archives before it, and the total. It must return.
typedef void (*quakefs_progress)(void *context, const char *archive, size_t done, size_t total);

// A download over the base directory.
typedef struct {
  // The name of its game directory; NULL to find it, as quakefs_place does.
  const char *name;
  // The path of the archive, level, demo or unpacked folder.
  const char *path;
} quakefs_over;

// The game to mount. Set everything to zero, then `size`, then the fields that you need. The call borrows
// all texts. Paths are in the encoding of the system, all other texts in UTF-8. Lists end with NULL;
// NULL is an empty list.
typedef struct {
  // sizeof(quakefs_options). A later version of the library reads no more bytes than this.
  size_t size;
  // The folder that contains id1. NULL to look for it from `folder`, or to mount only `mounts`, without
  // games, missions or base games.
  const char *base;
  // The engine whose rules apply, such as "quakespasm". quakefs_engines lists the names. NULL: the engine
  // whose program is in the base directory, or the one that plays the game there, or "quakespasm".
  const char *engine;
  // The games, in the order of the -game options.
  const char *const *games;
  // The mission flags without the dash, such as "hipnotic".
  const char *const *missions;
  // The user directory, which may be missing. NULL for the engine's own directory in `home`, if `home` is
  // set.
  const char *user_directory;
  // QUAKEFS_LISTED, QUAKEFS_MAPPED and QUAKEFS_GAMES_EXIST, joined by `|`.
  uint32_t flags;
  // A rule file in TOML, instead of an engine: `inherit = "quakespasm"` and the differences, or a complete
  // one from quakefs_engine_rules.
  const char *rules;
  // The user's home folder, in which the engine may have a user directory; NULL to ignore it.
  const char *home;
  // Further base directories. The engine's rules decide whether and where they are searched.
  const char *const *more_bases;
  // Game directories that replace the engine's base game, like the -basegame option.
  const char *const *base_games;
  // The system that the engine runs on: "linux", "macos" or "windows"; NULL for this one.
  const char *on;
  // Archives and folders above the game directories, the lowest first.
  const quakefs_source *mounts;
  // The number of mounts.
  size_t mount_count;
  // An older search path. The mount shares its unchanged archives if the rules and flags are the same, so
  // that another game does not open id1 again. It stays valid. NULL for none.
  const quakefs_search_path *before;
  // Called during the mount; NULL for none.
  quakefs_progress progress;
  // The argument `context` of `progress`.
  void *context;
  // Settings of the engine, such as "fs_basegame=missionpack". The rules of the engine list the names.
  const char *const *settings;
  // Where the game is looked for if `base` is NULL: there, in the folders above, in the folders below.
  // NULL looks nowhere.
  const char *folder;
  // Downloads that are laid over the base directory, the lowest first. Nothing is unpacked.
  const quakefs_over *over;
  // The number of downloads.
  size_t over_count;
  // The folder of the engine's program, in which some engines look for files; NULL for none.
  const char *program_directory;
  // The game that a server names, in place of `games`, for engines whose protocol names one. NULL: none.
  const char *server_game;
  // Folders above the engine's game directories and below `mounts`, each with its archives and loose files
  // by the rules for a game directory, such as the downloads of a server. The lowest first.
  const char *const *game_directories;
} quakefs_options;

// Which engine and which base directory a mount chose, and why. Its texts live as long as the search path,
// and are UTF-8 except `base`. The struct has the same fields in all versions.
typedef struct {
  // The engine, such as "quakespasm".
  const char *engine;
  // Why, as a stable word: "named", "program", "game", "layout" or "default".
  const char *because;
  // The same as a sentence.
  const char *reason;
  // The base directory, in bytes of the system; empty if only archives and folders are mounted.
  const char *base;
  // Why, as a stable word: "named", "here", "above", "below", "archives" or "nothing".
  const char *base_because;
} quakefs_choice;

// A layer: one archive, or the loose files of one game directory. Its texts live as long as the search path,
// and are UTF-8 except `path`. The struct has the same fields in all versions.
typedef struct {
  // The name, relative to the base directory: "id1/pak0.pak", "id1/".
  const char *name;
  // The path on this computer, in bytes of the system; empty for an archive in memory or in another
  // archive.
  const char *path;
  // "pak", "zip" or "dir".
  const char *kind;
  // The game directory of the layer, such as "id1", also of a copy in the user directory; empty if it has
  // none.
  const char *directory;
  // The rank of the game directory, from 1 for the lowest; engines call it path id. 0 if it has none.
  uint32_t path_id;
  // The number of entries of an archive; 0 for loose files.
  uint64_t entries;
} quakefs_layer_info;

// An engine that the library knows.
typedef struct {
  // The name for the options, such as "quakespasm".
  const char *name;
  // The program and version that the rules describe: "QuakeSpasm 0.95.1".
  const char *version;
  // Whether the tests compare with recorded answers of that program; if not, the rules follow documents
  // and source.
  bool recorded;
} quakefs_engine;

// Called for each engine; return false to stop. `engine` is valid during the call. It must return normally.
typedef bool (*quakefs_each_engine)(void *context, const quakefs_engine *engine);

// A file of the merged tree. The struct has the same fields in all versions.
typedef struct {
  // The name of the file, with a NUL. It may contain any other bytes: do not print it on a terminal
  // unescaped.
  const char *name;
  // Length of the name, without the NUL.
  size_t name_length;
  // Length of the content.
  uint64_t size;
  // The number of the entry in its archive; -1 for a loose file.
  int64_t entry;
  // The number of the layer.
  uint32_t layer;
  // The path id of the layer; 0 if it has none.
  uint32_t path_id;
} quakefs_listed;

// Called for each file; return false to stop. `file` is valid during the call. It must return: neither
// longjmp nor an exception may leave it.
typedef bool (*quakefs_each_file)(void *context, const quakefs_listed *file);

// A row of an archive. The struct has the same fields in all versions.
typedef struct {
  // The name of the row, with a NUL, as in quakefs_listed. The name of a folder ends with a slash.
  const char *name;
  // Length of the name, without the NUL.
  size_t name_length;
  // Length of the content.
  uint64_t size;
  // Length of the payload in the archive.
  uint64_t stored_size;
  // The number of the row, from 0.
  int64_t entry;
  // The CRC-32 of the content as stated by a ZIP; 0 in other archives.
  uint32_t crc;
  // Whether the row is a folder. Only ZIP archives have such rows.
  bool is_folder;
} quakefs_entry;

// Called for each row; return false to stop. `entry` is valid during the call. It must return normally.
typedef bool (*quakefs_each_entry)(void *context, const quakefs_entry *entry);

// A problem of the game.
typedef struct {
  // The stable name of its kind: "gap", "overridden-loose". docs/findings.md lists all.
  const char *kind;
  // A sentence that names the place and the problem, in UTF-8 without terminal control characters.
  const char *text;
  // Advice, in the same form; may be empty.
  const char *help;
  // How severe it is.
  quakefs_severity severity;
  // Whether the engine stops with an error because of it.
  bool stops_engine;
} quakefs_finding;

// Called for each finding; return false to stop. `finding` is valid during the call. It must return
// normally.
typedef bool (*quakefs_each_finding)(void *context, const quakefs_finding *finding);

// A name whose winner differs between two search paths.
typedef struct {
  // The name and a NUL, as in quakefs_listed.
  const char *name;
  // Bytes of the name, without the NUL.
  size_t name_length;
  // The kind of the change.
  quakefs_change_kind kind;
} quakefs_change;

// Called for each change; return false to stop. `change` is valid during the call. It must return normally.
typedef bool (*quakefs_each_change)(void *context, const quakefs_change *change);

// The winner under the name of a level's companion, such as `maps/e1m1.lit`.
typedef struct {
  // The file, under the name that the engine looks up.
  quakefs_listed file;
  // Whether the engine loads this copy for the level.
  bool loaded;
  // The reason, as a stable word: "loaded", "below-level", "other-name", "other-size", "no-level",
  // "unread-level".
  const char *because;
  // The setting that makes the engine load the file; NULL if it needs none.
  const char *setting;
} quakefs_companion;

// Called for each copy; return false to stop. `companion` is valid during the call. It must return: neither
// longjmp nor an exception may leave it.
typedef bool (*quakefs_each_companion)(void *context, const quakefs_companion *companion);

// An overridden copy and its winner.
typedef struct {
  // The copy that the engine loads.
  quakefs_listed file;
  // The overridden copy.
  quakefs_listed overridden;
  // The rule that ranks the winner above, as a stable word: "archive-order", "loose", "game-order".
  const char *because;
  // The same as a sentence.
  const char *rule;
  // 1 if both have the same bytes, 0 if not, -1 if one cannot be read, or reading would take too long.
  int32_t same;
} quakefs_overridden_copy;

// Called for each overridden copy; return false to stop. `overridden` is valid during the call. It must
// return normally.
typedef bool (*quakefs_each_overridden)(void *context, const quakefs_overridden_copy *overridden);

// What one engine loads for a name.
typedef struct {
  // The engine, with its system if it was named with one.
  const char *engine;
  // The layer of the file in that engine's search path; NULL if the engine finds none.
  const char *layer;
  // Length of the content.
  uint64_t size;
  // The number of the entry in its archive; -1 for a loose file.
  int64_t entry;
} quakefs_winner;

// A name that engines load differently.
typedef struct {
  // The name and a NUL, as in quakefs_listed.
  const char *name;
  // Bytes of the name, without the NUL.
  size_t name_length;
  // Why, as a stable word.
  const char *because;
  // The same as a sentence.
  const char *rule;
  // What each engine loads, in the order of the engines.
  const quakefs_winner *winners;
  // The number of engines.
  size_t winner_count;
} quakefs_difference;

// Called for each difference; return false to stop. `difference` is valid during the call. It must return
// normally.
typedef bool (*quakefs_each_difference)(void *context, const quakefs_difference *difference);

#if defined(QUAKEFS_NEEDS)
// A file that no level, program or engine needs.
typedef struct {
  // The file.
  quakefs_listed file;
  // A missing file with a similar name, which this file was probably meant to be; NULL if there is none.
  const char *meant;
} quakefs_unused_file;
#endif

#if defined(QUAKEFS_NEEDS)
// Called for each file; return false to stop. `unused` is valid during the call. It must return normally.
typedef bool (*quakefs_each_unused)(void *context, const quakefs_unused_file *unused);
#endif

// The location of a file. The struct has the same fields in all versions.
typedef struct {
  // Length of the content.
  uint64_t size;
  // The offset of the content in the file at the path; 0 unless `plain`.
  uint64_t offset;
  // The number of the entry in its archive; -1 for a loose file.
  int64_t entry;
  // The number of the layer, 0 for the highest.
  uint32_t layer;
  // The rank of the game directory, or 0. QuakeSpasm ignores a .lit file if its path_id is lower than the
  // .bsp file's.
  uint32_t path_id;
  // Length of the path, with its NUL.
  size_t path_size;
  // Whether the content is `size` plain bytes from `offset` of the file at the path, for fopen and fseek.
  // If not, it is compressed or damaged: use quakefs_load or quakefs_open.
  bool plain;
} quakefs_found;

// Returns memory for `size` bytes, aligned as the caller likes, or NULL. It may end the program, as
// allocators of engines do when memory runs out. Otherwise it must return: neither longjmp nor an exception
// may leave it.
typedef void *(*quakefs_alloc)(void *context, size_t size);

// Files of a download that go to one folder for one reason. The struct has the same fields in all versions.
typedef struct {
  // The folder in the download, such as "progs_dump/pd/"; empty for the download itself.
  const char *from;
  // The folder below the base directory, such as "pd/", or "id1/maps/" for levels.
  const char *to;
  // The reason, as a stable word: "as" for the name that was given, "folder" for the download's own
  // folder, "text" for the author's text, "base" and "levels" for the base game, "name" for a guess from
  // the file name.
  const char *by;
  // The line of the author's text that names the place; NULL for another reason.
  const char *text;
  // The game directory, if an option of the engine selects it; NULL if not.
  const char *game;
  // The number of files.
  size_t files;
} quakefs_part;

// How a game directory of a download is started. Lists end with NULL. The struct has the same fields in all
// versions.
typedef struct {
  // The words for the engine's command line, such as "-game", "pd", "+map", "start".
  const char *const *words;
  // The mission flags without the dash, for `missions` of the options.
  const char *const *missions;
  // The game directories, for `games` of the options.
  const char *const *games;
  // The level that the words start; NULL if none is known.
  const char *level;
} quakefs_start;

// Where the files of a download go, and how it is started. It never changes. Texts are UTF-8 without
// terminal control characters. Lists end with NULL. Later versions may add fields to the end.
typedef struct {
  // The family of games that the download is for: "Quake", "Quake II", "Quake III" or "Half-Life".
  const char *family;
  // The parts of the download that go somewhere.
  const quakefs_part *parts;
  // The number of parts. If it is 0 and there are no `downloads`, `reason` is set.
  size_t part_count;
  // How to start each game directory of the download.
  const quakefs_start *starts;
  // The number of starts.
  size_t start_count;
  // The files that stay in the download, such as a text beside the folder of a mod.
  const char *const *left;
  // What is unclear or could not be read, one sentence each.
  const char *const *notes;
  // Why no file goes anywhere, as a stable word: "empty", "texts", "loose", "textures", "source",
  // "bad-name", "unknown". NULL if there are parts.
  const char *nothing;
  // The same as a sentence, or NULL.
  const char *reason;
  // Advice for a download that goes nowhere, or NULL.
  const char *help;
  // The engine that would load the download.
  const char *engine;
  // How many of the files are below the base directory already, with the same bytes.
  size_t same;
  // The paths below the base directory of the files that are there with other bytes. quakefs does not
  // replace them.
  const char *const *different;
  // The paths of a folder's ZIPs, each a download of its own.
  const char *const *downloads;
} quakefs_placement;

// A name that a file of a download would win.
typedef struct {
  // The name, as text: a byte that is not UTF-8 is "\xNN".
  const char *name;
  // The layer that would have it.
  const char *layer;
  // The layer whose file it would override; NULL if the name is new.
  const char *overrides;
} quakefs_effect;

// What a download would change. Later versions may add fields to the end.
typedef struct {
  // The names that it would win.
  const quakefs_effect *changes;
  // The number of names.
  size_t change_count;
  // The warnings and errors that the game has only with the download.
  const quakefs_finding *problems;
  // The number of problems.
  size_t problem_count;
} quakefs_effects;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The error of the last call on this thread: a sentence in UTF-8 without terminal control characters. It may
// contain a `%`: print it with "%s". Never NULL. Empty if the call succeeded, and after a miss
// (QUAKEFS_STATUS_NOT_FOUND). Valid until the next call on this thread. Functions that cannot fail leave it
// unchanged: the ones that free and close, quakefs_version, quakefs_retain, quakefs_layer_count,
// quakefs_write_directory and quakefs_size.
const char *quakefs_last_error(void);

// The version of the library, such as "0.1.0".
const char *quakefs_version(void);

// Mounts a game. On success, free `*search_path` with quakefs_free; on failure it is NULL.
//
// An archive that the engine skips is not a failure: quakefs_findings reports it.
//
// # Safety
// `options` is NULL, or points to `size` bytes. Its texts end with NUL. `search_path` points to a pointer.
quakefs_status quakefs_mount(const quakefs_options *options, quakefs_search_path **search_path);

// Mounts the same game again and picks up new archives, game directories and loose files. Unchanged archives
// are shared. `search_path` stays valid, and its owner still frees it. On success, free `*fresh` with
// quakefs_free; on failure it is NULL.
//
// # Safety
// `search_path` was mounted and not freed; `fresh` points to a pointer.
quakefs_status quakefs_remount(const quakefs_search_path *search_path, quakefs_search_path **fresh);

// Adds an owner and returns `search_path`. Use it if another thread still loads from the search path while
// the game continues with a fresh one. Each owner calls quakefs_free once, from any thread. NULL returns
// NULL.
//
// # Safety
// `search_path` is NULL or owned by the caller. If another thread may free it in the meantime, hold a lock
// of the engine while you read the variable with the pointer and call this function.
quakefs_search_path *quakefs_retain(const quakefs_search_path *search_path);

// Removes one owner; the last one frees the search path and the texts of its layers. Files of
// quakefs_open stay open. Ignores NULL.
//
// # Safety
// `search_path` is NULL, or came from quakefs_mount, quakefs_remount or quakefs_retain. Call quakefs_free at
// most once for each of their calls. Afterwards that owner must not use the search path.
void quakefs_free(quakefs_search_path *search_path);

// Which engine and which base directory a mount chose, and why.
//
// # Safety
// `search_path` was mounted and not freed; `choice` points to memory for it.
quakefs_status quakefs_chosen(const quakefs_search_path *search_path, quakefs_choice *choice);

// The number of layers; 0 for NULL.
//
// # Safety
// `search_path` is NULL, or was mounted and not freed.
uint32_t quakefs_layer_count(const quakefs_search_path *search_path);

// A layer by its number, 0 for the highest. A loop over all layers ends with QUAKEFS_STATUS_NOT_FOUND.
//
// # Safety
// `search_path` was mounted and not freed; `info` points to memory for it.
quakefs_status quakefs_layer(const quakefs_search_path *search_path,
                             uint32_t number,
                             quakefs_layer_info *info);

// The folder that the engine writes to: the highest game directory, or the one in the user directory if the
// engine has one. It may be missing. NULL if no base directory is mounted. The text lives as long as the
// search path.
//
// # Safety
// `search_path` is NULL, or was mounted and not freed.
const char *quakefs_write_directory(const quakefs_search_path *search_path);

// Lists all engines.
//
// # Safety
// `each` accepts the context.
quakefs_status quakefs_engines(quakefs_each_engine each, void *context);

// Lists each name once, sorted by bytes, with the layer of its winner.
//
// `pattern` is a glob such as "maps/*.bsp", in UTF-8. `*` stops at `/`, `**` does not; case compares as in
// the engine. NULL lists everything.
//
// # Safety
// `search_path` was mounted and not freed; `pattern` is NULL or ends with NUL.
quakefs_status quakefs_list(const quakefs_search_path *search_path,
                            const char *pattern,
                            quakefs_each_file each,
                            void *context);

// Lists all copies of a file, the highest layer first: the winner, and the copies that it overrides.
// quakefs_load_layer loads the first copy of a layer. A miss returns QUAKEFS_STATUS_NOT_FOUND.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL.
quakefs_status quakefs_copies(const quakefs_search_path *search_path,
                              const char *name,
                              quakefs_each_file each,
                              void *context);

// Lists the files of one layer by its number, 0 for the highest, sorted by bytes. It includes files that a
// higher layer overrides.
//
// # Safety
// As quakefs_list.
quakefs_status quakefs_list_layer(const quakefs_search_path *search_path,
                                  uint32_t number,
                                  const char *pattern,
                                  quakefs_each_file each,
                                  void *context);

// Lists every row of the archive of a layer, in the archive's order: also folders, repeated names and names
// that no request reaches. For checksums of pure servers, and for lists of an archive. A layer of loose
// files has no rows.
//
// # Safety
// `search_path` was mounted and not freed; `each` accepts the context.
quakefs_status quakefs_entries(const quakefs_search_path *search_path,
                               uint32_t number,
                               quakefs_each_entry each,
                               void *context);

// Lists the problems of the mount: skipped archives, and files that cannot be read or reached. The call
// quakefs_check finds more.
//
// # Safety
// `search_path` was mounted and not freed.
quakefs_status quakefs_findings(const quakefs_search_path *search_path,
                                quakefs_each_finding each,
                                void *context);

// Lists everything that is wrong with the game or probably a mistake, as the command `quakefs check` does:
// findings that are alike are one. It lists the folders and reads overridden copies, which can take seconds
// in a large game. A library with the feature "needs" also runs the game's program, and reports what its
// levels lack.
//
// # Safety
// `search_path` was mounted and not freed.
quakefs_status quakefs_check(const quakefs_search_path *search_path,
                             quakefs_each_finding each,
                             void *context);

// Whether the engine starts, and whether anything is wrong: "starts" if all files were read and none is
// missing or damaged, "starts-but", "not-enough" or "does-not-start". It reads as much as quakefs_check.
//
// # Safety
// `search_path` was mounted and not freed; `verdict` points to memory for it.
quakefs_status quakefs_verdict(const quakefs_search_path *search_path, const char **verdict);

// Lists the names to load again after `fresh` replaced `old`, sorted by bytes. Changed loose files are only
// noticed if `old` was mounted with QUAKEFS_LISTED.
//
// # Safety
// Both search paths were mounted and not freed.
quakefs_status quakefs_changes(const quakefs_search_path *fresh,
                               const quakefs_search_path *old,
                               quakefs_each_change each,
                               void *context);

// Lists the companions of a level, such as "maps/e1m1.bsp", in the order in which the engine looks them up.
// These are the files that it loads beside the level, and files with such names that it ignores. If the
// level cannot be read, the call lists the companions and then fails.
//
// # Safety
// `search_path` was mounted and not freed; `level` ends with NUL.
quakefs_status quakefs_companions(const quakefs_search_path *search_path,
                                  const char *level,
                                  quakefs_each_companion each,
                                  void *context);

// Lists every overridden copy, sorted by name. It reads the copies, which can take seconds in a large game.
//
// # Safety
// `search_path` was mounted and not freed.
quakefs_status quakefs_overridden(const quakefs_search_path *search_path,
                                  quakefs_each_overridden each,
                                  void *context);

// Lists the names for which engines load different files, by cause, the cause with the most names first. It
// mounts the game of the options under each engine, whatever engine or rules the options name.
//
// - engines: a list that ends with NULL. An engine may have a system: "fte@windows".
//
// Engines of different games are QUAKEFS_STATUS_BAD_ARGUMENT.
//
// # Safety
// As quakefs_mount; `engines` is a list of texts that end with NUL, and ends with NULL.
quakefs_status quakefs_compare(const quakefs_options *options,
                               const char *const *engines,
                               quakefs_each_difference each,
                               void *context);

#if defined(QUAKEFS_NEEDS)
// Lists the files of the game that nothing needs: models, sprites, sounds, texture images and files beside
// levels. It runs the game's program, which can take seconds. QUAKEFS_STATUS_UNKNOWN if the program cannot
// be read, or the game's code is native. Only a library with the feature "needs" has this function.
//
// # Safety
// `search_path` was mounted and not freed.
quakefs_status quakefs_unused(const quakefs_search_path *search_path,
                              quakefs_each_unused each,
                              void *context);
#endif

// Finds the file that the engine would load.
//
// `plain`, the offset and the size of an entry were read at the mount. They are wrong if another program has
// since replaced or changed the archive; quakefs_descriptor and quakefs_fopen check that.
//
// `found` may be NULL. `path` receives the path of the loose file or the archive, in bytes of the system,
// and a NUL. It has room for `path_size` bytes, and may be NULL. If the path does not fit, the call fills
// `found` and returns QUAKEFS_STATUS_TOO_SMALL. A miss returns QUAKEFS_STATUS_NOT_FOUND and changes neither.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL; the others are NULL or point to memory for
// them.
quakefs_status quakefs_find(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_found *found,
                            char *path,
                            size_t path_size);

// Finds the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it.
// Otherwise like quakefs_find.
//
// # Safety
// As quakefs_find.
quakefs_status quakefs_find_layer(const quakefs_search_path *search_path,
                                  uint32_t number,
                                  const char *name,
                                  quakefs_found *found,
                                  char *path,
                                  size_t path_size);

// Loads a file into memory of the caller's allocator. The call allocates once, for the content and a NUL
// after it. The memory belongs to the caller from then on, even if reading into it fails. `found` may be
// NULL; it receives the location as in quakefs_find, with the number of bytes read as the size, without the
// NUL. On failure, `*bytes` is NULL unless memory was allocated, and the size is 0.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL; `bytes` points to memory for the pointer,
// and `found` to memory for the location or is NULL; `alloc` returns memory of the requested size.
quakefs_status quakefs_load(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_alloc alloc,
                            void *context,
                            void **bytes,
                            quakefs_found *found);

// Loads the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it: for
// example each autoexec.cfg. Otherwise like quakefs_load.
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
// Opens the file on disk that contains a file, positioned at its first byte, for code that reads and streams
// by descriptor. The caller closes the descriptor. The content is the next `found->size` bytes; later bytes
// of an archive belong to other files. Returns -1 for a compressed file (use quakefs_open), and for an
// archive that was replaced or changed since the mount. quakefs_last_error tells which. A miss returns -1
// too, without a message. Not on Windows.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL; `found` points to memory for it or is NULL.
int quakefs_descriptor(const quakefs_search_path *search_path, const char *name, quakefs_found *found);
#endif

#if defined(QUAKEFS_UNIX)
// Like quakefs_descriptor, but returns a FILE, to close with fclose, or NULL. docs/porting.md has a version
// for Windows.
//
// # Safety
// As quakefs_descriptor.
FILE *quakefs_fopen(const quakefs_search_path *search_path, const char *name, quakefs_found *found);
#endif

// Opens a file of any layer for reading, compressed or not. A deflated entry is decoded as it is read;
// seeking backwards starts again. On success, close `*file` with quakefs_close; on failure it is NULL.
// `found` may be NULL; it receives the location as in quakefs_find, with the size of the open file.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL; `file` points to memory for the pointer,
// and `found` to memory for the location or is NULL.
quakefs_status quakefs_open(const quakefs_search_path *search_path,
                            const char *name,
                            quakefs_file **file,
                            quakefs_found *found);

// Opens the copy in one layer by its number, 0 for the highest, even if a higher layer overrides it.
// Otherwise like quakefs_open.
//
// # Safety
// As quakefs_open.
quakefs_status quakefs_open_layer(const quakefs_search_path *search_path,
                                  uint32_t number,
                                  const char *name,
                                  quakefs_file **file,
                                  quakefs_found *found);

// Reads up to `size` bytes and returns their number, which is lower only at the end of the file. Returns -1
// on failure, which quakefs_last_error explains. Some bytes may then be in the buffer.
//
// # Safety
// `file` was opened and not closed, and no other thread uses it; `buffer` has room for `size` bytes.
int64_t quakefs_read(quakefs_file *file, void *buffer, size_t size);

// Moves to another position: `whence` is SEEK_SET (0), SEEK_CUR (1) or SEEK_END (2). Returns the new
// position, or -1 on failure. As in engines, and unlike fseek, a position past the end becomes the end.
//
// # Safety
// `file` was opened and not closed, and no other thread uses it.
int64_t quakefs_seek(quakefs_file *file, int64_t offset, int whence);

// The size of an open file; 0 for NULL.
//
// # Safety
// `file` is NULL, or was opened and not closed.
uint64_t quakefs_size(const quakefs_file *file);

// Closes a file. Ignores NULL.
//
// # Safety
// `file` is NULL, or was opened and not closed, and no other thread uses it.
void quakefs_close(quakefs_file *file);

// Explains in lines of text which copy of a name wins and which copies it overrides, or why no copy is
// loaded and what to do about it. Each line ends with a newline. The text is UTF-8, has no control
// characters except the newlines, and may contain a `%`. Free it with quakefs_free_text; NULL is a failure.
//
// # Safety
// `search_path` was mounted and not freed; `name` ends with NUL.
char *quakefs_explain(const quakefs_search_path *search_path, const char *name);

// Returns the rules of an engine as the text of a rule file, in TOML, for `rules` of the options. Free it
// with quakefs_free_text; NULL is a failure.
//
// # Safety
// `engine` ends with NUL.
char *quakefs_engine_rules(const char *engine);

// Frees a text of quakefs_explain or quakefs_engine_rules. Ignores NULL.
//
// # Safety
// `text` is NULL, or one of these functions returned it and nobody freed it.
void quakefs_free_text(char *text);

// Finds where the files of a download go, and how it is started. Nothing is written. On success, free
// `*placement` with quakefs_free_placement; on failure it is NULL. A download that goes nowhere is not a
// failure: it has no parts, and `reason` tells why.
//
// - download: the path of an archive, a level, a demo, or a folder that was unpacked somewhere.
// - base: the folder that contains id1, or NULL. A folder of the download belongs to a game directory there
//   with the same name. It is a failure if the folder lacks the game of the download.
// - engine: the engine that will load the download, such as "ironwail". Its base game is used if the
//   download does not show the family of its game. NULL: the engine that the base directory shows, or one of
//   the family.
// - name: the name of the game directory, or NULL to find it.
//
// # Safety
// The texts are NULL or end with NUL. `placement` points to a pointer.
quakefs_status quakefs_place(const char *download,
                             const char *base,
                             const char *engine,
                             const char *name,
                             const quakefs_placement **placement);

// What the engine would load differently with a download, and what would be wrong. It mounts the game
// without and with the download; nothing is written. On success, free `*effects` with quakefs_free_effects;
// on failure it is NULL. QUAKEFS_STATUS_NOT_FOUND if nothing is placed, or the base directory of
// quakefs_place has no game.
//
// # Safety
// quakefs_place returned `placement`, and nobody freed it. `effects` points to a pointer.
quakefs_status quakefs_effects_of(const quakefs_placement *placement, const quakefs_effects **effects);

// Frees effects and their texts. Ignores NULL.
//
// # Safety
// `effects` is NULL, or quakefs_effects_of returned it and nobody freed it.
void quakefs_free_effects(const quakefs_effects *effects);

// Frees a placement and its texts. Ignores NULL.
//
// # Safety
// `placement` is NULL, or quakefs_place returned it and nobody freed it.
void quakefs_free_placement(const quakefs_placement *placement);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUAKEFS_H */
