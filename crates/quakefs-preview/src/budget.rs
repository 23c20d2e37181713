//! A limit for the work of several previews.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Error;

/// The number of steps that several previews may take together. A step is one decoded pixel or one byte of
/// entities. Small files can claim very many.
///
/// ```
/// use quakefs_preview::{Budget, Error, Kind, Options, Palette, preview};
///
/// let lump = [&2_u32.to_le_bytes()[..], &1_u32.to_le_bytes(), &[4, 255]].concat();
/// let (palette, budget) = (Palette::grey(), Budget::new(3));
/// let mut options = Options::new(&palette);
/// options.budget = Some(&budget);
/// assert!(preview(Kind::Lump, &lump, &options).is_ok());
/// assert_eq!(preview(Kind::Lump, &lump, &options), Err(Error::Budget));
/// ```
#[derive(Debug)]
pub struct Budget(AtomicU64);

impl Budget {
    /// Creates a budget with this number of steps.
    #[must_use]
    pub const fn new(steps: u64) -> Self {
        Budget(AtomicU64::new(steps))
    }

    /// Takes steps from the budget in advance.
    pub(crate) fn take(&self, steps: u64) -> Result<(), Error> {
        let taken = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(steps));
        taken.map(|_| ()).map_err(|_| Error::Budget)
    }
}
