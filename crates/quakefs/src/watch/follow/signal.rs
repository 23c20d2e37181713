//! The signal from the event thread to the thread that looks.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// The quiet time before a look.
const QUIET: Duration = Duration::from_millis(100);
/// The longest burst before a look is taken anyway.
const LONGEST: Duration = Duration::from_secs(1);

/// Whether something changed. Its size does not depend on the number of events.
#[derive(Default)]
pub(super) struct Signal {
    pending: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Default)]
struct Pending {
    /// The times of the first and last event since the last look.
    burst: Option<(Instant, Instant)>,
    rewatch: bool,
    /// Whether another value was stored, which is followed at once.
    follow: bool,
    stop: bool,
}

impl Signal {
    /// Signals a change. `rewatch` tells that folders may have to be registered again.
    pub(super) fn raise(&self, rewatch: bool) {
        let now = Instant::now();
        let mut pending = self.pending.lock();
        let first = pending.burst.map_or(now, |(first, _)| first);
        pending.burst = Some((first, now));
        pending.rewatch |= rewatch;
        self.changed.notify_one();
    }

    /// Signals that another value was stored.
    pub(super) fn follow(&self) {
        self.pending.lock().follow = true;
        self.changed.notify_one();
    }

    pub(super) fn stop(&self) {
        self.pending.lock().stop = true;
        self.changed.notify_one();
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.pending.lock().stop
    }

    /// Waits for the end of a burst or for another stored value. Returns whether folders have to be
    /// registered again, or `None` when the watcher was dropped.
    pub(super) fn gather(&self) -> Option<bool> {
        let mut pending = self.pending.lock();
        loop {
            if pending.stop {
                return None;
            }
            if std::mem::take(&mut pending.follow) {
                return Some(false);
            }
            let Some((first, last)) = pending.burst else {
                self.changed.wait(&mut pending);
                continue;
            };
            let until = (last + QUIET).min(first + LONGEST);
            if Instant::now() >= until {
                pending.burst = None;
                return Some(std::mem::take(&mut pending.rewatch));
            }
            self.changed.wait_until(&mut pending, until);
        }
    }
}
