//! The page of `.ci/page`, with dropped files.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pak_format::Layout;
use quakefs_browser::{Page, report};
use serde_json::{Value, json};
use testutils::{Folder, content, pack, zip_mixed};

use crate::report::{
    GAME, check_outline, check_textures, drawn_in, has_colours, has_colours_in, hostile, nothing_runs,
    pictures, pixel, shapes,
};
use crate::{no_barriers, open};

tests! {
    a_dropped_folder_gives_the_data_of_the_report,
    the_visitors_system_is_the_default,
    renames_in_a_download_wait_until_it_is_in_its_place,
    capitals_are_named_as_the_cause_with_their_renames,
    the_content_chooses_the_engine,
    a_mod_that_was_dropped_with_its_game_is_chosen,
    a_part_of_a_game_counts_nothing_of_the_base_game_as_missing,
    the_verdict_is_green_only_if_levels_have_their_models,
    a_game_without_a_program_is_not_green,
    the_verdict_is_the_largest_text_and_the_drop_box_a_bar,
    the_tree_has_columns_that_sort,
    names_are_readable_on_narrow_screens,
    headings_and_choices_have_room,
    a_search_without_matches_and_findings_are_told_as_they_are,
    what_a_level_needs_opens_once_with_missing_files_first,
    the_sheet_of_a_phone_closes_on_a_jump,
    a_walk_and_a_read_show_how_far_they_are,
    twenty_thousand_files_are_walked_in_batches,
    small_files_are_read_together,
    engines_stand_by_their_games_and_missions_by_their_titles,
    the_focus_never_falls_to_the_body,
    links_are_large_enough_for_a_finger,
    errors_look_like_errors,
    the_focus_stays_when_a_game_is_ticked_and_arrows_wait,
    borders_and_dots_of_the_map_are_visible,
    back_and_a_reload_keep_the_choices_the_search_and_the_file,
    an_address_of_another_game_is_not_in_the_way,
    texts_differ_line_by_line_far_behind_their_start,
    buttons_choose_a_folder_or_archives,
    a_folder_is_dropped_in_a_browser_without_handles,
    single_pk3_archives_are_mounted,
    models_turn_and_levels_and_textures_are_shown,
    a_level_is_walked_through_and_a_texture_leads_to_its_levels,
    two_sounds_are_heard_by_turns,
    a_download_is_placed_and_a_menu_places_it_elsewhere,
    a_drop_that_places_nothing_tells_why,
    levels_and_folders_are_placed_over_the_game,
    a_mod_or_archives_without_a_game_are_mounted,
    clicks_answer_which_compare_needs_and_copy_commands,
    letters_are_compared_as_on_the_chosen_system,
    saved_files_have_the_right_bytes,
    large_compressed_files_are_read,
    drops_are_added_one_after_another,
    a_file_that_replaces_another_is_named,
    a_drop_is_taken_back,
    a_second_mod_is_not_blamed_for_the_first,
    an_error_stays_shown_if_the_next_drop_is_opened_alone,
    a_stop_at_any_moment_keeps_the_game,
    the_page_tells_which_answers_are_incomplete,
    a_choice_that_cannot_be_mounted_is_undone,
    copied_commands_quote_names_that_start_with_a_dash,
    files_removed_after_the_drop_are_reported,
    an_archive_of_130000_files_is_listed,
    previews_are_made_on_demand,
    a_fault_ends_one_answer_and_not_the_page,
    hostile_files_become_text,
    the_page_with_dropped_files_fits_a_phone,
    a_mount_reads_only_the_directories_of_paks,
}

pub(crate) const HOUSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The page, built once.
pub(crate) fn page_file() -> &'static Path {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    PAGE.get_or_init(|| {
        let target = Path::new(HOUSE).canonicalize().unwrap().join("target");
        fs::create_dir_all(&target).unwrap();
        let file = target.join("quakefs.html");
        // made before, for somebody who runs one test after another
        if std::env::var_os("QUAKEFS_PAGE").is_some() {
            return file;
        }
        let mut command = Command::new(format!("{HOUSE}/.ci/page"));
        let made = command.arg(&file).env("CARGO_TARGET_DIR", target.join("integrations")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        file
    })
}

/// Drops files and folders on a fresh page.
pub(crate) fn dropped(paths: &[&Path], work: impl AsyncFnOnce(&Page)) {
    open(page_file(), async |page| {
        page.drop(paths).await;
        read(page).await;
        work(page).await;
    });
}

/// Waits until everything is read, and unfolds the choices.
pub(crate) async fn read(page: &Page) {
    page.wait_text("#figures", "compared and checked in").await;
    page.run("document.getElementById('choices').open = true").await;
}

/// Drops more files and waits until all is read.
pub(crate) async fn drop_more(page: &Page, file: &Path) {
    page.drop(&[file]).await;
    read(page).await;
}

fn a_dropped_folder_gives_the_data_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["mymod", "gapmod"] {
        let args = ["--basedir", GAME, "--engine", "quakespasm", "--game", game];
        let html = report(&args, &folder.path().join(format!("{game}.html")));
        let (_, data) = html.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
        let mut expected: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
        dropped(&[Path::new(GAME)], async |page| {
            assert_eq!(page.texts("#games label").await, json!(["gapmod", "mymod"]));
            page.choose("games", game).await;
            page.wait(&format!("return data.game[0] === {game:?} && previews.size === 0")).await;
            read(page).await;
            let mut found = page.run("return data").await;
            // a page with dropped files makes previews on demand
            for data in [&mut expected, &mut found] {
                without_previews(data);
            }
            assert_eq!(found, expected);
            assert_eq!(
                page.text("#line").await,
                format!("quakefs --basedir game --engine quakespasm --game {game} path")
            );
        });
    }
}

pub(crate) fn without_previews(data: &mut Value) {
    let fields = data.as_object_mut().unwrap();
    fields.remove("previews");
    fields.remove("omitted");
    let last = |row: &mut Value, at: usize| row[at] = Value::Null;
    for folder in fields["folders"].as_array_mut().unwrap() {
        folder["files"].as_array_mut().unwrap().iter_mut().for_each(|row| last(row, 6));
    }
    for conflict in fields["conflicts"].as_array_mut().unwrap() {
        conflict["copies"].as_array_mut().unwrap().iter_mut().for_each(|row| last(row, 5));
    }
}

/// A game with its archive in capitals, as on old CDs.
fn in_capitals() -> Folder {
    let folder = Folder::new();
    folder.write("quake/id1/PAK0.PAK", pack(Layout::Quake, [("maps/start.bsp", "a level"), ("a.cfg", "x")]));
    folder.write("quake/id1/Maps/Extra.bsp", "a level");
    folder
}

fn the_visitors_system_is_the_default() {
    let folder = in_capitals();
    open(page_file(), async |page| {
        page.on_windows().await;
        page.drop(&[folder.path().join("quake").as_std_path()]).await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["id1/PAK0.PAK", "id1/"]));
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Windows, with id1");
        assert_eq!(page.text("#line").await, "quakefs --basedir quake --engine quakespasm path");
        // the findings tell what other systems need, and no command
        let findings = page.text("#findings").await;
        assert!(findings.contains("3 renames let every system find these files"), "{findings}");
        assert!(!findings.contains('`') && !findings.contains("quakefs fix"), "{findings}");
        page.click("#renames summary").await;
        assert_eq!(
            page.texts("#renames td").await,
            json!([
                "id1/Maps/Extra.bsp",
                "id1/Maps/extra.bsp",
                "id1/Maps",
                "id1/maps",
                "id1/PAK0.PAK",
                "id1/pak0.pak"
            ])
        );
        let batch = page
            .run(
                "return batchFile([...renames(), ['id1/100% \"&.pak', 'x'], ['id1/100%&.PAK', \
            'id1/100%&.pak']])",
            )
            .await;
        assert_eq!(
            batch.as_str().unwrap().lines().skip(3).collect::<Vec<_>>(),
            [
                r#"ren "id1\Maps\Extra.bsp" "extra.bsp""#,
                r#"ren "id1\Maps" "maps""#,
                r#"ren "id1\PAK0.PAK" "pak0.pak""#,
                r#"ren "id1\100%%&.PAK" "100%%&.pak""#,
                "pause"
            ]
        );
        page.choose("on", "linux").await;
        page.wait_text("#game", "on Linux").await;
        page.wait_text("#line", "--on linux").await;
    });
}

fn renames_in_a_download_wait_until_it_is_in_its_place() {
    let folder = Folder::new();
    let pak = pack(Layout::Quake, [("progs.dat", "x")]);
    folder.write("old.zip", zip_mixed([("old/Pak0.pak", &pak[..], true)]));
    open(page_file(), async |page| {
        page.on_windows().await;
        page.drop(&[folder.path().join("old.zip").as_std_path()]).await;
        read(page).await;
        page.click("#renames summary").await;
        assert_eq!(page.texts("#renames td").await, json!(["old/Pak0.pak", "old/pak0.pak"]));
        assert_eq!(page.texts("#renames p").await, json!(["Put the download in its place first."]));
    });
    // a download whose names are right does not matter
    folder.write("new.zip", zip_mixed([("new/pak0.pak", &pak[..], true)]));
    folder.write("quake/id1/PAK0.PAK", &pak);
    open(page_file(), async |page| {
        page.on_windows().await;
        page.drop(&[folder.path().join("quake").as_std_path()]).await;
        read(page).await;
        drop_more(page, folder.path().join("new.zip").as_std_path()).await;
        page.click("#renames summary").await;
        assert_eq!(page.count("#renames button").await, 1);
    });
}

