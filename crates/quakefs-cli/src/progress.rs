//! A bar that appears where work takes long, and the end of the work at an interrupt.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;

/// Shorter work is over before a bar would be read.
const LONG: Duration = Duration::from_secs(1);

/// A bar over work that an interrupt ends.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    /// Whether the bar may appear and has not.
    wanted: AtomicBool,
    interrupted: &'static AtomicBool,
}

impl Progress {
    /// A bar over bytes. From now on an interrupt ends the work and not the process.
    pub(crate) fn of_bytes(console: &Console<'_>) -> Self {
        Progress::new(console, "{bar:40} {bytes}/{total_bytes}, {eta} left")
    }

    /// The same over files.
    pub(crate) fn of_files(console: &Console<'_>) -> Self {
        Progress::new(console, "{bar:40} {pos}/{len} files, {eta} left")
    }

    fn new(console: &Console<'_>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress {
            bar,
            started: Instant::now(),
            wanted: AtomicBool::new(console.progress),
            interrupted: (console.interrupts)(),
        }
    }

    /// Shows how much is done of all; breaks after an interrupt.
    pub(crate) fn show(&self, done: u64, all: u64) -> ControlFlow<()> {
        if self.started.elapsed() > LONG && self.wanted.swap(false, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_length(all);
        self.bar.set_position(done);
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
