//! No guesses.

use super::given::CallerPath;
use crate::disk::Disk;
use crate::error::WrongBase;
use crate::rules::Rules;

pub(super) fn nearest_folder<'n>(_: &str, _: &'n [String]) -> Option<&'n str> {
    None
}

pub(super) fn likely(_: &dyn Disk, _: &CallerPath, _: &[String], _: &Rules) -> Option<WrongBase> {
    None
}
