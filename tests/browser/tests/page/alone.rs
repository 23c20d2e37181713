//! Files that are opened alone, and what a drop changes in a game.

use std::fs;
use std::path::Path;

use pak_format::Layout;
use quakefs_browser::Page;
use serde_json::json;
use testutils::program::Program;
use testutils::{Folder, content, pack, zip_mixed};

use crate::dropped::{HOUSE, drop_more, dropped, page_file};
use crate::open;
use crate::report::{GAME, has_colours_in, pixel};

tests! {
    a_texture_archive_alone_shows_all_its_textures,
    a_model_alone_has_colours_and_plays_its_frames,
    a_sprite_alone_plays_its_frames,
    a_level_alone_is_shown_from_above,
    pictures_sounds_and_texts_are_opened_alone,
    demos_programs_and_light_tell_what_they_are,
    what_nothing_shows_says_what_it_is,
    a_zip_that_goes_nowhere_shows_its_files,
    damaged_files_alone_tell_why,
    files_that_are_not_shown_are_counted,
    copies_are_shown_over_each_other,
    a_drop_over_a_game_tells_what_it_changes,
    a_drop_that_changes_nothing_says_so,
}

/// Drops files of a folder on a fresh page, and waits until they are opened alone.
fn alone(folder: &Folder, names: &[&str], work: impl AsyncFnOnce(&Page)) {
    let paths: Vec<_> = names.iter().map(|name| folder.path().join(name).into_std_path_buf()).collect();
    open(page_file(), async |page| {
        page.drop(&paths.iter().map(|path| &**path).collect::<Vec<_>>()).await;
        page.wait_text("#status", "opened alone").await;
        page.wait("return !messages.length").await;
        work(page).await;
    });
}

fn a_texture_archive_alone_shows_all_its_textures() {
    let folder = Folder::new();
    let textures: Vec<_> =
        (0..460).map(|number| (format!("wall{number}"), content::texture("a", 16, 16, None))).collect();
    let textures: Vec<_> = textures.iter().map(|(name, texture)| (&**name, 0x44, texture.clone())).collect();
    folder.write("walls.wad", content::wad(b"WAD2", &textures));
    alone(&folder, &["walls.wad"], async |page| {
        page.wait_count("#opened img.picture", 460).await;
        assert!(
            page.text("#opened .note")
                .await
                .contains("it has only textures for level editors → name it in your level editor")
        );
        assert_eq!(page.count("#status.error").await, 0);
        assert_eq!(page.count("body.waiting").await, 1, "no game is mounted");
    });
    // beside a game, which stays
    dropped(&[Path::new(GAME)], async |page| {
        page.drop(&[folder.path().join("walls.wad").as_std_path()]).await;
        page.wait_count("#opened img.picture", 460).await;
        page.wait("return !messages.length").await;
        assert_eq!(page.count("#status.error").await, 0);
        assert_eq!(page.texts("#layer-table .name").await, json!(["id1/pak1.pak", "id1/pak0.pak", "id1/"]));
        page.click("#opened button").await;
        assert_eq!(page.run("return byId('opened').hidden").await, json!(true));
    });
}

fn a_model_alone_has_colours_and_plays_its_frames() {
    let folder = Folder::new();
    folder.write("solid.mdl", content::moving_mdl());
    alone(&folder, &["solid.mdl"], async |page| {
        page.still(true).await;
        assert!(page.text("#opened").await.contains("put models into progs/"));
        page.wait("return document.querySelector('#opened canvas')?.ariaValueNow === '30'").await;
        assert!(page.text("#opened").await.contains("Frames\n2\n"));
        assert!(has_colours_in(page, "#opened canvas").await, "in Quake's colours");
        let drawn = "const canvas = document.querySelector('#opened canvas'); return canvas.toDataURL()";
        let first = page.run(drawn).await;
        page.run(
            "const slider = document.querySelector('#opened input[type=range]'); slider.value = 1; \
            slider.dispatchEvent(new Event('input'))",
        )
        .await;
        page.wait_text("#opened .frames", "frame 2 of 2").await;
        page.wait(&format!("{drawn} !== {first}")).await;
        page.click("#opened .frames button").await;
        page.wait_text("#opened .frames", "frame 1 of 2").await;
        page.wait_text("#opened .frames", "frame 2 of 2").await;
    });
}

