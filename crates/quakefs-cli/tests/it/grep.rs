//! `grep` and `pak grep`: which level uses an entity, which file mentions a name.

use insta::assert_snapshot;
use pak_format::Layout;
use testutils::content::{level, wav};
use testutils::program::small;
use testutils::{Folder, pack};

use crate::{Commands as _, brief};

fn folder() -> Folder {
    let breakable = level([29, 0, 0, 0], "{\n\"classname\" \"func_breakable\"\n}\n", &[]);
    Folder::with([
        ("id1/progs.dat", small()),
        (
            "id1/pak0.pak",
            pack(Layout::Quake, [("maps/a.bsp", breakable.clone()), ("autoexec.cfg", b"a".to_vec())]),
        ),
        ("id1/autoexec.cfg", b"// \x1b[2J\r\nexec func_breakable.cfg\r\n".to_vec()),
        ("id1/sound/func_breakable.wav", wav(11_025, 10)),
        ("x.zip", testutils::raw_zip::zip(&[testutils::raw_zip::stored("b.bsp", &breakable)])),
    ])
}

#[test]
fn grep_tells_which_level_uses_an_entity_and_which_text_mentions_it() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR] grep func_breakable"), @r#"maps/a.bsp:2: "classname" "func_breakable""#);
    assert_snapshot!(folder.check("--basedir [DIR] grep -l FUNC_breakABLE -i"), @"maps/a.bsp");
    assert_snapshot!(folder.check("--basedir [DIR] grep ^// autoexec.cfg"), @r#"
    exit: 1
    ! error: "^//": in no text of 1 file
    "#);
    assert_snapshot!(folder.check("--basedir [DIR] grep --json ^worldspawn$"), @r#"
    {"type":"match","layer":"id1/","name":"progs.dat","line":57,"text":"worldspawn"}
    {"type":"match","layer":"id1/","name":"progs.dat","line":58,"text":"worldspawn"}
    "#);
    assert_snapshot!(brief(folder.check("--basedir [DIR] grep func_break maps/none.bsp")), @"exit 1: error: maps/none.bsp: not found +help");
    assert_snapshot!(brief(folder.check("--basedir [DIR] grep func_brake")), @r#"exit 1: error: "func_brake": in no text of 3 files"#);
    assert_snapshot!(brief(folder.check("--basedir [DIR] grep (")), @r#"exit 2: error: "(": unclosed group; help: -F takes the pattern literally"#);
    assert_snapshot!(brief(folder.check("--basedir [DIR] grep -F (")), @r#"exit 1: error: "(": in no text of 3 files"#);
}

#[test]
fn pak_grep_searches_archives_and_those_inside_them() {
    let folder = folder();
    folder.write("id1/pak1.pak", b"PACK\xff\xff\xff\xff");
    assert_snapshot!(folder.check("pak grep func_breakable [DIR]"), @r#"
    [DIR]/id1/pak0.pak: entry 0 (maps/a.bsp):2: "classname" "func_breakable"
    [DIR]/x.zip: entry 0 (b.bsp):2: "classname" "func_breakable"
    ! warning: [DIR]/id1/pak1.pak: [short-header] +help
    "#);
    assert_snapshot!(folder.check("pak grep -l breakable [DIR]/x.zip"), @"[DIR]/x.zip: entry 0 (b.bsp)");
    folder.write("a.bsp", level([29, 0, 0, 0], "{\n\"classname\" \"func_breakable\"\n}\n", &[]));
    assert_snapshot!(folder.check("pak grep func_breakable [DIR]/a.bsp"), @r#"[DIR]/a.bsp:2: "classname" "func_breakable""#);
    assert_snapshot!(brief(folder.check("pak grep nothing [DIR]/x.zip")), @r#"exit 1: error: "nothing": in no text of 1 archive"#);
    assert_snapshot!(brief(folder.check("pak grep --max-output 1 breakable [DIR]/x.zip")), @"exit 2: warning: 1 file was not read: they claim too many bytes +help");
}
