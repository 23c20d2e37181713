//! How far a long write is, and its early end.

use std::ops::ControlFlow;

use crate::error::{Error, ErrorKind};

/// Called now and then with the bytes of content that are written, and with all there are.
/// [`ControlFlow::Break`] ends the work with [`ErrorKind::Stopped`], and nothing is changed.
pub type Progress<'p> = &'p dyn Fn(u64, u64) -> ControlFlow<()>;

/// The content that has to be written.
pub(crate) struct Work<'p> {
    progress: Option<Progress<'p>>,
    done: u64,
    all: u64,
}

impl<'p> Work<'p> {
    pub(crate) fn new(all: u64, progress: Option<Progress<'p>>) -> Self {
        Work { progress, done: 0, all }
    }

    /// Reports that so many bytes more are written.
    pub(super) fn advance(&mut self, bytes: usize) -> Result<(), Error> {
        self.done += bytes as u64;
        match self.progress.map(|progress| progress(self.done, self.all)) {
            Some(ControlFlow::Break(())) => Err(ErrorKind::Stopped.into()),
            _ => Ok(()),
        }
    }
}
