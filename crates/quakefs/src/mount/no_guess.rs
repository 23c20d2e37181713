//! No guesses.

use camino::Utf8Path;

use crate::disk::Disk;
use crate::error::WrongBase;
use crate::rules::Rules;

pub(super) fn nearest_folder<'n>(_: &str, _: &'n [String]) -> Option<&'n str> {
    None
}

pub(super) fn other_engine(_: &dyn Disk, _: &Utf8Path, _: &Rules) -> Option<WrongBase> {
    None
}