fn capitals_are_named_as_the_cause_with_their_renames() {
    let folder = in_capitals();
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with id1");
        let problems = page.texts("#verdict li").await;
        let first = problems[0].as_str().unwrap();
        assert!(
            first.starts_with("id1/PAK0.PAK: QuakeSpasm 0.96.3 loads it on Windows")
                && first.ends_with("rename it to pak0.pak"),
            "{first}"
        );
        page.click("#renames summary").await;
        assert_eq!(page.texts("#renames td").await[4], json!("id1/PAK0.PAK"));
        assert_eq!(page.count("#renames button").await, 0, "a batch file is for Windows");
    });
    // the base folder itself: refused as by the command, or found
    folder.write("caps/ID1/PAK0.PAK", pack(Layout::Quake, [("gfx.wad", "x")]));
    open(page_file(), async |page| {
        page.drop(&[folder.path().join("caps").as_std_path()]).await;
        page.wait_text("#status", "caps: the base directory has no folder id1 → rename ID1 to id1").await;
        page.run("choice.on = 'windows'").await;
        drop_more(page, folder.path().join("caps").as_std_path()).await;
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Windows, with ID1");
        assert!(!page.text("#verdict").await.contains("a part of a game"));
        page.click("#renames summary").await;
        assert_eq!(page.texts("#renames td").await, json!(["ID1/PAK0.PAK", "ID1/pak0.pak", "ID1", "id1"]));
    });
}

fn the_content_chooses_the_engine() {
    let folder = Folder::new();
    let level = |version: u8| [b"IBSP".as_slice(), &[version, 0, 0, 0], &[0; 200]].concat();
    folder.write("dm17.pk3", zip_mixed([("maps/dm17.bsp", &*level(46), true)]));
    folder.write(
        "textures.pk3",
        zip_mixed([("textures/a/wall.jpg", "no picture", true), ("scripts/a.shader", "", true)]),
    );
    folder.write("base1.pak", pack(Layout::Quake, [("maps/base1.bsp", level(38))]));
    folder.write("iron/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "x")]));
    folder.write("iron/Ironwail.exe", "MZ");
    for (file, words) in [
        ("dm17.pk3", "As ioquake3 on Linux, with "),
        ("textures.pk3", "As ioquake3 on Linux, with "),
        ("base1.pak", "As Yamagi Quake II 8.71pre on Linux, with "),
        ("iron", "As Ironwail after 0.8.2 on Linux, with id1"),
    ] {
        dropped(&[folder.path().join(file).as_std_path()], async |page| {
            let heading = page.text("#game").await;
            assert!(heading.starts_with(words), "{file}: {heading}");
        });
    }
    folder.write("iron/Darkplaces.exe", "MZ");
    folder.write("level.zip", zip_mixed([("bg.bsp", "no level", true)]));
    folder.write("q3/baseq3/pak0.pk3", zip_mixed([("maps/dm17.bsp", &*level(46), true)]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[&file("level.zip")], async |page| {
        page.wait_text("#because", "QuakeSpasm 0.96.3: a guess from the files.").await;
        // each drop decides again, until somebody chooses an engine
        drop_more(page, &file("iron")).await;
        page.wait_text("#game", "As Ironwail after 0.8.2 on Linux, with id1").await;
        page.wait_text(
            "#because",
            "a guess: its program Ironwail.exe is in the base directory, and so is Darkplaces.exe",
        )
        .await;
        page.choose("engine", "quakespasm").await;
        page.wait_text("#game", "As QuakeSpasm 0.96.3 on Linux, with id1").await;
        assert_eq!(page.text("#because").await, "");
        read(page).await;
        drop_more(page, &file("q3")).await;
        page.wait_text("#game", "As QuakeSpasm 0.96.3 on Linux, with id1").await;
        let left = "q3: another game, which is left → choose an engine of its game, such as ioquake3";
        page.wait_text("#drops", left).await;
    });
    open(page_file(), async |page| {
        page.wait("return engines.length > 0").await;
        let names = page.texts("#engine option").await;
        assert_eq!(names[1], json!("QuakeSpasm 0.96.3"));
        let names: std::collections::HashSet<_> =
            names.as_array().unwrap().iter().map(Value::to_string).collect();
        assert_eq!(names.len() as u64, page.count("#engine option").await, "each name once");
    });
}

fn a_mod_that_was_dropped_with_its_game_is_chosen() {
    let folder = Folder::new();
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "x")]));
    folder.write("quake/pd/pak0.pak", pack(Layout::Quake, [("a.cfg", "y")]));
    folder.write("quake/hipnotic/pak0.pak", pack(Layout::Quake, [("a.cfg", "z")]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with pd");
        // also without it, if the person wants that
        page.choose("games", "pd").await;
        page.wait_text("#game", "with id1").await;
        page.choose("on", "windows").await;
        page.wait_text("#game", "on Windows, with id1").await;
    });
    dropped(
        &["id1", "pd"]
            .map(|name| folder.path().join("quake").join(name))
            .each_ref()
            .map(|path| path.as_std_path()),
        async |page| {
            assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with pd");
        },
    );
}

fn a_part_of_a_game_counts_nothing_of_the_base_game_as_missing() {
    let lamps = Path::new(HOUSE).join("testdata/lamps");
    dropped(&[&lamps.join("dusk").canonicalize().unwrap()], async |page| {
        let verdict = page.text("#verdict").await;
        assert_eq!(verdict, "This is a part of a game.\nDrop your id1 too to see what is missing.");
        assert_eq!(page.count("#verdict.part").await, 1);
        assert_eq!(
            page.run("return [missing.length, findings.filter((one) => one.stops).length]").await,
            json!([0, 0])
        );
        page.drop(&[&lamps.join("id1").canonicalize().unwrap()]).await;
        page.wait_text("#verdict", "2 files that its levels need are missing").await;
    });
}

fn the_verdict_is_green_only_if_levels_have_their_models() {
    let lamps = Path::new(HOUSE).join("testdata/lamps").canonicalize().unwrap();
    dropped(&[&lamps], async |page| {
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with dusk");
        // an engine that starts without the files of a full game
        page.choose("engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        page.wait_count("#verdict.lacks", 1).await;
        page.click("#verdict button").await;
        assert_eq!(page.run("return byId('state').value").await, json!("missing"));
        assert!(page.text("#found").await.ends_with("; 2 missing"));
        // without the mod, nothing is missing
        page.choose("games", "dusk").await;
        page.wait_count("#verdict.good", 1).await;
        page.choose("missions", "rogue").await;
        page.wait_count("#verdict.lacks", 1).await;
        let verdict = page.text("#verdict").await;
        assert!(verdict.ends_with("starts, but a folder of the game is missing: rogue/."), "{verdict}");
    });
}

fn a_game_without_a_program_is_not_green() {
    let folder = Folder::new();
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, [("maps/start.bsp", "x")]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        // an engine that starts without the files of a full game
        page.choose("engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        let verdict = page.text("#verdict.lacks").await;
        assert!(
            verdict.starts_with("DarkPlaces (2018-09-08) starts, but loads no level without progs.dat."),
            "{verdict}"
        );
        assert_eq!(
            page.run("return missing.map((file) => [file.path, file.needed.by])").await,
            json!([["progs.dat", "every level"]])
        );
    });
}

fn the_verdict_is_the_largest_text_and_the_drop_box_a_bar() {
    let size = "const size = (one) => parseFloat(getComputedStyle(document.querySelector(one)).fontSize)";
    dropped(&[Path::new(GAME)], async |page| {
        let sizes = format!(
            "{size}; return ['h1', 'h2', 'body'].every((one) => size(one) < size('#verdict strong'))"
        );
        assert_eq!(page.run(&sizes).await, json!(true));
        let height = "return document.getElementById('drop').getBoundingClientRect().height";
        assert!(page.run(height).await.as_f64().unwrap() < 60.0);
        // the choices are folded below it
        page.client().refresh().await.unwrap();
        page.drop(&[Path::new(GAME)]).await;
        page.wait_text("#figures", "compared and checked in").await;
        assert_eq!(page.run("return byId('choices').open").await, json!(false));
        assert!(page.text("#choices summary").await.contains("QuakeSpasm 0.96.3: "));
        // an empty answer cannot be saved
        page.choose("search", "no such name").await;
        assert_eq!(page.run("return byId('save-all').disabled").await, json!(true));
        page.choose("search", "").await;
        assert_eq!(page.run("return byId('save-all').disabled").await, json!(false));
    });
    dropped(&[&Path::new(GAME).join("id1/pak0.pak")], async |page| {
        assert_eq!(page.run("return byId('verdict').getBoundingClientRect().height").await, json!(0));
    });
    let folder = shapes();
    dropped(&[folder.path().as_std_path()], async |page| {
        page.open_file("room.bsp").await;
        page.wait("return document.querySelector('#details .outline')").await;
        let first = "const [map, list] = ['.outline', '.outline ~ dl'].map((one) => \
            document.querySelector(`#details ${one}`)); return map.getBoundingClientRect().bottom <= \
            list.getBoundingClientRect().top";
        assert_eq!(page.run(first).await, json!(true));
    });
}

fn the_tree_has_columns_that_sort() {
    let folder = Folder::new();
    let long = "textures/a_folder_of_this/and_another/wall_0123.tga";
    folder
        .write("quake/id1/pak0.pak", pack(Layout::Quake, [("b.cfg", "1"), ("a.cfg", "333"), (long, "4444")]));
    folder.write("quake/id1/pak1.pak", pack(Layout::Quake, [("c.cfg", "22")]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        let names = async |page: &Page| {
            page.run(
                "return rows.filter((row) => row.file).map((row) => row.file.path).filter((path) => \
                path.endsWith('cfg'))",
            )
            .await
        };
        assert_eq!(names(page).await, json!(["a.cfg", "b.cfg", "c.cfg"]));
        page.click("#columns [data-sort=size]").await;
        assert_eq!(names(page).await, json!(["b.cfg", "c.cfg", "a.cfg"]));
        page.click("#columns [data-sort=size]").await;
        assert_eq!(names(page).await, json!(["a.cfg", "c.cfg", "b.cfg"]));
        assert_eq!(page.text("#columns [aria-pressed=true]").await, "Size ▾");
        page.click("#columns [data-sort=layer]").await;
        assert_eq!(names(page).await, json!(["c.cfg", "a.cfg", "b.cfg"]));
        // a long name keeps its end in a narrow row
        page.screen(390, 844).await;
        page.choose("search", "wall_").await;
        let end = "const [name, start] = ['.name', '.name .start'].map((one) => document.querySelector('#tree ' + one));
            return [name.scrollWidth <= name.clientWidth, start.scrollWidth > start.clientWidth, name.lastChild.textContent]";
        assert_eq!(page.run(end).await, json!([true, true, "wall_0123.tga"]));
        assert_eq!(page.text("#tree .name").await, long, "a copied name is whole");
    });
}

