//! Work on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The answer for each item, in order. The threads end with the call, because the threads of a pool would be
/// missing in a forked process, such as one of Python's `multiprocessing`.
#[doc(hidden)]
pub fn on_all_cores<T: Sync, A: Send>(items: &[T], answer: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let items = numbers.map_while(|number| Some((number, items.get(number)?)));
        items.map(|(number, item)| (number, answer(item))).collect::<Vec<_>>()
    };
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let mut answers = std::thread::scope(|scope| {
        // if the system refuses a thread, the others do its work
        let others: Vec<_> =
            (1..cores).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut answers = work();
        for other in others {
            answers.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        answers
    });
    answers.sort_unstable_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
