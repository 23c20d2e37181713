//! Progress of a long write, and stopping it.

use std::ops::ControlFlow;

use crate::error::{Error, ErrorKind};

/// Called now and then with the bytes of content written so far, and the total. [`ControlFlow::Break`] ends
/// the work with [`ErrorKind::Stopped`], and nothing is changed.
pub type Progress<'p> = &'p dyn Fn(u64, u64) -> ControlFlow<()>;

/// The progress of one write.
pub(crate) struct Work<'p> {
    progress: Option<Progress<'p>>,
    done: u64,
    all: u64,
}

impl<'p> Work<'p> {
    pub(crate) fn new(all: u64, progress: Option<Progress<'p>>) -> Self {
        Work { progress, done: 0, all }
    }

    /// Reports that `bytes` more bytes are written.
    pub(super) fn advance(&mut self, bytes: usize) -> Result<(), Error> {
        self.done += bytes as u64;
        match self.progress.map(|progress| progress(self.done, self.all)) {
            Some(ControlFlow::Break(())) => Err(ErrorKind::Stopped.into()),
            _ => Ok(()),
        }
    }
}