/// Opens the sample.
fn sample(work: impl AsyncFnOnce(&Page)) {
    open(page_file(), async |page| {
        page.click("#try").await;
        read(page).await;
        work(page).await;
    });
}

fn names_are_readable_on_narrow_screens() {
    sample(async |page| {
        let cut = "return [...document.querySelectorAll('#tree [role=treeitem]')].filter((row) => {
            const name = row.querySelector('.name');
            const right = row.getBoundingClientRect().right;
            return name.scrollWidth > name.clientWidth || [...row.children].some((one) => one.getBoundingClientRect().right > right);
        }).map((row) => row.innerText)";
        let broken = "return [...document.querySelectorAll('#layer-table .name')].filter((one) => \
            one.offsetHeight > 30).map((one) => one.innerText)";
        for width in [390, 820, 1280] {
            page.screen(width, 844).await;
            for (search, state, count) in [("", "", 0), ("mdl", "", 3), ("", "missing", 5)] {
                page.choose("search", search).await;
                page.choose("state", state).await;
                assert_eq!(page.run(cut).await, json!([]), "{width} {search} {state}");
                assert!(count == 0 || page.count("#tree .name").await == count, "{search} {state}");
            }
            assert_eq!(page.run(broken).await, json!([]), "{width}");
            assert_eq!(page.overflow().await, json!(0), "{width}");
        }
    });
}

fn headings_and_choices_have_room() {
    sample(async |page| {
        for width in [820, 1280] {
            page.screen(width, 844).await;
            let gap = "const [copy, sameness] = ['#conflicts .copy-line', '#sameness'].map((one) => \
                document.querySelector(one).getBoundingClientRect()); return sameness.left - copy.right < 40";
            assert_eq!(page.run(gap).await, json!(true), "the button is beside the choice");
        }
        page.screen(390, 844).await;
        assert_eq!(page.run("return byId('engine').offsetWidth > 250").await, json!(true));
    });
}

fn a_search_without_matches_and_findings_are_told_as_they_are() {
    sample(async |page| {
        let note = page.text("#findings-note").await;
        assert!(note.starts_with("Each finding has advice."), "nothing stops the engine: {note}");
        page.choose("search", "zzzzzz").await;
        page.wait_text("#which", "zzzzzz: no layer has a file with this in its name.").await;
        page.choose("search", "maps/stort.bsp").await;
        page.wait_text("#which", "did you mean maps/start.bsp?").await;
    });
}

fn what_a_level_needs_opens_once_with_missing_files_first() {
    let lamps = Path::new(HOUSE).join("testdata/lamps").canonicalize().unwrap();
    dropped(&[&lamps], async |page| {
        page.open_file("maps/dusk.bsp").await;
        let click = "[...document.querySelectorAll('#details button')].find((one) => one.innerText === \
            'Files it needs').click()";
        page.run(&format!("{click}; {click}")).await;
        page.wait_count("#details .rows", 2).await;
        assert!(page.text("#details .rows tbody").await.starts_with("progs/lamp.mdl"));
        assert_eq!(
            page.count("#details details:not([open]) .rows").await,
            1,
            "files that are there are folded"
        );
        page.run(click).await;
        page.wait("return !messages.length").await;
        page.wait_count("#details .rows", 2).await;
    });
}

fn the_sheet_of_a_phone_closes_on_a_jump() {
    dropped(&[Path::new(GAME)], async |page| {
        page.screen(390, 844).await;
        for jump in ["document.querySelector('nav a').click()", "filterBy({})", "openConflict(0)"] {
            page.open_file("progs.dat").await;
            page.wait_count("#details.chosen", 1).await;
            page.run(jump).await;
            page.wait_count("#details.chosen", 0).await;
        }
    });
}

fn a_walk_and_a_read_show_how_far_they_are() {
    open(page_file(), async |page| {
        // a folder of 900 files, each of which takes a moment
        page.run("window.said = [];
            new MutationObserver(() => window.said.push(byId('status').textContent)).observe(byId('status'), { childList: true });
            const file = (number) => ({ kind: 'file', name: `${number}.cfg`, getFile: async () => { await new Promise((done) => setTimeout(done, 200)); return new File(['x'], `${number}.cfg`); } });
            const folder = { kind: 'directory', name: 'id1', async *values() { for (let number = 0; number < 900; number += 1) yield file(number); } };
            addFiles(filesOf([{ kind: 'file', getAsFileSystemHandle: async () => folder }]))").await;
        read(page).await;
        let walked = "return window.said.some((one) => /^\\d+ files found…$/.test(one))";
        assert_eq!(page.run(walked).await, json!(true));
        // each slow read tells how much is read
        page.run(
            "window.said = []; const script = document.getElementById('worker');
            script.textContent = script.textContent.replace('> 500', '>= 0');
            restart('')",
        )
        .await;
        drop_more(page, Path::new(GAME)).await;
        let told =
            "return window.said.some((one) => /levels: [^ ]+ \\w+ of about [^ ]+ \\w+ read…$/.test(one))";
        assert_eq!(page.run(told).await, json!(true));
    });
}

fn twenty_thousand_files_are_walked_in_batches() {
    open(page_file(), async |page| {
        // each answer takes a moment, as a message to another process does: half an hour one after another,
        // and 40 seconds for one folder after another
        page.run(
            "const soon = () => new Promise((done) => setTimeout(done, 100));
            const file = (name) => ({ kind: 'file', name, getFile: async () => { await soon(); return new File([], name); } });
            const folder = (name, items) => ({ kind: 'directory', name, async *values() { await soon(); yield* items; } });
            const many = (count, item) => Array.from({ length: count }, (_, number) => item(`${number}`));
            const all = folder('id1', many(200, (name) => folder(name, many(100, file))));
            const started = performance.now();
            walk(all, '', () => {}).then((found) => { window.took = [performance.now() - started, found.length, found[101][0]]; })",
        )
        .await;
        let walked = page.wait("return window.took").await;
        assert!(walked[0].as_f64().unwrap() < 20_000.0, "{walked} ms");
        assert_eq!((&walked[1], &walked[2]), (&json!(20_000), &json!("id1/1/1")));
    });
}

fn small_files_are_read_together() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("gfx.wad", "x")]));
    for number in 0..600 {
        folder.write(&format!("id1/textures/{number}.tga"), "no picture");
    }
    dropped(&[folder.path().as_std_path()], async |page| {
        page.run(
            "const script = document.getElementById('worker');
            script.textContent = script.textContent.replace('new Uint8Array(reader', 'new Uint8Array((self.reads += 1) && reader')
                .replace('let told = 0;', 'let told = 0; self.reads = 0;').replace('answer(data), read', 'answer(data), read: self.reads');
            restart('')",
        )
        .await;
        let reads = page.run("return (await ask({ question: { page: {} } })).read").await;
        let reads = reads.as_u64().unwrap();
        assert!((3..60).contains(&reads), "{reads} reads");
    });
}

fn engines_stand_by_their_games_and_missions_by_their_titles() {
    dropped(&[Path::new(GAME)], async |page| {
        let groups = "return [...document.querySelectorAll('#engine optgroup')].map(({ label }) => label)";
        let found = page.run(groups).await;
        assert_eq!(found[0], json!("Quake"), "the games like this one first: {found}");
        assert!(found.as_array().unwrap().contains(&json!("Quake II")), "{found}");
        for engine in ["quakespasm", "darkplaces"] {
            page.choose("engine", engine).await;
            page.wait(&format!("return data.engine === {engine:?}")).await;
            read(page).await;
            let names = page.texts("#missions label").await;
            assert!(names.as_array().unwrap().contains(&json!("Scourge of Armagon")), "{names}");
        }
        assert!(page.text("#verdict strong").await.starts_with("DarkPlaces (2018-09-08) "));
        // the times of the page itself come last
        let last = "return document.querySelector('footer').innerText.startsWith('Mounted in')";
        assert_eq!(page.run(last).await, json!(true));
        assert_eq!(page.text("#status").await, "");
    });
}

fn the_focus_never_falls_to_the_body() {
    let folder = Folder::new();
    folder.write("pd.zip", zip_mixed([("pd/progs.dat", "no program", true)]));
    folder.write("menu.pcx", "no picture");
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let focused = "const { activeElement: one } = document; return one.ariaLabel ?? one.id ?? one.tagName";
    dropped(&[Path::new(GAME)], async |page| {
        drop_more(page, &file("pd.zip")).await;
        // a menu that is made again
        page.run(
            "byId('figures').textContent = ''; const menu = document.querySelector('#drops select');
            menu.focus(); menu.value = 'mymod'; menu.dispatchEvent(new Event('change'));",
        )
        .await;
        read(page).await;
        assert_eq!(page.run(focused).await, json!("Place pd.zip"));
        // what is gone leaves the focus where it was
        page.run(
            "byId('figures').textContent = ''; \
            document.querySelector('#drops > li:last-child .back').focus()",
        )
        .await;
        page.keys("\u{e007}").await;
        read(page).await;
        assert_eq!(page.run(focused).await, json!("Drops"));
        page.drop(&[&file("menu.pcx")]).await;
        page.wait("return !byId('opened').hidden").await;
        page.run("document.querySelector('#opened .head button').focus()").await;
        page.keys("\u{e007}").await;
        page.wait("return byId('opened').hidden").await;
        assert_eq!(page.run("return document.activeElement === document.body").await, json!(false));
    });
}

