//! The threads of the work on many archives.

use std::num::NonZero;
use std::sync::Once;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts the pool of rayon with as many threads as the system gives. Its own start panics if the system
/// refuses one. Without any, this thread does all work. A pool that exists already stays.
pub(crate) fn start() {
    static STARTED: Once = Once::new();
    if rayon::current_thread_index().is_some() {
        return;
    }
    STARTED.call_once(|| {
        let waiting = |_| {
            let (give, take) = channel::<ThreadBuilder>();
            let run = move || take.recv().into_iter().for_each(ThreadBuilder::run);
            thread::Builder::new().spawn(run).ok().map(|_| give)
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let waiting: Vec<Sender<ThreadBuilder>> = (0..cores).map_while(waiting).collect();
        let builder = ThreadPoolBuilder::new().num_threads(waiting.len().max(1));
        let _ = if waiting.is_empty() {
            builder.use_current_thread().build_global()
        } else {
            let mut waiting = waiting.into_iter();
            let give = |thread| {
                let waiting = waiting.next().ok_or(std::io::ErrorKind::WouldBlock)?;
                waiting.send(thread).map_err(|_| std::io::ErrorKind::WouldBlock.into())
            };
            builder.spawn_handler(give).build_global()
        };
    });
}
