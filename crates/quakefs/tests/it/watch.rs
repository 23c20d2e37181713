//! What changes on disk is reported: every case on a real disk.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::time::{Duration, Instant};

use pak_format::Layout;
use quakefs::watch::{Change, Update, Watcher};
use quakefs::{Engine, File, LooseFiles, SearchPath, SharedSearchPath};
use testutils::{Folder, game, pack, scaled, zip_deflated};

use crate::Mount as _;

/// Longer than any change takes to be reported on a busy machine.
const LONG: Duration = Duration::from_secs(30);
/// Long enough for a change to be reported.
const SHORT: Duration = Duration::from_millis(600);

fn watch(game: &Folder) -> Watcher {
    game.builder().engine(Engine::QuakeSpasm).game("mod").mount().unwrap().watch().unwrap()
}

fn line(change: &Change) -> String {
    let layer = change.after.as_ref().or(change.before.as_ref()).unwrap().layer().name();
    format!("{:?} {} {layer}", change.kind, change.name())
}

fn lines(update: &Update) -> Vec<String> {
    update.changes.iter().map(line).collect()
}

/// The next update.
fn next(watcher: &mut Watcher) -> Vec<String> {
    lines(&watcher.wait(LONG).unwrap().unwrap())
}

fn nothing(watcher: &mut Watcher) {
    let update = watcher.wait(SHORT).map(|update| lines(&update.unwrap()));
    assert_eq!(update, None);
}

fn put(game: &Folder, place: &str, rows: &[(&str, &str)]) {
    // as safe programs do it: another file takes the place
    game.write("new.tmp", pack(Layout::Quake, rows.iter().copied()));
    fs::rename(game.join("new.tmp"), game.join(place)).unwrap();
}

#[test]
fn loose_files_that_are_added_edited_and_removed_are_reported() {
    for loose in [LooseFiles::Live, LooseFiles::Listed] {
        let game = game("id1/pak0.pak: a b; id1/: c; mod/: d");
        let mut watcher = game.builder().game("mod").loose_files(loose).mount().unwrap().watch().unwrap();
        game.write("mod/new", "1");
        assert_eq!(next(&mut watcher), ["Added new mod/"]);
        game.write("mod/d", "other bytes");
        assert_eq!(next(&mut watcher), ["Changed d mod/"]);
        game.write("mod/maps/deep/x", "1");
        assert_eq!(next(&mut watcher), ["Added maps/deep/x mod/"]);
        game.write("mod/maps/deep/x", "2");
        assert_eq!(next(&mut watcher), ["Changed maps/deep/x mod/"]);
        assert_eq!(watcher.search_path().read("maps/deep/x").unwrap(), "2");
        fs::remove_file(game.join("id1/c")).unwrap();
        assert_eq!(next(&mut watcher), ["Removed c id1/"]);
        nothing(&mut watcher);
    }
}

#[test]
fn the_removal_of_a_winner_reports_the_copy_from_the_layer_below() {
    let game = game("id1/pak0.pak: a b=same c; mod/pak0.pak: a b=same; mod/: c");
    let mut watcher = watch(&game);
    fs::remove_file(game.join("mod/pak0.pak")).unwrap();
    assert_eq!(next(&mut watcher), ["Changed a id1/pak0.pak", "Moved b id1/pak0.pak"]);
    fs::remove_file(game.join("mod/c")).unwrap();
    assert_eq!(next(&mut watcher), ["Changed c id1/pak0.pak"]);
    assert_eq!(watcher.search_path().read("a").unwrap(), "id1/pak0.pak:0");
}

#[test]
fn editing_an_overridden_copy_is_reported_but_not_as_a_change() {
    let game = game("id1/pak0.pak: a; id1/: a b; mod/pak0.pak: a; mod/: b");
    let mut watcher = watch(&game);
    game.write("id1/a", "edited");
    game.write("id1/b", "edited");
    put(&game, "id1/pak0.pak", &[("a", "another")]);
    let mut overridden = BTreeSet::new();
    while overridden.len() < 2 {
        let update = watcher.wait(LONG).unwrap().unwrap();
        assert!(update.changes.is_empty());
        let line = |(file, by): &(File<'static>, File<'static>)| {
            format!("{} {} {}", file.name(), file.layer().name(), by.layer().name())
        };
        overridden.extend(update.overridden.iter().map(line));
    }
    assert_eq!(Vec::from_iter(overridden), ["a id1/ mod/pak0.pak", "b id1/ mod/"]);
    nothing(&mut watcher);
}

