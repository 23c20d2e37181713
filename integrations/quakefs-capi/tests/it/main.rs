//! The library as programs in C and C++ use it, built by the compilers of the system.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a suite: what panics fails a test")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pak_format::Layout;
use testutils::{Folder, game, hostile, pack, update, zip, zip_deflated};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

fn succeeds(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    output
}

/// The folder of what cargo built for this test.
fn target() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// The static library, and the other libraries that a program links.
fn library() -> Vec<String> {
    let template = std::fs::read_to_string(format!("{CRATE}/quakefs.pc.in")).unwrap();
    let libraries = template.lines().find_map(|line| line.strip_prefix("Libs.private: ")).unwrap();
    let library = target().join("libquakefs_capi.a");
    [library.to_str().unwrap()].into_iter().chain(libraries.split(' ')).map(str::to_owned).collect()
}

/// Compiles a program in C with every warning an error, and links the static library.
fn compile(source: &str, folder: &Folder) -> PathBuf {
    let program = folder.join("program").into_std_path_buf();
    let mut command = Command::new("cc");
    command.args([
        "-std=c11",
        "-D_POSIX_C_SOURCE=200809L",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wformat-security",
        "-Werror",
        "-O1",
        "-g",
    ]);
    if cfg!(feature = "needs") {
        command.arg("-DQUAKEFS_NEEDS");
    }
    command.args(["-I", &format!("{CRATE}/include"), source, "-o"]).arg(&program);
    succeeds(command.args(library()));
    program
}

/// A game with every kind of file.
fn a_game() -> Folder {
    let game = game(
        "id1/pak0.pak: maps/start.bsp maps/e1m1.bsp quake.rc=exec; mod/: maps/start.bsp=loose progs.dat",
    );
    let text = "compressed ".repeat(10_000);
    game.write("mod/extra.pk3", zip_deflated([("text.txt", text.as_bytes()), ("maps/start.bsp", b"hidden")]));
    game.write("mod/pak0.pak", pack(Layout::Quake, [("gfx/conback.lmp", "a picture")]));
    let said = "quake -quoth -game pd";
    let pd = [("pd-3.0/pd/progs.dat", ""), ("pd-3.0/pd/maps/start.bsp", ""), ("pd-3.0/readme.txt", said)];
    game.write("pd-3.0.zip", zip(pd));
    game.write("flat.zip", zip([("progs.dat", ""), ("flat.txt", "play it with -game frikbot: 100%n fun")]));
    game.write("skin.zip", zip([("ogre.mdl", "IDPO")]));
    game
}

#[test]
fn the_header_is_the_one_of_the_source() {
    let config = cbindgen::Config::from_file(format!("{CRATE}/cbindgen.toml")).unwrap();
    let rooms = [
        "border",
        "options",
        "mount",
        "search_path",
        "companions",
        "compare",
        "unused",
        "file",
        "text",
        "place",
    ];
    let sources = rooms.map(|room| format!("{CRATE}/src/{room}.rs"));
    let header =
        sources.iter().fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    let mut text = Vec::new();
    header.generate().unwrap().write(&mut text);
    let place = Path::new(CRATE).join("include/quakefs.h");
    if update() {
        std::fs::write(&place, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&place).unwrap();
    assert_eq!(
        committed,
        String::from_utf8(text).unwrap(),
        "`UPDATE=1 cargo test -p quakefs-capi` writes it anew"
    );
}

#[testneeds::program("cc", "valgrind")]
#[test]
fn a_program_in_c_uses_each_function_and_leaks_nothing() {
    let (game, place) = (a_game(), Folder::new());
    let program = compile(&format!("{CRATE}/tests/c/test.c"), &place);
    let mut valgrind = Command::new("valgrind");
    // std keeps a handle of the main thread, behind a pointer that is marked: possibly lost
    valgrind.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
    valgrind.args(["--errors-for-leak-kinds=definite,indirect", "--show-leak-kinds=definite,indirect"]);
    let output = succeeds(valgrind.arg(program).arg(game.path().as_std_path()));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("all done\n"));
}

/// The rows of `testdata/choices.json`, as in the suites of all tongues.
#[testneeds::program("cc")]
#[test]
fn a_folder_gives_the_same_engine_and_base_in_every_tongue() {
    let place = Folder::new();
    let program = compile(&format!("{CRATE}/tests/c/choices.c"), &place);
    let rows = include_str!("../../../../testdata/choices.json");
    let rows: Vec<serde_json::Value> = serde_json::from_str(rows).unwrap();
    for row in rows {
        let files = row["files"].as_array().unwrap().iter().map(|file| {
            let file = file.as_str().unwrap().to_owned();
            let content = match file.to_ascii_lowercase().rsplit_once('.') {
                Some((_, "pak")) => pack(Layout::Quake, [("default.cfg", "bind")]),
                Some((_, "pk3")) => zip([("default.cfg", "bind")]),
                _ => b"content".to_vec(),
            };
            (file, content)
        });
        let folder = Folder::with(files);
        let mut command = Command::new(&program);
        command.arg(folder.path().as_std_path()).args(row["on"].as_str());
        let said = String::from_utf8(succeeds(&mut command).stdout).unwrap();
        let base = row["base"].as_str().map_or_else(String::new, |base| match base {
            "." => folder.path().to_string(),
            below => folder.join(below).to_string(),
        });
        let wanted = if row["refused"] == true {
            "refused\n".to_owned()
        } else {
            let words = ["engine", "because", "verdict"].map(|key| row[key].as_str().unwrap());
            format!("{} {base}\n", words.join(" "))
        };
        assert_eq!(said, wanted, "{row}");
    }
}

