//! Explanations of lookups, and checks of a game.

mod check;
mod compare;
mod explain;
mod portability;
mod precedence;
mod registration;