#[test]
fn archives_that_come_and_go_report_the_names_that_differ() {
    let game = game("id1/pak0.pak: a b c");
    let mut watcher = watch(&game);
    put(&game, "id1/pak1.pak", &[("a", "new"), ("b", "id1/pak0.pak:1"), ("d", "1")]);
    assert_eq!(
        next(&mut watcher),
        ["Changed a id1/pak1.pak", "Moved b id1/pak1.pak", "Added d id1/pak1.pak"]
    );
    put(&game, "id1/pak1.pak", &[("b", "id1/pak0.pak:1"), ("d", "2"), ("a", "new")]);
    assert_eq!(
        next(&mut watcher),
        ["Changed d id1/pak1.pak"],
        "the others have other entries and equal bytes"
    );
    fs::remove_file(game.join("id1/pak1.pak")).unwrap();
    assert_eq!(
        next(&mut watcher),
        ["Changed a id1/pak0.pak", "Moved b id1/pak0.pak", "Removed d id1/pak1.pak"]
    );
}

#[test]
fn an_archive_overwritten_in_place_reports_the_changed_entries() {
    let game = game("id1/pak0.pak: a=1 b=2 c=3");
    game.write("id1/extra.pk3", zip_deflated([("x", "one and one and one"), ("y", "same same same")]));
    let builder = game.builder().engine(Engine::DarkPlaces);
    let mut watcher = builder.mount().unwrap().watch().unwrap();
    // the archives are read meanwhile
    nothing(&mut watcher);
    // as `cp` writes: the same file, cut short and filled again
    game.write("id1/pak0.pak", pack(Layout::Quake, [("a", "1"), ("b", "5"), ("c", "3")]));
    assert_eq!(next(&mut watcher), ["Changed b id1/pak0.pak"]);
    game.write("id1/pak0.pak", pack(Layout::Quake, [("b", "5")]));
    assert_eq!(next(&mut watcher), ["Removed a id1/pak0.pak", "Removed c id1/pak0.pak"]);
    game.write("id1/extra.pk3", zip_deflated([("x", "two and two and two"), ("y", "same same same")]));
    assert_eq!(next(&mut watcher), ["Changed x id1/extra.pk3"]);
}

#[test]
fn a_file_edited_and_packed_in_one_burst_is_changed_not_moved() {
    let game = game("id1/pak0.pak: other; id1/: a=1");
    let mut watcher = watch(&game);
    game.write("id1/a", "2");
    put(&game, "id1/pak1.pak", &[("a", "2")]);
    assert_eq!(next(&mut watcher), ["Changed a id1/pak1.pak"]);
}

#[test]
fn a_half_written_archive_is_waited_for() {
    let game = game("id1/pak0.pak: a b");
    let mut watcher = watch(&game);
    for (place, image) in [
        ("id1/pak1.pak", pack(Layout::Quake, [("a", "new"), ("c", "new")])),
        ("id1/pak0.pak", pack(Layout::Quake, [("a", "0"), ("b", "id1/pak0.pak:1"), ("d", "new")])),
    ] {
        let mut file = fs::File::create(game.join(place)).unwrap();
        let (begin, end) = image.split_at(image.len() - 10);
        for part in begin.chunks(image.len() / 3) {
            file.write_all(part).unwrap();
            assert!(
                watcher.wait(Duration::from_millis(300)).is_none(),
                "{place} was reported before it was whole"
            );
        }
        file.write_all(end).unwrap();
        drop(file);
        let update = watcher.wait(LONG);
        let update = update.unwrap().unwrap();
        assert!(update.findings.is_empty(), "{:?}", update.findings);
        let expected = if place == "id1/pak1.pak" {
            &["Changed a id1/pak1.pak", "Added c id1/pak1.pak"][..]
        } else {
            &["Added d id1/pak0.pak"]
        };
        assert_eq!(lines(&update), expected);
    }
}

#[test]
fn an_archive_that_stays_broken_is_a_finding_in_the_end() {
    let game = game("id1/pak0.pak: a; mod/: x");
    let mut watcher = watch(&game);
    let start = Instant::now();
    game.write("mod/pak0.pak", "PACK, and then nothing");
    let update = watcher.wait(LONG).unwrap().unwrap();
    assert!(start.elapsed() > Duration::from_secs(1));
    // it is a loose file like any other
    assert_eq!(lines(&update), ["Added pak0.pak mod/"]);
    assert_eq!(update.findings[0].location.layer_name(), "mod/pak0.pak");
    nothing(&mut watcher);
}