fn links_are_large_enough_for_a_finger() {
    sample(async |page| {
        page.open_file("maps/").await;
        page.wait("return document.querySelector('#details .outline')").await;
        for width in [390, 1280] {
            page.screen(width, 844).await;
            let small =
                "return [...document.querySelectorAll('a, button, select, summary, label:has(> [type=checkbox]), [role=treeitem]')]
                .filter((one) => one.checkVisibility() && !one.matches('.skip'))
                .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect().height])
                .filter(([, height]) => height < 24)";
            assert_eq!(page.run(small).await, json!([]), "{width}");
        }
    });
}

fn errors_look_like_errors() {
    let folder = Folder::new();
    folder.write("bad.pak", "no archive");
    dropped(&[Path::new(GAME)], async |page| {
        assert_eq!(page.count("#status.error").await, 0);
        page.drop(&[folder.path().join("bad.pak").as_std_path()]).await;
        page.wait_count("#status.error", 1).await;
        page.wait("return unread === ''").await;
        no_barriers(page).await;
        assert_eq!(page.count("#status.error").await, 1, "the error stays until something else is done");
        page.choose("on", "windows").await;
        page.wait_count("#status:not(.error)", 1).await;
    });
}

fn the_focus_stays_when_a_game_is_ticked_and_arrows_wait() {
    dropped(&[Path::new(GAME)], async |page| {
        page.run("document.querySelector('#games input[value=mymod]').focus()").await;
        page.keys(" ").await;
        page.wait("return data.game[0] === 'mymod'").await;
        read(page).await;
        assert_eq!(page.run("return document.activeElement.value").await, json!("mymod"));
        // an arrow chooses another engine, which is mounted when the person leaves the list
        page.run(
            "window.mounts = 0; const before = mount; mount = (...all) => { window.mounts += 1; return \
            before(...all); }; byId('engine').focus()",
        )
        .await;
        page.keys("\u{e015}\u{e015}").await;
        assert_eq!(
            page.run("return [byId('engine').value, data.engine, window.mounts]").await,
            json!(["ironwail", "quakespasm", 0])
        );
        page.keys("\u{e004}").await;
        page.wait("return data.engine === 'ironwail'").await;
        assert_eq!(page.run("return window.mounts").await, json!(1));
    });
}

fn borders_and_dots_of_the_map_are_visible() {
    let folder = shapes();
    dropped(&[folder.path().as_std_path()], async |page| {
        page.open_file("room.bsp").await;
        page.wait("return document.querySelector('#details .outline')").await;
        for dark in [false, true] {
            page.dark(dark).await;
            let weak = page.run("
                const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
                    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
                    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
                const contrast = (one, other) => { const [a, b] = [light(one), light(other)].sort((a, b) => b - a); return (a + 0.05) / (b + 0.05); };
                const behind = (element) => { for (let one = element; one; one = one.parentElement) { const { backgroundColor } = getComputedStyle(one); if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor; } };
                const borders = ['#choose-folder', '#engine', '#search', 'nav a', '#drop', '.choice input:not(:checked) + span'];
                const map = getComputedStyle(document.querySelector('.outline')).backgroundColor;
                const found = borders.map((one) => [one, contrast(getComputedStyle(document.querySelector(one)).borderTopColor, behind(document.querySelector(one).parentElement))]);
                for (const dots of document.querySelectorAll('.outline g')) found.push([dots.getAttribute('class'), contrast(getComputedStyle(dots).fill, map)]);
                return found.filter(([, ratio]) => ratio < 3);").await;
            assert_eq!(weak, json!([]), "dark: {dark}");
        }
    });
}

fn back_and_a_reload_keep_the_choices_the_search_and_the_file() {
    dropped(&[Path::new(GAME)], async |page| {
        page.choose("games", "mymod").await;
        page.wait("return data.game[0] === 'mymod'").await;
        read(page).await;
        page.choose("on", "windows").await;
        page.wait_text("#game", "on Windows").await;
        read(page).await;
        page.choose("layer", "0").await;
        page.open_file("maps").await;
        page.click("#tree [role=treeitem]:nth-child(2)").await;
        let state = "return [data.engine, choice.on, choice.games, filters.search.value, \
            filters.layer.selectedOptions[0].text, chosen?.path]";
        let second = json!(["quakespasm", "windows", ["mymod"], "maps", "mymod/pak1.pak", "maps/start.bsp"]);
        assert_eq!(page.run(state).await, second);
        // a link to a section keeps the state
        page.click("nav a[href='#findings']").await;
        assert_eq!(
            page.run("return [document.activeElement.id, location.hash.includes('file=maps%2Fstart.bsp')]")
                .await,
            json!(["findings", true])
        );
        page.client().back().await.unwrap();
        page.wait("return chosen?.path === 'maps/mymod1.bsp'").await;
        page.wait_text("#details h3", "maps/mymod1.bsp").await;
        page.run("history.forward()").await;
        page.wait("return chosen?.path === 'maps/start.bsp'").await;
        // a reload, and the same folder again
        page.client().refresh().await.unwrap();
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(page.run(state).await, second);
        assert_eq!(page.text("#details h3").await, "maps/start.bsp");
        // back to another system
        page.choose("on", "macos").await;
        page.wait_text("#game", "on macOS").await;
        read(page).await;
        page.client().back().await.unwrap();
        page.wait_text("#game", "on Windows").await;
        read(page).await;
        assert_eq!(page.run(state).await, second);
    });
}

fn an_address_of_another_game_is_not_in_the_way() {
    open(page_file(), async |page| {
        page.run("location.hash = '#engine=quake2&on=nonsense&game=ctf&layer=a.pak&file=none'").await;
        page.client().refresh().await.unwrap();
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(page.text("#game").await, "As QuakeSpasm 0.96.3 on Linux, with id1");
        assert_eq!(page.run("return [filters.layer.value, chosen]").await, json!(["", null]));
        page.click("#over").await;
        page.wait("return document.body.classList.contains('waiting') && !location.hash").await;
    });
}

fn texts_differ_line_by_line_far_behind_their_start() {
    let folder = Folder::new();
    let lines: Vec<String> = (0..2000).map(|number| format!("bind {number} \"say {number}\"\r\n")).collect();
    let (old, mut new) = (lines.concat(), lines);
    new[1500] = "bind x <b>\n".to_owned();
    new.insert(1700, "fov 110\n".to_owned());
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", old)]));
    folder.write("quake/id1/pak1.pak", pack(Layout::Quake, [("a.cfg", new.concat())]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.click("#conflicts summary").await;
        page.wait_count(".diff", 1).await;
        assert_eq!(
            page.texts(".diff del, .diff ins").await,
            json!(["- bind 1500 \"say 1500\"\n", "+ bind x <b>\n", "+ fov 110\n"])
        );
        assert_eq!(
            page.texts(".diff .gap").await,
            json!(["1\u{202f}497 equal lines\n", "193 equal lines\n", "298 equal lines\n"])
        );
        page.run(
            "[...document.querySelectorAll('#conflicts button')].find((one) => one.innerText === 'First \
            change').click()",
        )
        .await;
        assert_eq!(page.run("return document.activeElement.className").await, json!("diff"));
        // the steps lead from one text to the other, whatever the texts are
        let wrong = page.run("
            const random = ((state) => () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648)(7);
            const text = () => Array.from({ length: Math.floor(random() * 12) }, () => 'abc'[Math.floor(random() * 3)]);
            const wrong = [];
            for (let round = 0; round < 3000; round += 1) {
                const [a, b] = [text(), text()];
                const all = lineDiff(a, b);
                const of = (not) => all.filter(([sign]) => sign !== not).map(([, line]) => line).join();
                if (of('+') !== a.join() || of('-') !== b.join()) wrong.push([a, b, all]);
            }
            return wrong.slice(0, 3)").await;
        assert_eq!(wrong, json!([]));
        // a text that is replaced as a whole
        let long = "const [a, b] = ['a', 'b'].map((word) => Array.from({ length: 20000 }, (_, line) => word \
            + line)); return lineDiff(a, b).length";
        assert_eq!(page.run(long).await, json!(40_000));
    });
}

fn buttons_choose_a_folder_or_archives() {
    open(page_file(), async |page| {
        page.choose_files("#folder", &[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        page.click("#over").await;
        page.wait("return document.body.classList.contains('waiting')").await;
        page.choose_files("#several", &[&Path::new(GAME).join("id1/pak0.pak")]).await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["pak0.pak"]));
        assert_eq!(page.text("#line").await, "quakefs --engine quakespasm --mount pak0.pak path");
    });
}

/// As in Firefox: `webkitGetAsEntry`, which Chromium offers only to pages from a server.
fn a_folder_is_dropped_in_a_browser_without_handles() {
    let address = served();
    open(page_file(), async |page| {
        page.client().goto(&address).await.unwrap();
        page.run("delete DataTransferItem.prototype.getAsFileSystemHandle").await;
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        assert_eq!(page.texts("#games label").await, json!(["gapmod", "mymod"]));
        assert_eq!(page.text("#line").await, "quakefs --basedir game --engine quakespasm path");
    });
}

/// The address of a server for the page.
pub(crate) fn served() -> String {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in server.incoming() {
            serve(&stream.unwrap());
        }
    });
    address
}

/// Answers a request with the page.
fn serve(mut stream: &TcpStream) {
    let mut lines = BufReader::new(stream).lines();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let page = fs::read(page_file()).unwrap();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        page.len()
    );
    // a browser may open a connection and close it again
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&page));
}

fn single_pk3_archives_are_mounted() {
    let folder = Folder::new();
    folder.write("first.pk3", zip_mixed([("a.cfg", "first", true), ("b.cfg", "b", false)]));
    folder.write("second.pk3", zip_mixed([("a.cfg", "second", true)]));
    let pk3s = ["first.pk3", "second.pk3"].map(|name| folder.path().join(name).into_std_path_buf());
    for chosen in [true, false] {
        open(page_file(), async |page| {
            if chosen {
                page.choose_files("#several", &[&pk3s[0], &pk3s[1]]).await;
            } else {
                page.drop(&[&pk3s[0], &pk3s[1]]).await;
            }
            read(page).await;
            assert_eq!(page.texts("#layer-table .name").await, json!(["second.pk3", "first.pk3"]));
            let line = page.text("#line").await;
            assert!(line.contains(" --mount first.pk3 --mount second.pk3 "), "{line}");
            page.open_file("a.cfg").await;
            page.wait("return document.querySelector('#details pre')?.innerText === 'second'").await;
        });
    }
}

