//! What a hostile archive can make of memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use crate::malformed::corpus;
use crate::open;
use crate::raw::{deflated, zip};

/// Counts by thread, so that tests beside this one do not disturb, and has no more than [`ALL_THERE_IS`] at a time.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

const MIB: usize = 1 << 20;
const ALL_THERE_IS: usize = 1024 * MIB;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn count(taken: usize, given: usize) {
    // a thread that ends may free after its counters are gone, or what another one took
    let _ = LIVE.try_with(|live| {
        live.set((live.get() + taken).saturating_sub(given));
        PEAK.try_with(|peak| peak.set(peak.get().max(live.get())))
    });
}

#[expect(
    unsafe_code,
    reason = "an allocator is unsafe to be one; this one hands on every call that is not too large"
)]
// SAFETY: every call goes to the system's allocator as it came, or gives null, which says that there is no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > ALL_THERE_IS {
            return std::ptr::null_mut();
        }
        count(layout.size(), 0);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > ALL_THERE_IS {
            return std::ptr::null_mut();
        }
        count(size, layout.size());
        // SAFETY: the caller's promise is handed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The most memory that this thread held meanwhile, above what it held before.
fn peak(work: impl FnOnce()) -> usize {
    let before = LIVE.get();
    PEAK.set(before);
    work();
    PEAK.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(peak(|| drop(black_box(vec![0_u8; MIB]))), MIB);
    assert_eq!(peak(|| ()), 0);
}

#[test]
fn no_claim_of_the_corpus_takes_memory() {
    for (name, image) in corpus() {
        let taken = peak(|| {
            let Ok(archive) = open(&image) else { return };
            for entry in archive.entries() {
                let _ = black_box(archive.read(entry.index()));
            }
        });
        assert!(taken < MIB, "{name}: {taken}");
    }
}

#[test]
fn content_is_decoded_into_memory_of_its_size_and_no_more() {
    // a stored block of deflate for each 65,535 bytes
    let content = vec![7; 4 * MIB];
    let mut stream = Vec::new();
    for block in content.chunks(0xffff) {
        let size = u16::try_from(block.len()).unwrap();
        stream.extend([&[0][..], &size.to_le_bytes(), &(!size).to_le_bytes(), block].concat());
    }
    stream.extend([1, 0, 0, 0xff, 0xff]);
    let archive = open(&zip(&[deflated("a", &stream, &content)])).unwrap();
    let taken = peak(|| assert_eq!(*archive.read(0).unwrap(), *content));
    assert!((4 * MIB..4 * MIB + MIB / 8).contains(&taken), "{taken}");
}

#[test]
fn where_there_is_no_memory_there_is_an_error() {
    // 4 MiB could decode to 4 GiB
    let bomb = deflated("a", &vec![0; 4 * MIB], "").with(|member| member.size = u32::MAX - 1);
    let archive = open(&zip(&[bomb])).unwrap();
    let taken = peak(|| {
        let error = archive.read(0).unwrap_err();
        assert_eq!(error.to_string(), "entry 0 (a): there is no memory for its 4294967294 bytes");
    });
    assert!(taken < MIB, "{taken}");
}
