//! Changes archives on disk: [`Editor`] adds, replaces, removes and renames entries at the cost of the
//! change; [`repack`] writes the whole archive again.

mod append;
mod editor;
#[cfg(test)]
#[cfg(unix)]
mod faults;
mod index;
mod opened;
mod repack;
mod report;

pub use self::editor::Editor;
pub use self::repack::{RepackOptions, repack};
pub use self::report::Report;