/// `testdata/hostile.json`, as in the suites of all doors.
#[testneeds::program("cc")]
#[test]
fn every_door_treats_hostile_names_alike() {
    let (place, (rows, archive)) = (Folder::new(), hostile());
    let game = Folder::with([("id1/pak0.pak", archive)]);
    let program = compile(&format!("{CRATE}/tests/c/hostile.c"), &place);
    let mut command = Command::new(program);
    command.arg(game.path().as_std_path()).args(rows.iter().map(|row| &row.entry));
    let said = String::from_utf8(succeeds(&mut command).stdout).unwrap();
    let count = rows.iter().filter(|row| row.asked).count().to_string();
    let lines = rows.iter().map(|row| match &row.text {
        _ if !row.asked => "none".to_owned(),
        Some(text) => format!("file {text}"),
        None => "error".to_owned(),
    });
    let wanted: Vec<_> = std::iter::once(count).chain(lines).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), wanted);
}

#[testneeds::program("cc")]
#[test]
fn an_allocator_may_end_the_program() {
    let (game, place) = (a_game(), Folder::new());
    let program = compile(&format!("{CRATE}/tests/c/test.c"), &place);
    let output = Command::new(program).arg(game.path().as_std_path()).arg("ends").output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(7), &b""[..]));
}

#[testneeds::program("cc")]
#[test]
fn the_first_example_of_the_readme_prints_the_location_of_a_level() {
    let readme = std::fs::read_to_string(format!("{CRATE}/README.md")).unwrap();
    let source = readme.split("```c\n").nth(1).unwrap().split("```").next().unwrap();
    let (game, place) = (a_game(), Folder::new());
    place.write("first.c", source);
    let program = place.join("program");
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-I", &format!("{CRATE}/include")]);
    command.args([place.join("first.c").as_str(), "-o", program.as_str()]);
    succeeds(command.args(library()));
    let output = succeeds(Command::new(&program).arg(game.path().as_std_path()));
    let path = game.join("id1/pak0.pak");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("14 bytes at 12 of {path}\n"));
}

#[testneeds::program("cc")]
#[test]
fn the_example_of_an_engine_answers_at_its_console() {
    let (game, place) = (a_game(), Folder::new());
    let program = compile(&format!("{CRATE}/examples/engine.c"), &place);
    let mut command = Command::new(program);
    command.arg(game.path().as_std_path()).args(["-engine", "darkplaces", "-game", "mod"]);
    command.args([
        "+path",
        "+which",
        "maps/start.bsp",
        "+which",
        "maps/none.bsp",
        "+map",
        "start",
        "+map",
        "none",
    ]);
    let output = succeeds(&mut command);
    let text = game.redact(&String::from_utf8(output.stdout).unwrap());
    let expected = std::fs::read_to_string(format!("{CRATE}/examples/engine.txt")).unwrap_or_default();
    if update() {
        std::fs::write(format!("{CRATE}/examples/engine.txt"), &text).unwrap();
    } else {
        assert_eq!(text, expected);
    }
}

