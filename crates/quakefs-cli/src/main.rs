//! Starts [`quakefs_cli::run`] on the real terminal.

use std::io::{BufWriter, IsTerminal, Write as _, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use quakefs_cli::{Console, complete, run};
use signal_hook::consts::{SIGINT, SIGTERM};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

/// Whether a caught interrupt still ends the process, because the current work does not check the flag.
static UNCAUGHT: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Makes an interrupt set a flag instead of ending the process. A second one ends it.
fn interrupts() -> &'static AtomicBool {
    static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let signals = || SIGNALS.into_iter().filter(|signal| !is_ignored(*signal));
        let later = later(signals(), &flag);
        for signal in signals() {
            // a signal that cannot be caught still ends the process
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 2, Arc::clone(&later))
                .and_then(|_| signal_hook::flag::register_conditional_default(signal, Arc::clone(&UNCAUGHT)))
                .and_then(|_| signal_hook::flag::register(signal, Arc::clone(&flag)));
        }
        flag
    });
    UNCAUGHT.store(false, Ordering::Relaxed);
    &INTERRUPTED
}

/// A flag that is set half a second after the first signal: `timeout` sends its signal twice, to the command
/// and to its group.
#[cfg(unix)]
fn later(signals: impl Iterator<Item = i32>, at_once: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return Arc::clone(at_once) };
    let later = Arc::new(AtomicBool::new(false));
    let waiting = std::thread::Builder::new().spawn({
        let later = Arc::clone(&later);
        move || {
            if signals.forever().next().is_some() {
                std::thread::sleep(std::time::Duration::from_millis(500));
                later.store(true, Ordering::Relaxed);
            }
        }
    });
    // the system may refuse a thread
    waiting.map_or_else(|_| Arc::clone(at_once), |_| later)
}

#[cfg(not(unix))]
fn later(_: impl Iterator<Item = i32>, at_once: &Arc<AtomicBool>) -> Arc<AtomicBool> {
    Arc::clone(at_once)
}

/// Lets an interrupt end the process again.
fn uncaught() {
    UNCAUGHT.store(true, Ordering::Relaxed);
}

#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Whether the parent process made the command ignore a signal, as `nohup` does.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Turns an exceeded file size limit into a write error, which removes the temporary file, instead of killing
/// the process.
fn survive_file_limits() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Prints what the libraries trace, from this level up, to stderr. Returns false if there is no such level.
fn log(level: &str) -> bool {
    let Ok(level) = level.parse::<LevelFilter>() else { return false };
    let log =
        tracing_subscriber::fmt().with_max_level(level).with_timer(()).with_target(false).with_ansi(false);
    log.with_span_events(FmtSpan::CLOSE).with_writer(stderr).init();
    true
}

/// The file of the user's configuration, where the system's programs have theirs.
#[expect(clippy::disallowed_methods, reason = "`main` reads the environment")]
fn configuration(home: Option<&Path>) -> Option<PathBuf> {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        home.map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")))
    };
    Some(folder?.join("quakefs").join("config.toml"))
}

/// The width of the terminal.
fn columns() -> usize {
    terminal_size::terminal_size_of(stdout()).map_or(80, |(width, _)| usize::from(width.0))
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the arguments and the environment")]
fn main() -> ExitCode {
    survive_file_limits();
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    // a dumb terminal cannot draw over a line
    let draws = variable("TERM").is_none_or(|term| term != "dumb");
    let colour = draws && variable("NO_COLOR").is_none();
    let mut out = BufWriter::with_capacity(1 << 16, stdout().lock());
    let mut err = stderr();
    let mut console = Console::plain(&mut out, &mut err);
    console.colour_out = colour && stdout().is_terminal();
    console.colour_err = colour && stderr().is_terminal();
    console.progress = draws && stderr().is_terminal();
    console.interrupts = interrupts;
    console.uncaught = uncaught;
    if stdout().is_terminal() {
        console.columns = Some(columns());
    }
    console.environment.home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    console.environment.folder = variable("PWD").map(PathBuf::from).or_else(|| std::env::current_dir().ok());
    console.environment.base_directory = variable("QUAKEFS_BASEDIR");
    console.environment.engine = variable("QUAKEFS_ENGINE");
    console.environment.configuration = configuration(console.environment.home.as_deref());
    console.environment.editor = variable("VISUAL").or_else(|| variable("EDITOR"));
    console.environment.temporary = Some(std::env::temp_dir());
    console.environment.programs =
        variable("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    console.environment.system = Some(if cfg!(windows) { r"C:\" } else { "/" }.into());
    if variable("COMPLETE").is_some() {
        return complete(std::env::args_os(), &console.environment);
    }
    if let Some(level) = variable("QUAKEFS_LOG")
        && !log(&level.to_string_lossy())
    {
        let _ = writeln!(stderr(), "warning: QUAKEFS_LOG: expected error, warn, info, debug or trace");
    }
    let exit = run(std::env::args_os(), &mut console);
    drop(console);
    if has_own_window() {
        let _ = write!(out, "\nPress Enter to close this window. ").and_then(|()| out.flush());
        let _ = std::io::stdin().read_line(&mut String::new());
    }
    exit.into()
}

/// Whether the window closes at the end: somebody has double-clicked the program, or dropped a file on it.
#[cfg(windows)]
#[expect(unsafe_code, reason = "the standard library does not tell which programs share a window")]
fn has_own_window() -> bool {
    unsafe extern "system" {
        fn GetConsoleProcessList(list: *mut u32, count: u32) -> u32;
    }
    let mut list = [0; 2];
    // SAFETY: the list has room for two numbers
    stdout().is_terminal() && unsafe { GetConsoleProcessList(list.as_mut_ptr(), 2) } == 1
}

#[cfg(not(windows))]
fn has_own_window() -> bool {
    false
}
