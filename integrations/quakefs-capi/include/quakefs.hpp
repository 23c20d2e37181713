// quakefs for C++20: owners of the objects of quakefs.h, and std::span for bytes.
//
// No function throws. If your callable throws, std::terminate ends the program, since no exception may cross the library.
// quakefs.h explains the statuses, and which thread may call which function.

#ifndef QUAKEFS_HPP
#define QUAKEFS_HPP

#include "quakefs.h"

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "quakefs.hpp needs C++20: use quakefs.h with older versions"
#endif

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace quakefs {

// Options with only their size set.
[[nodiscard]] inline quakefs_options options() noexcept
{
    quakefs_options options{};
    options.size = sizeof options;
    return options;
}

// Why the last call on this thread failed; valid until the next call.
[[nodiscard]] inline std::string_view last_error() noexcept { return quakefs_last_error(); }

// The content of a file, and a NUL after it.
class content {
public:
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_.get(), data_ ? size_ : 0}; }
    [[nodiscard]] std::string_view text() const noexcept
    {
        return {reinterpret_cast<const char *>(data_.get()), bytes().size()};
    }

private:
    friend class search_path;
    struct release {
        void operator()(std::byte *bytes) const noexcept { std::free(bytes); }
    };
    std::unique_ptr<std::byte, release> data_;
    std::size_t size_ = 0;
};

// A text from the library, which its owner frees; empty after a failure.
class text {
public:
    [[nodiscard]] std::string_view view() const noexcept { return text_ ? std::string_view(text_.get()) : std::string_view(); }
    [[nodiscard]] explicit operator bool() const noexcept { return text_ != nullptr; }

private:
    friend class search_path;
    friend text engine_rules(const char *engine) noexcept;
    explicit text(char *given) noexcept : text_(given) {}
    struct release {
        void operator()(char *text) const noexcept { quakefs_free_text(text); }
    };
    std::unique_ptr<char, release> text_;
};

// See quakefs_engine_rules.
[[nodiscard]] inline text engine_rules(const char *engine) noexcept { return text(quakefs_engine_rules(engine)); }

// Where a download goes, which its owner frees.
struct release_placement {
    void operator()(const quakefs_placement *placed) const noexcept { quakefs_free_placement(placed); }
};
using placement = std::unique_ptr<const quakefs_placement, release_placement>;

// See quakefs_place. On failure, `placed` is empty.
[[nodiscard]] inline quakefs_status place(const char *download, placement &placed, const char *base = nullptr,
                                          const char *engine = nullptr, const char *name = nullptr) noexcept
{
    const quakefs_placement *fresh = nullptr;
    const quakefs_status status = quakefs_place(download, base, engine, name, &fresh);
    placed.reset(fresh);
    return status;
}

// A FILE, which its owner closes.
struct close_stream {
    void operator()(std::FILE *stream) const noexcept { std::fclose(stream); }
};
using stream = std::unique_ptr<std::FILE, close_stream>;

// A file that is open for reading. One thread at a time may use it.
class file {
public:
    // Returns the number of bytes read, or -1; see quakefs_read.
    [[nodiscard]] std::int64_t read(std::span<std::byte> buffer) noexcept
    {
        return quakefs_read(file_.get(), buffer.data(), buffer.size());
    }
    // See quakefs_seek.
    std::int64_t seek(std::int64_t offset, int whence) noexcept { return quakefs_seek(file_.get(), offset, whence); }
    [[nodiscard]] std::uint64_t size() const noexcept { return quakefs_size(file_.get()); }
    [[nodiscard]] explicit operator bool() const noexcept { return file_ != nullptr; }

private:
    friend class search_path;
    struct release {
        void operator()(quakefs_file *file) const noexcept { quakefs_close(file); }
    };
    std::unique_ptr<quakefs_file, release> file_;
};

// An owner of a mounted game. A copy is another owner of the same game.
class search_path {
public:
    search_path() noexcept {}
    search_path(const search_path &other) noexcept : search_path_(quakefs_retain(other.search_path_)) {}
    search_path(search_path &&other) noexcept : search_path_(std::exchange(other.search_path_, nullptr)) {}
    search_path &operator=(search_path other) noexcept
    {
        std::swap(search_path_, other.search_path_);
        return *this;
    }
    ~search_path() { quakefs_free(search_path_); }

    // Shares the archives of the search path `before`, which may be this one, and ignores `options.before`. On failure the search
    // path stays as it is.
    [[nodiscard]] quakefs_status mount(quakefs_options options, const search_path &before = {}) noexcept
    {
        search_path fresh;
        options.before = before.search_path_;
        const quakefs_status status = quakefs_mount(&options, &fresh.search_path_);
        if (status == QUAKEFS_STATUS_OK)
            *this = std::move(fresh);
        return status;
    }

    // Mounts the same game again. On failure the search path stays as it is.
    [[nodiscard]] quakefs_status remount() noexcept
    {
        search_path fresh;
        const quakefs_status status = quakefs_remount(search_path_, &fresh.search_path_);
        if (status == QUAKEFS_STATUS_OK)
            *this = std::move(fresh);
        return status;
    }

    [[nodiscard]] quakefs_status find(const char *name, quakefs_found &found) const noexcept
    {
        return quakefs_find(search_path_, name, &found, nullptr, 0);
    }

    // The same, with the path on disk. If the buffer is too short, returns QUAKEFS_STATUS_TOO_SMALL.
    [[nodiscard]] quakefs_status find(const char *name, quakefs_found &found, std::span<char> path) const noexcept
    {
        return quakefs_find(search_path_, name, &found, path.data(), path.size());
    }