#[test]
fn a_game_directory_that_appears_is_watched_from_then_on() {
    let game = game("id1/pak0.pak: a");
    let mut watcher = watch(&game);
    game.write("mod/a", "of the mod");
    assert_eq!(next(&mut watcher), ["Changed a mod/"]);
    game.write("mod/maps/b", "1");
    assert_eq!(next(&mut watcher), ["Added maps/b mod/"]);
    fs::rename(game.join("mod"), game.join("away")).unwrap();
    assert_eq!(next(&mut watcher), ["Changed a id1/pak0.pak", "Removed maps/b mod/"]);
    fs::create_dir(game.join("mod")).unwrap();
    fs::rename(game.join("away/a"), game.join("mod/a")).unwrap();
    assert_eq!(next(&mut watcher), ["Changed a mod/"]);
    game.write("mod/a", "again");
    assert_eq!(next(&mut watcher), ["Changed a mod/"]);
}

#[test]
fn a_user_directory_that_appears_is_watched_from_then_on() {
    let game = game("id1/pak0.pak: a");
    let user = game.join("home/deep/user");
    let quake = game.builder().engine(Engine::QuakeSpasm).user_directory(&user).mount().unwrap();
    let mut watcher = quake.watch().unwrap();
    game.write("home/deep/user/id1/a", "mine");
    assert_eq!(next(&mut watcher), ["Changed a home/deep/user/id1/"]);
    game.write("home/deep/user/id1/b", "mine");
    assert_eq!(next(&mut watcher).len(), 1);
}

#[test]
fn the_base_directory_may_go_and_come_back() {
    let game = game("base/id1/pak0.pak: a");
    let mut watcher = SearchPath::builder(game.join("base")).mount().unwrap().watch().unwrap();
    fs::rename(game.join("base"), game.join("away")).unwrap();
    let error = watcher.wait(LONG).unwrap().unwrap_err();
    assert!(error.is_not_found(), "{error}");
    assert_eq!(
        watcher.search_path().read("a").unwrap(),
        "base/id1/pak0.pak:0",
        "the search path from before stays"
    );
    fs::rename(game.join("away"), game.join("base")).unwrap();
    game.write("base/id1/b", "1");
    loop {
        match watcher.wait(LONG).unwrap() {
            Ok(update) => break assert_eq!(lines(&update), ["Added b id1/"]),
            Err(error) => assert!(error.is_not_found(), "{error}"),
        }
    }
}

#[test]
fn archives_on_top_and_links_are_watched_where_they_lead() {
    let game = game("id1/pak0.pak: a; elsewhere/real.pak: a b; elsewhere/top.pak: c");
    std::os::unix::fs::symlink(game.join("elsewhere/real.pak"), game.join("id1/pak1.pak")).unwrap();
    let quake = game.builder().archive(game.join("elsewhere/top.pak")).mount().unwrap();
    let mut watcher = quake.watch().unwrap();
    put(&game, "elsewhere/real.pak", &[("a", "elsewhere/real.pak:0"), ("b", "new")]);
    assert_eq!(next(&mut watcher), ["Changed b id1/pak1.pak"]);
    put(&game, "elsewhere/top.pak", &[("c", "new")]);
    assert_eq!(next(&mut watcher), ["Changed c elsewhere/top.pak"]);
    game.write("elsewhere/unrelated", "1");
    nothing(&mut watcher);
}

#[test]
fn a_burst_is_one_update() {
    let game = game("id1/pak0.pak: a");
    let mut watcher = watch(&game);
    for number in 0..50 {
        game.write(&format!("id1/{number:02}"), "1");
    }
    assert_eq!(next(&mut watcher).len(), 50);
    nothing(&mut watcher);
}

#[test]
fn a_reader_of_the_stack_from_before_goes_on() {
    let game = game("id1/pak0.pak: a=old");
    let mut watcher = watch(&game);
    let old = watcher.search_path().clone();
    put(&game, "id1/pak0.pak", &[("a", "new")]);
    let update = watcher.wait(LONG).unwrap().unwrap();
    assert_eq!(old.read("a").unwrap(), "old");
    assert_eq!(update.search_path.read("a").unwrap(), "new");
    assert_eq!(watcher.search_path().read("a").unwrap(), "new");
}

