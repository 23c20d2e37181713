//! The types of the package are those of the answers, and the package works in Node.js.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a panic fails a test, and one variable rewrites a file"
)]

const TYPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/types.d.ts");

#[test]
fn the_types_of_the_package_are_current() {
    let wanted = quakefs_web::typescript();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(TYPES, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(TYPES).unwrap_or_default();
    assert_eq!(found, wanted, "UPDATE=1 cargo test -p quakefs-web");
}
