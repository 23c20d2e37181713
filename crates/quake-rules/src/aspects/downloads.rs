//! Names under which a server may send no file.

use super::archives::ArchiveKind;
use crate::Rules;

/// Extensions of files that engines run: programs of the game, code of the system, and configs.
///
/// Sources: ioquake3, `code/qcommon/files.c`, `FS_CheckFilenameIsMutable` (libraries, qvm, pk3); FTE,
/// `engine/client/cl_main.c`, `CL_AllowArbitaryDownload` (progs.dat, menu.dat, csprogs.dat, qwprogs.dat, qvm,
/// dll, so, dylib); WinQuake, `WinQuake/host_cmd.c`, `Host_Startdemos_f` and `WinQuake/cmd.c`, `Cmd_Exec_f`
/// (quake.rc, cfg).
const RUN: &[&str] = &["cfg", "dat", "dll", "dylib", "exe", "qvm", "rc", "so"];

impl Rules {
    /// Whether a server may not send a file of this name, because an engine would load or run it: an archive,
    /// a file in a folder that is mounted as one, a program, a config, or a text that changes the search
    /// path.
    ///
    /// ```
    /// use quake_rules::Engine;
    /// let rules = Engine::QuakeWorld.rules();
    /// assert!(!rules.refuses_download(b"maps/e2m5.bsp"));
    /// for name in ["PAK9.PAK", "textures.pk3dir/a.tga", "qwprogs.dat", "autoexec.cfg", "x.so.1"] {
    ///     assert!(rules.refuses_download(name.as_bytes()), "{name}");
    /// }
    /// ```
    #[must_use]
    pub fn refuses_download(&self, name: &[u8]) -> bool {
        let is_refused = |extension: &str| {
            RUN.iter().any(|run| run.eq_ignore_ascii_case(extension))
                || ArchiveKind::of_extension(extension).is_some()
                || self.archives.extensions().any(|known| known.eq_ignore_ascii_case(extension))
        };
        let name = String::from_utf8_lossy(name);
        name.split(['/', '\\']).any(|part| {
            part.split('.').skip(1).map(str::trim_end).any(is_refused)
                || self.text.as_ref().is_some_and(|text| text.is_read_from(part))
        })
    }
}
