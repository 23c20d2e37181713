//! quakefs for engines in C. cbindgen writes the header, `include/quakefs.h`, from this source.
//!
//! Every function of the header begins with `quakefs_`. Arguments are checked as far as C permits. A panic is
//! always a bug; it stops at the border and becomes [`QUAKEFS_STATUS_PANIC`](quakefs_status::Panic).

#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(clippy::doc_markdown, reason = "the comments are those of the header, which has no markup")]
#![warn(clippy::undocumented_unsafe_blocks)]
#![allow(unsafe_code, reason = "the border to C: pointers come from outside")]

mod border;
mod companions;
mod compare;
mod file;
mod mount;
mod options;
mod paths;
mod place;
mod search_path;
mod text;
#[cfg(feature = "needs")]
mod unused;

pub use border::{quakefs_last_error, quakefs_status, quakefs_version};
pub use companions::{quakefs_companion, quakefs_companions, quakefs_each_companion};
pub use compare::{
    quakefs_compare, quakefs_difference, quakefs_each_difference, quakefs_each_overridden,
    quakefs_overridden, quakefs_overridden_copy, quakefs_winner,
};
pub use file::{
    quakefs_alloc, quakefs_close, quakefs_file, quakefs_find, quakefs_find_layer, quakefs_found,
    quakefs_load, quakefs_load_layer, quakefs_open, quakefs_open_layer, quakefs_read, quakefs_seek,
    quakefs_size,
};
#[cfg(unix)]
pub use file::{quakefs_descriptor, quakefs_fopen};
pub use mount::{quakefs_free, quakefs_mount, quakefs_remount, quakefs_retain};
pub use options::{
    QUAKEFS_GAMES_EXIST, QUAKEFS_LISTED, QUAKEFS_MAPPED, quakefs_options, quakefs_over, quakefs_progress,
    quakefs_source,
};
pub use place::{
    quakefs_effect, quakefs_effects, quakefs_effects_of, quakefs_free_effects, quakefs_free_placement,
    quakefs_part, quakefs_place, quakefs_placement, quakefs_start,
};
pub use search_path::{
    quakefs_change, quakefs_change_kind, quakefs_changes, quakefs_check, quakefs_choice, quakefs_chosen,
    quakefs_copies, quakefs_each_change, quakefs_each_engine, quakefs_each_entry, quakefs_each_file,
    quakefs_each_finding, quakefs_engine, quakefs_engines, quakefs_entries, quakefs_entry, quakefs_finding,
    quakefs_findings, quakefs_layer, quakefs_layer_count, quakefs_layer_info, quakefs_list,
    quakefs_list_layer, quakefs_listed, quakefs_search_path, quakefs_severity, quakefs_verdict,
    quakefs_write_directory,
};
pub use text::{quakefs_engine_rules, quakefs_explain, quakefs_free_text};
#[cfg(feature = "needs")]
pub use unused::{quakefs_each_unused, quakefs_unused, quakefs_unused_file};
