//! A layout: folders of archives and loose files whose content says where they are, and how an engine was started.

use std::fmt;
use std::fs;

use camino::Utf8Path;
use quakefs::{Access, Engine, LooseFiles, SearchPath};
use serde::Deserialize;
use testutils::{pack, zip_deflated};

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Layout {
    /// With their dash: `-hipnotic`.
    pub(crate) flags: Vec<String>,
    pub(crate) games: Vec<String>,
    pub(crate) tree: Vec<Folder>,
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
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Archive {
    pub(crate) file: String,
    pub(crate) entries: Vec<String>,
}

/// A file that an engine does not start without, and its content.
pub(crate) type StartUp = (&'static str, Vec<u8>);

impl Layout {
    /// Writes it below a base directory. `start_up` goes to the end of `id1/pak0.pak`, if there is one.
    pub(crate) fn lay_out(&self, base: &Utf8Path, start_up: &[StartUp]) {
        lay_out(&self.tree, base, "", start_up);
    }

    /// Writes what is in the user directory.
    pub(crate) fn lay_out_user(&self, user: &Utf8Path) {
        lay_out(&self.user, user, IN_USER, &[]);
    }

    /// Both ways to look a name up, as quakefs mounts what was laid out.
    pub(crate) fn mount(
        &self,
        base: &Utf8Path,
        user: Option<&Utf8Path>,
        engine: Engine,
    ) -> [(&'static str, SearchPath); 2] {
        let mount = |loose, access| {
            let mut builder = SearchPath::builder(base).engine(engine).loose_files(loose).access(access);
            if let Some(user) = user {
                builder = builder.user_directory(user);
            }
            for flag in &self.flags {
                builder = builder.mission(flag.trim_start_matches('-'));
            }
            for game in &self.games {
                builder = builder.game(game);
            }
            builder.mount().unwrap()
        };
        [("live", mount(LooseFiles::Live, Access::Map)), ("listed", mount(LooseFiles::Listed, Access::Read))]
    }
}

/// Where a copy in the user directory is, as its content says.
pub(crate) const IN_USER: &str = "user/";

fn lay_out(tree: &[Folder], root: &Utf8Path, place: &str, start_up: &[StartUp]) {
    for Folder { dir, archives, loose } in tree {
        fs::create_dir_all(root.join(dir)).unwrap();
        for Archive { file, entries } in archives {
            let contents = (0..).map(|entry| format!("echo @@{place}{dir}/{file}:{entry}\n").into_bytes());
            let mut files: Vec<_> = entries.iter().map(String::as_str).zip(contents).collect();
            if dir == "id1" && file == "pak0.pak" {
                files.extend(start_up.iter().cloned());
            }
            let bytes =
                if is_pak(file) { pack(pak_format::Layout::Quake, files) } else { zip_deflated(files) };
            fs::write(root.join(dir).join(file), bytes).unwrap();
        }
        for name in loose {
            let path = root.join(dir).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("echo @@{place}{dir}/{name}\n")).unwrap();
        }
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
        for (place, Folder { dir, archives, loose }) in
            tree.chain(self.user.iter().map(|folder| (IN_USER, folder)))
        {
            writeln!(f, "{place}{dir}/")?;
            for Archive { file, entries } in archives {
                writeln!(f, "    {file} holds {}", list(entries))?;
            }
            if !loose.is_empty() {
                writeln!(f, "    loose: {}", list(loose))?;
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

/// The copy that quakefs serves, as the recordings name it, by its bytes. DarkPlaces does not say which
/// entry of an archive it serves.
pub(crate) fn served(search_path: &SearchPath, engine: Engine, name: &str) -> Option<String> {
    let bytes = search_path.read(name).ok()?;
    let text = std::str::from_utf8(&bytes).unwrap();
    let copy = text.trim_end().trim_start_matches("echo @@");
    let entry_told = engine != Engine::DarkPlaces;
    Some(if entry_told { copy } else { copy.split(':').next().unwrap() }.to_owned())
}