#[test]
fn of_thousands_of_changes_none_is_lost() {
    let count = scaled(2_000, 10_000);
    let game = game("id1/pak0.pak: a");
    let mut watcher = watch(&game);
    let writer = {
        let path = game.path().to_owned();
        std::thread::spawn(move || {
            // new folders too, each filled as soon as it exists
            for number in 0..count {
                let folder = path.join(format!("id1/{}", number / 100));
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join(format!("{number}")), "1").unwrap();
            }
            // the same size, and for many the same time
            for number in 0..count {
                fs::write(path.join(format!("id1/{}/{number}", number / 100)), "2").unwrap();
            }
        })
    };
    let mut content = vec![String::new(); count];
    let deadline = Instant::now() + Duration::from_secs(600);
    while content.iter().any(|content| content != "2") {
        assert!(Instant::now() < deadline, "{} files are as they were reported", stale(&content));
        if let Some(update) = watcher.wait(Duration::from_secs(1)) {
            let update = update.unwrap();
            for change in &update.changes {
                let number: usize = change.name().to_string().rsplit('/').next().unwrap().parse().unwrap();
                let file = change.after.as_ref().unwrap();
                content[number] = String::from_utf8(file.read().unwrap().to_vec()).unwrap();
            }
        }
    }
    writer.join().unwrap();
    // a file that was read late had its last content before that was reported
    while watcher.wait(Duration::from_secs(1)).is_some() {}
    nothing(&mut watcher);
}

fn stale(content: &[String]) -> usize {
    content.iter().filter(|content| *content != "2").count()
}

