//! Explanations of lookups, and checks of a game.

mod check;
mod compare;
mod explain;
mod precedence;
mod registration;
mod skipped;
mod start;
