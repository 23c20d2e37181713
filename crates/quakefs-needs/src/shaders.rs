//! Shaders of Quake III, and their images.

use std::collections::{HashMap, HashSet};

use quake_content::shader::{self, Shader};
use quakefs::rules::SubstituteKind;

use crate::gathered::Gathered;
use crate::need::{By, Kind, Need};
use crate::substitutes;

/// Adds the images of shaders, and one image for each name without a shader.
pub(crate) fn gather(gathered: &mut Gathered<'_>, names: &[&[u8]], by: &[By]) {
    let mut wanted: HashMap<Vec<u8>, &[u8]> =
        names.iter().map(|name| (folded(name), *name)).filter(|(folded, _)| !folded.is_empty()).collect();
    for (name, script) in gathered.contents.scripts(gathered.search_path) {
        match script {
            Ok(bytes) if gathered.can_work(bytes.len()) => {
                for shader in shader::parse(bytes) {
                    if wanted.remove(&folded(shader.name)).is_some() {
                        let of_shader = with(by, [By::Shader(shader.name.into())]);
                        gathered.add(Need::new(&**name, Kind::File, of_shader));
                        add_images(gathered, name, &shader, by);
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
        add_image(gathered, name, with(by, [By::Shader(name.into())]));
    }
}

/// The steps to a need, and further ones.
fn with(by: &[By], further: impl IntoIterator<Item = By>) -> Vec<By> {
    by.iter().cloned().chain(further).collect()
}

fn add_images(gathered: &mut Gathered<'_>, script: &[u8], shader: &Shader<'_>, by: &[By]) {
    let mut seen = HashSet::new();
    for image in shader.images.iter().filter(|image| seen.insert(image.name)) {
        let by = with(by, [By::Shader(shader.name.into()), By::File(script.into()), By::Line(image.line)]);
        if !image.is_sky_box {
            add_image(gathered, image.name, by);
        } else if image.name.contains(&b'/') {
            // `full` and other words without a folder name no box; such a sky has only clouds
            let sky = (SubstituteKind::Sky, image.name);
            for need in substitutes::needs(gathered, sky, None, Kind::Image, &by) {
                let name = without_extension(need.name.as_bytes()).to_vec();
                gathered.add(need.called(&name, gathered.search_path));
            }
        }
    }
}

/// An image. The engine tries the given extension first, then others (`R_LoadImage`). The first need is the
/// image; others are beside it.
fn add_image(gathered: &mut Gathered<'_>, name: &[u8], by: Vec<By>) {
    let image = (SubstituteKind::Image, name);
    let need = substitutes::needs(gathered, image, None, Kind::Image, &by).into_iter().next();
    let need = need.map(|need| need.called(name, gathered.search_path));
    gathered.add(need.unwrap_or_else(|| Need::new(name, Kind::Image, by)));
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
