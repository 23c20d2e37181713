//! The real binary: what a function cannot show.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

use insta::assert_snapshot;
use testutils::{Folder, command};

use crate::{BINARY, Commands as _, GAME};

fn quakefs(args: &[&str]) -> Command {
    let mut command = command(BINARY);
    command.args(args).current_dir(GAME).stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    quakefs(args).output().unwrap()
}

#[test]
fn the_current_folder_is_the_base_directory() {
    let answer = output(&["which", "maps/start.bsp"]);
    assert_eq!(answer.stdout, b"maps/start.bsp: id1/pak0.pak (entry 4, 39 bytes)\n");
    assert_eq!(answer.status.code(), Some(0));
}

#[test]
fn a_mount_is_on_top_of_the_game_in_the_current_folder_if_there_is_one() {
    let folder = Folder::with_archive(&[(b"new", b"")]);
    let archive = folder.join("a.pak");
    let layers = |command: &mut Command| {
        let table = String::from_utf8(command.output().unwrap().stdout).unwrap();
        table.lines().skip(1).take_while(|line| !line.is_empty()).count()
    };
    let args = ["--mount", archive.as_str(), "path"];
    assert_eq!(layers(&mut quakefs(&args)), 4);
    assert_eq!(layers(quakefs(&args).current_dir(folder.path())), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn the_home_folder_comes_from_the_environment() {
    let home = Folder::with([(".quakespasm/id1/mine.cfg", "mine")]);
    let args = ["--engine", "quakespasm", "cat", "mine.cfg"];
    assert_eq!(quakefs(&args).env("HOME", home.path()).output().unwrap().stdout, b"mine");
    assert_eq!(output(&args).status.code(), Some(1));
}

// the folder of downloads is one of Proton's
#[cfg(target_os = "linux")]
#[test]
fn the_folder_of_a_store_has_what_the_stores_own_engine_has_downloaded() {
    let folder = testutils::stores();
    let here = folder.join("home/.local/share/Steam/steamapps/common/Quake/rerelease/id1");
    let mut command = quakefs(&["--engine", "ironwail", "mods", "--names"]);
    let answer = command.current_dir(&here).env("HOME", folder.join("home")).output().unwrap();
    let names = String::from_utf8(answer.stdout).unwrap();
    assert_eq!(names.lines().collect::<Vec<_>>(), ["addon1", "dopa", "id1", "mg1", "mg3"]);
}

/// The suites that start the binary, run again by somebody who plays, and has set variables.
#[test]
fn the_suites_read_no_home_folder_and_no_variable() {
    let folders =
        [".darkplaces", ".quakespasm", ".ironwail", ".local/share/ironwail", ".vkquake", ".fte", ".q3a"];
    let files = folders.iter().flat_map(|folder| {
        ["id1/pak9.pak", "id1/mine.cfg", "mod/x.cfg"].map(|file| format!("{folder}/{file}"))
    });
    let home = Folder::with(files.map(|file| (file, crate::archive(&[(b"default.cfg", b"mine")]))));
    let suites = ["binary::", "manners::", "story::", "watch::"];
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(suites).args(["--skip", "the_suites_read_no_home_folder_and_no_variable"]);
    again.env("HOME", home.path()).env("QUAKEFS_ENGINE", "ironwail").env("QUAKEFS_BASEDIR", home.path());
    let answer = again.output().unwrap();
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stdout));
}

#[test]
fn exit_codes_are_0_1_and_2() {
    let code = |args: &[&str]| output(args).status.code();
    assert_eq!(code(&["which", "quake.rc"]), Some(0));
    assert_eq!(code(&["which", "nope"]), Some(1));
    assert_eq!(code(&["--nonsense"]), Some(2));
    assert_eq!(code(&["--basedir", "nowhere", "path"]), Some(2));
}

