//! What the work on levels may cost. The input pays for it, so that a small file cannot take hours or
//! gigabytes.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The steps of every command. A step is an instruction, or 16 bytes touched: a few nanoseconds.
const STEPS: u64 = 1 << 28;
/// More steps for each byte of input. The levels of known mods take fewer than 25.
const STEPS_OF_BYTE: u64 = 64;
/// The bytes that every command may keep.
const BYTES: u64 = 32 << 20;
/// More bytes for each byte of input.
const BYTES_OF_BYTE: u64 = 2;

/// Why no more work may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spent {
    /// The budget is used up.
    Budget,
    /// The observer stopped the work.
    Stopped,
}

/// The longest text that is kept, in bytes.
const LONGEST: usize = 256;

/// The start of a long text, because a program can repeat it in every message.
pub(crate) fn shortened(text: &[u8]) -> &[u8] {
    text.get(..LONGEST).unwrap_or(text)
}

/// Reports finished levels and their number, and returns whether to continue.
type Report = Box<dyn Fn(u64, u64) -> ControlFlow<()> + Send + Sync>;

/// The budget of all levels of a command, and the observer that may stop the work.
pub(crate) struct Budget {
    steps: AtomicU64,
    bytes: AtomicU64,
    report: Option<Report>,
    done: AtomicU64,
    all: AtomicU64,
    is_stopped: AtomicBool,
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = [&self.steps, &self.bytes].map(|left| left.load(Ordering::Relaxed));
        f.debug_tuple("Budget").field(&left).finish()
    }
}

impl Budget {
    /// The budget for this many bytes of input.
    pub(crate) fn of_input(size: u64) -> Self {
        let of = |base: u64, each: u64| base.saturating_add(size.saturating_mul(each));
        Budget::new(of(STEPS, STEPS_OF_BYTE), of(BYTES, BYTES_OF_BYTE))
    }

    pub(crate) fn new(steps: u64, bytes: u64) -> Self {
        Budget {
            steps: steps.into(),
            bytes: bytes.into(),
            report: None,
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
        }
    }

    pub(crate) fn observed_by(self, report: Report) -> Self {
        Budget { report: Some(report), ..self }
    }

    /// Begins work on this many levels.
    pub(crate) fn begin(&self, all: usize) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all as u64, Ordering::Relaxed);
    }

    /// A level is finished.
    pub(crate) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        // the next level notices a stop
        let _ = self.look();
    }

    /// Asks the observer whether to continue. Once stopped, the work stays stopped.
    fn look(&self) -> Result<(), Spent> {
        if let Some(report) = &self.report
            && !self.is_stopped.load(Ordering::Relaxed)
        {
            let [done, all] = [&self.done, &self.all].map(|count| count.load(Ordering::Relaxed));
            if report(done, all).is_break() {
                self.is_stopped.store(true, Ordering::Relaxed);
            }
        }
        if self.is_stopped.load(Ordering::Relaxed) { Err(Spent::Stopped) } else { Ok(()) }
    }

    /// Pays for steps.
    pub(crate) fn work(&self, steps: u64) -> Result<(), Spent> {
        self.look()?;
        take(&self.steps, steps)
    }

    /// Returns steps that were paid and not used.
    pub(crate) fn give_back(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    /// Pays for bytes that are kept until the end.
    pub(crate) fn keep(&self, bytes: usize) -> Result<(), Spent> {
        take(&self.bytes, bytes as u64)
    }
}

fn take(left: &AtomicU64, count: u64) -> Result<(), Spent> {
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
    taken.map(drop).map_err(|_| Spent::Budget)
}