fn models_turn_and_levels_and_textures_are_shown() {
    let folder = shapes();
    dropped(&[folder.path().as_std_path()], async |page| {
        for (name, pictures) in
            [("solid.mdl", true), ("solid.md2", true), ("solid.md3", true), ("bare.md3", false)]
        {
            page.open_file(name).await;
            page.wait(&format!(
                "return document.querySelector('#details canvas')?.ariaLabel === 'Turn progs/{name}'"
            ))
            .await;
            assert_eq!(has_colours(page).await, pictures, "{name}");
        }
        page.open_file("room.bsp").await;
        check_outline(page).await;
        page.open_file("walls.wad").await;
        check_textures(page).await;
    });
}

fn a_level_is_walked_through_and_a_texture_leads_to_its_levels() {
    let folder = Folder::new();
    let entities =
        r#"{ "classname" "worldspawn" } { "classname" "info_player_start" "origin" "0 0 0" "angle" "90" }"#;
    let files = [("gfx/palette.lmp", content::palette()), ("maps/room.bsp", content::lit_room(entities))];
    folder.write("id1/pak0.pak", pack(Layout::Quake, files));
    dropped(&[folder.path().as_std_path()], async |page| {
        page.open_file("room.bsp").await;
        let click = async |place: &str, words: &str| {
            page.wait(&format!(
                "const all = [...document.querySelectorAll('{place} button')];
                const found = all.find((one) => one.textContent === {words:?});
                found?.click(); return found != null"
            ))
            .await;
        };
        click("#details", "Walk through it").await;
        page.wait("return document.activeElement.matches('#large canvas')").await;
        assert!(has_colours_in(page, "#large canvas").await);
        let first = drawn_in(page, "#large canvas").await;
        page.keys("wwwwww").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert!(drawn_in(page, "#large canvas").await != first, "another place looks the same");
        no_barriers(page).await;
        click("#large", "Close").await;
        // from above it is zoomed
        click("#details", "Enlarge").await;
        let width =
            "return Number(document.querySelector('#large .outline').getAttribute('viewBox').split(' ')[2])";
        let whole = page.run(width).await.as_f64().unwrap();
        click("#large", "Zoom in").await;
        assert!((page.run(width).await.as_f64().unwrap() * 1.5 - whole).abs() < 1.0);
        click("#large", "Zoom out").await;
        assert_eq!(page.run(width).await.as_f64().unwrap(), whole);
        no_barriers(page).await;
        click("#large", "Close").await;
        page.run("document.querySelector('#details .whole').click()").await;
        no_barriers(page).await;
        click("#large", "Levels with this texture").await;
        click("#large", "maps/room.bsp").await;
        assert_eq!(page.run("return large.open").await, json!(false));
    });
}

fn two_sounds_are_heard_by_turns() {
    let folder = Folder::new();
    for (pak, seconds) in [("pak0", 1), ("pak1", 2)] {
        let sound = content::wav(11_025, 11_025 * seconds);
        folder.write(&format!("id1/{pak}.pak"), pack(Layout::Quake, [("sound/tone.wav", sound)]));
    }
    dropped(&[folder.path().as_std_path()], async |page| {
        page.click("#conflicts summary").await;
        page.wait("return document.querySelectorAll('#conflicts .wave path[d]').length === 4").await;
        let pressed = "#conflicts [aria-pressed=true]";
        assert_eq!(page.texts(pressed).await, json!(["Winner"]));
        page.click("#conflicts [aria-pressed=false]").await;
        assert_eq!(page.texts(pressed).await, json!(["Overridden copy"]));
    });
}

fn a_download_is_placed_and_a_menu_places_it_elsewhere() {
    let folder = Folder::new();
    let pak = pack(Layout::Quake, [("maps/start.bsp", "a level"), ("maps/new.bsp", "x")]);
    let files = [("arcane-1.2/arcane/pak0.pak", &pak[..], true), ("arcane-1.2/readme.txt", b"text", false)];
    folder.write("arcane-1.2.zip", zip_mixed(files));
    folder.write("loose.zip", zip_mixed([("progs.dat", "no program", false), ("loose.cfg", "fov 90", true)]));
    folder.write("extra.pak", &pak);
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let place = async |page: &Page, download: usize, name: &str| {
        page.run(&format!(
            "byId('figures').textContent = '';
            const menu = document.querySelectorAll('#drops select')[{download}];
            menu.value = {name:?};
            menu.dispatchEvent(new Event('change'));"
        ))
        .await;
        read(page).await;
    };
    let said = "return [...document.querySelectorAll('#drops .placed')].map((row) => \
        row.firstChild.textContent + row.childNodes[1].textContent.trim())";
    dropped(&[Path::new(GAME)], async |page| {
        assert_eq!(page.run(said).await, json!(["game: the game"]));
        drop_more(page, &file("arcane-1.2.zip")).await;
        assert_eq!(
            page.run(said).await,
            json!(["game: the game", "arcane-1.2.zip: placed in arcane/, its own folder"])
        );
        let layers = page.texts("#layer-table .name").await;
        assert_eq!(layers, json!(["arcane/pak0.pak", "arcane/", "id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        let line = "quakefs --basedir game --over arcane-1.2.zip --engine quakespasm --game arcane path";
        assert_eq!(page.text("#line").await, line);
        page.wait_text("#drops .changes", "overridden 1, added 1.").await;
        page.wait_text("#drops", "Left, because it goes nowhere: arcane-1.2/readme.txt").await;
        assert_eq!(
            page.texts("#drops option").await,
            json!(["as it suggests", "id1/", "arcane/", "gapmod/", "mymod/", "a new folder arcane-1.2/"])
        );
        place(page, 0, "mymod").await;
        assert_eq!(
            page.run(said).await,
            json!(["game: the game", "arcane-1.2.zip: placed in mymod/, as named"])
        );
        assert_eq!(page.text("#games input:checked + span").await, "mymod");
        let line = "quakefs --basedir game --over mymod=arcane-1.2.zip --engine quakespasm --game mymod path";
        assert_eq!(page.text("#line").await, line);
        place(page, 0, "").await;
        assert_eq!(page.text("#games input:checked + span").await, "arcane");
        // a guess is called one
        drop_more(page, &file("loose.zip")).await;
        let rows = page.run(said).await;
        let guess = "loose.zip: placed in loose/, a guess: no folder and no text names a place";
        assert_eq!(rows[2], json!(guess));
        assert_eq!(page.text("#games input:checked + span").await, "loose");
        // a game that does not search the download
        page.choose("games", "loose").await;
        page.wait("return mounted.games.length === 0").await;
        read(page).await;
        page.wait_text(
            "#drops > li:last-child",
            "QuakeSpasm 0.96.3 does not search loose/: choose it under Games.",
        )
        .await;
        // an archive keeps the numbers of the game in order, or lies above them
        drop_more(page, &file("extra.pak")).await;
        place(page, 2, "id1").await;
        assert_eq!(
            page.texts("#layer-table .name").await,
            json!(["id1/pak2.pak", "id1/pak1.pak", "id1/pak0.pak", "id1/"])
        );
        place(page, 2, "/").await;
        assert_eq!(page.run(said).await[3], json!("extra.pak: mounted above the game"));
        assert!(page.text("#line").await.ends_with(" --mount extra.pak path"));
        // a damaged ZIP changes nothing
        folder.write("cut.zip", "PK\x03\x04");
        page.drop(&[&file("cut.zip")]).await;
        page.wait_text("#status", "cut.zip").await;
        assert_eq!(page.count("#drops > li").await, 4);
    });
}

fn a_drop_that_places_nothing_tells_why() {
    let folder = Folder::new();
    folder.write("skin.zip", zip_mixed([("skin.mdl", "no model", true)]));
    folder.write("notes/readme.txt", "text");
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let nothing = "skin.zip: nothing of it goes into a game: it has models, sounds or pictures without a \
        folder → put models into progs/";
    dropped(&[Path::new(GAME)], async |page| {
        page.drop(&[&file("skin.zip")]).await;
        page.wait_text("#opened", nothing).await;
        page.wait_text("#status", "Nothing of this drop goes into the game. It is opened alone.").await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        // beside something that is placed, it has a line
        page.drop(&[&file("skin.zip"), &Path::new(GAME).join("mymod/pak1.pak")]).await;
        page.wait_text("#drops", nothing).await;
        read(page).await;
        assert_eq!([page.count("#drops > li").await, page.count("#drops .placed").await], [2, 3]);
    });
    open(page_file(), async |page| {
        page.drop(&[&file("notes")]).await;
        page.wait_text("#opened", "notes: nothing of it goes into a game: it has only texts").await;
        page.drop(&[&file("notes"), &Path::new(GAME).join("mymod/pak1.pak")]).await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["pak1.pak"]));
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
    });
}

fn levels_and_folders_are_placed_over_the_game() {
    let folder = Folder::new();
    folder.write("dusk.bsp", "no level");
    folder.write("dusk.lit", "no light");
    folder.write("dusk.txt", "a level");
    folder.write("pd-3.0/pd/progs.dat", "no program");
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[Path::new(GAME)], async |page| {
        page.choose("games", "mymod").await;
        page.wait("return mounted.games.length === 1").await;
        page.drop(&[&file("dusk.bsp"), &file("dusk.lit"), &file("dusk.txt")]).await;
        read(page).await;
        page.wait_text(
            "#drops",
            "dusk.bsp and 2 more: placed in id1/maps/, where levels, demos and archives without a folder go",
        )
        .await;
        assert_eq!(page.run("return mounted.games").await, json!(["mymod"]), "a level keeps the game");
        let line = page.text("#line").await;
        assert!(line.contains(" --over dusk.bsp --over dusk.lit --engine "), "{line}");
        page.open_file("maps/dusk.lit").await;
        page.wait_text("#details", "id1/").await;
        drop_more(page, &file("pd-3.0")).await;
        page.wait_text("#drops", "pd-3.0: placed in pd/, its own folder").await;
        assert_eq!(page.run("return mounted.games").await, json!(["pd"]));
        // a mod as a folder beside the game's own
        drop_more(page, &Path::new(GAME).join("gapmod")).await;
        page.wait_text("#drops", "gapmod: placed in gapmod/, its own folder").await;
        assert_eq!(page.run("return mounted.games").await, json!(["gapmod"]));
        // the person's choice counts more than a folder that exists
        page.run(
            "byId('figures').textContent = '';
            const menu = [...document.querySelectorAll('#drops select')].at(-1);
            menu.value = 'mymod';
            menu.dispatchEvent(new Event('change'));",
        )
        .await;
        read(page).await;
        page.wait_text("#drops", "gapmod: placed in mymod/, as named").await;
    });
}