#[test]
fn cat_writes_each_byte_unchanged() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    folder.write("id1/pak0.pak", crate::archive(&[(b"all", &bytes)]));
    let answer = quakefs(&["cat", "all"]).current_dir(folder.path()).output().unwrap();
    assert!(answer.stdout == bytes);
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    let folder = Folder::new();
    let names: Vec<_> = (0..20_000).map(|number| format!("a/file/with/a/long/name/{number}")).collect();
    let rows: Vec<_> = names.iter().map(|name| (name.as_bytes(), &b""[..])).collect();
    folder.write("id1/pak0.pak", crate::archive(&rows));
    let mut child = quakefs(&["ls", "--engine", "darkplaces"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "id1/pak0.pak  a/file/with/a/long/name/0\n");
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn colour_is_only_written_to_a_terminal() {
    for args in [&["--help"][..], &["which", "nope"], &["--nonsense"], &["--game", "gapmod", "path"]] {
        for command in [&mut quakefs(args), quakefs(args).env("NO_COLOR", "1")] {
            let answer = command.output().unwrap();
            assert!(!answer.stdout.contains(&0x1b) && !answer.stderr.contains(&0x1b), "{args:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_to_a_full_disk_is_reported() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let answer = quakefs(&["ls"]).stdout(full).output().unwrap();
    assert_eq!(answer.status.code(), Some(2));
    let err = String::from_utf8(answer.stderr).unwrap();
    assert_snapshot!(err, @"error: the output cannot be written: No space left on device (os error 28)");
}

#[cfg(unix)]
#[test]
fn files_have_the_mode_that_the_umask_leaves() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    for (umask, mode) in [("022", 0o644), ("077", 0o600)] {
        let script = format!("umask {umask}; exec \"$0\" extract quake.rc -o \"$1\"");
        let out = folder.join(umask);
        let status = command("sh")
            .args(["-c", &script])
            .arg(BINARY)
            .arg(&out)
            .current_dir(GAME)
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
        let found = std::fs::metadata(out.join("quake.rc")).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode, "{umask}");
    }
}

fn help(args: &[&str]) -> String {
    let answer = output(args);
    assert_eq!((answer.status.code(), answer.stderr.len()), (Some(0), 0));
    crate::engines_as_one_word(std::str::from_utf8(&answer.stdout).unwrap())
}

#[test]
#[cfg_attr(windows, ignore = "`mount` is a command of Linux")]
fn help_shows_the_commands_and_options() {
    assert_snapshot!(help(&["--help"]), @r#"
    Which file a Quake engine would load, where it comes from, and what it hides

    Usage: quakefs [OPTIONS] <COMMAND>

    Commands:
      path         Show the layers, highest first, and what was left out
      which        Say which copy of a file is served
      ls           List each name once, with the layer that serves it
      watch        Say which names another copy is served for, whenever files change on disk
      cat          Write a file's bytes to standard output
      extract      Write the merged tree, or what matches, to a folder
      shadows      List every hidden copy, what hides it, and whether the bytes differ
      check        List everything that is wrong, or that an author may not have intended
      fix          Rename what is loaded on Windows and macOS and not on Linux
      companions   List the files that the engine loads beside a level
      compare      Say where engines load different files
      engines      Show the rules of each engine side by side, or those of one in sentences
      needs        Say which files levels ask for that nothing serves
      unused       List the files of a mod that no level, program or engine asks for
      pack         Write all files that levels need to an archive or a folder
      report       Write a page to look at: layers, conflicts side by side, files with previews, and
                   what is wrong
      games        List the games that Steam, GOG, Epic and packages have installed
      mods         List the game directories of a base directory: archives, maps, programs, sizes
      mount        Show the merged tree as a read-only folder that every program can open, until Ctrl-C
      pak          Look at archives, make and change them, without a game
      completions  Print a completion script for a shell
      man          Write the manual pages to a folder
      help         Print this message or the help of the given subcommand(s)

    Options:
          --json
              Print one JSON object a line

      -q, --quiet
              Print errors alone on the error stream: no warnings, notes or progress

          --color <WHEN>
              When to print in colours
              
              [possible values: auto, always, never]

      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    The game:
          --basedir <DIR>
              The folder that holds id1 and the mods, or a game of `quakefs games`, such as steam:quake;
              may be given again for ironwail and vkquake [default: QUAKEFS_BASEDIR, or else the current
              folder or one above it]

          --userdir <DIR>
              A directory of the user's own, whose game directories stand just above the base
              directory's [default: the engine's in the home folder, such as ~/.quakespasm]

          --exedir <DIR>
              The folder of the engine's program, where ironwail looks for its own archive and yquake2
              for the game [default: that of a program of the engine's name on PATH]

          --no-userdir
              Leave the user's own directory out

          --basegame <DIR>
              A folder that stands in the place of id1, as -basegame of ironwail and vkquake; may be
              given again

          --game <DIR>
              A mod's folder in the base directory, as the engine's -game; may be given again

          --mission <NAME>
              A mission flag of the engine without its dash, such as hipnotic, or a suffix of goldsrc,
              such as hd; may be given again

          --hipnotic
              Scourge of Armagon: --mission hipnotic

          --rogue
              Dissolution of Eternity: --mission rogue

          --quoth
              Quoth: --mission quoth

          --on <SYSTEM>
              The system that the engine is asked to run on, with the disks that players have there:
              those of windows and macos ignore case [default: this one, with the folders as they are]
              
              [possible values: linux, macos, windows]

          --over <FILE>
              An archive that lies over the base directory as if it were unpacked there, such as a mod
              as downloaded; may be given again, later ones over earlier ones

          --mount <PATH>
              Put a folder or an archive on top; may be given again. Without --basedir, the current
              folder counts only if it holds a game

          --engine <NAME>
              The engine whose rules count [default: QUAKEFS_ENGINE, or else winquake]
              
              [possible values: ENGINES]

          --rules <FILE>
              A file of rules instead of an engine's; `quakefs engines --toml NAME` prints one to start
              from

    Examples:
      quakefs --basedir ~/quake which maps/start.bsp       which copy WinQuake loads
      quakefs --engine quakespasm --game mymod which -a progs.dat
                                                           every copy, the one served first
      quakefs --game mymod path                            the layers, and what was left out
      quakefs ls -l "maps/*.bsp"                           every level, with its layer
      quakefs extract "sound/**" -o out                    the sounds that would be heard
      quakefs --mount new.pak which gfx.wad                what a pak would change
      quakefs --game mymod check                           what is wrong, and what may be unintended
      quakefs --game mymod compare quakespasm darkplaces   where two engines load different files
      quakefs --game mymod report                          all of it as a page with pictures
      quakefs --game mymod watch                           what changes while you work on it
      quakefs --game mymod mount merged                    the same tree as a folder, for other programs
      quakefs --basedir steam:quake mods                   the game directories of an installed game
      quakefs pak list -l id1/pak0.pak                     what is in one archive

    Options stand before or after the name of a command. The help of a command lists those that it
    takes.
    Exit codes: 0 done or found; 1 not found, findings, or an engine that would not start; 2 wrong use
    or a failure.
    "#);
    assert_snapshot!(help(&["-h"]), @"
    Which file a Quake engine would load, where it comes from, and what it hides

    Usage: quakefs [OPTIONS] <COMMAND>

    Commands:
      path         Show the layers, highest first, and what was left out
      which        Say which copy of a file is served
      ls           List each name once, with the layer that serves it
      watch        Say which names another copy is served for, whenever files change on disk
      cat          Write a file's bytes to standard output
      extract      Write the merged tree, or what matches, to a folder
      shadows      List every hidden copy, what hides it, and whether the bytes differ
      check        List everything that is wrong, or that an author may not have intended
      fix          Rename what is loaded on Windows and macOS and not on Linux
      companions   List the files that the engine loads beside a level
      compare      Say where engines load different files
      engines      Show the rules of each engine side by side, or those of one in sentences
      needs        Say which files levels ask for that nothing serves
      unused       List the files of a mod that no level, program or engine asks for
      pack         Write all files that levels need to an archive or a folder
      report       Write a page to look at: layers, conflicts side by side, files with previews, and
                   what is wrong
      games        List the games that Steam, GOG, Epic and packages have installed
      mods         List the game directories of a base directory: archives, maps, programs, sizes
      mount        Show the merged tree as a read-only folder that every program can open, until Ctrl-C
      pak          Look at archives, make and change them, without a game
      completions  Print a completion script for a shell
      man          Write the manual pages to a folder
      help         Print this message or the help of the given subcommand(s)

    Options:
          --json          Print one JSON object a line
      -q, --quiet         Print errors alone on the error stream: no warnings, notes or progress
          --color <WHEN>  When to print in colours [possible values: auto, always, never]
      -h, --help          Print help (see more with '--help')
      -V, --version       Print version

    The game:
          --basedir <DIR>  The folder that holds id1 and the mods, or a game of `quakefs games`, such as
                           steam:quake; may be given again for ironwail and vkquake [default:
                           QUAKEFS_BASEDIR, or else the current folder or one above it]
          --game <DIR>     A mod's folder in the base directory, as the engine's -game; may be given
                           again
          --on <SYSTEM>    The system that the engine is asked to run on, with the disks that players
                           have there: those of windows and macos ignore case [default: this one, with
                           the folders as they are] [possible values: linux, macos, windows]
          --over <FILE>    An archive that lies over the base directory as if it were unpacked there,
                           such as a mod as downloaded; may be given again, later ones over earlier ones
          --mount <PATH>   Put a folder or an archive on top; may be given again. Without --basedir, the
                           current folder counts only if it holds a game
          --engine <NAME>  The engine whose rules count [default: QUAKEFS_ENGINE, or else winquake]
                           [possible values: ENGINES]

    `quakefs --help` shows all options and examples.
    ");
    assert_eq!(help(&["help"]), help(&["--help"]));
}

#[test]
fn help_of_a_command_shows_its_options_and_examples() {
    assert_snapshot!(help(&["which", "--help"]), @r"
    Say which copy of a file is served

    Usage: quakefs which [OPTIONS] <NAME>...

    Arguments:
      <NAME>...
              Names inside the game, such as maps/start.bsp; - reads names from standard input, one a
              line

    Options:
      -a, --all
              Every copy, the one that is served first

      -0, --null
              The names on standard input end with a NUL each, as `ls -0` writes them

          --as <KIND>
              What the engine loads in the place of a texture, a sky, a track of music, a model or a
              skin of this name
              
              [possible values: texture, sky, music, model, skin]

          --level <LEVEL>
              The level that names the texture, such as e1m1

          --json
              Print one JSON object a line

      -q, --quiet
              Print errors alone on the error stream: no warnings, notes or progress

          --color <WHEN>
              When to print in colours
              
              [possible values: auto, always, never]

      -h, --help
              Print help (see a summary with '-h')

    The game:
          --basedir <DIR>
              The folder that holds id1 and the mods, or a game of `quakefs games`, such as steam:quake;
              may be given again for ironwail and vkquake [default: QUAKEFS_BASEDIR, or else the current
              folder or one above it]

          --userdir <DIR>
              A directory of the user's own, whose game directories stand just above the base
              directory's [default: the engine's in the home folder, such as ~/.quakespasm]

          --exedir <DIR>
              The folder of the engine's program, where ironwail looks for its own archive and yquake2
              for the game [default: that of a program of the engine's name on PATH]

          --no-userdir
              Leave the user's own directory out

          --basegame <DIR>
              A folder that stands in the place of id1, as -basegame of ironwail and vkquake; may be
              given again

          --game <DIR>
              A mod's folder in the base directory, as the engine's -game; may be given again

          --mission <NAME>
              A mission flag of the engine without its dash, such as hipnotic, or a suffix of goldsrc,
              such as hd; may be given again

          --hipnotic
              Scourge of Armagon: --mission hipnotic

          --rogue
              Dissolution of Eternity: --mission rogue

          --quoth
              Quoth: --mission quoth

          --on <SYSTEM>
              The system that the engine is asked to run on, with the disks that players have there:
              those of windows and macos ignore case [default: this one, with the folders as they are]
              
              [possible values: linux, macos, windows]

          --over <FILE>
              An archive that lies over the base directory as if it were unpacked there, such as a mod
              as downloaded; may be given again, later ones over earlier ones

          --mount <PATH>
              Put a folder or an archive on top; may be given again. Without --basedir, the current
              folder counts only if it holds a game

          --engine <NAME>
              The engine whose rules count [default: QUAKEFS_ENGINE, or else winquake]
              
              [possible values: ENGINES]

          --rules <FILE>
              A file of rules instead of an engine's; `quakefs engines --toml NAME` prints one to start
              from

    Examples:
      quakefs which maps/start.bsp
      quakefs --game mymod which -a progs.dat gfx.wad
      quakefs --json which -a maps/start.bsp
      quakefs --engine quakespasm which --as texture brick1 --level e1m1
      quakefs ls -0 sound | quakefs --engine fte which -0 -

    Bytes of a name that are not UTF-8 are written \xNN, here and in what is printed.
    Exit codes: 0 all were found, 1 one was not, 2 wrong use or a failure.
    ");
}

#[test]
fn help_of_a_command_shows_the_exit_codes_and_defaults() {
    assert_snapshot!(help(&["extract", "--help"]), @r#"
    Write the merged tree, or what matches, to a folder

    Usage: quakefs extract [OPTIONS] --output <DIR> [PATTERN]...

    Arguments:
      [PATTERN]...
              Names, folders, or globs; * stops at /, ** does not

    Options:
      -o, --output <DIR>
              The folder to write to; made if it is not there

          --overwrite
              Replace files that are there

          --skip-existing
              Leave files that are there as they are

          --max-output <SIZE>
              The most bytes to write, such as 500M or 4G. Without it, more than 1 GiB is refused where
              that is more than 100 times the archives

          --dry-run
              Say what would be written, and write nothing

          --json
              Print one JSON object a line

      -q, --quiet
              Print errors alone on the error stream: no warnings, notes or progress

          --color <WHEN>
              When to print in colours
              
              [possible values: auto, always, never]

      -h, --help
              Print help (see a summary with '-h')

    The game:
          --basedir <DIR>
              The folder that holds id1 and the mods, or a game of `quakefs games`, such as steam:quake;
              may be given again for ironwail and vkquake [default: QUAKEFS_BASEDIR, or else the current
              folder or one above it]

          --userdir <DIR>
              A directory of the user's own, whose game directories stand just above the base
              directory's [default: the engine's in the home folder, such as ~/.quakespasm]

          --exedir <DIR>
              The folder of the engine's program, where ironwail looks for its own archive and yquake2
              for the game [default: that of a program of the engine's name on PATH]

          --no-userdir
              Leave the user's own directory out

          --basegame <DIR>
              A folder that stands in the place of id1, as -basegame of ironwail and vkquake; may be
              given again

          --game <DIR>
              A mod's folder in the base directory, as the engine's -game; may be given again

          --mission <NAME>
              A mission flag of the engine without its dash, such as hipnotic, or a suffix of goldsrc,
              such as hd; may be given again

          --hipnotic
              Scourge of Armagon: --mission hipnotic

          --rogue
              Dissolution of Eternity: --mission rogue

          --quoth
              Quoth: --mission quoth

          --on <SYSTEM>
              The system that the engine is asked to run on, with the disks that players have there:
              those of windows and macos ignore case [default: this one, with the folders as they are]
              
              [possible values: linux, macos, windows]

          --over <FILE>
              An archive that lies over the base directory as if it were unpacked there, such as a mod
              as downloaded; may be given again, later ones over earlier ones

          --mount <PATH>
              Put a folder or an archive on top; may be given again. Without --basedir, the current
              folder counts only if it holds a game

          --engine <NAME>
              The engine whose rules count [default: QUAKEFS_ENGINE, or else winquake]
              
              [possible values: ENGINES]

          --rules <FILE>
              A file of rules instead of an engine's; `quakefs engines --toml NAME` prints one to start
              from

    Examples:
      quakefs --game mymod extract -o everything
      quakefs extract sound "maps/*.bsp" -o levels --skip-existing
    "#);
    assert_snapshot!(help(&["pak", "--help"]), @"
    Look at archives, make and change them, without a game

    Usage: quakefs pak [OPTIONS] <COMMAND>

    Commands:
      list        List the entries, in stored order [aliases: ls, l]
      info        Say what kind of archive it is and what it holds
      cat         Write the bytes of entries to standard output
      extract     Write the entries, or those that match, to a folder [alias: x]
      find        Say which archives hold a file
      diff        Say what differs between two archives, folders or games
      duplicates  List the contents that are in several places, and the bytes that they waste
      catalog     Write a row for every entry of every archive, for databases and spreadsheets
      verify      List everything that is odd or wrong about archives
      create      Make an archive of files and folders
      merge       Make an archive of several: later over earlier, as an engine would serve them
      add         Put files into an archive [alias: a]
      remove      Take files out of an archive; their bytes stay in it until a repack [alias: rm]
      rename      Give an entry another name [alias: mv]
      repack      Write an archive anew, without bytes that no entry names, or in another layout
      convert     Write an archive as one of another kind, such as a pak as a pk3
      help        Print this message or the help of the given subcommand(s)

    Options:
          --json          Print one JSON object a line
      -q, --quiet         Print errors alone on the error stream: no warnings, notes or progress
          --color <WHEN>  When to print in colours [possible values: auto, always, never]
      -h, --help          Print help
    ");
    assert_snapshot!(help(&["pak", "list", "--help"]), @"
    List the entries, in stored order

    Usage: quakefs pak list [OPTIONS] <PATH>... [NAME|PATTERN]...

    Arguments:
      [PATH]...          An archive, or a folder that is searched for archives; may be given again. Then
                         names and patterns
      [NAME|PATTERN]...  A name in the archives, or a glob over the names; may be given again

    Options:
      -l, --long             Where each entry is and what it holds too
          --names            Print the names alone, one a line
      -0, --null             End each name with a NUL instead of a line end, its bytes as they are;
                             implies --names
          --layout <LAYOUT>  The layout, where an archive is ambiguous [possible values: quake, sin,
                             hrot, daikatana]
          --json             Print one JSON object a line
      -q, --quiet            Print errors alone on the error stream: no warnings, notes or progress
          --color <WHEN>     When to print in colours [possible values: auto, always, never]
      -h, --help             Print help

    Examples:
      quakefs pak list pak0.pak
      quakefs pak list -l pak0.pak \"maps/*\" progs.dat
      quakefs pak list --names -0 pak0.pak | xargs -0 -n1 echo
      quakefs pak list --json mods

    PATHs come first: the first argument is one, and so is each that follows as long as it is an
    archive, by its extension or its first bytes, or, after folders alone, a folder. Everything from the
    first other argument on, or after --, is a NAME or a PATTERN.

    A name that is spelled exactly so goes before a pattern, a folder's name means all below it, and in
    a pattern * stops at /, ** does not.
    ");
    assert_snapshot!(help(&["pak", "extract", "--help"]), @r#"
    Write the entries, or those that match, to a folder

    Usage: quakefs pak extract [OPTIONS] <PATH>... [NAME|PATTERN]...

    Arguments:
      [PATH]...          An archive, or a folder that is searched for archives; may be given again. Then
                         names and patterns
      [NAME|PATTERN]...  A name in the archives, or a glob over the names; may be given again

    Options:
          --layout <LAYOUT>    The layout, where an archive is ambiguous [possible values: quake, sin,
                               hrot, daikatana]
      -o, --output <DIR>       The folder to write to; made if it is not there [default: one named after
                               the archive]
          --raw                WADs and levels: the entries as they are stored, and not as pictures
          --palette <FILE>     WADs and levels: the 256 colours, such as gfx/palette.lmp [default: those
                               of the texture or the WAD, else of Quake]
          --overwrite          Replace files that are there
          --skip-existing      Leave files that are there as they are
          --max-output <SIZE>  The most bytes to write, such as 500M or 4G. Without it, more than 1 GiB
                               is refused where that is more than 100 times the archives
          --dry-run            Say what would be written, and write nothing
          --json               Print one JSON object a line
      -q, --quiet              Print errors alone on the error stream: no warnings, notes or progress
          --color <WHEN>       When to print in colours [possible values: auto, always, never]
      -h, --help               Print help

    Examples:
      quakefs pak extract pak0.pak
      quakefs pak extract pak0.pak "progs/*.mdl" -o models --overwrite
      quakefs pak extract mods -o unpacked
      quakefs pak extract textures.wad
      quakefs pak extract maps/start.bsp -o textures

    Of a WAD, and of the textures inside a level, each texture is written as a PNG, as other tools do:
    *lava1 as #lava1.png, which engines take in its place. --raw writes the bytes as they are stored.

    Without -o the files of pak0.pak go to ./pak0. Several archives have a folder each, also below -o,
    by their paths below the folder that they share.

    PATHs come first: the first argument is one, and so is each that follows as long as it is an
    archive, by its extension or its first bytes, or, after folders alone, a folder. Everything from the
    first other argument on, or after --, is a NAME or a PATTERN.

    A name that is spelled exactly so goes before a pattern, a folder's name means all below it, and in
    a pattern * stops at /, ** does not.
    "#);
    for command in
        ["path", "which", "ls", "cat", "extract", "shadows", "completions", "pak list", "pak info", "pak cat"]
    {
        let args: Vec<_> = crate::words(command).into_iter().chain(["--help"]).collect();
        let text = help(&args);
        assert!(text.contains(&format!("Usage: quakefs {command}")), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_program_of_the_engine_is_looked_for_on_the_path() {
    let folder = Folder::with_archive(&[(b"own.cfg", b"mine")]);
    std::fs::create_dir_all(folder.join("opt")).unwrap();
    std::fs::rename(folder.join("a.pak"), folder.join("opt/ironwail.pak")).unwrap();
    folder.write("opt/ironwail", "");
    folder.write("bin/other", "");
    std::os::unix::fs::symlink(folder.join("opt/ironwail"), folder.join("bin/ironwail")).unwrap();
    let args = ["--engine", "ironwail", "cat", "own.cfg"];
    assert_eq!(quakefs(&args).env("PATH", folder.join("bin")).output().unwrap().stdout, b"mine");
    assert_eq!(output(&args).status.code(), Some(1));
}
