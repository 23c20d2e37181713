//! Why a file is served, and what is wrong with a game.

mod check;
mod compare;
mod explain;
mod portability;
mod precedence;
mod registration;
