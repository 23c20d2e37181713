//! The command, running with a folder mounted.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use libtest_mimic::{Completion, Trial};
use rustix::mount::UnmountFlags;
use rustix::process::{Pid, Signal, kill_process};
use testutils::{Folder, game, interruptible};

/// A mount takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// A test with a mount. It is ignored if mounting is not possible.
pub(crate) fn trial(name: &str, check: impl FnOnce() + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match permitted() {
        Ok(()) => {
            check();
            Ok(Completion::Completed)
        }
        Err(why) => Ok(Completion::ignored_with(why)),
    })
}

/// Whether this machine lets the command mount a folder.
fn permitted() -> Result<(), String> {
    static PERMITTED: OnceLock<Result<(), String>> = OnceLock::new();
    let probe = || {
        let folder = game("id1/: a.cfg");
        Mounted::start(&folder, "", "mounted").map(Mounted::interrupt)?;
        Ok(())
    };
    PERMITTED.get_or_init(probe).clone()
}

/// The command with a folder that it has mounted. Dropping it unmounts.
pub(crate) struct Mounted {
    child: Option<Child>,
    out: BufReader<ChildStdout>,
    /// The folder.
    pub(crate) path: Utf8PathBuf,
    /// What the command printed when it had mounted.
    pub(crate) said: String,
}

/// What the command printed after it had mounted, and its exit code.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A command line of a base directory, for a user without a home folder.
pub(crate) fn quakefs(base: &Utf8Path, options: &str) -> Command {
    let mut command = interruptible(env!("CARGO_BIN_EXE_quakefs"));
    command.args(["--basedir", base.as_str()]).args(options.split_whitespace());
    command.env("HOME", "/nonexistent").stdin(Stdio::null());
    command
}

/// Unmounts a folder as its user, and returns whether that worked.
pub(crate) fn unmount(folder: &Utf8Path) -> bool {
    if rustix::process::getuid().is_root() {
        return rustix::mount::unmount(folder.as_std_path(), UnmountFlags::DETACH).is_ok();
    }
    Command::new("fusermount3").args(["-u", "-z"]).arg(folder).status().is_ok_and(|status| status.success())
}

impl Mounted {
    /// Mounts a base directory, under options of the game and then of the mount.
    pub(crate) fn new(base: &Folder, options: &str) -> Mounted {
        Mounted::start(base, options, "mounted").unwrap()
    }

    /// Mounts at another place below the base directory. Fails with the command's message.
    pub(crate) fn start(base: &Folder, options: &str, place: &str) -> Result<Mounted, String> {
        let path = base.join(place);
        let (game, mount) =
            options.split_once("--layers").map_or((options, ""), |(game, _)| (game, "--layers"));
        let mut command = quakefs(base.path(), game);
        command.arg("mount").args(mount.split_whitespace()).arg(&path);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        out.read_line(&mut said).unwrap();
        if said.is_empty() {
            let mut err = String::new();
            child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
            child.wait().unwrap();
            return Err(err);
        }
        Ok(Mounted { child: Some(child), out, path, said })
    }

    pub(crate) fn interrupt(self) -> Ended {
        self.end_by(|pid, _| kill_process(pid, Signal::INT).unwrap())
    }

    /// Waits for the end of the command after something that ends it.
    pub(crate) fn end_by(mut self, end: impl FnOnce(Pid, &Utf8Path)) -> Ended {
        let mut child = self.child.take().unwrap();
        end(Pid::from_child(&child), &self.path);
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "the command goes on");
            thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        Ended { status: child.wait().unwrap(), out, err }
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        let _ = kill_process(Pid::from_child(&child), Signal::INT);
        let start = Instant::now();
        while start.elapsed() < PATIENCE && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let _ = child.wait();
        // after a failure nothing may stay mounted
        unmount(&self.path);
    }
}
