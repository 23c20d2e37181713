//! Texts of a game that change its search path.

use std::io;

use camino::Utf8Path;

use super::Builder;
use super::given::{CallerPath, is_folder, names_in, spelled};
use crate::disk::{Access, Disk, FileKind, open_named};
use crate::rules::{GameText, Rules, Text};

/// The settings in the text of the base directory or the game.
#[derive(Default)]
pub(super) struct TextSettings {
    /// The directories that are always searched, if the text changes them.
    pub(super) base: Option<Vec<Text>>,
    /// The text that was read, named like a layer.
    pub(super) file: Option<String>,
    /// The game directory that lacks the text it needs.
    pub(super) without: Option<String>,
}

/// Reads the text that names the game directories, if the engine uses one.
pub(super) fn read(
    disk: &dyn Disk,
    builder: &Builder,
    rules: &Rules,
    base: &CallerPath,
    always: &[Text],
) -> TextSettings {
    let (path, directories) = (&base.absolute, &rules.directories);
    match &rules.text {
        Some(GameText::Manifest { files }) if builder.line.missions.is_empty() => {
            let names = names_in(disk, path, &|_, kind| kind != FileKind::Folder);
            let file = files.iter().find(|file| names.iter().any(|name| *name == **file));
            let read = file.and_then(|file| Some((file, read_text(disk, &path.join(&**file)).ok()?)));
            let Some((file, text)) = read else { return TextSettings::default() };
            TextSettings {
                base: directories.named_by_manifest(&text),
                file: Some(file.to_string()),
                without: None,
            }
        }
        Some(GameText::GameInfo { files, base_in }) => {
            let default = directories.default_game.as_ref().or(always.last()).map_or("", |base| base);
            let asked = builder.asked_game().filter(|game| directories.takes(game));
            let asked = asked.map(|game| game.trim_end_matches('/'));
            let game = spelled(disk, path, asked.unwrap_or(default));
            let folder = path.join(&game);
            if !is_folder(disk, &folder) {
                return TextSettings::default();
            }
            let names = names_in(disk, &folder, &|_, kind| kind != FileKind::Folder);
            let is_of = |file: &str| names.iter().find(|name| name.eq_ignore_ascii_case(file));
            let found = files.iter().find_map(|file| Some((file, is_of(file)?)));
            let read =
                found.and_then(|(file, name)| Some((file, name, read_text(disk, &folder.join(name)).ok()?)));
            let Some((file, name, text)) = read else {
                return TextSettings { without: Some(format!("{game}/")), ..TextSettings::default() };
            };
            let asked = asked.map(|_| &*game);
            TextSettings {
                base: Some(directories.named_by_game_info(always, &text, file == base_in, asked)),
                file: Some(format!("{game}/{name}")),
                without: None,
            }
        }
        _ => TextSettings::default(),
    }
}

/// The most bytes of a text that are read. Every known game's text is shorter.
const LARGEST: usize = 1 << 16;

/// The beginning of a regular file.
pub(super) fn read_text(disk: &dyn Disk, path: &Utf8Path) -> io::Result<Vec<u8>> {
    let file = open_named(disk, path.as_std_path(), Access::Read)?;
    let mut text = vec![0; LARGEST.min(usize::try_from(file.stat.size).unwrap_or(LARGEST))];
    let read = file.content.as_file().fill_at(&mut text, 0)?;
    text.truncate(read);
    Ok(text)
}