fn a_sprite_alone_plays_its_frames() {
    let folder = Folder::new();
    folder.write("s_light.spr", content::sprite(3, 8, 4));
    folder.write(
        "quake/id1/pak0.pak",
        pack(
            Layout::Quake,
            [("gfx/palette.lmp", content::palette()), ("progs/s_light.spr", content::sprite(3, 8, 4))],
        ),
    );
    let slide = "const slider = document.querySelector('.frames input'); slider.value = 2; \
        slider.dispatchEvent(new Event('input'))";
    alone(&folder, &["s_light.spr"], async |page| {
        page.wait_text("#opened .frames", "frame 1 of 3").await;
        page.run(slide).await;
        page.wait_text("#opened .frames", "frame 3 of 3").await;
    });
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.open_file("s_light").await;
        page.wait_text("#details .frames", "frame 1 of 3").await;
        assert_eq!(pixel(page, "#details img", 1, 1).await, json!([8, 4, 9, 18, 246, 255]));
        page.run(slide).await;
        page.wait_text("#details .frames", "frame 3 of 3").await;
        assert_eq!(pixel(page, "#details img", 1, 1).await, json!([8, 4, 11, 22, 244, 255]));
    });
}

fn a_level_alone_is_shown_from_above() {
    let folder = Folder::new();
    folder.write(
        "room.bsp",
        content::room(&[29, 0, 0, 0], r#"{ "classname" "worldspawn" "message" "A Room" }"#, &[]),
    );
    dropped(&[folder.path().join("room.bsp").as_std_path()], async |page| {
        page.wait_text("#details h3", "maps/room.bsp").await;
        page.wait("return document.querySelector('#details .outline')").await;
        assert!(page.text("#details").await.contains("A Room"));
        assert!(page.text("#drops").await.contains("where levels, demos and archives without a folder go"));
    });
}

fn pictures_sounds_and_texts_are_opened_alone() {
    let folder = Folder::new();
    folder.write("menu.lmp", content::lump(16, 8));
    folder.write("skin.pcx", content::pcx(16, 16, &content::palette()));
    folder.write("tone.wav", content::wav(11_025, 22_050));
    folder.write("readme.txt", "a <b>text</b>");
    alone(&folder, &["menu.lmp", "skin.pcx", "tone.wav", "readme.txt"], async |page| {
        page.wait_count("#opened article", 4).await;
        page.wait_count("#opened img.picture", 2).await;
        page.wait("return document.querySelector('#opened audio')?.duration > 1.9").await;
        assert_eq!(page.text("#opened pre").await, "a <b>text</b>");
        assert_eq!(page.overflow().await, json!(0));
    });
}

fn number(value: u32) -> [u8; 4] {
    value.to_le_bytes()
}

/// A demo of Quake over two levels, with 30 and 12 seconds.
fn demo() -> Vec<u8> {
    let mut demo = b"-1\n".to_vec();
    let mut message = |bytes: &[u8]| {
        demo.extend(number(u32::try_from(bytes.len()).unwrap()));
        demo.extend([0; 12]);
        demo.extend(bytes);
    };
    for (title, map, start, end) in
        [("the Slipgate Complex", "maps/e1m1.bsp", 1_f32, 31_f32), ("Castle", "maps/e1m2.bsp", 5.0, 17.0)]
    {
        let info = [
            &b"\x08Quake\n\0\x0b"[..],
            &number(666),
            &[1, 0],
            title.as_bytes(),
            b"\0",
            map.as_bytes(),
            b"\0progs/a.mdl\0\0",
        ]
        .concat();
        message(&info);
        for time in [start, (start + end) / 2.0, end] {
            message(&[&[7][..], &time.to_le_bytes(), &[1, 1]].concat());
        }
    }
    demo
}

/// A program with two functions of the engine, one of them of newer engines.
fn of_quakec() -> Vec<u8> {
    let mut program = Program::new();
    program.builtin("ambientsound", 74);
    program.builtin("sqrt", 62);
    program.builtin("strlen", 114);
    program.finish()
}

fn demos_programs_and_light_tell_what_they_are() {
    let folder = Folder::new();
    folder.write("run.dem", demo());
    let mut of_quake2 = Vec::new();
    let strings =
        [&[12][..], &number(34), &number(1), b"\0ctf\0\0\0The Edge\0\x0d\x21\0maps/q2dm1.bsp\0"].concat();
    for message in [&strings[..], &[&[20][..], &number(100)].concat(), &[&[20][..], &number(350)].concat()] {
        of_quake2.extend(number(u32::try_from(message.len()).unwrap()));
        of_quake2.extend(message);
    }
    folder.write("edge.dm2", &of_quake2);
    let data = [
        &[0; 8][..],
        &[11],
        &number(28),
        &number(1),
        b"qw\0\0Claustrophobopolis\0\x09fullserverinfo \"\\map\\dm2\"\0",
    ]
    .concat();
    let read_part = |time: f32, data: &[u8]| {
        [&time.to_le_bytes()[..], &[1], &number(u32::try_from(data.len()).unwrap()), data].concat()
    };
    folder.write("duel.qwd", [read_part(2.0, &data), read_part(62.5, &[0; 8])].concat());
    let light = [&b"QLIT"[..], &number(1), &[7; 30]].concat();
    folder.write(
        "quake/id1/pak0.pak",
        pack(
            Layout::Quake,
            [("progs.dat", of_quakec()), ("maps/a.lit", light), ("bad.dem", b"-1\n\xff".to_vec())],
        ),
    );
    let facts = async |page: &Page, file: &str| {
        page.open_file(file).await;
        page.wait(
            "return document.querySelectorAll('#details dl').length === 2 || /No \
            preview/.test(byId('details').innerText)",
        )
        .await;
        page.run(
            "return [...[...document.querySelectorAll('#details \
            dl')].at(-1).querySelectorAll('dd')].map((one) => one.innerText)",
        )
        .await
    };
    dropped(
        &["quake", "run.dem", "edge.dm2", "duel.qwd"]
            .map(|name| folder.path().join(name))
            .each_ref()
            .map(|path| path.as_std_path()),
        async |page| {
            assert_eq!(
                facts(page, "run.dem").await,
                json!(["Quake", "666", "maps/e1m1.bsp, maps/e1m2.bsp", "the Slipgate Complex", "42.0 s"])
            );
            assert_eq!(
                facts(page, "edge.dm2").await,
                json!(["Quake II", "34", "maps/q2dm1.bsp", "The Edge", "ctf", "25.0 s"])
            );
            assert_eq!(
                facts(page, "duel.qwd").await,
                json!(["QuakeWorld", "28", "dm2", "Claustrophobopolis", "qw", "1:01 min"])
            );
            let of_program = facts(page, "progs.dat").await;
            assert!(of_program[0].as_str().unwrap().contains("CRC"), "{of_program}");
            assert_eq!(facts(page, "a.lit").await, json!(["a level of the same name", "1", "10"]));
            page.open_file("bad.dem").await;
            page.wait_text("#details", "No preview: expected the start of a level in a demo, found").await;
        },
    );
}

fn what_nothing_shows_says_what_it_is() {
    let folder = Folder::new();
    folder.write("mod.7z", b"7z\xbc\xaf\x27\x1c\0\x04");
    folder.write("mod.xyz", b"\x01\x02<img src=x>");
    alone(&folder, &["mod.7z", "mod.xyz"], async |page| {
        page.wait_text("#opened", "It is a 7-Zip archive. Unpack it, and drop the folder.").await;
        page.wait_text(
            "#opened",
            "It is of a type that quakefs does not know. It starts with the bytes 01 02 3c 69",
        )
        .await;
    });
}

fn a_zip_that_goes_nowhere_shows_its_files() {
    let folder = Folder::new();
    let model = content::solid_mdl();
    folder.write(
        "skin.zip",
        zip_mixed([("new/skin.mdl", &model[..], true), ("new/menu.lmp", &content::lump(16, 8)[..], false)]),
    );
    alone(&folder, &["skin.zip"], async |page| {
        page.wait_count("#opened article", 2).await;
        assert_eq!(page.texts("#opened h3").await, json!(["new/skin.mdl", "new/menu.lmp"]));
        page.wait_count("#opened canvas", 1).await;
        page.wait_count("#opened img.picture", 2).await;
    });
}

fn damaged_files_alone_tell_why() {
    let folder = Folder::new();
    folder.write("cut.mdl", &content::solid_mdl()[..60]);
    folder.write("cut.zip.wad", "WAD2");
    folder.write("fake.png", "no picture");
    alone(&folder, &["cut.mdl", "cut.zip.wad", "fake.png"], async |page| {
        page.wait_count("#opened article", 3).await;
        page.wait(
            "return [...document.querySelectorAll('#opened article')].every((one) => /No preview: |is \
            not shown: /.test(one.innerText))",
        )
        .await;
    });
}

fn files_that_are_not_shown_are_counted() {
    let folder = Folder::new();
    let many: Vec<_> = (0..100).map(|number| format!("photos/{number}.jpg")).collect();
    for path in &many {
        folder.write(path, "no picture");
    }
    folder.write("photos.zip", zip_mixed(many.iter().map(|path| (&**path, "no picture", true))));
    for name in ["photos", "photos.zip"] {
        alone(&folder, &[name], async |page| {
            page.wait_count("#opened article", 60).await;
            page.wait_text("#opened > .note:last-child", "40 more files are not shown.").await;
        });
    }
}

/// A game with a picture, a model and a level of which pak1 has other copies.
fn changed() -> Folder {
    let room = content::room(&[29, 0, 0, 0], "{ }", &[]);
    let mut longer = room.clone();
    // the corners at the east
    for at in 0..longer.len() - 3 {
        if longer[at..at + 4] == 256_f32.to_le_bytes() {
            longer[at..at + 4].copy_from_slice(&320_f32.to_le_bytes());
        }
    }
    let folder = Folder::new();
    let files = |level: Vec<u8>, model: Vec<u8>, picture: Vec<u8>| {
        [
            ("gfx/palette.lmp", content::palette()),
            ("gfx/menu.lmp", picture),
            ("maps/room.bsp", level),
            ("progs/solid.mdl", model),
        ]
    };
    let (old, new) = (content::lump(16, 8), content::lump(16, 9));
    folder.write("quake/id1/pak0.pak", pack(Layout::Quake, files(room, content::solid_mdl(), old)));
    folder.write("quake/id1/pak1.pak", pack(Layout::Quake, files(longer, content::moving_mdl(), new)));
    folder
}

fn copies_are_shown_over_each_other() {
    let folder = changed();
    dropped(&[folder.path().join("quake").as_std_path()], async |page| {
        page.still(true).await;
        page.run("for (const one of document.querySelectorAll('#conflicts details')) one.open = true").await;
        // the slider moves the border between two pictures
        page.wait_count("#conflicts .slid img", 2).await;
        let clip = "return document.querySelector('#conflicts .slid img + img').style.clipPath";
        assert_eq!(page.run(clip).await, json!("inset(0px 0px 0px 50%)"));
        page.run("document.querySelector('#conflicts .compared input').focus()").await;
        page.keys("\u{e014}").await;
        assert_eq!(page.run(clip).await, json!("inset(0px 0px 0px 51%)"));
        assert_eq!(page.text("#conflicts .compared figcaption").await, "gfx/menu.lmp, 16 × 8 and 16 × 9");
        // two levels in one drawing: two edges are the same, and the east is further
        page.wait_count("#conflicts .outline.both", 1).await;
        let edges = "return ['same', 'lost', 'added'].map((kind) => (document.querySelector(`.outline.both \
            .${kind}`).getAttribute('d').match(/M/g) ?? []).length)";
        assert_eq!(page.run(edges).await, json!([1, 3, 3]));
        // a key turns both models
        page.wait_count("#conflicts canvas", 2).await;
        let views =
            "return [...document.querySelectorAll('#conflicts canvas')].map((one) => one.ariaValueText)";
        page.run("document.querySelector('#conflicts canvas').focus()").await;
        page.keys("\u{e014}").await;
        assert_eq!(page.run(views).await, json!(vec!["turned by 40 degrees, seen from 12 degrees above"; 2]));
        // the parts of two cards are in one line
        let tops = page
            .run(
                "return [...document.querySelectorAll('#conflicts .copies')].map((row) => \
            [...row.children].map((card) => [...card.children].map((part) => \
            Math.round(part.getBoundingClientRect().top))))",
            )
            .await;
        for row in tops.as_array().unwrap() {
            assert_eq!(row[0], row[1], "{tops}");
        }
        page.screen(390, 844).await;
        assert_eq!(page.overflow().await, json!(0));
    });
}

fn a_drop_over_a_game_tells_what_it_changes() {
    let lamps = Path::new(HOUSE).join("testdata/lamps").canonicalize().unwrap();
    let folder = Folder::new();
    let level = fs::read(lamps.join("dusk/maps/dusk.bsp")).unwrap();
    folder.write(
        "night.zip",
        zip_mixed([("night/maps/dusk.bsp", &level[..], true), ("night/a.cfg", b"x", false)]),
    );
    dropped(&[&lamps.join("id1")], async |page| {
        assert_eq!(page.count(".changes").await, 0, "there was no game before");
        drop_more(page, folder.path().join("night.zip").as_std_path()).await;
        page.wait("return document.querySelector('.changes details[open]')").await;
        let broken = page.text(".changes details[open]").await;
        assert!(broken.starts_with("Broken") && broken.contains("progs/lamp.mdl"), "{broken}");
        let rows = "const kind = [...document.querySelectorAll('.changes details')].find((one) => \
            one.innerText.startsWith('Added')); kind.open = true; return \
            [...kind.querySelectorAll('td')].map((cell) => cell.innerText)";
        let added = json!(["a.cfg", "\u{2013}", "night/", "maps/dusk.bsp", "\u{2013}", "night/"]);
        assert_eq!(page.run(rows).await, added);
        page.screen(390, 844).await;
        assert_eq!(page.overflow().await, json!(0));
        // the game is compared under another choice when somebody asks
        page.choose("on", "windows").await;
        page.wait("return document.querySelector('.changes')?.open === false").await;
        page.click(".changes summary").await;
        page.wait_text(".changes", "added 2").await;
    });
}

fn a_drop_that_changes_nothing_says_so() {
    let folder = Folder::new();
    folder.write("mymod/pak0.pak", fs::read(Path::new(GAME).join("mymod/pak0.pak")).unwrap());
    folder.write("mymod/pak1.pak", fs::read(Path::new(GAME).join("mymod/pak1.pak")).unwrap());
    dropped(&[Path::new(GAME)], async |page| {
        drop_more(page, folder.path().join("mymod").as_std_path()).await;
        page.wait_text(".changes", "It changes nothing.").await;
    });
}
