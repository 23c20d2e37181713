//! The page in headless Chromium, with its data and with dropped files, and the npm package.

/// The tests of a file with their names.
macro_rules! tests {
    ($($test:ident),+ $(,)?) => {
        pub(crate) const TESTS: &[(&str, fn())] = &[$((stringify!($test), $test)),+];
    };
}

mod alone;
mod dropped;
mod kept;
mod report;
mod web;

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Completion, Trial};
use quakefs_browser::{Page, axe, browse};

fn main() -> ExitCode {
    let missing = ["chromium", "chromedriver"].into_iter().find(|program| !is_installed(program));
    let missing = missing.map(|program| format!("{program} is not installed"));
    let no_target = missing.clone().or_else(|| {
        let mut has = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/target"));
        let has = has.args(["has", "wasm32-unknown-unknown"]).status().is_ok_and(|status| status.success());
        (!has).then(|| "there is no standard library for wasm32-unknown-unknown".to_owned())
    });
    let trial = |&(name, test): &(&str, fn()), missing: Option<String>| {
        Trial::ignorable_test(name, move || {
            if let Some(missing) = missing {
                return Ok(Completion::ignored_with(missing));
            }
            test();
            Ok(Completion::Completed)
        })
    };
    let of_report = report::TESTS.iter().map(|test| trial(test, missing.clone()));
    let of_dropped = alone::TESTS.iter().chain(dropped::TESTS).chain(kept::TESTS);
    let of_dropped = of_dropped.map(|test| trial(test, no_target.clone()));
    let no_node =
        no_target.clone().or_else(|| (!is_installed("node")).then(|| "node is not installed".to_owned()));
    let of_web = web::TESTS.iter().map(|test| trial(test, no_node.clone()));
    let no_three = no_node.clone().or_else(web::no_three);
    let of_three = web::TESTS_WITH_THREE.iter().map(|test| trial(test, no_three.clone()));
    let no_axe = missing.clone().or_else(|| {
        let none = axe().is_none();
        none.then(|| "axe is not installed: the registry of npm is not reached".to_owned())
    });
    let of_axe = report::TESTS_WITH_AXE.iter().map(|test| trial(test, no_axe.clone()));
    let all = of_report.chain(of_dropped).chain(of_web).chain(of_three).chain(of_axe).collect();
    libtest_mimic::run(&Arguments::from_args(), all).exit_code()
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Opens a page. The browser logs no errors and axe finds nothing, before or after the work.
fn open(file: &Path, work: impl AsyncFnOnce(&Page)) {
    browse(file, async |page| {
        assert_eq!(page.complaints().await, Vec::<String>::new());
        no_barriers(page).await;
        work(page).await;
        no_barriers(page).await;
        assert_eq!(page.complaints().await, Vec::<String>::new());
    });
}

/// Axe finds nothing in the page as it is now, in light and in dark colours.
async fn no_barriers(page: &Page) {
    // light is as before
    for dark in [true, false] {
        page.dark(dark).await;
        assert_eq!(page.barriers().await, Vec::<String>::new(), "dark: {dark}");
    }
}
