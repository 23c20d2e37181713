//! Progress bars for long work, which an interrupt ends.

use std::fmt;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::console::{Console, Failure, Message};
use crate::output::grouped;

/// Work of this length gets a progress bar.
const LONG: Duration = Duration::from_millis(500);

/// How often to check for an interrupt.
const NAP: Duration = Duration::from_millis(50);

/// What a bar counts.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Bytes,
    Files,
    Archives,
    /// Only time: the amount of work is unknown. The text names the work, such as "listing the files".
    Time(&'static str),
}

impl Unit {
    fn style(self) -> Option<ProgressStyle> {
        let template = match self {
            Unit::Bytes => "{bar:40} {bytes}/{total_bytes}{left}",
            Unit::Files => "{bar:40} {pos}/{len} files{left}",
            Unit::Archives => "{bar:40} {pos}/{len} archives{left}",
            Unit::Time(_) => "{spinner} {msg} ({elapsed})",
        };
        Some(ProgressStyle::with_template(template).ok()?.with_key("left", left))
    }
}

/// The progress of work that an interrupt ends.
pub(crate) struct Progress {
    bar: ProgressBar,
    unit: Mutex<Unit>,
    done: AtomicU64,
    all: AtomicU64,
    started: Instant,
    /// Whether the bar may still appear.
    wanted: AtomicBool,
    /// The flag that an interrupt sets. `None` if an interrupt ends the process.
    interrupted: Option<&'static AtomicBool>,
    /// Lets an interrupt end the process again.
    release: fn(),
}

impl Progress {
    /// Counts bytes. From now on an interrupt ends the work, not the process.
    pub(crate) fn of_bytes(console: &Console<'_>) -> Self {
        Progress::new(Unit::Bytes, console, true)
    }

    /// Counts files; otherwise like [`of_bytes`](Self::of_bytes).
    pub(crate) fn of_files(console: &Console<'_>) -> Self {
        Progress::new(Unit::Files, console, true)
    }

    /// Shows a spinner for work of unknown length, for [`attend`](Self::attend).
    pub(crate) fn of_time(what: &'static str, console: &Console<'_>) -> Self {
        Progress::new(Unit::Time(what), console, true)
    }

    /// Like [`of_time`](Self::of_time), for the first step of a command, a mount or a search. Without a
    /// terminal, an interrupt ends the process.
    pub(crate) fn of_start(what: &'static str, console: &Console<'_>) -> Self {
        Progress::new(Unit::Time(what), console, console.progress)
    }

    fn new(unit: Unit, console: &Console<'_>, caught: bool) -> Self {
        let progress = Progress {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            unit: Mutex::new(unit),
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            started: Instant::now(),
            wanted: AtomicBool::new(console.progress),
            interrupted: caught.then(|| (console.interrupts)()),
            release: console.uncaught,
        };
        progress.go_on_with(unit, 0);
        progress
    }

    /// Begins a part of the work that counts another unit.
    pub(crate) fn go_on_with(&self, unit: Unit, all: u64) {
        *self.unit.lock().unwrap_or_else(PoisonError::into_inner) = unit;
        self.done.store(0, Ordering::Relaxed);
        self.begin(all);
        self.bar.set_position(0);
        self.bar.reset_eta();
        if let Unit::Time(what) = unit {
            self.bar.set_message(what);
        }
        if let Some(style) = unit.style() {
            self.bar.set_style(style);
        }
    }

