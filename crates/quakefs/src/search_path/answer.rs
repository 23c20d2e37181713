//! What a folder answers to a name.

/// What a folder answers to a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer<F> {
    File(F),
    /// No file, and layers below may be asked.
    Nothing,
    /// No file, and layers below are hidden.
    Hides,
}

impl<F> Answer<F> {
    pub(crate) fn map<G>(self, with: impl FnOnce(F) -> G) -> Answer<G> {
        match self {
            Answer::File(file) => Answer::File(with(file)),
            Answer::Nothing => Answer::Nothing,
            Answer::Hides => Answer::Hides,
        }
    }

    /// This answer, or that to the next spelling of the name where nothing has this one.
    pub(crate) fn or_else(self, next: impl FnOnce() -> Answer<F>) -> Answer<F> {
        if let Answer::Nothing = self { next() } else { self }
    }
}
