//! Runs the entrants in turn, so that a busy moment of the machine affects all of them, and prints the
//! medians.

/// The column of an entrant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Quakefs,
    Peer,
    /// Work that no reader of archives can avoid, such as reading the same bytes from a plain file.
    Floor,
}

/// An entrant of a comparison.
pub struct Entrant<'a> {
    name: &'static str,
    role: Role,
    operations: u32,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Entrant<'a> {
    /// The number of operations in each call of `run`.
    pub fn new(name: &'static str, role: Role, operations: usize, run: impl FnMut() + 'a) -> Self {
        let operations = u32::try_from(operations).unwrap();
        Entrant { name, role, operations, run: Box::new(run) }
    }
}

/// Calls each entrant `rounds` times, after one call to warm up; returns the nanoseconds of one operation.
pub fn medians(rounds: usize, entrants: &mut [Entrant<'_>]) -> Vec<f64> {
    let mut times = vec![Vec::new(); entrants.len()];
    for round in 0..=rounds {
        for (entrant, times) in entrants.iter_mut().zip(&mut times) {
            settle_allocator();
            let start = processor_time();
            (entrant.run)();
            let elapsed = processor_time() - start;
            if round > 0 {
                times.push(elapsed / f64::from(entrant.operations));
            }
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

/// Makes the allocator join freed memory. For a million small pieces that takes milliseconds, which the next
/// entrant would pay.
fn settle_allocator() {
    // SAFETY: it may be called at any time, from any thread.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// The processor time of the process in nanoseconds, in user and system mode.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a value that lives.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Prints a row of the first table: quakefs, the best of the others, the ratio, and all figures.
pub fn compare(what: &str, rounds: usize, mut entrants: Vec<Entrant<'_>>) {
    let medians = medians(rounds, &mut entrants);
    let of = |wanted: Role| {
        let all = entrants.iter().zip(&medians).filter(move |(entrant, _)| entrant.role == wanted);
        let mut all: Vec<_> = all.map(|(entrant, median)| (entrant.name, *median)).collect();
        all.sort_by(|(_, a), (_, b)| a.total_cmp(b));
        all
    };
    let shown = |all: &[(&str, f64)]| {
        let all: Vec<_> = all.iter().map(|(name, time)| format!("{name} {}", duration(*time))).collect();
        all.join(", ")
    };
    let (ours, peers, floors) = (of(Role::Quakefs), of(Role::Peer), of(Role::Floor));
    let (_, time) = ours[0];
    let ratio = peers.first().map_or(String::new(), |(_, best)| format!("{:.2} ×", time / best));
    println!("| {what} | {} | {ratio} | {} | {} |", duration(time), shown(&peers), shown(&floors));
}

/// A time with its unit, to two or three digits.
pub fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n => (n / 1e6, "ms"),
    };
    if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}
