//! Attributes for tests that need what not every machine has. A test without it is ignored, and the reason
//! names it. They decide while the test is compiled: touch its file after you install something.

use std::path::{Path, PathBuf};
use std::{env, fmt::Write as _};

use proc_macro::{TokenStream, TokenTree};

/// `#[testneeds::program("strace", "script")]`: programs in `PATH`.
#[proc_macro_attribute]
pub fn program(names: TokenStream, test: TokenStream) -> TokenStream {
    #[expect(clippy::disallowed_methods, reason = "a suite, where a shell would look")]
    let path = env::var_os("PATH").unwrap_or_default();
    let is_there = |name: &str| {
        let files = env::split_paths(&path).map(|folder| folder.join(name));
        files.into_iter().any(|file| file.is_file() || file.with_extension("exe").is_file())
    };
    ignore_unless(names, test, is_there, "")
}

/// `#[testneeds::path("/dev/fuse")]`: files or folders of this machine.
#[proc_macro_attribute]
pub fn path(names: TokenStream, test: TokenStream) -> TokenStream {
    ignore_unless(names, test, |name| Path::new(name).exists(), "")
}

/// `#[testneeds::data("paks/librequake")]`: files or folders below `QUAKEFS_DATA`. `testutils::data` gives
/// their paths.
#[proc_macro_attribute]
pub fn data(names: TokenStream, test: TokenStream) -> TokenStream {
    #[expect(clippy::disallowed_methods, reason = "how a person tells where larger data is")]
    let folder = env::var_os("QUAKEFS_DATA").map(PathBuf::from);
    let is_there = |name: &str| folder.as_ref().is_some_and(|folder| folder.join(name).exists());
    let mut test = ignore_unless(names, test, is_there, " of QUAKEFS_DATA, see testdata/fetch");
    // cargo compiles the test again if the variable changes
    test.extend("const _: Option<&str> = option_env!(\"QUAKEFS_DATA\");".parse::<TokenStream>());
    test
}

fn ignore_unless(
    names: TokenStream,
    test: TokenStream,
    is_there: impl Fn(&str) -> bool,
    whose: &str,
) -> TokenStream {
    let mut missing = String::new();
    for name in names.into_iter().filter(|token| matches!(token, TokenTree::Literal(_))) {
        let name = name.to_string();
        let name = name.trim_matches('"');
        if !is_there(name) {
            let before = if missing.is_empty() { "needs " } else { " and " };
            let _ = write!(missing, "{before}{name}{whose}");
        }
    }
    if missing.is_empty() {
        return test;
    }
    let mut ignored: TokenStream = format!("#[ignore = {missing:?}]").parse().unwrap_or_default();
    ignored.extend(test);
    ignored
}
