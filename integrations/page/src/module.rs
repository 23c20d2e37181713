//! What the module exports. Only numbers go over its border: questions, answers and bytes go through its memory.

#![expect(unsafe_code, reason = "functions of a host have no other way in or out")]

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quakefs::disk::ReadAt;
use quakefs::rules::{Letters, Spelling};

use crate::{Answer, Session};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Reads at most `length` bytes at an offset of one of the host's files into the memory of the module, and gives how
    /// many; a negative number is a failure.
    fn read(file: u32, offset: f64, room: *mut u8, length: usize) -> isize;

    /// Writes the canonical decomposition of a text over the text, into a room of three times its length, and gives the new
    /// length.
    fn decompose(text: *mut u8, length: usize) -> usize;

    /// As `decompose`, with the capital of each letter that has one character as its capital.
    fn capitals(text: *mut u8, length: usize) -> usize;
}

struct Module {
    session: Session<HostFile>,
    question: Vec<u8>,
    answer: Answer,
}

static MODULE: Mutex<Module> = Mutex::new(Module {
    session: Session::new(HostFile),
    question: Vec::new(),
    answer: Answer { text: String::new(), bytes: Vec::new() },
});

fn module() -> MutexGuard<'static, Module> {
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that the host knows by a number: a browser's `File`.
#[derive(Debug)]
struct HostFile(u32);

impl ReadAt for HostFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[expect(clippy::cast_precision_loss, reason = "no file of a browser has 2^53 bytes")]
        let offset = offset as f64;
        // SAFETY: the host writes at most `len` bytes at the address, which is that of a slice lent for the call
        let count = unsafe { read(self.0, offset, buffer.as_mut_ptr(), buffer.len()) };
        usize::try_from(count)
            .map_err(|_| io::Error::other("it was changed or removed after the drop"))
    }
}

/// As the host writes a text anew.
fn rewritten(text: &str, by: unsafe extern "C" fn(*mut u8, usize) -> usize) -> String {
    let mut room = text.as_bytes().to_vec();
    // no text in UTF-8 grows more (UAX #15, maximum expansion factors); a capital has at most twice the bytes
    room.resize(text.len() * 3, 0);
    // SAFETY: the host reads and writes within the room, which lives until the call ends
    let length = unsafe { by(room.as_mut_ptr(), text.len()) };
    room.truncate(length);
    String::from_utf8(room).unwrap_or_else(|_| text.to_owned())
}

/// The address of a room of this length, for a question.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut module = module();
    module.question = vec![0; length];
    module.question.as_mut_ptr()
}

/// Answers the question, and gives the length of the answer's text.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    Spelling::letters_by(Letters {
        decompose: |text| rewritten(text, decompose),
        capitals: |text| rewritten(text, capitals),
    });
    let Module { session, question, answer } = &mut *module();
    // what the last answer took is free before the next is made
    *answer = Answer::default();
    let question = std::mem::take(question);
    *answer = session.answer(&String::from_utf8_lossy(&question));
    answer.text.len()
}

/// The address of the answer's text.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    module().answer.text.as_ptr()
}

/// The address of the answer's bytes.
#[unsafe(no_mangle)]
extern "C" fn bytes() -> *const u8 {
    module().answer.bytes.as_ptr()
}

/// How many bytes the answer has.
#[unsafe(no_mangle)]
extern "C" fn size() -> usize {
    module().answer.bytes.len()
}
