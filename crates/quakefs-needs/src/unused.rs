//! Files that nothing needs.

use std::collections::HashSet;

use quakefs::File;
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::spelling::Comparisons;

use crate::levels::Levels;
use crate::need::{Need, Trouble};

/// A file of the game that no level, program or engine needs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Unused<'s> {
    /// The file.
    pub file: File<'s>,
    /// A missing file with a similar name, which this file was probably meant to be.
    pub meant: Option<EntryNameBuf>,
}

/// Endings of models, sprites, sounds and levels. Engines load them only if something names them.
const NAMED: [&str; 7] = ["mdl", "md2", "md3", "spr", "sp2", "wav", "bsp"];

/// How many pairs of an unused and a missing name are compared. A game of people has far fewer.
const MOST_PAIRS: usize = 2_000_000;

impl Levels {
    /// The files of the game that nothing needs. This covers models, sprites, sounds, texture images and
    /// files beside levels, which engines load only by name. The answer needs all levels.
    ///
    /// # Errors
    /// The program cannot be read, or the game's code is native: such code may load any file. No level is
    /// read then.
    pub fn unused(&self) -> Result<Vec<Unused<'_>>, Trouble> {
        let program = self.executable().unwrap_or_else(|| Err(self.without_program()));
        let texts: Vec<&[u8]> = program.as_ref().map_err(Clone::clone)?.texts().collect();
        let (levels, needs): (HashSet<EntryNameBuf>, Vec<_>) =
            self.own_with(Some(&program)).into_iter().unzip();
        let engine = self.engine();
        let all = || needs.iter().flat_map(|needs| &needs.needed).chain(&engine);
        let names = all().flat_map(|need| std::iter::once(&need.name).chain(&need.others));
        // files that the program may load while the game runs
        let texts = texts.into_iter().filter(|text| text.contains(&b'.'));
        let texts = texts.flat_map(|text| [text.to_vec(), [b"sound/", text].concat()]);
        let asked: HashSet<Vec<u8>> =
            names.map(|name| name.as_name().as_bytes().to_vec()).chain(texts).collect();
        let place = |found: &File<'_>| (found.layer().index(), found.stored().as_bytes().to_vec());
        let served: HashSet<_> =
            asked.iter().filter_map(|name| self.search_path.find(name)).map(|found| place(&found)).collect();
        let beside = self.search_path.rules().companions.items().iter();
        let beside: Vec<&[u8]> =
            beside.flat_map(|file| &*file.names).map(|name| split(name.as_bytes()).1).collect();
        let is_unused = |found: &File<'_>| {
            let name = found.name().as_bytes().to_ascii_lowercase();
            let (stem, ending) = split(&name);
            let is_named = NAMED.iter().any(|known| known.as_bytes() == ending) || beside.contains(&ending);
            // an extra layer of a needed texture, such as `_luma`
            let plain = stem.iter().rposition(|byte| *byte == b'_').and_then(|at| stem.get(..at));
            let is_layer = plain.is_some_and(|plain| asked.contains(&[plain, b".", ending].concat()));
            let is_kind = is_named || name.starts_with(b"textures/") && !is_layer;
            is_kind && !served.contains(&place(found)) && !levels.contains(found.name().as_bytes())
        };
        let files = self.search_path.files().filter(|found| self.is_own(found.layer()) && is_unused(found));
        let missing: Vec<&Need> = all().filter(|need| need.is_missing()).collect();
        let mut left = MOST_PAIRS;
        Ok(files.map(|file| Unused { meant: meant(&file, &missing, &mut left), file }).collect())
    }
}

/// The missing file with the most similar name, while pairs of names are `left` to compare.
fn meant(file: &File<'_>, missing: &[&Need], left: &mut usize) -> Option<EntryNameBuf> {
    let name = file.name();
    let mut compared = Comparisons::default();
    let near = missing.iter().take(*left).filter_map(|need| {
        let wanted = need.name.as_name().as_bytes();
        let alike = split(wanted).1.eq_ignore_ascii_case(split(name.as_bytes()).1);
        alike.then(|| Some((compared.distance(wanted, name.as_bytes())?, &need.name))).flatten()
    });
    let meant = near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name.clone());
    *left = left.saturating_sub(missing.len());
    meant
}

/// A name and its ending, without the dot.
fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let dot =
        name.iter().rposition(|byte| matches!(byte, b'.' | b'/')).filter(|at| name.get(*at) == Some(&b'.'));
    let dot = dot.unwrap_or(name.len());
    (name.get(..dot).unwrap_or_default(), name.get(dot + 1..).unwrap_or_default())
}