fn a_mod_or_archives_without_a_game_are_mounted() {
    let mymod = Path::new(GAME).join("mymod");
    dropped(&[&mymod], async |page| {
        let verdict = page.text("#verdict").await;
        assert!(verdict.contains("a part of a game"), "{verdict}");
        assert!(
            page.texts("#layer-table .name").await.as_array().unwrap().contains(&json!("mymod/pak1.pak"))
        );
        assert!(page.text("#line").await.ends_with("--game mymod path"));
    });
    let paks = ["pak0.pak", "pak1.pak"].map(|pak| mymod.join(pak));
    dropped(&[&paks[0], &paks[1]], async |page| {
        assert_eq!(page.texts("#layer-table .name").await, json!(["pak1.pak", "pak0.pak"]));
        page.click("#conflicts summary").await;
        page.wait_count(".copy", 2).await;
    });
}

fn clicks_answer_which_compare_needs_and_copy_commands() {
    dropped(&[Path::new(GAME)], async |page| {
        page.choose("games", "gapmod").await;
        page.wait("return data.game[0] === 'gapmod'").await;
        read(page).await;
        // which: a name in a skipped archive, and a missing name
        page.choose("search", "maps/gap4.bsp").await;
        page.wait_text("#which", "not found").await;
        page.choose("search", "MAPS\\start.bsp").await;
        page.wait("return document.getElementById('which').innerText !== ''").await;
        // compare
        page.choose("against", "darkplaces").await;
        page.wait_count("#compared details", 2).await;
        page.click("#compared summary").await;
        let compared = page.text("#compared").await;
        assert!(compared.contains("maps/gap3.bsp") && compared.contains("gapmod/pak3.pak"), "{compared}");
        page.run("filterBy({})").await;
        // the commands
        for (selector, command) in [
            ("#options [data-command]", " --engine quakespasm --game gapmod path"),
            ("#findings [data-command]", " --engine quakespasm --game gapmod check"),
            ("#conflicts [data-command]", " --engine quakespasm --game gapmod shadows"),
            ("#files [data-command]", " --engine quakespasm --game gapmod ls"),
            ("#compare [data-command]", " --game gapmod compare quakespasm darkplaces"),
        ] {
            page.click(selector).await;
            page.wait(&format!("return document.getElementById('line').innerText.endsWith({command:?})"))
                .await;
        }
        // other choices
        page.choose("engine", "fte").await;
        page.wait(
            "return data.engine === 'fte' && \
            document.querySelector('#missions input[value=hipnotic]')",
        )
        .await;
        page.choose("missions", "hipnotic").await;
        page.wait("return mounted.line.includes('--mission')").await;
        page.choose("on", "windows").await;
        page.wait("return mounted.line.includes('windows')").await;
        read(page).await;
    });
    let lamps = Path::new(HOUSE).join("testdata/lamps");
    dropped(&[&lamps.canonicalize().unwrap()], async |page| {
        page.wait("return data.missing.length === 2").await;
        page.open_file("maps/dusk.bsp").await;
        page.run(
            "[...document.querySelectorAll('#details button')].find((one) => one.innerText === 'Files \
            it needs').click()",
        )
        .await;
        page.wait("return document.querySelectorAll('#details .rows tbody tr').length > 2").await;
        assert!(
            page.text("#details .rows tbody").await.starts_with("progs/lamp.mdl"),
            "missing files come first"
        );
    });
}

fn letters_are_compared_as_on_the_chosen_system() {
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack(Layout::Quake, [("a.cfg", b"a")]));
    folder.write("id1/cafe\u{301}.cfg", "bind");
    folder.write("id1/stra\u{df}e_\u{e4}.cfg", "bind");
    dropped(&[folder.path().as_std_path()], async |page| {
        let accent = "caf\u{e9}.cfg";
        let capitals = "STRA\u{df}E_\u{c4}.CFG";
        for (on, name, is_found) in [
            ("macos", accent, true),
            ("windows", accent, false),
            ("macos", capitals, true),
            ("windows", capitals, true),
            ("linux", capitals, false),
            // a capital of two characters does not count
            ("windows", "STRASSE_\u{c4}.CFG", false),
        ] {
            page.choose("on", on).await;
            page.wait(&format!("return mounted.line.includes({on:?})")).await;
            read(page).await;
            page.run(&format!(
                "window.which = null; question('which', {{ name: {name:?} }}).then((answer) => \
                {{ window.which = answer; }})"
            ))
            .await;
            page.wait("return window.which").await;
            let found = if is_found { json!(name) } else { Value::Null };
            assert_eq!(page.run("return window.which.path").await, found, "{name} on {on}");
        }
    });
}

fn saved_files_have_the_right_bytes() {
    let folder = Folder::new();
    folder.write(
        "quake/id1/pak0.pak",
        pack(Layout::Quake, [("a.cfg", "stored"), ("../up.cfg", "outside"), ("maps/b.bsp", "level")]),
    );
    folder.write("quake/id1/c.pk3", zip_mixed([("c.cfg", &*"long ".repeat(500), true)]));
    folder.write("quake/id1/loose.cfg", "loose");
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.choose("engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        let text = |name: &str| {
            format!(
            "const done = arguments[arguments.length - 1];
            ask({{ source: copyKey(byPath.get({name:?})) }}).then(({{ blob }}) => blob.text()).then((text) => {{ window.saved = text; }})"
        )
        };
        for (name, expected) in
            [("a.cfg", "stored"), ("c.cfg", &*"long ".repeat(500)), ("loose.cfg", "loose")]
        {
            page.run(&text(name)).await;
            page.wait("return window.saved != null").await;
            assert_eq!(
                page.run("const { saved } = window; window.saved = null; return saved").await,
                json!(expected)
            );
        }
        // the button saves the files that the search shows, here all
        page.run(
            "window.blobs = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { \
            window.blobs.push(blob); return make(blob); }",
        )
        .await;
        page.click("#save-all").await;
        page.wait("return window.blobs.length === 1").await;
        assert_eq!(page.text("#status").await, "4 files saved.");
        page.run(
            "window.blobs[0].arrayBuffer().then((buffer) => { window.zip = [...new Uint8Array(buffer)]; })",
        )
        .await;
        let zip = page.wait("return window.zip").await;
        let zip: Vec<u8> = serde_json::from_value(zip).unwrap();
        let file = folder.path().join("saved.pk3");
        fs::write(&file, zip).unwrap();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let exit = quakefs_cli::run(
            ["quakefs", "pak", "verify", file.as_str()],
            &mut quakefs_cli::Console::plain(&mut out, &mut err),
        );
        assert_eq!(
            exit,
            quakefs_cli::Exit::Done,
            "{}{}",
            String::from_utf8_lossy(&out),
            String::from_utf8_lossy(&err)
        );
        let read = quakefs::Archive::open(&file).unwrap();
        assert_eq!(read.find("c.cfg").unwrap().read().unwrap(), &*"long ".repeat(500));
        assert_eq!(read.entries().len(), 4);
        page.open_file("loose.cfg").await;
        page.click("#details .actions button").await;
        page.wait("return window.blobs.length === 2").await;
    });
}

/// A text that deflates to about a fourth.
fn long_text(length: usize) -> String {
    let words = (0_u32..).map(|number| format!("{:x} ", number.wrapping_mul(0x9e37_79b9)));
    let mut text: String = words.take(length / 8 + 1).collect();
    text.truncate(length);
    text
}

fn large_compressed_files_are_read() {
    let folder = Folder::new();
    let lengths = [100, 1 << 20, (1 << 20) + 1, 3_000_000, 5 << 20];
    let texts: Vec<_> = lengths.iter().map(|length| (format!("t{length}.cfg"), long_text(*length))).collect();
    let pk3 = zip_mixed(texts.iter().map(|(name, text)| (name, text, true)));
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("quake/id1/large.pk3", pk3);
    // the module inflates 32 KiB at a time: contents that end near such a boundary
    let zeros: Vec<_> = (1..4_usize)
        .flat_map(|times| (0..60).map(move |more| (32 << 10) * times + more))
        .chain([66_564])
        .map(|length| (format!("z{length}"), "\0".repeat(length)))
        .collect();
    folder.write("quake/id1/zeros.pk3", zip_mixed(zeros.iter().map(|(name, text)| (name, text, true))));
    let large = pack(Layout::Quake, [("big.cfg", long_text(2_000_000))]);
    folder.write("arcane.zip", zip_mixed([("arcane/pak0.pak", large, true)]));
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.choose("engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        drop_more(page, folder.path().join("arcane.zip").as_std_path()).await;
        assert_eq!(page.run("return data.skipped").await, json!([]));
        page.run("window.wrong = null;
            Promise.all(files.filter((file) => file.path[0] === 'z').map(async (file) => {
                const { answer, blob } = await ask({ source: copyKey(file) });
                return [file.path, blob ? `z${blob.size}` : answer.error];
            })).then((all) => { window.wrong = [all.length, ...all.filter(([name, size]) => name !== size)]; })").await;
        assert_eq!(page.wait("return window.wrong").await, json!([zeros.len()]));
        let big = ("big.cfg".to_owned(), long_text(2_000_000));
        for (name, text) in texts.iter().chain([&big]) {
            page.run(&format!(
                "window.saved = null;
                ask({{ source: copyKey(byPath.get({name:?})) }}).then(async ({{ answer, blob }}) => {{ window.saved = blob ? await blob.text() : answer.error; }})"
            ))
            .await;
            page.wait("return window.saved != null").await;
            let found = page
                .run("return [window.saved.length, window.saved.slice(0, 80), window.saved.slice(-80)]")
                .await;
            assert_eq!(found, json!([text.len(), text[..80], text[text.len() - 80..]]), "{name}");
        }
    });
}

