//! Changes of case in a folder.

use std::io;

use crate::Folder;
use crate::step::Occupant;

impl Folder<'_> {
    /// Gives a file or a folder a name that differs in nothing but case, also on a disk that ignores case.
    /// Another file is never replaced.
    ///
    /// If the system cannot rename without replacement, another program may create the name between the check
    /// and the rename. If the system treats both names as one file and the rename has no effect, the file is
    /// renamed in two steps: see [`between`].
    pub(crate) fn change_case(&self, from: &str, to: &str) -> io::Result<()> {
        match self.move_new(from, to) {
            // the names may be one file on this disk
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            moved => return moved,
        }
        let is_new = matches!(self.find(to.as_bytes())?, Occupant::Nothing);
        if !is_new && self.names()?.contains(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.move_over(from, to)?;
        if is_new || self.names()?.contains(to) {
            return Ok(());
        }
        let between = between(to);
        if !matches!(self.find(between.as_bytes())?, Occupant::Nothing) {
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{between} is in the way")));
        }
        self.move_over(from, &between)?;
        self.move_over(&between, to).or_else(|error| self.move_over(&between, from).and(Err(error)))
    }
}

/// The name between two steps of a rename. A killed process may leave it.
pub(crate) fn between(name: &str) -> String {
    format!("{name}.renamed")
}
