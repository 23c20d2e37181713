//! Archives whose rows share bytes, so that they claim more than they contain.

use insta::assert_snapshot;
use pak_format::Layout;
use testutils::{Folder, Pack};

use crate::{Commands as _, brief};

/// `rows` rows that all claim the same `shared` bytes, and one small file.
fn sharing(shared: usize, rows: usize) -> Folder {
    let mut pack = Pack::new(Layout::Quake);
    let offset = pack.payload(&vec![0; shared]);
    for number in 0..rows {
        pack.row(format!("big/{number}").as_bytes(), offset, u32::try_from(shared).unwrap());
    }
    pack.row(b"small.cfg", offset, 5);
    let folder = Folder::new();
    folder.write("id1/pak0.pak", pack.finish());
    folder
}

#[test]
fn more_than_a_gib_and_a_hundred_times_the_archive_is_refused_before_writing() {
    let folder = sharing(10_000_000, 200);
    assert_snapshot!(brief(folder.check("pak extract [DIR]/id1/pak0.pak -o [DIR]/out")), @"exit 2: error: [too-much] +help");
    assert_snapshot!(brief(folder.check("--basedir [DIR] extract -o [DIR]/out")), @"exit 2: error: [too-much] +help");
    assert!(!folder.join("out").exists());
    assert_snapshot!(folder.check("pak extract [DIR]/id1/pak0.pak *.cfg -o [DIR]/out"), @"wrote 1 file (5 bytes) to [DIR]/out");
    assert_snapshot!(brief(folder.check("pak extract [DIR]/id1/pak0.pak -o [DIR]/other --max-output 1G")), @"exit 2: error: [too-much] +help");
    assert!(!folder.join("other").exists());
}

#[test]
fn max_output_limits_an_extraction() {
    let folder = sharing(1000, 20);
    assert_snapshot!(brief(folder.check("pak extract [DIR]/id1/pak0.pak -o [DIR]/out --max-output 20004")), @"exit 2: error: [too-much] +help");
    assert!(!folder.join("out").exists());
    assert_snapshot!(folder.check("pak extract [DIR]/id1/pak0.pak -o [DIR]/out --max-output 20005"), @"wrote 21 files (20 005 bytes) to [DIR]/out");
}

#[test]
fn an_extraction_under_a_gib_has_no_limit() {
    let folder = sharing(1000, 400);
    assert_snapshot!(folder.check("--basedir [DIR] extract -o [DIR]/out"), @"wrote 401 files (400 005 bytes) to [DIR]/out");
}
