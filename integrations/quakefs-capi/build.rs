//! Gives the shared library a `SONAME`, which changes with the minor version.

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script the target in variables")]
fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libquakefs.so.{version}");
    }
}