/// More events than the system keeps, so that it reports an overflow.
#[test]
#[cfg(target_os = "linux")]
fn an_overflow_of_the_events_leads_to_a_look_at_everything() {
    let most: u64 =
        fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    let game = game("id1/pak0.pak: a; id1/: busy");
    let mut watcher = watch(&game);
    let busy = game.join("id1/busy");
    let writers: Vec<_> = (0..4)
        .map(|_| {
            let (busy, folder) = (busy.clone(), game.join("id1"));
            std::thread::spawn(move || {
                for number in 0..most {
                    fs::File::options().append(true).open(&busy).unwrap().write_all(b"1").unwrap();
                    if number % 1000 == 0 {
                        // folders that are not watched if their event is lost
                        let name = format!("late/{:?}/{number}", std::thread::current().id());
                        fs::create_dir_all(folder.join(&name)).unwrap();
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    let mut seen = BTreeSet::new();
    let until = Instant::now() + LONG;
    game.write("id1/late/last", "1");
    while !seen.contains("late/last") && Instant::now() < until {
        if let Some(update) = watcher.wait(SHORT) {
            seen.extend(update.unwrap().changes.iter().map(|change| change.name().to_string()));
        }
    }
    assert!(seen.contains("late/last") && seen.contains("busy"), "{seen:?}");
    while watcher.wait(SHORT).is_some() {}
    for folder in fs::read_dir(game.join("id1/late")).unwrap().map(Result::unwrap) {
        if folder.path().is_dir() {
            for deep in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
                fs::write(deep.path().join("file"), "1").unwrap();
            }
        }
    }
    let mut found = 0;
    while let Some(update) = watcher.wait(Duration::from_secs(3)) {
        found += update.unwrap().changes.len();
    }
    assert_eq!(found as u64, 4 * most.div_ceil(1000), "each folder is watched");
}

/// The threads of this process and the files that it has open, by the kernel's word.
#[cfg(target_os = "linux")]
fn threads_and_files() -> (Vec<String>, Vec<String>) {
    let names = |folder: &str, name: &dyn Fn(fs::DirEntry) -> String| {
        let entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    };
    let threads =
        names("/proc/self/task", &|task| fs::read_to_string(task.path().join("comm")).unwrap_or_default());
    let files = names("/proc/self/fd", &|file| {
        fs::read_link(file.path()).map(|to| to.display().to_string()).unwrap_or_default()
    });
    let ours = |name: &String| {
        name.contains("quakefs watch") || name.contains("notify") || name.contains("eventpoll")
    };
    (
        threads.into_iter().filter(ours).collect(),
        files.into_iter().filter(|file| ours(file) || file.contains("leaves-nothing")).collect(),
    )
}

#[test]
#[ignore = "counts the threads of the process: run by a_dropped_watcher_leaves_no_thread_and_no_file_open"]
#[cfg(target_os = "linux")]
fn alone_a_dropped_watcher_leaves_nothing() {
    let game = game("leaves-nothing/id1/pak0.pak: a");
    for _ in 0..20 {
        let mut watcher = SearchPath::builder(game.join("leaves-nothing")).mount().unwrap().watch().unwrap();
        game.write("leaves-nothing/id1/b", "1");
        watcher.wait(SHORT);
        assert!(
            threads_and_files().0.len() >= 2 && threads_and_files().1.len() >= 3,
            "{:?}",
            threads_and_files()
        );
        // also with an update that no one takes, and while one is made
        game.write("leaves-nothing/id1/c", "1");
    }
    let until = Instant::now() + LONG;
    while threads_and_files() != (Vec::new(), Vec::new()) {
        // the library of the system's events ends its thread a moment after its own drop
        assert!(Instant::now() < until, "{:?}", threads_and_files());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// In a separate process without the threads of other tests.
#[test]
#[cfg(target_os = "linux")]
fn a_dropped_watcher_leaves_no_thread_and_no_file_open() {
    let test = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "watch::alone_a_dropped_watcher_leaves_nothing", "--ignored"])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&test.stdout);
    assert!(test.status.success() && out.contains("1 passed"), "{out}");
}

/// Two mods; the first is mounted, watched and shared.
fn shared(game: &Folder) -> (SharedSearchPath, Watcher) {
    let shared = SharedSearchPath::new(game.mount("one"));
    let watcher = shared.watch().unwrap();
    (shared, watcher)
}

fn has_layer(search_path: &SearchPath, name: &str) -> bool {
    search_path.layers().any(|layer| layer.name() == name)
}

#[test]
fn a_swap_is_not_undone_by_an_update_of_the_mod_from_before() {
    let game = game("id1/pak0.pak: a; one/: x; two/: x");
    let (shared, mut watcher) = shared(&game);
    // the update waits to be taken when the other mod is stored
    game.write("one/x", "edited");
    std::thread::sleep(SHORT);
    shared.store(game.mount("two"));
    nothing(&mut watcher);
    assert!(has_layer(&shared.load(), "two/"));
    game.write("one/x", "edited again");
    nothing(&mut watcher);
    assert!(has_layer(&shared.load(), "two/"));
}

#[test]
fn a_watcher_follows_the_stored_mod() {
    let game = game("id1/pak0.pak: a; one/: x; two/: x");
    let (shared, mut watcher) = shared(&game);
    for (mod_name, other) in [("two", "one"), ("one", "two")] {
        shared.store(game.mount(mod_name));
        let layer = format!("{mod_name}/");
        while !has_layer(watcher.search_path(), &layer) {
            nothing(&mut watcher);
        }
        game.write(&format!("{other}/x"), "of no interest");
        nothing(&mut watcher);
        game.write(&format!("{mod_name}/x"), mod_name);
        assert_eq!(next(&mut watcher), [format!("Changed x {layer}")]);
        assert_eq!(shared.load().read("x").unwrap(), *mod_name.as_bytes());
        put(&game, &format!("{mod_name}/pak0.pak"), &[("new", mod_name)]);
        assert_eq!(next(&mut watcher), [format!("Added new {mod_name}/pak0.pak")]);
        assert!(shared.load().find("new").is_some());
    }
}

#[test]
fn two_watchers_of_one_holder_both_report_and_store() {
    let game = game("id1/pak0.pak: a; one/: x");
    let (shared, mut first) = shared(&game);
    let mut second = shared.watch().unwrap();
    put(&game, "one/pak0.pak", &[("new", "1")]);
    assert_eq!(next(&mut first), ["Added new one/pak0.pak"]);
    assert!(shared.load().find("new").is_some());
    assert_eq!(next(&mut second), ["Added new one/pak0.pak"]);
    drop((first, second));
    shared.store(game.mount("one"));
}

/// Links by which 2^26 paths lead to one folder, which a walk along each would never see the end of.
#[cfg(unix)]
#[test]
fn links_that_fan_out_are_watched_once_each_also_those_that_appear_later() {
    let game = game("id1/pak0.pak: a; id1/: b; mod/: c");
    let fan = |name: &str| {
        game.write(&format!("id1/{name}/26/end"), "1");
        for level in 0..26 {
            let folder = game.join(&format!("id1/{name}/{level}"));
            std::fs::create_dir_all(&folder).unwrap();
            for link in ["one", "two"] {
                std::os::unix::fs::symlink(format!("../{}", level + 1), folder.join(link)).unwrap();
            }
        }
    };
    fan("fan");
    let until = |watcher: &mut Watcher, line: &str| while !next(watcher).iter().any(|found| found == line) {};
    let mut watcher = watch(&game);
    game.write("id1/fan/26/new", "1");
    until(&mut watcher, "Added fan/26/new id1/");
    fan("later");
    until(&mut watcher, "Added later/26/end id1/");
    game.write("id1/later/26/new", "1");
    until(&mut watcher, "Added later/26/new id1/");
}

#[test]
fn watching_a_disk_other_than_the_systems_is_an_error() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Watcher>();
    let disk = quakefs::disk::MemoryDisk::new();
    disk.insert("quake/id1/a.cfg", "a").unwrap();
    let quake = SearchPath::builder("quake").disk(disk).mount().unwrap();
    let refused = quake.watch().unwrap_err();
    assert!(refused.reason().contains("changes_since"), "{refused}");
}
