//! `mount DIR` when it mounts nothing. What is mounted is in the suite `mounted`.

use insta::assert_snapshot;
use testutils::{Folder, game};

use crate::{Commands as _, brief, check};

fn folder() -> Folder {
    game("id1/pak0.pak: a.cfg; mymod/: b.cfg; full/: a; inside/: a")
}

#[test]
fn a_folder_with_contents_is_refused() {
    assert_snapshot!(brief(folder().check("--basedir [DIR] mount [DIR]/full")), @"exit 2: error: [DIR]/full: not mounted: it is not empty; help: name an empty folder, or one that does not exist yet");
}

#[test]
fn a_folder_in_a_layer_is_refused_and_not_left_behind() {
    let folder = folder();
    assert_snapshot!(brief(folder.check("--basedir [DIR] --game mymod mount [DIR]/mymod/here")), @"exit 2: error: [DIR]/mymod/here: not mounted: it contains the layer [DIR]/mymod or is inside it, so the mount would read from itself; help: name a folder outside of the game directories");
    assert!(!folder.join("mymod/here").exists());
}

#[test]
fn anything_except_a_folder_is_refused() {
    let folder = folder();
    assert_snapshot!(brief(folder.check("--basedir [DIR] mount [DIR]/full/a")), @"exit 2: error: [DIR]/full/a: not mounted: it cannot be mounted on: Not a directory (os error 20)");
    assert_snapshot!(brief(folder.check("--basedir [DIR] mount [DIR]/no/such/folder")), @"exit 2: error: [DIR]/no/such/folder: cannot create the folder: No such file or directory (os error 2); help: name another folder");
    assert_snapshot!(check("--basedir [GAME] mount"), @"
    exit: 2
    ! error: mount needs DIR
    !   help: quakefs mount [OPTIONS] DIR; `quakefs mount -h` explains it
    ");
}
