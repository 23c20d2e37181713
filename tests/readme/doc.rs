//! The Rust of the README, as a doc test.
#![doc = include_str!("../../README.md")]
