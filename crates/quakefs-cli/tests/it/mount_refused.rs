//! `mount DIR` where nothing is mounted. What is mounted is in the suite `mounted`.

use insta::assert_snapshot;
use testutils::{Folder, game};

use crate::{Commands as _, check};

fn folder() -> Folder {
    game("id1/pak0.pak: a.cfg; mymod/: b.cfg; full/: a; inside/: a")
}

#[test]
fn a_folder_that_holds_something_is_refused() {
    assert_snapshot!(folder().check("--basedir [DIR] mount [DIR]/full"), @"");
}

#[test]
fn a_folder_in_a_layer_is_refused_and_not_left_behind() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR] --game mymod mount [DIR]/mymod/here"), @"");
    assert!(!folder.join("mymod/here").exists());
}

#[test]
fn what_is_no_folder_is_refused() {
    let folder = folder();
    assert_snapshot!(folder.check("--basedir [DIR] mount [DIR]/full/a"), @"");
    assert_snapshot!(folder.check("--basedir [DIR] mount [DIR]/no/such/folder"), @"");
    assert_snapshot!(check("--basedir [GAME] mount"), @"");
}
