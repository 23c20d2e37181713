//! The class of JavaScript.

use std::sync::Arc;

use quakefs_web::{Reader, Source, throw_panics};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Session;

/// The session of a page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Page {
    session: Session<Source>,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl Page {
    /// A page without files, which `reader` reads.
    #[must_use]
    #[wasm_bindgen(constructor)]
    pub fn new(reader: Reader) -> Page {
        throw_panics();
        Page {
            session: Session::new(move |number| Source::new(reader.clone(), number, Arc::default())),
            bytes: Vec::new(),
        }
    }

    /// Answers a question in JSON.
    #[must_use]
    pub fn answer(&mut self, question: &str) -> String {
        // frees the last bytes first
        self.bytes = Vec::new();
        let answer = self.session.answer(question);
        self.bytes = answer.bytes;
        answer.text
    }

    /// Takes the bytes beside the last answer.
    #[must_use]
    pub fn bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}