    /// Shows the progress; breaks after an interrupt.
    pub(crate) fn show(&self, done: u64, all: u64) -> ControlFlow<()> {
        // threads report out of order; 0 begins a new part
        let done = if done == 0 {
            self.done.store(0, Ordering::Relaxed);
            0
        } else {
            self.done.fetch_max(done, Ordering::Relaxed).max(done)
        };
        self.all.store(all, Ordering::Relaxed);
        self.bar.set_length(all);
        self.bar.set_position(done);
        self.appear();
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn appear(&self) {
        if self.started.elapsed() > LONG && self.wanted.swap(false, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.tick();
        }
    }

    /// Sets the amount of work.
    pub(crate) fn begin(&self, all: u64) {
        self.all.store(all, Ordering::Relaxed);
        self.bar.set_length(all);
    }

    /// Adds to the finished work; breaks after an interrupt.
    pub(crate) fn advance(&self, by: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(by, Ordering::Relaxed) + by;
        self.bar.set_position(done);
        self.appear();
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Runs work that changes nothing and does not check for interrupts. On a terminal it runs on another
    /// thread, so that an interrupt can end the wait.
    pub(crate) fn attend<T: Send + 'static, W: FnOnce(&Progress) -> T + Send + 'static>(
        self,
        work: W,
    ) -> Result<T, Failure> {
        if self.interrupted.is_none() {
            return Ok(work(&self));
        }
        let progress = Arc::new(self);
        let (give_work, take_work) = channel();
        let (give, take) = channel();
        let worker = thread::Builder::new().spawn({
            let progress = Arc::clone(&progress);
            move || {
                // after an interrupt nobody receives the result
                take_work.recv().map(|work: W| give.send(work(&progress)).is_ok())
            }
        });
        // the system may refuse a thread
        let Ok(worker) = worker else { return Ok(work(&progress)) };
        let _ = give_work.send(work);
        loop {
            match take.recv_timeout(NAP) {
                Ok(_) | Err(RecvTimeoutError::Timeout) if progress.is_interrupted() => {
                    progress.clear();
                    let help = "nothing was changed; run the command again";
                    return Err(Message::new(progress.interrupted(), help).into());
                }
                Ok(made) => {
                    progress.end();
                    return Ok(made);
                }
                Err(RecvTimeoutError::Timeout) => {
                    progress.appear();
                    progress.bar.tick();
                }
                Err(RecvTimeoutError::Disconnected) => {
                    progress.end();
                    let Err(panic) = worker.join() else { unreachable!("work that ends gives a result") };
                    resume_unwind(panic);
                }
            }
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.is_some_and(|interrupted| interrupted.load(Ordering::Relaxed))
    }

    /// The progress until an interrupt: "interrupted after 34 of 200 files".
    pub(crate) fn interrupted(&self) -> String {
        // the bar's own numbers are locked while it is suspended
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        match *self.unit.lock().unwrap_or_else(PoisonError::into_inner) {
            Unit::Time(what) => {
                format!("interrupted after {} s, while {what}", self.started.elapsed().as_secs())
            }
            _ if all == 0 => "interrupted before the work began".to_owned(),
            Unit::Bytes => format!("interrupted after {} of {}", HumanBytes(done), HumanBytes(all)),
            Unit::Files => format!("interrupted after {} of {} files", grouped(done), grouped(all)),
            Unit::Archives => format!("interrupted after {} of {} archives", grouped(done), grouped(all)),
        }
    }

    /// Prints while the bar is suspended.
    pub(crate) fn aside<T>(&self, console: &mut Console<'_>, print: impl FnOnce(&mut Console<'_>) -> T) -> T {
        if self.bar.is_hidden() {
            return print(console);
        }
        self.bar.suspend(|| {
            let printed = print(console);
            // the next write reports an error
            let _ = console.out.flush();
            printed
        })
    }

    /// Removes the bar before the answer is printed.
    pub(crate) fn clear(&self) {
        self.wanted.store(false, Ordering::Relaxed);
        self.bar.finish_and_clear();
    }

    /// Removes the bar; from now on an interrupt ends the process.
    pub(crate) fn end(&self) {
        self.clear();
        (self.release)();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The remaining time, once some work is done.
fn left(state: &ProgressState, to: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(to, ", {:#} left", HumanDuration(state.eta()));
    }
}