fn drops_are_added_one_after_another() {
    let folder = Folder::new();
    for number in 0..4 {
        folder.write(&format!("p{number}.pak"), pack(Layout::Quake, [(format!("{number}.cfg"), "x")]));
    }
    folder.write("bad.pak", "no archive");
    let many = (0..20_000_u32).map(|number| (format!("a/{number}"), vec![]));
    folder.write("many.pak", pack(Layout::Quake, many));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    open(page_file(), async |page| {
        for name in ["p0.pak", "bad.pak", "many.pak", "p1.pak", "bad.pak", "p2.pak"] {
            page.drop(&[&file(name)]).await;
        }
        page.wait("return data?.layers.length === 4 && unread === '' && !waitingTurns").await;
        let status = page.text("#status").await;
        assert!(
            status.starts_with("bad.pak: ") && status.ends_with("No file of this drop was added."),
            "{status}"
        );
        assert_eq!(page.texts("#layer-table .name").await, json!(["p2.pak", "p1.pak", "many.pak", "p0.pak"]));
        page.drop(&[&file("bad.pak")]).await;
        page.wait(
            "return /bad.pak.*not an archive.*No file of this drop was \
            added/.test(document.getElementById('status').innerText)",
        )
        .await;
        page.drop(&[&file("p3.pak")]).await;
        page.wait("return data.layers.length === 5").await;
        read(page).await;
        assert_eq!(
            page.run("return filesOfDrops().map(([path]) => path)").await,
            json!(["p0.pak", "many.pak", "p1.pak", "p2.pak", "p3.pak"])
        );
    });
}

