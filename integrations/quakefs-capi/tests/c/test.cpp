/* quakefs.hpp: owners are moved, copied and freed; spans hold the bytes. The game is the one of tests/it/main.rs. */

#include <quakefs.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, quakefs_last_error());   \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    const char *games[] = {"mod", nullptr};
    auto options = quakefs::options();
    quakefs::search_path game, failed;
    options.engine = "darkplaces";
    CHECK(failed.mount(options) == QUAKEFS_STATUS_BAD_ARGUMENT && !failed && !quakefs::last_error().empty());
    options.base = argv[1], options.games = games;
    CHECK(game.mount(options) == QUAKEFS_STATUS_OK && game);

    // what fails leaves the game as it is, and a search path that is gone is not looked at
    const quakefs_search_path *running = game.get();
    options.base = "/nowhere/at/all", options.before = game.get();
    CHECK(game.mount(options, game) == QUAKEFS_STATUS_NOT_MOUNTED && game.get() == running);
    options.base = argv[1];
    CHECK(game.mount(options) == QUAKEFS_STATUS_OK && game.mount(options) == QUAKEFS_STATUS_OK);
    CHECK(game.mount(options, game) == QUAKEFS_STATUS_OK && game.get() != running);

    quakefs::content text;
    quakefs_found found;
    CHECK(game.load("progs.dat", text, &found) == QUAKEFS_STATUS_OK && found.path_id == 2);
    CHECK(text.text() == "mod/progs.dat" && text.bytes().size() == 13 && text.text().data()[13] == 0);
    const quakefs::content moved = std::move(text);
    CHECK(moved.bytes().size() == 13 && text.bytes().empty() && text.text().empty());
    CHECK(game.load("nope", text) == QUAKEFS_STATUS_NOT_FOUND && text.bytes().empty());

    std::vector<std::byte> hunk(200000);
    std::span<std::byte> bytes;
    const auto on_hunk = [&](std::size_t size) { return size <= hunk.size() ? hunk.data() : nullptr; };
    CHECK(game.load("text.txt", on_hunk, bytes) == QUAKEFS_STATUS_OK);
    CHECK(bytes.data() == hunk.data() && bytes.size() == 110000);

    quakefs::file file;
    CHECK(game.open("text.txt", file, &found) == QUAKEFS_STATUS_OK && file.size() == found.size);
    CHECK(file.seek(11, SEEK_SET) == 11 && file.read(bytes.first(10)) == 10 && bytes[0] == std::byte{'c'});

    std::string names;
    CHECK(game.list("maps/*", [&](const quakefs_listed &listed) {
        names += listed.name;
        return true;
    }) == QUAKEFS_STATUS_OK);
    CHECK(names == "maps/e1m1.bspmaps/start.bsp");
    names.clear();
    CHECK(game.copies("maps/start.bsp", [&](const quakefs_listed &copy) {
        quakefs::content bytes;
        CHECK(game.load_layer(copy.layer, copy.name, bytes) == QUAKEFS_STATUS_OK);
        names += bytes.text();
        return true;
    }) == QUAKEFS_STATUS_OK);
    CHECK(names == "loosehiddenid1/pak0.pak:0");
    quakefs_layer_info layer;
    int files = 0;
    CHECK(game.layer_count() == 5 && game.layer(4, layer) == QUAKEFS_STATUS_OK);
    CHECK(game.list_layer(4, nullptr, [&](const quakefs_listed &) { return ++files; }) == QUAKEFS_STATUS_OK && files > 0);
    CHECK(game.companions("maps/start.bsp", [](const quakefs_companion &) { return true; }) == QUAKEFS_STATUS_OK);
    CHECK(std::string_view(game.write_directory()).ends_with("/mod"));
    std::vector<char> path(4096);
    CHECK(game.find("progs.dat", found, path) == QUAKEFS_STATUS_OK && found.path_size < path.size());
    CHECK(std::string_view(path.data()).ends_with("/mod/progs.dat"));
    const quakefs::stream stream = game.fopen("progs.dat");
    CHECK(stream && std::getc(stream.get()) == 'm');
    CHECK(game.explain("maps/start.bsp").view().starts_with("maps/start.bsp: "));
    CHECK(quakefs::engine_rules("quakespasm") && !quakefs::engine_rules("zoo"));
    CHECK(game.findings([](const quakefs_finding &) { return true; }) == QUAKEFS_STATUS_OK);

    quakefs::placement placed;
    const std::string download = std::string(argv[1]) + "/pd-3.0.zip";
    CHECK(quakefs::place(download.c_str(), placed, argv[1], "ironwail") == QUAKEFS_STATUS_OK && placed->part_count == 1);
    CHECK(quakefs::place("/nowhere.zip", placed) != QUAKEFS_STATUS_OK && !placed);

    // a copy on another thread outlives what the game has
    std::thread other([copy = game] {
        quakefs::content level;
        CHECK(copy.load("maps/start.bsp", level) == QUAKEFS_STATUS_OK);
    });
    quakefs::search_path old = game;
    CHECK(game.remount() == QUAKEFS_STATUS_OK);
    CHECK(game.changes_since(old, [](const quakefs_change &) { return false; }) == QUAKEFS_STATUS_OK);
    game = quakefs::search_path();
    other.join();
    std::puts("all done");
}
