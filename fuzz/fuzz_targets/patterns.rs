//! Patterns: no text panics, a match with case is also a match without, `*` and `?` match by their
//! definition, and the name of a folder matches everything below it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pak_format::EntryName;
use pak_format::name::escape;
use quakefs::Pattern;
use quakefs::rules::Case;
use quakefs_fuzz::Name;

fuzz_target!(|input: (Vec<Name>, &str)| {
    let (names, text) = input;
    let (exact, ignored) = (Pattern::new(text, Case::Exact), Pattern::new(text, Case::Ignored));
    assert_eq!(exact.is_ok(), ignored.is_ok());
    let (Ok(exact), Ok(ignored)) = (exact, ignored) else { return };
    let is_simple = !text.contains(['[', ']', '{', '}', '\\', ',']) && !text.contains("**");
    let is_simple = is_simple && text.matches('*').count() <= 3;
    for name in names {
        let name = EntryName::from_bytes(&name.0);
        let found = exact.matches(name);
        // `[^A]` matches `a` only with case
        assert!(!found || ignored.matches(name) || text.contains(['^', '!']));
        if is_simple {
            let folder = text.strip_suffix('/').unwrap_or(text).as_bytes();
            let is_below =
                !folder.is_empty() && matches!(name.as_bytes().strip_prefix(folder), Some([b'/', _, ..]));
            let is_match = matches(text.as_bytes(), escape(name.as_bytes()).as_bytes());
            assert_eq!(found, is_match || is_below, "{name}");
        }
    }
});

/// Whether a pattern with only `*` and `?` matches.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], [byte, after @ ..]) => {
            matches(rest, name) || (*byte != b'/' && matches(pattern, after))
        }
        ([b'*', rest @ ..], []) => matches(rest, name),
        ([b'?', rest @ ..], [byte, after @ ..]) => *byte != b'/' && matches(rest, after),
        ([wanted, rest @ ..], [byte, after @ ..]) => wanted == byte && matches(rest, after),
        _ => false,
    }
}