/// The readme's commands, except the build, which has already happened.
#[testneeds::program("cc", "cmake", "pkg-config")]
#[test]
fn programs_find_the_installed_library_by_cmake_and_by_pkg_config() {
    let (game, place) = (a_game(), Folder::new());
    let cmake =
        |arguments: &[&str]| succeeds(Command::new("cmake").args(arguments).current_dir(place.path()));
    let [lines] = &fenced("README.md", "sh")[..] else { panic!("one way to install is meant") };
    let prefix = format!("-DCMAKE_INSTALL_PREFIX={place}/usr", place = place.path());
    let built = format!("-DQUAKEFS_BUILT={}", target().display());
    assert!(
        lines.starts_with("cmake -S integrations/quakefs-capi -B build -DCMAKE_INSTALL_PREFIX=/usr/local\n")
    );
    cmake(&["-S", CRATE, "-B", "build", &prefix, &built]);
    cmake(&["--install", "build"]);

    let [package] = &fenced("README.md", "cmake")[..] else { panic!("one use is meant") };
    let (find, link) = package.split_once('\n').unwrap();
    let source = format!("{CRATE}/tests/c/test.c");
    let project = format!(
        "cmake_minimum_required(VERSION 3.20)\nproject(engine LANGUAGES C)\n{find}\n\
         add_compile_definitions(_POSIX_C_SOURCE=200809L)\nadd_executable(engine {source})\n{link}\
         add_executable(whole {source})\ntarget_link_libraries(whole quakefs::static)\n"
    );
    place.write("engine/CMakeLists.txt", project);
    cmake(&["-S", "engine", "-B", "made", &format!("-DCMAKE_PREFIX_PATH={}/usr", place.path())]);
    cmake(&["--build", "made"]);
    for program in ["made/engine", "made/whole"] {
        succeeds(Command::new(place.join(program)).arg(game.path().as_std_path()));
    }

    let libraries = ["lib", "lib64"].map(|folder| place.join("usr").join(folder));
    let libraries = libraries.iter().find(|folder| folder.join("libquakefs.so.0.1").exists()).unwrap();
    let compile = lines
        .lines()
        .last()
        .unwrap()
        .replace("engine.c", &format!("-D_POSIX_C_SOURCE=200809L {source} -o program"));
    let mut shell = Command::new("sh");
    shell.current_dir(place.path()).env("PKG_CONFIG_PATH", libraries.join("pkgconfig"));
    succeeds(shell.args(["-e", "-c", &compile]));
    let mut run = Command::new(place.join("program"));
    succeeds(run.arg(game.path().as_std_path()).env("LD_LIBRARY_PATH", libraries));
}

/// What a page has in its fences of one language.
fn fenced(page: &str, language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(format!("{CRATE}/{page}")).unwrap();
    let opening = format!("```{language}\n");
    let parts = page.split(&opening).skip(1);
    parts.map(|part| part.split("```").next().unwrap().to_owned()).collect()
}

/// The code of the porting page as a program, in a folder. As in Quake, what prints takes a format, which the
/// compiler looks at.
fn porting_page() -> Folder {
    let formats = "static void Sys_Error(const char *, ...) __attribute__((format(printf, 1, 2)));\n\
                   static void Con_Printf(const char *, ...) __attribute__((format(printf, 1, 2)));\n";
    let main = std::fs::read_to_string(format!("{CRATE}/tests/c/porting.c")).unwrap();
    let place = Folder::new();
    place.write("page.c", formats.to_owned() + &fenced("../../docs/porting.md", "c").concat() + &main);
    place
}

#[testneeds::program("cc")]
#[test]
fn the_functions_of_the_porting_page_serve_an_engine() {
    let place = porting_page();
    let program = compile(place.join("page.c").as_str(), &place);
    let game = a_game();
    for directory in ["id1", "mod"] {
        game.write(&format!("{directory}/autoexec.cfg"), format!("exec {directory}\n"));
    }
    let output = succeeds(Command::new(program).arg(game.path().as_std_path()));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "id1/pak0.pak:1 1 1 2\n0\n13 m\nexec id1\nexec mod\n2 1\n\
                    no base directory has a folder fresh\nid1/pak0.pak\nmod/pak0.pak\n1\n1\npd-3.0/pd/ goes to pd/\n-quoth -game pd +map start\n\
                    it has models, sounds or pictures without a folder\nmaps/%n%s.bsp: not found\n";
    assert!(text.starts_with(expected), "{text}");
}

#[testneeds::program("x86_64-w64-mingw32-gcc")]
#[test]
fn a_compiler_for_windows_accepts_the_porting_page() {
    let place = porting_page();
    let mut command = Command::new("x86_64-w64-mingw32-gcc");
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-c", "-I", &format!("{CRATE}/include")]);
    succeeds(command.args([place.join("page.c").as_str(), "-o", place.join("page.o").as_str()]));
}

#[cfg(feature = "rules")]
#[test]
fn the_rules_of_the_porting_page_equal_an_engines() {
    let [rules] = &fenced("../../docs/porting.md", "toml")[..] else {
        panic!("one example of rules is meant")
    };
    let rules = quakefs::rules::Rules::from_toml(rules).unwrap();
    assert_ne!(rules, *quakefs::Engine::QuakeSpasm.rules());
}

/// Compiles a program that includes the header in C++, with every warning an error, and links the static
/// library.
fn cpp_by(compiler: &str) {
    let place = Folder::with([(
        "header.cpp",
        "#include <quakefs.h>\n#include <quakefs.h>\n\
         int main() { quakefs_options options{}; options.size = sizeof options; (void)options; return 0; }\n",
    )]);
    for standard in ["-std=c++11", "-std=c++20"] {
        let mut command = Command::new(compiler);
        command.args([
            standard,
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-I",
            &format!("{CRATE}/include"),
        ]);
        command.arg(place.join("header.cpp")).arg("-o").arg(place.join("program"));
        succeeds(command.args(library()));
    }
}

#[testneeds::program("g++")]
#[test]
fn gcc_accepts_the_header_as_cpp() {
    cpp_by("g++");
}

#[testneeds::program("clang++")]
#[test]
fn clang_accepts_the_header_as_cpp() {
    cpp_by("clang++");
}
