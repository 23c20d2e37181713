//! Tracks of music: names that stand for numbers, and folders beside the search path.

use pak_format::EntryNameBuf;

use super::lookup::Core;
use super::substitutes::{SubstituteCopy, Substitution};
use super::surface::SearchPath;
use crate::rules::{MusicFolders, Substitute};

impl SearchPath {
    /// The name of a track by its number, if numbers stand for names.
    pub(super) fn name_of_track(&self, rule: &Substitute, number: u8) -> Option<Vec<u8>> {
        let place = usize::from(number.checked_sub(1)?);
        let text = (!rule.numbered_in.is_empty()).then(|| self.read(&*rule.numbered_in).ok()).flatten();
        let name = match &text {
            Some(text) => {
                let line = text.split(|byte| *byte == b'\n').nth(place)?.trim_ascii();
                let name =
                    line.split(|byte| matches!(byte, b'"' | b' ' | b'\t')).find(|word| !word.is_empty())?;
                match name.strip_prefix(b"/") {
                    Some(below_game) => below_game.to_vec(),
                    None => [b"media/", name].concat(),
                }
            }
            None => rule.numbered.get(place)?.as_bytes().to_vec(),
        };
        (!name.is_empty() && name != b"media/blank").then_some(name)
    }

    /// A track from the folders beside the search path.
    pub(super) fn track(&self, folders: &MusicFolders, rule: &Substitute, name: &[u8]) -> Substitution<'_> {
        let game = self.0.mounted.builder.asked_game();
        let game = game.map_or(&*folders.game, |game| game.trim_end_matches('/'));
        let number = Substitute::number(name).map(u32::from);
        let names_of = |pattern: usize, number: Option<u32>| {
            let is_renumbered = folders.probes.get(pattern).is_none_or(|probe| probe.renumbered);
            let number =
                number.map(|number| if is_renumbered { folders.track(game, number) } else { number });
            let name = number.map_or_else(|| name.to_vec(), |number| number.to_string().into_bytes());
            rule.names_for(&name, None, "").into_iter().nth(pattern).unwrap_or_default()
        };
        let names: Vec<_> = (0..rule.names.len()).map(|pattern| names_of(pattern, number)).collect();
        let copy = self.music().and_then(|music| {
            // highest first
            let layers = 0..music.layers.0.len();
            if number.is_none() || folders.probes.is_empty() {
                let in_any =
                    |names: &Vec<Vec<u8>>| layers.clone().find_map(|layer| track_in(music, layer, names));
                return names.iter().find_map(in_any);
            }
            for layer in layers {
                for (pattern, (names, probe)) in names.iter().zip(&*folders.probes).enumerate() {
                    if track_in(music, layer, &names_of(pattern, Some(probe.track))).is_some() {
                        return track_in(music, layer, names);
                    }
                }
            }
            None
        });
        let tried = names.into_iter().flatten().map(EntryNameBuf::from).collect();
        Substitution { tried, copies: copy.into_iter().collect(), ..Substitution::default() }
    }
}

/// The first of these names that a folder has.
fn track_in<'a>(music: &'a Core, layer: usize, names: &[Vec<u8>]) -> Option<SubstituteCopy<'a>> {
    names.iter().find_map(|name| {
        let found = music.locate_all(music.listing.as_ref(), name);
        let mut files = found.into_iter().filter_map(|found| music.file(found, name));
        let file = files.find(|file| file.layer().index() == layer)?;
        Some(SubstituteCopy { name: name.clone().into(), file })
    })
}
