//! What lookups, mounts and archives take of memory. A separate suite, because an allocator belongs to a
//! whole program.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a suite: what panics fails a test, and measurements are printed"
)]

mod lookup;
mod zip;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

/// Counts by thread, so that tests in other threads are not counted, and gives at most [`LARGEST`] at a time.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

const MIB: usize = 1 << 20;

/// The largest allocation that succeeds.
const LARGEST: usize = 1024 * MIB;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Allocated and not freed. Negative where this thread frees what another one allocated.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(allocations: usize, taken: usize, freed: usize) {
    // a thread that ends may free after its counters are gone
    let _ = ALLOCATIONS.try_with(|counter| counter.set(counter.get() + allocations));
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + taken.cast_signed() - freed.cast_signed());
        PEAK.try_with(|peak| peak.set(peak.get().max(live.get())))
    });
}

#[expect(
    unsafe_code,
    reason = "the trait of allocators is unsafe; this one hands on every call that is not too large"
)]
// SAFETY: every call goes to the system's allocator as it came, or returns null, which reports that memory is
// out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGEST {
            return std::ptr::null_mut();
        }
        count(1, layout.size(), 0);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, 0, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > LARGEST {
            return std::ptr::null_mut();
        }
        count(1, size, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// How often `work` allocates in this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

/// What `work` returns, and how many bytes it leaves allocated in this thread.
fn held<T>(work: impl FnOnce() -> T) -> (T, isize) {
    let before = LIVE.get();
    let result = work();
    (result, LIVE.get() - before)
}

/// The most bytes that `work` has allocated at one time in this thread.
fn peak(work: impl FnOnce()) -> usize {
    let before = LIVE.get();
    PEAK.set(before);
    work();
    (PEAK.get() - before).cast_unsigned()
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(black_box(vec![0_u8; 100]))), 1);
    assert_eq!(allocations(|| ()), 0);
}

#[test]
fn the_peak_of_memory_is_measured() {
    assert_eq!(peak(|| drop(black_box(vec![0_u8; MIB]))), MIB);
    assert_eq!(peak(|| ()), 0);
}
