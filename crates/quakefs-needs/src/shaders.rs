//! Shaders of Quake III, and their images.

use std::collections::{HashMap, HashSet};

use quake_content::shader::{self, Shader};
use quakefs::pak_format::EntryNameBuf;
use quakefs::rules::SubstituteKind;

use crate::gathered::{Gathered, any_of};
use crate::need::{By, Kind, Need};
use crate::substitutes;

/// The sides of a sky box.
const SIDES: [&str; 6] = ["rt", "bk", "lf", "ft", "up", "dn"];

/// Separates the name of a sky box from the side.
const JOINED: &str = "_";

/// Adds the images of shaders, and one image for each name without a shader.
pub(crate) fn gather(gathered: &mut Gathered<'_>, names: &[&[u8]]) {
    let mut wanted: HashMap<Vec<u8>, &[u8]> =
        names.iter().map(|name| (folded(name), *name)).filter(|(folded, _)| !folded.is_empty()).collect();
    for (name, script) in gathered.contents.scripts(gathered.search_path) {
        match script {
            Ok(bytes) if gathered.can_work(bytes.len()) => {
                for shader in shader::parse(bytes) {
                    if wanted.remove(&folded(shader.name)).is_some() {
                        add_images(gathered, name, &shader);
                    }
                }
            }
            Ok(_) => return,
            Err(reason) => gathered.unreadable(name, reason),
        }
    }
    let mut rest: Vec<&[u8]> = wanted.into_values().collect();
    rest.sort_unstable();
    for name in rest {
        add_image(gathered, name, gathered.by([By::Shader(name.into())]));
    }
}

fn add_images(gathered: &mut Gathered<'_>, script: &[u8], shader: &Shader<'_>) {
    let mut seen = HashSet::new();
    for image in shader.images.iter().filter(|image| seen.insert(image.name)) {
        let by = gathered.by([By::Shader(shader.name.into()), By::File(script.into()), By::Line(image.line)]);
        if !image.is_sky_box {
            add_image(gathered, image.name, by);
            continue;
        }
        let sky = (SubstituteKind::Sky, image.name);
        if !gathered.dialect.images.is_empty() && image.name.contains(&b'/') {
            for need in substitutes::needs(gathered, sky, None, Kind::Image, &by) {
                gathered.add(need);
            }
            continue;
        }
        // `full` and other words without a folder name no box; such a sky has only clouds
        for side in SIDES.iter().filter(|_| image.name.contains(&b'/')) {
            let name = [image.name, JOINED.as_bytes(), side.as_bytes()].concat();
            add_image(gathered, &name, by.clone());
        }
    }
}

/// An image. The engine tries the given extension first, then others (`R_LoadImage`).
fn add_image(gathered: &mut Gathered<'_>, name: &[u8], by: Vec<By>) {
    let need = if gathered.dialect.images.is_empty() {
        let texture = (SubstituteKind::Texture, name);
        substitutes::needs(gathered, texture, None, Kind::Image, &by).into_iter().next()
    } else {
        any_of(images(gathered, name), Kind::Image, by.clone())
    };
    let need = need.map(|need| need.called(name, gathered.search_path));
    gathered.add(need.unwrap_or_else(|| Need::new(name, Kind::Image, by)));
}

/// The files for an image in an engine with a table of its own: first the existing ones.
fn images(gathered: &Gathered<'_>, name: &[u8]) -> Vec<EntryNameBuf> {
    let stem = without_extension(name);
    let folder = stem.split(|byte| *byte == b'/').next().filter(|folder| folder.len() < stem.len());
    let is = |row: &str| {
        row.is_empty() || folder.is_some_and(|folder| folder.eq_ignore_ascii_case(row.as_bytes()))
    };
    let row = gathered.dialect.images.iter().find(|(row, _)| is(row));
    let files = row.into_iter().flat_map(|(_, files)| *files);
    let mut names: Vec<EntryNameBuf> =
        files.map(|(before, after)| [before.as_bytes(), stem, after.as_bytes()].concat().into()).collect();
    names.sort_by_key(|name| gathered.search_path.find(name).is_none());
    names
}

fn without_extension(name: &[u8]) -> &[u8] {
    let dot =
        name.iter().rposition(|byte| matches!(byte, b'.' | b'/')).filter(|at| name.get(*at) == Some(&b'.'));
    dot.and_then(|dot| name.get(..dot)).unwrap_or(name)
}

/// The name of a shader as engines compare it: without extension, in lower case, with `/`.
fn folded(name: &[u8]) -> Vec<u8> {
    let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() };
    let name: Vec<u8> = name.iter().map(slash).collect();
    without_extension(&name).to_vec()
}
