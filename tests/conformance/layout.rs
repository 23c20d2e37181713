//! A layout: folders of archives and loose files whose content names their place, and the options of the
//! engine.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::sync::Arc;

use camino::Utf8Path;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use quakefs::disk::{Disk as _, MemoryDisk};
use quakefs::findings::FindingKind;
use quakefs::{Access, Builder, Engine, File, Finding, LooseFiles, SearchPath};
use serde::Deserialize;
use testutils::{pack, raw_zip};

#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Layout {
    /// With their dash: `-hipnotic`.
    pub(crate) flags: Vec<String>,
    pub(crate) games: Vec<String>,
    /// Values of `+set`. Some are folders of the layout.
    #[serde(default)]
    pub(crate) settings: BTreeMap<String, String>,
    /// Whether the folder `USER` is the user directory.
    #[serde(default, rename = "userdir")]
    pub(crate) has_user: bool,
    pub(crate) tree: Vec<Folder>,
    /// Further texts, by their paths.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    /// The folders of the user directory, if there is one.
    #[serde(skip)]
    pub(crate) user: Vec<Folder>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Folder {
    pub(crate) dir: String,
    #[serde(rename = "paks")]
    pub(crate) archives: Vec<Archive>,
    pub(crate) loose: Vec<String>,
    /// Links to themselves.
    #[serde(skip)]
    pub(crate) links: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Archive {
    pub(crate) file: String,
    pub(crate) entries: Vec<String>,
    #[serde(skip)]
    pub(crate) form: Form,
}

/// The file under the name of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    #[default]
    Whole,
    /// The archive without the last bytes of its directory.
    CutOff,
    /// A text.
    WrongMagic,
    /// A PACK whose directory ends inside a row.
    PartialRow,
    /// A folder with the entries as files.
    Folder,
}

/// A file that the engine needs to start, and its content.
pub(crate) type StartUp = (&'static str, Vec<u8>);

impl Layout {
    /// Writes the layout below a base directory. The files of `start_up` become loose files of `id1`.
    pub(crate) fn lay_out(&self, base: &Utf8Path, start_up: &[StartUp]) {
        lay_out(&self.tree, base, "", &mut on_system);
        link(&self.tree, base);
        for (name, text) in &self.files {
            on_system(&base.join(name), Some(text.as_bytes()));
        }
        for (name, content) in start_up {
            on_system(&base.join("id1").join(name), Some(content));
        }
    }

    /// Writes the user directory.
    pub(crate) fn lay_out_user(&self, user: &Utf8Path) {
        lay_out(&self.user, user, IN_USER, &mut on_system);
        link(&self.user, user);
    }

    /// The same below a base directory in memory.
    pub(crate) fn in_memory(&self, base: &Utf8Path) -> Arc<MemoryDisk> {
        let disk = MemoryDisk::new();
        lay_out(&self.tree, base, "", &mut |path, content| match content {
            Some(content) => disk.insert(path, content.to_owned()).unwrap(),
            None => disk.make_folder(path.as_ref(), path.as_ref()).unwrap(),
        });
        for (name, text) in &self.files {
            disk.insert(base.join(name), text.clone()).unwrap();
        }
        Arc::new(disk)
    }

    /// The search path of the layout, with live and with listed loose files.
    pub(crate) fn mount(
        &self,
        base: &Utf8Path,
        user: Option<&Utf8Path>,
        engine: Engine,
    ) -> [(&'static str, SearchPath); 2] {
        let builder = user.into_iter().fold(SearchPath::builder(base), Builder::user_directory);
        let mount = |loose, access| self.mount_with(builder.clone().access(access), loose, engine);
        [("live", mount(LooseFiles::Live, Access::Map)), ("listed", mount(LooseFiles::Listed, Access::Read))]
    }

    /// The builder with the settings and the user directory of the layout.
    pub(crate) fn set(&self, builder: Builder, base: &Utf8Path) -> Builder {
        let value = |name: &str, value: &str| {
            if name.ends_with("path") { base.join(value).into_string() } else { value.to_owned() }
        };
        let user = self.has_user.then(|| base.join("USER"));
        let builder = user.into_iter().fold(builder, Builder::user_directory);
        let settings = self.settings.iter().map(|(name, given)| (name, value(name, given)));
        settings.fold(builder, |builder, (name, value)| builder.set(name, value))
    }

    /// With the flags and games of the layout.
    pub(crate) fn mount_with(&self, builder: Builder, loose: LooseFiles, engine: Engine) -> SearchPath {
        let flags = self.flags.iter().map(|flag| flag.trim_start_matches('-'));
        let builder = flags.fold(builder.engine(engine).loose_files(loose), Builder::mission);
        self.games.iter().fold(builder, Builder::game).mount().unwrap()
    }
}

impl Layout {
    /// The names whose winner no rule determines, as [`plain`] spells them. They are in archives whose order
    /// depends on the disk, or in rows past the end of a truncated archive, which the engine may read from
    /// old memory.
    pub(crate) fn undefined(&self, search_path: &SearchPath) -> BTreeSet<String> {
        let of_finding = |finding: &Finding| match &finding.kind {
            FindingKind::DiskOrder { other } => vec![finding.location.layer_name().to_owned(), other.clone()],
            _ => Vec::new(),
        };
        let by_disk: Vec<String> = search_path.findings().flat_map(of_finding).collect();
        let folders = || self.tree.iter().chain(&self.user);
        let cut_off =
            folders().flat_map(|folder| &folder.archives).filter(|archive| archive.form == Form::CutOff);
        let cut_rows: Vec<usize> =
            cut_off.filter_map(|archive| archive.entries.len().checked_sub(1)).collect();
        let mut names = BTreeSet::new();
        for folder in folders() {
            for Archive { file, entries, .. } in &folder.archives {
                let all = by_disk.iter().any(|archive| archive.ends_with(&format!("{}/{file}", folder.dir)));
                let rows = entries.iter().enumerate().filter(|(row, _)| all || cut_rows.contains(row));
                names.extend(rows.map(|(_, name)| plain(name)));
            }
        }
        names
    }
}

/// A name in lower case, without the parts that some engines drop.
pub(crate) fn plain(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}

/// The place of a copy in the user directory, as its content names it.
pub(crate) const IN_USER: &str = "user/";

/// Takes a folder, or a file with its content.
type Put<'p> = dyn FnMut(&Utf8Path, Option<&[u8]>) + 'p;

fn lay_out(tree: &[Folder], root: &Utf8Path, place: &str, put: &mut Put<'_>) {
    put(root, None);
    for Folder { dir, archives, loose, .. } in tree {
        let folder = root.join(dir);
        put(&folder, None);
        for archive in archives {
            archive.lay_out(&folder, &format!("{place}{dir}"), put);
        }
        for name in loose {
            put(&folder.join(name), Some(copy(&format!("{place}{dir}/{name}")).as_bytes()));
        }
    }
}

fn link(tree: &[Folder], root: &Utf8Path) {
    for Folder { dir, links, .. } in tree {
        for name in links {
            std::os::unix::fs::symlink(name, root.join(dir).join(name)).unwrap();
        }
    }
}

impl Archive {
    fn lay_out(&self, folder: &Utf8Path, place: &str, put: &mut Put<'_>) {
        let Archive { file, entries, form } = self;
        let path = folder.join(file);
        if *form == Form::Folder {
            put(&path, None);
            for name in entries {
                put(&path.join(name), Some(copy(&format!("{place}/{file}/{name}")).as_bytes()));
            }
            return;
        }
        let contents = (0..).map(|entry| copy(&format!("{place}/{file}:{entry}")));
        let files = entries.iter().map(String::as_str).zip(contents);
        let mut bytes = if is_pak(file) { pack(pak_format::Layout::Quake, files) } else { zip(files) };
        match form {
            // an engine that reads less than a header uses the old content of its memory
            Form::CutOff if !entries.is_empty() => bytes.truncate(bytes.len() - bytes.len().min(CUT)),
            Form::WrongMagic => bytes = b"echo a text with the name of an archive".to_vec(),
            Form::PartialRow if is_pak(file) => {
                let size = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) + PARTIAL;
                bytes[8..12].copy_from_slice(&size.to_le_bytes());
                bytes.extend(std::iter::repeat_n(b'x', PARTIAL as usize));
            }
            _ => {}
        }
        put(&path, Some(&bytes));
    }
}

/// A ZIP of deflated files with exactly these names.
fn zip<'n>(files: impl Iterator<Item = (&'n str, String)>) -> Vec<u8> {
    let deflated = |(name, content): (&str, String)| {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content.as_bytes()).unwrap();
        raw_zip::deflated(name, &encoder.finish().unwrap(), content)
    };
    raw_zip::zip(&files.map(deflated).collect::<Vec<_>>())
}

