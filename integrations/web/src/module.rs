//! The imports and exports of a module. They pass only numbers; questions, answers and bytes are in the memory of the module.

#![expect(unsafe_code, reason = "imports and exports of a module need it")]

use std::io;

use quakefs::disk::ReadAt;
use quakefs::rules::Spelling;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Reads at most `length` bytes of a source at an offset into the memory of the module. Returns their number, or a negative number
    /// on failure.
    fn read(source: u32, offset: f64, room: *mut u8, length: usize) -> isize;

    /// Replaces a text by its canonical decomposition, in a buffer of three times its length. Returns the new length.
    fn decompose(text: *mut u8, length: usize) -> usize;

    /// Replaces letters by their capitals in the same way, except letters whose capital is several characters.
    fn capitals(text: *mut u8, length: usize) -> usize;
}

/// A source, known to the host by number.
#[derive(Debug)]
pub struct Source(u32);

impl Source {
    /// The source of this number.
    #[must_use]
    pub fn new(number: u32) -> Self {
        Source(number)
    }
}

impl ReadAt for Source {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[expect(clippy::cast_precision_loss, reason = "no source has 2^53 bytes")]
        let offset = offset as f64;
        // SAFETY: the host writes at most `len` bytes into the slice, and only during the call
        let count = unsafe { read(self.0, offset, buffer.as_mut_ptr(), buffer.len()) };
        usize::try_from(count).map_err(|_| io::ErrorKind::Other.into())
    }
}

/// The text after the host has rewritten it.
fn rewritten(text: &str, by: unsafe extern "C" fn(*mut u8, usize) -> usize) -> String {
    let mut room = text.as_bytes().to_vec();
    // UTF-8 grows at most threefold when decomposed (UAX #15, maximum expansion factors), and twofold in capitals
    room.resize(text.len() * 3, 0);
    // SAFETY: the host reads and writes only within the buffer, which outlives the call
    let length = unsafe { by(room.as_mut_ptr(), text.len()) };
    room.truncate(length);
    String::from_utf8(room).unwrap_or_else(|_| text.to_owned())
}

/// Compares letters as the host does.
pub fn letters_of_host() {
    Spelling::letters_by(|text| rewritten(text, decompose), |text| rewritten(text, capitals));
}

/// The exports of a module with a session. Each `name` is an export and a method of the session that answers a question.
#[macro_export]
macro_rules! exports {
    ($session:ty, $($name:ident),+) => {
        struct Module {
            session: $session,
            question: Vec<u8>,
            answer: $crate::Answer,
        }

        static MODULE: std::sync::Mutex<Module> = std::sync::Mutex::new(Module {
            session: <$session>::new($crate::module::Source::new),
            question: Vec::new(),
            answer: $crate::Answer { text: String::new(), bytes: Vec::new() },
        });

        fn module() -> std::sync::MutexGuard<'static, Module> {
            MODULE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
        }

        /// The address of a new buffer for a question of this length.
        #[unsafe(no_mangle)]
        extern "C" fn room(length: usize) -> *mut u8 {
            let mut module = module();
            module.question = vec![0; length];
            module.question.as_mut_ptr()
        }

        $(
            /// Answers the question and returns the length of the answer's text.
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> usize {
                $crate::module::letters_of_host();
                let module = &mut *module();
                // frees the last answer first
                module.answer = $crate::Answer::default();
                let question = std::mem::take(&mut module.question);
                module.answer = module.session.$name(&String::from_utf8_lossy(&question));
                module.answer.text.len()
            }
        )+

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

        /// The number of the answer's bytes.
        #[unsafe(no_mangle)]
        extern "C" fn size() -> usize {
            module().answer.bytes.len()
        }
    };
}

#[cfg(feature = "module")]
mod package {
    crate::exports!(crate::Session<super::Source>, answer, explain);
}
