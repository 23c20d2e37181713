// quakefs: which file a Quake engine would load for a name, and its bytes.
//
// Written from src/ by cbindgen: `UPDATE=1 cargo test -p quakefs-capi`.
//
// Ownership: what a function gives by a pointer to a pointer is freed by the function that its comment names; every other
//   text is borrowed, for as long as its comment says. Memory of quakefs_load is the caller's own.
// Threads: a stack may be asked by any number of threads at the same time. A file has one user at a time.
// Errors: a quakefs_status other than 0, and a sentence by quakefs_last_error, for each thread its own.
// Callbacks must return, or end the program: neither longjmp nor an exception may leave one.
// Names are bytes, usually ASCII, `/` between parts. They come from archives: print none on a terminal as it is.
// Paths on disk are UTF-8.

#ifndef QUAKEFS_H
#define QUAKEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Lists the folders at the mount, so that a lookup asks the disk for nothing. quakefs_remount lists them again.
#define QUAKEFS_LISTED 1

// Maps archives in place of reading them by position: a file is then copied once, from the page cache. A mapped archive that
// another program cuts short ends the process by SIGBUS, where without this flag the load fails.
#define QUAKEFS_MAPPED 2

// What became of a call. 0 is success.
typedef enum {
  // Done.
  QUAKEFS_STATUS_OK = 0,
  // No layer has the name, or no engine may be asked for it.
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
  // A bug of quakefs. What was asked for was not done; the stack can be used and freed.
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

// A file that is open for reading. One thread may use it at a time. It stays open when its stack is freed.
typedef struct quakefs_file quakefs_file;

// A mounted game: the layers that an engine searches. It does not change, and any number of threads may ask one at the
// same time; it is freed once, by quakefs_free, when no thread asks it any more.
typedef struct quakefs_stack quakefs_stack;

// What is mounted. Set everything to zero, then `size`, then what is wanted. The texts are borrowed for the call.
typedef struct {
  // sizeof(quakefs_options): a later version of the library reads no more than that.
  size_t size;
  // The folder that holds id1, UTF-8.
  const char *base;
  // The engine whose rules count, such as "quakespasm"; NULL for "winquake". `quakefs engines` lists the names.
  const char *engine;
  // The games, as -game names them, in order, and a NULL at the end; NULL for none.
  const char *const *games;
  // The mission flags without the dash, such as "hipnotic", and a NULL at the end; NULL for none.
  const char *const *missions;
  // The directory of the user's own, which need not exist; NULL for none.
  const char *user_directory;
  // QUAKEFS_LISTED, QUAKEFS_MAPPED, or both by `|`.
  uint32_t flags;
} quakefs_options;

// A layer: one archive, or the loose files of one game directory. The texts are UTF-8 and live as long as the stack.
typedef struct {
  // The name, relative to the base directory: "id1/pak0.pak", "id1/".
  const char *name;
  // Where the layer is on disk.
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

// A file of the merged tree.
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
  // The name of its kind, which stays the same in all versions: "gap", "hidden-loose".
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

// A name whose served copy differs between two stacks.
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

// Where a file is.
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

// Why the last call on this thread failed, in a sentence: UTF-8, without characters that steer a terminal. Never NULL; empty
// where it did not fail, and after a miss, QUAKEFS_STATUS_NOT_FOUND. Valid until the next call on this thread; the functions that
// free and close leave it as it is.
const char *quakefs_last_error(void);

// The version of the library, such as "0.1.0".
const char *quakefs_version(void);

// Mounts a game. On success, `*stack` is to be freed by quakefs_free; else it is NULL.
//
// What the engine leaves out is no failure: quakefs_findings says it.
//
// # Safety
// `options` is NULL, or leads to `size` bytes whose texts end with NUL; `stack` leads to a pointer.
quakefs_status quakefs_mount(const quakefs_options *options, quakefs_stack **stack);

// Mounts the same game as it is now: new archives, new game directories, new loose files. `stack` stays as it is and is
// still to be freed; archives that did not change are shared. On success, `*fresh` is to be freed; else it is NULL.
//
// # Safety
// `stack` is one that was mounted and not freed; `fresh` leads to a pointer.
quakefs_status quakefs_remount(const quakefs_stack *stack,
                               quakefs_stack **fresh);

// Frees a stack. NULL is nothing to free. Handles of quakefs_open stay open; the texts of its layers are gone.
//
// # Safety
// `stack` is NULL, or one that was mounted, was not freed, and is not asked by another thread.
void quakefs_free(quakefs_stack *stack);

// How many layers the stack has; 0 for NULL.
//
// # Safety
// `stack` is NULL, or one that was mounted and not freed.
uint32_t quakefs_layer_count(const quakefs_stack *stack);

// A layer by its number, 0 for the highest.
//
// # Safety
// `stack` is one that was mounted and not freed; `info` leads to memory for it.
quakefs_status quakefs_layer(const quakefs_stack *stack, uint32_t number, quakefs_layer_info *info);

// Lists each name once, sorted by bytes, with the layer that serves it.
//
// `pattern` is a glob such as "maps/*.bsp" (`*` stops at `/`, `**` does not); NULL lists everything.
//
// # Safety
// `stack` is one that was mounted and not freed; `pattern` is NULL or a text that ends with NUL.
quakefs_status quakefs_list(const quakefs_stack *stack,
                            const char *pattern,
                            quakefs_each_file each,
                            void *context);

// Says what was left out at the mount and why, and what cannot be read or reached.
//
// # Safety
// `stack` is one that was mounted and not freed.
quakefs_status quakefs_findings(const quakefs_stack *stack, quakefs_each_finding each, void *context);

// Says which names to load again after `old` gave way to `fresh`, sorted by bytes. A loose file that was edited between the two is
// seen where `old` was mounted with QUAKEFS_LISTED.
//
// # Safety
// Both stacks were mounted and not freed.
quakefs_status quakefs_changes(const quakefs_stack *fresh,
                               const quakefs_stack *old,
                               quakefs_each_change each,
                               void *context);

// Finds the file that the engine would load.
//
// `found` may be NULL. `path` receives the path of the loose file, or of the archive, and a NUL; it has room for
// `path_size` bytes, and may be NULL where no path is wanted. A path that does not fit gives QUAKEFS_STATUS_TOO_SMALL, with
// all of `found` filled. A miss gives QUAKEFS_STATUS_NOT_FOUND and leaves both as they were.
//
// # Safety
// `stack` is one that was mounted and not freed; `name` ends with NUL; the others are NULL or lead to memory for them.
quakefs_status quakefs_find(const quakefs_stack *stack,
                            const char *name,
                            quakefs_found *found,
                            char *path,
                            size_t path_size);

// Loads a file into memory of the caller's allocator, which is asked once, for the content and one byte more: a NUL at
// the end, as engines have it. The memory belongs to the caller from then on, also where reading into it fails. `*size` is
// the size without that NUL.
//
// # Safety
// `stack` is one that was mounted and not freed; `name` ends with NUL; `bytes` and `size` lead to memory for them; `alloc`
// gives as many bytes as it is asked for.
quakefs_status quakefs_load(const quakefs_stack *stack,
                            const char *name,
                            quakefs_alloc alloc,
                            void *context,
                            void **bytes,
                            size_t *size);

// Opens a file for reading, whatever layer it comes from and however it is stored. A deflated entry is decoded as it is
// read; a seek backwards starts the decoding again. On success, `*file` is to be closed by quakefs_close; else it is NULL.
//
// # Safety
// `stack` is one that was mounted and not freed; `name` ends with NUL; `file` leads to a pointer.
quakefs_status quakefs_open(const quakefs_stack *stack,
                            const char *name,
                            quakefs_file **file);

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

// Says in lines of text which copy of a name is served and what it hides, or why none is. Each line ends with a newline; the text
// is UTF-8, without other characters that steer a terminal. To be freed by quakefs_free_text; NULL is a failure.
//
// # Safety
// `stack` is one that was mounted and not freed; `name` ends with NUL.
char *quakefs_explain(const quakefs_stack *stack,
                      const char *name);

// Frees a text of quakefs_explain. NULL is nothing to free.
//
// # Safety
// `text` is NULL, or one that quakefs_explain gave and that was not freed.
void quakefs_free_text(char *text);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* QUAKEFS_H */
