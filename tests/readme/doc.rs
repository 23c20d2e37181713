//! The Rust of the README and of the pages of `docs`, as doc tests.
#![doc = include_str!("../../README.md")]

macro_rules! pages {
    ($($name:ident $file:literal)*) => {
        $(#[doc = include_str!(concat!("../../docs/", $file))] pub mod $name {})*
    };
}

pages! {
    index "README.md"
    archives "archives.md"
    ci "ci.md"
    cluster "cluster.md"
    command "command.md"
    engines "engines.md"
    exact "exact.md"
    findings "findings.md"
    downloads "downloads.md"
    installed "installed.md"
    library "library.md"
    limits "limits.md"
    modding "modding.md"
    mount "mount.md"
    needs "needs.md"
    packing "packing.md"
    page "page.md"
    porting "porting.md"
    python "python.md"
    speed "speed.md"
    windows "windows.md"
}
