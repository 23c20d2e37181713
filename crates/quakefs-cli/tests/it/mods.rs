//! `mods`

use insta::assert_snapshot;
use testutils::game as folder_of;

use crate::{Commands as _, check, game};

#[test]
fn mods_are_listed_with_how_the_engine_is_asked_for_them() {
    assert_snapshot!(game("mods"), @"");
    assert_snapshot!(game("--json mods"), @"");
}

#[test]
fn a_name_that_the_engine_does_not_take_is_said() {
    let folder = folder_of(
        "id1/: a.cfg; hipnotic/pak0.pak: a.cfg; my..mod/: a.cfg; one/: vm/qagame.qvm a.dat b.dat c.dat d.dat",
    );
    folder.write("broken/pak0.pak", "This is no archive.\n");
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm mods"), @"");
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakeworld mods"), @"");
    assert_snapshot!(folder.check("--basedir [DIR] --engine quakespasm --json mods"), @"");
}

#[test]
fn a_stack_without_a_base_directory_has_no_mods() {
    assert_snapshot!(check("--mount [PAK]/ok/hrot.pak mods"), @"");
    assert_snapshot!(check("--basedir [PAK] mods"), @"");
}
