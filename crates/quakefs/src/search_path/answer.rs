//! The answer of a folder about a name.

/// The answer of a folder about a name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer<F> {
    File(F),
    /// No file. The search continues in lower layers.
    Nothing,
    /// No file, and the search ends: lower layers are hidden.
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

    /// Tries the next spelling of the name if nothing was found.
    pub(crate) fn or_else(self, next: impl FnOnce() -> Answer<F>) -> Answer<F> {
        if let Answer::Nothing = self { next() } else { self }
    }
}