fn a_file_that_replaces_another_is_named() {
    let folder = Folder::new();
    folder.write("one/pak0.pak", pack(Layout::Quake, [("one.cfg", "x")]));
    folder.write("two/pak0.pak", pack(Layout::Quake, [("two.cfg", "xyz")]));
    folder.write("three/PAK0.PAK", pack(Layout::Quake, [("three.cfg", "four five")]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let replaces = "pak0.pak: a later drop of this name replaces it → drop their folders to load both";
    let names = "return filesOfDrops().map(([path]) => path)";
    dropped(&[&file("one/pak0.pak")], async |page| {
        drop_more(page, &file("one/pak0.pak")).await;
        assert!(!page.text("#drops").await.contains("replaces"), "it is the same file");
        assert_eq!(page.count("#drops > li").await, 1);
        drop_more(page, &file("two/pak0.pak")).await;
        page.wait_text("#drops > li:first-child", replaces).await;
        // on Linux both names are files
        drop_more(page, &file("three/PAK0.PAK")).await;
        assert_eq!(page.run(names).await, json!(["pak0.pak", "PAK0.PAK"]));
        // without the later one the first is back
        page.click("#drops > li:nth-child(2) .back").await;
        page.wait("return byPath.has('one.cfg') && byPath.has('three.cfg')").await;
    });
    open(page_file(), async |page| {
        page.on_windows().await;
        page.drop(&[&file("one/pak0.pak")]).await;
        read(page).await;
        drop_more(page, &file("three/PAK0.PAK")).await;
        page.wait_text("#drops > li:first-child", replaces).await;
        assert_eq!(page.run(names).await, json!(["PAK0.PAK"]));
    });
}

fn a_drop_is_taken_back() {
    let folder = Folder::new();
    for name in ["one", "two"] {
        folder.write(&format!("{name}.bsp"), format!("no level {name}"));
    }
    folder.write("pd.zip", zip_mixed([("pd/progs.dat", "no program", true), ("pd/README.md", "text", true)]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[Path::new(GAME)], async |page| {
        // the second level does not vanish
        drop_more(page, &file("one.bsp")).await;
        drop_more(page, &file("two.bsp")).await;
        assert_eq!(page.count("#drops > li").await, 3);
        assert_eq!(
            page.run("return ['one', 'two'].map((name) => byPath.has(`maps/${name}.bsp`))").await,
            json!([true, true])
        );
        page.wait_text("#drops > li:last-child .changes", "added 1").await;
        drop_more(page, &file("pd.zip")).await;
        assert_eq!(page.run("return mounted.games").await, json!(["pd"]));
        // the page stays at the verdict
        let view = "const { top } = byId('verdict').getBoundingClientRect(); \
            return [top >= 0 && top < innerHeight, byId('details').classList.contains('chosen')]";
        page.run("scrollTo(0, 0)").await;
        page.screen(390, 844).await;
        drop_more(page, &file("two.bsp")).await;
        assert_eq!(page.run("return byId('details').classList.contains('chosen')").await, json!(true));
        page.run("scrollTo(0, 0)").await;
        drop_more(page, &file("pd.zip")).await;
        assert_eq!(page.run(view).await, json!([true, false]));
        page.screen(1280, 900).await;
        page.run("byId('figures').textContent = ''").await;
        page.click("#drops > li:last-child .back").await;
        read(page).await;
        assert_eq!(page.run("return [mounted.games, drops.length]").await, json!([[], 3]));
        assert_eq!(page.text("#line").await.matches("--over").count(), 2);
        for left in [2, 1] {
            page.run("byId('figures').textContent = ''").await;
            page.click("#drops > li:last-child .back").await;
            read(page).await;
            assert_eq!(page.count("#drops > li").await, left);
        }
        // without a drop the page begins again
        page.click("#drops .back").await;
        page.wait("return document.body.classList.contains('waiting') && !location.hash").await;
    });
}

fn a_second_mod_is_not_blamed_for_the_first() {
    let folder = Folder::new();
    for (name, file) in [("first", "maps/one.bsp"), ("second", "maps/two.bsp")] {
        folder.write(&format!("{name}.zip"), zip_mixed([(&*format!("{name}/{file}"), "no level", true)]));
    }
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[Path::new(GAME)], async |page| {
        drop_more(page, &file("first.zip")).await;
        drop_more(page, &file("second.zip")).await;
        page.wait_text("#drops > li:last-child", "first is not chosen any more → tick it under Games").await;
        page.wait_text("#drops > li:last-child .changes", "Broken 1, added 1.").await;
        let changes = page.text("#drops > li:last-child .changes").await;
        assert!(!changes.contains("one.bsp") && !changes.contains("Not there now"), "{changes}");
    });
}

fn an_error_stays_shown_if_the_next_drop_is_opened_alone() {
    let folder = Folder::new();
    folder.write("readme.zip", zip_mixed([("readme.txt", "text", true)]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[Path::new(GAME)], async |page| {
        let drop = |name: &str, text: &str| {
            format!("addFiles(Promise.resolve([['{name}', new File([{text:?}], '{name}')]]))")
        };
        let both = [drop("cut.zip", "PK"), drop("readme.txt", "text")];
        page.run(&both.join(";")).await;
        page.wait("return !waitingTurns && !messages.length && unread === '' && !byId('opened').hidden")
            .await;
        let status = page.text("#status.error").await;
        assert!(status.starts_with("cut.zip: "), "{status}");
        page.drop(&[&file("readme.zip")]).await;
        page.wait_text("#status", "Nothing of this drop goes into the game. It is opened alone.").await;
    });
}

fn a_stop_at_any_moment_keeps_the_game() {
    let folder = Folder::new();
    folder.write("a.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("b.pak", pack(Layout::Quake, [("b.cfg", "b")]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    let answers = "window.which = null; question('which', { name: 'a.cfg' }).then((answer) => { window.which \
        = answer.path; })";
    dropped(&[&file("a.pak")], async |page| {
        // a stop after each message to the worker, including those that restore the game
        page.run("window.stops = 0; const send = Worker.prototype.postMessage;
            Worker.prototype.postMessage = function (message) {
                send.call(this, message);
                if (window.stops && !message.module) { window.stops -= 1; setTimeout(() => byId('stop').click()); }
            }").await;
        for stops in 1..6 {
            page.run(&format!("window.stops = {stops}")).await;
            page.choose("on", ["linux", "windows"][stops % 2]).await;
            page.wait("return !window.stops && !messages.length && !waitingTurns").await;
            page.run(answers).await;
            assert_eq!(page.wait("return window.which").await, json!("a.cfg"), "{stops}");
            assert_eq!(
                page.run("return byId('on').value === choice.on && mounted.line.join().includes(choice.on)")
                    .await,
                json!(true)
            );
        }
        for stops in 1..6 {
            page.run(&format!("window.stops = {stops}")).await;
            page.drop(&[&file("b.pak")]).await;
            page.wait("return !window.stops && !messages.length && !waitingTurns").await;
            page.run(answers).await;
            assert_eq!(page.wait("return window.which").await, json!("a.cfg"), "{stops}");
        }
        page.drop(&[&file("b.pak")]).await;
        page.wait("return data.layers.length === 2").await;
        read(page).await;
    });
    // the first question of all
    open(page_file(), async |page| {
        page.wait("return engines.length > 0").await;
        page.run("engines = []; byId('engine').replaceChildren()").await;
        // the first drop comes first, even if its files take longer to find
        page.run(
            "const find = filesOf; let slow = true; filesOf = async (items) => { const found = \
            find(items); if (slow) { slow = false; await found; await new Promise((done) => setTimeout(done, \
            300)); } return found; }",
        )
        .await;
        page.drop(&[&file("a.pak")]).await;
        page.drop(&[&file("b.pak")]).await;
        page.wait("return data?.layers.length === 2").await;
        read(page).await;
        assert_eq!(page.texts("#layer-table .name").await, json!(["b.pak", "a.pak"]));
        assert!(page.run("return byId('engine').options.length").await.as_u64().unwrap() > 20);
    });
}

fn the_page_tells_which_answers_are_incomplete() {
    let folder = Folder::new();
    let pak = pack(Layout::Quake, [("maps/cut.bsp", &b"\x1d\0\0\0cut"[..]), ("progs.dat", b"")]);
    folder.write("quake/id1/pak0.pak", &pak);
    folder.write("quake/id1/pak1.pak", &pak);
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.open_file("cut.bsp").await;
        page.run(
            "[...document.querySelectorAll('#details button')].find((one) => one.innerText === 'Files \
            it needs').click()",
        )
        .await;
        page.wait_text("#details", "(maps/cut.bsp): quakespasm cannot load it").await;
        assert!(!page.text("#details").await.contains("It needs no other file"));
        // DarkPlaces starts without the files of a full game
        page.choose("engine", "darkplaces").await;
        page.wait("return data.engine === 'darkplaces'").await;
        read(page).await;
        let verdict = page.text("#verdict.lacks").await;
        assert!(verdict.starts_with("DarkPlaces (2018-09-08) starts, but not all is right:"), "{verdict}");
        // a stopped answer is incomplete
        page.run("inTurn(async () => { await mount(restoring[0]); byId('stop').click(); })").await;
        page.wait(
            "return document.getElementById('findings-note').innerText.includes('Reading was stopped')",
        )
        .await;
        assert!(!page.text("#findings-note").await.contains("No problems found"));
        assert_eq!(page.text("#status").await, "Stopped.");
        page.choose("on", "linux").await;
        read(page).await;
        assert!(!page.text("#findings-note").await.contains("stopped"));
    });
    // archives without a game folder have no verdict
    dropped(&[folder.path().join("quake/id1/pak0.pak").as_std_path()], async |page| {
        assert_eq!(page.text("#verdict").await, "");
    });
}

fn a_choice_that_cannot_be_mounted_is_undone() {
    dropped(&[Path::new(GAME)], async |page| {
        let line = page.text("#line").await;
        page.choose("engine", "quake2").await;
        page.wait(
            "return /^The choice was undone: .*baseq2 → drop the \
            folder/.test(document.getElementById('status').innerText) && unread === ''",
        )
        .await;
        assert_eq!(
            page.run("return [byId('engine').value, data.engine, choice.engine]").await,
            json!(["quakespasm", "quakespasm", ""])
        );
        assert_eq!(page.text("#line").await, line);
        let status = page.text("#status").await;
        assert!(!status.contains("dropped/"), "{status}");
        page.choose("against", "darkplaces").await;
        page.wait("return document.querySelectorAll('#compared details').length").await;
    });
}

fn copied_commands_quote_names_that_start_with_a_dash() {
    let folder = Folder::new();
    folder.write("-dash/id1/pak0.pak", pack(Layout::Quake, [("-f.cfg", "x"), ("a.cfg", "x")]));
    dropped(&[folder.path().join("-dash").as_std_path()], async |page| {
        assert_eq!(page.text("#line").await, "quakefs --basedir=-dash --engine quakespasm path");
        let shown = page
            .run(
                "return [whichLine('-f.cfg'), whichLine('a.cfg')].map((line) => line.split(' quakespasm \
                    ')[1])",
            )
            .await;
        assert_eq!(shown, json!(["which -a -- -f.cfg", "which -a a.cfg"]));
        page.click("#compare [data-command]").await;
        assert!(page.text("#status").await.contains("Choose the engine to compare with"));
        // no command gives the same answer as a search
        assert_eq!(
            page.run("return document.querySelector('#files [data-command]').hidden").await,
            json!(false)
        );
        page.choose("search", "a.cfg").await;
        assert_eq!(
            page.run("return document.querySelector('#files [data-command]').hidden").await,
            json!(true)
        );
    });
}

fn files_removed_after_the_drop_are_reported() {
    let folder = Folder::new();
    folder.write("a.pak", pack(Layout::Quake, [("a.cfg", "a")]));
    folder.write("b.pak", pack(Layout::Quake, [("b.cfg", "b")]));
    let file = |name: &str| folder.path().join(name).into_std_path_buf();
    dropped(&[&file("a.pak"), &file("b.pak")], async |page| {
        page.run("window.saves = 0; HTMLAnchorElement.prototype.click = () => { window.saves += 1; }").await;
        fs::remove_file(file("a.pak")).unwrap();
        page.click("#save-all").await;
        page.wait(
            "return /^1 file saved; 1 \
            skipped.*a\\.cfg\\.$/.test(document.getElementById('status').innerText)",
        )
        .await;
        page.open_file("a.cfg").await;
        page.wait("return document.querySelector('#details .actions button')").await;
        page.click("#details .actions button").await;
        page.wait(
            "return /a.pak cannot be read: it was changed or \
            removed/.test(document.getElementById('status').innerText)",
        )
        .await;
        assert_eq!(page.run("return window.saves").await, json!(1));
        // the other file is still read
        page.open_file("b.cfg").await;
        page.wait("return document.querySelector('#details pre')?.innerText === 'b'").await;
    });
}

fn an_archive_of_130000_files_is_listed() {
    let folder = Folder::new();
    let files = (0..130_000_u32).map(|number| (format!("{number}"), vec![]));
    folder.write("flat.pak", pack(Layout::Quake, files));
    dropped(&[folder.path().join("flat.pak").as_std_path()], async |page| {
        assert_eq!(page.run("return rows.length").await, json!(130_000));
        assert!(page.text("#findings-note").await.contains("No problems found"));
        page.click("#save-all").await;
        assert!(page.text("#status").await.contains("65535 files"));
    });
}

fn previews_are_made_on_demand() {
    let folder = pictures();
    dropped(&[folder.path().as_std_path()], async |page| {
        assert_eq!(page.run("return previews.size").await, json!(0));
        page.click("#conflicts summary").await;
        page.wait_count(".copy img.picture", 2).await;
        page.open_file("palette").await;
        page.wait("return document.querySelector('#details img')?.naturalWidth === 16").await;
        assert_eq!(pixel(page, "#details img", 5, 2).await, json!([16, 16, 37, 74, 218, 255]));
        page.open_file("e1m1").await;
        page.wait_text("#details", "The <b>Slipgate</b> Complex").await;
        page.open_file("tone").await;
        page.wait("return document.querySelector('#details audio')?.duration > 1.9").await;
        page.choose("search", " ").await;
        page.run("document.querySelector('#view input[value=pictures]').click()").await;
        page.wait_count("#gallery img[src]", 3).await;
        page.click("#gallery button").await;
        page.wait("return document.querySelector('#gallery [aria-pressed=true]')").await;
    });
}

fn a_fault_ends_one_answer_and_not_the_page() {
    open(page_file(), async |page| {
        // a certain question becomes one that makes the module allocate more memory than exists
        page.wait("return engines.length > 0").await;
        page.run("const script = document.getElementById('worker');
            script.textContent = script.textContent.replace('JSON.stringify(question)', 'JSON.stringify(question.which?.name === \"break it\" ? { alone: { name: \"\", file: 0, size: 0xffffffff } } : question)');
            restart('');").await;
        page.drop(&[Path::new(GAME)]).await;
        read(page).await;
        page.choose("search", "break it").await;
        page.wait(
            "return /fault of quakefs ended this answer\\. Please report it: .*capacity overflow[^]*, \
            at wasm-function.*:0x[0-9a-f]+\\./.test(document.getElementById('status').innerText)",
        )
        .await;
        // the next questions are answered
        page.choose("search", "progs.dat").await;
        page.choose("games", "mymod").await;
        page.wait("return data.game[0] === 'mymod'").await;
        read(page).await;
        page.click("#tree [role=treeitem]").await;
        page.wait_text("#details", "mymod/").await;
        page.run(
            "ask({ question: { page: {} } }).catch(() => { window.ended = true; }); \
            document.getElementById('stop').click()",
        )
        .await;
        page.wait("return window.ended").await;
    });
}

fn hostile_files_become_text() {
    let folder = hostile();
    folder.write("<img src=x onerror=document.title='owned'>.pak", "no archive");
    let paths = ["a.pak", "b.pak", "<img src=x onerror=document.title='owned'>.pak"]
        .map(|file| folder.path().join(file).into_std_path_buf());
    dropped(&[&paths[0], &paths[1]], async |page| {
        page.choose("search", "no such <img src=x onerror=document.title='owned'>").await;
        page.wait_text("#which", "<img").await;
        page.drop(&[&paths[2]]).await;
        page.wait_text("#status", "<img").await;
        nothing_runs(page).await;
    });
}

fn the_page_with_dropped_files_fits_a_phone() {
    dropped(&[Path::new(GAME)], async |page| {
        page.choose("games", "gapmod").await;
        page.wait("return data.game[0] === 'gapmod'").await;
        page.choose("against", "darkplaces").await;
        page.wait_count("#compared details", 2).await;
        page.run("document.querySelector('#compared summary').click()").await;
        for width in [360, 768, 1280] {
            page.screen(width, 740).await;
            let overflow = page.overflow().await;
            assert_eq!(overflow, json!(0), "{width}");
        }
        // the space bar ticks a focused box
        page.run("document.querySelector('#games input').focus()").await;
        page.keys(" ").await;
        page.wait("return data.game[0] === 'id1'").await;
    });
}

fn a_mount_reads_only_the_directories_of_paks() {
    let folder = Folder::new();
    for pak in 0..2 {
        let files = (0..17_u8).map(|file| (format!("maps/p{pak}m{file}.bin"), vec![file ^ 0x55; 1 << 20]));
        folder.write(&format!("quake/id1/pak{pak}.pak"), pack(Layout::Quake, files));
    }
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        println!("{}", page.text("#status").await);
        let figures = page.run("return mounted.figures").await;
        println!("{figures}");
        assert!(figures["read"].as_u64().unwrap() < 100_000, "{figures}");
        assert!(figures["memory"].as_u64().unwrap() <= 4 << 20, "{figures}");
    });
}
