//! The word that something changed, from the thread of the system's events to the one that looks.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// How long nothing changes before a look.
const QUIET: Duration = Duration::from_millis(100);
/// How long a burst may last before a look all the same.
const LONGEST: Duration = Duration::from_secs(1);

/// Whether something changed. However many events there are, this takes the same memory.
#[derive(Default)]
pub(super) struct Signal {
    pending: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Default)]
struct Pending {
    /// When the first event came that no look has answered, and the last one.
    burst: Option<(Instant, Instant)>,
    rewatch: bool,
    /// Whether another stack was stored, which is followed without waiting.
    follow: bool,
    stop: bool,
}

impl Signal {
    /// Something changed; `rewatch` says that folders may have to be watched anew.
    pub(super) fn raise(&self, rewatch: bool) {
        let now = Instant::now();
        let mut pending = self.pending.lock();
        let first = pending.burst.map_or(now, |(first, _)| first);
        pending.burst = Some((first, now));
        pending.rewatch |= rewatch;
        self.changed.notify_one();
    }

    /// Another stack was stored.
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

    /// Waits for the end of a burst of changes, or for another stack, and gives whether folders have to be watched anew;
    /// `None` at the end.
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
