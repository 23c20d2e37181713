//! Unpacking a download to its places.

use camino::Utf8Path;
use quakefs::rules::Host;
use quakefs::{Builder, Error, File};
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
    /// let journal = Journal::of_plan(base, &plan)?.expect("pd/progs.dat is new");
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
        let files = Builder::new().host(Host::Linux);
        let files = files.disk(self.disk()).folder(".").mount()?;
        Ok(ExtractPlan::for_folder(base, files.files().map(File::into_owned)))
    }

    /// The options for writing the plan: no file is replaced, and the files may be 100 times as large as the
    /// download, or 1 GiB.
    #[must_use]
    pub fn limits(&self) -> ExtractOptions {
        const FREE: u64 = 1 << 30;
        let most = FREE.max(self.size.saturating_mul(100));
        ExtractOptions { existing: Existing::Skip, max_output: Some(most), ..ExtractOptions::default() }
    }
}
