//! Unpacking a download to its places.

use std::collections::HashSet;
use std::io;

use camino::Utf8Path;
use quakefs::rules::{Host, LooseCase};
use quakefs::{Builder, Engine, Error, File};
use quakefs_extract::{Existing, ExtractOptions, ExtractPlan};

use super::placement::Placement;

impl Placement {
    /// Plans the extraction of all files to their places below a base directory.
    /// [`Journal::of_plan`](quakefs_extract::journal::Journal::of_plan) writes what an undo needs, and
    /// [`ExtractPlan::write`] the files.
    ///
    /// ```
    /// use quakefs_extract::journal::Journal;
    /// use quakefs_installed::{Download, PlaceOptions, place};
    /// # let game = testutils::game("id1/: autoexec.cfg");
    /// # let base = game.path();
    /// # let zip = testutils::zip([("pd/progs.dat", "x")]);
    /// # let download = Download::archive(&quakefs::Archive::from_data(zip.into())?, "pd.zip");
    /// let placement = place(&download, &PlaceOptions::default());
    /// let plan = placement.plan(base)?;
    /// let journal = Journal::of_plan(base, "pd.zip", &plan)?.expect("pd/progs.dat is new");
    /// plan.write(base, &placement.limits(), &())?;
    /// assert!(base.join("pd/progs.dat").exists());
    /// journal.undo(&mut |_, _| ())?;
    /// assert!(!base.join("pd").exists());
    /// # Ok::<(), quakefs::Error>(())
    /// ```
    ///
    /// # Errors
    /// The files cannot be listed.
    pub fn plan(&self, base: &Utf8Path) -> Result<ExtractPlan, Error> {
        // of an engine that lists every file
        let mut rules = Engine::default().rules().clone();
        (rules.limits.path, rules.loose.case) = (None, LooseCase::Exact);
        (rules.loose.skips_hidden, rules.loose.only_ascii) = (false, false);
        let files = Builder::new().host(Host::Linux).rules(rules);
        let files = files.disk(self.disk()).folder(".").mount()?;
        let plan = ExtractPlan::for_folder(base, files.files().map(File::into_owned));
        let without_path = plan.without_path().iter().map(|file| file.file.name().as_bytes());
        let planned: HashSet<&[u8]> =
            plan.files().iter().map(|planned| planned.path.as_bytes()).chain(without_path).collect();
        if let Some(lost) = self.files.iter().find(|file| !planned.contains(file.to.as_bytes())) {
            let no_file = io::Error::new(io::ErrorKind::InvalidFilename, "it is no file of the plan");
            return Err(Error::io(&base.join(&lost.to), "write", no_file));
        }
        Ok(plan)
    }

    /// The options for writing the plan: no file is replaced, the files may be 100 times as large as the
    /// download, or 1 GiB, and they survive a power failure.
    #[must_use]
    pub fn limits(&self) -> ExtractOptions {
        const FREE: u64 = 1 << 30;
        let most = FREE.max(self.size.saturating_mul(100));
        let (existing, max_output) = (Existing::Skip, Some(most));
        ExtractOptions { existing, max_output, durable: true, ..ExtractOptions::default() }
    }
}