    // Loads into memory from malloc.
    [[nodiscard]] quakefs_status load(const char *name, content &loaded, quakefs_found *found = nullptr) const noexcept
    {
        return into(loaded, found, [&](quakefs_alloc alloc, void **memory, quakefs_found *where) {
            return quakefs_load(search_path_, name, alloc, nullptr, memory, where);
        });
    }

    // The same for the copy of one layer.
    [[nodiscard]] quakefs_status load_layer(std::uint32_t number, const char *name, content &loaded,
                                            quakefs_found *found = nullptr) const noexcept
    {
        return into(loaded, found, [&](quakefs_alloc alloc, void **memory, quakefs_found *where) {
            return quakefs_load_layer(search_path_, number, name, alloc, nullptr, memory, where);
        });
    }

    // Loads into memory from `allocate(size)`. The caller owns the memory even if reading into it fails: `bytes` is then empty
    // and begins there.
    template <class Allocate>
    [[nodiscard]] quakefs_status load(const char *name, Allocate &&allocate, std::span<std::byte> &bytes,
                                      quakefs_found *found = nullptr) const noexcept
    {
        using Function = std::remove_reference_t<Allocate>;
        void *memory = nullptr;
        quakefs_found where{};
        const auto call = [](void *context, std::size_t size) noexcept -> void * {
            return (*static_cast<Function *>(context))(size);
        };
        const auto status = quakefs_load(search_path_, name, call, address(allocate), &memory, &where);
        bytes = {static_cast<std::byte *>(memory), static_cast<std::size_t>(where.size)};
        if (found)
            *found = where;
        return status;
    }

    [[nodiscard]] quakefs_status open(const char *name, file &opened, quakefs_found *found = nullptr) const noexcept
    {
        quakefs_file *fresh = nullptr;
        const quakefs_status status = quakefs_open(search_path_, name, &fresh, found);
        opened.file_.reset(fresh);
        return status;
    }

#ifdef QUAKEFS_UNIX
    // See quakefs_fopen.
    [[nodiscard]] stream fopen(const char *name, quakefs_found *found = nullptr) const noexcept
    {
        return stream(quakefs_fopen(search_path_, name, found));
    }
#endif

    [[nodiscard]] std::uint32_t layer_count() const noexcept { return quakefs_layer_count(search_path_); }

    [[nodiscard]] quakefs_status layer(std::uint32_t number, quakefs_layer_info &info) const noexcept
    {
        return quakefs_layer(search_path_, number, &info);
    }

    // NULL if no base directory is mounted; see quakefs_write_directory.
    [[nodiscard]] const char *write_directory() const noexcept { return quakefs_write_directory(search_path_); }

    [[nodiscard]] text explain(const char *name) const noexcept { return text(quakefs_explain(search_path_, name)); }

    // Calls `each(const quakefs_listed &)` until it returns false.
    template <class Each> quakefs_status list(const char *pattern, Each &&each) const noexcept
    {
        return quakefs_list(search_path_, pattern, caller<quakefs_listed, Each>(), address(each));
    }

    // The same for the files of one layer.
    template <class Each>
    quakefs_status list_layer(std::uint32_t number, const char *pattern, Each &&each) const noexcept
    {
        return quakefs_list_layer(search_path_, number, pattern, caller<quakefs_listed, Each>(), address(each));
    }

    // The same for each copy of a file, the highest first.
    template <class Each> quakefs_status copies(const char *name, Each &&each) const noexcept
    {
        return quakefs_copies(search_path_, name, caller<quakefs_listed, Each>(), address(each));
    }

    // The same for `each(const quakefs_companion &)`.
    template <class Each> quakefs_status companions(const char *level, Each &&each) const noexcept
    {
        return quakefs_companions(search_path_, level, caller<quakefs_companion, Each>(), address(each));
    }

    // The same for `each(const quakefs_finding &)`.
    template <class Each> quakefs_status findings(Each &&each) const noexcept
    {
        return quakefs_findings(search_path_, caller<quakefs_finding, Each>(), address(each));
    }

    // The same for `each(const quakefs_change &)`: the changes since an older search path.
    template <class Each> quakefs_status changes_since(const search_path &old, Each &&each) const noexcept
    {
        return quakefs_changes(search_path_, old.search_path_, caller<quakefs_change, Each>(), address(each));
    }

    [[nodiscard]] const quakefs_search_path *get() const noexcept { return search_path_; }
    [[nodiscard]] explicit operator bool() const noexcept { return search_path_ != nullptr; }

private:
    template <class Load> static quakefs_status into(content &loaded, quakefs_found *found, Load &&load) noexcept
    {
        void *memory = nullptr;
        quakefs_found where{};
        const auto from_malloc = [](void *, std::size_t size) noexcept -> void * { return std::malloc(size); };
        const quakefs_status status = load(from_malloc, &memory, &where);
        loaded.data_.reset(static_cast<std::byte *>(memory));
        loaded.size_ = static_cast<std::size_t>(where.size);
        if (found)
            *found = where;
        return status;
    }

    template <class Item, class Each> static auto caller() noexcept
    {
        using Function = std::remove_reference_t<Each>;
        return [](void *context, const Item *item) noexcept -> bool { return (*static_cast<Function *>(context))(*item); };
    }

    template <class T> static void *address(T &value) noexcept
    {
        return const_cast<void *>(static_cast<const void *>(std::addressof(value)));
    }

    quakefs_search_path *search_path_ = nullptr;
};

} // namespace quakefs

#endif // QUAKEFS_HPP