/// The content of a copy: its place, as one word of a console.
pub(crate) fn copy(place: &str) -> String {
    format!("echo @@{}\n", as_word(place))
}

pub(crate) fn as_word(place: &str) -> String {
    place.replace(' ', "_")
}

/// The number of bytes missing from a truncated archive: less than a row.
const CUT: usize = 40;

/// The number of bytes left of the row in which a directory ends.
const PARTIAL: u32 = 10;

fn on_system(path: &Utf8Path, content: Option<&[u8]>) {
    match content {
        Some(content) => {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        None => fs::create_dir_all(path).unwrap(),
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games.iter().map(|game| format!("-game {game}"));
        let words: Vec<_> = self.flags.iter().cloned().chain(games).collect();
        writeln!(
            f,
            "started with: {}",
            if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
        )?;
        let tree = self.tree.iter().map(|folder| ("", folder));
        for (place, Folder { dir, archives, loose, links }) in
            tree.chain(self.user.iter().map(|folder| (IN_USER, folder)))
        {
            writeln!(f, "{place}{dir}/")?;
            for Archive { file, entries, form } in archives {
                writeln!(f, "    {file} ({form:?}) holds {}", list(entries))?;
            }
            if !loose.is_empty() {
                writeln!(f, "    loose: {}", list(loose))?;
            }
            if !links.is_empty() {
                writeln!(f, "    links to themselves: {}", list(links))?;
            }
        }
        Ok(())
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

pub(crate) fn is_pak(file: &str) -> bool {
    file.to_ascii_lowercase().ends_with(".pak")
}

/// The winner according to quakefs, by its bytes.
pub(crate) fn served(search_path: &SearchPath, name: &str) -> Option<String> {
    let place = |file: Option<File<'_>>| file.map(|file| (file.location(), file.size()));
    assert_eq!(place(search_path.find(name)), place(search_path.find_open(name)), "{name}");
    let bytes = search_path.read(name).ok()?;
    let text = std::str::from_utf8(&bytes).unwrap();
    Some(text.trim_end().trim_start_matches("echo @@").to_owned())
}

/// Whether an engine loads the same copy. DarkPlaces may name the archive without the entry.
pub(crate) fn is_same(engine: Option<&str>, quakefs: Option<&str>) -> bool {
    let archive = quakefs.and_then(|copy| copy.split_once(':')).map(|(archive, _)| archive);
    engine == quakefs || (archive.is_some() && engine == archive)
}
