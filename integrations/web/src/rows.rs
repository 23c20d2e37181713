//! The answers as rows. `types.d.ts` declares them for TypeScript.

use quakefs::sentences::Help as _;
use serde::{Serialize, Serializer};

/// A copy of a file in a layer.
#[derive(Debug, Serialize)]
pub struct QuakeFile {
    /// The name that finds the file. A byte that is not UTF-8 is `\xNN`.
    pub name: String,
    /// The name of the layer that has it, such as `id1/pak0.pak`.
    pub layer: String,
    /// The index of the layer, 0 for the highest.
    pub index: usize,
    /// The number of the entry in the archive; null for a loose file.
    pub entry: Option<usize>,
    /// The size of the content in bytes.
    pub size: u64,
}

/// A layer of the search path: an archive, or the loose files of a game directory.
#[derive(Debug, Serialize)]
pub struct Layer {
    /// Its name: the path from the base directory, with `/` at the end for loose files. Without a base directory, the path of the source.
    pub name: String,
    /// `pak`, `zip` or another kind of archive; `dir` for loose files.
    pub kind: &'static str,
    /// The number of entries; null for loose files.
    pub entries: Option<usize>,
}

/// A mounted game.
#[derive(Debug, Serialize)]
pub struct Mounted {
    /// The engine's name.
    pub engine: &'static str,
    /// The folder of the sources that contains the game directories; empty for the top, null if only archives are mounted.
    pub base: Option<String>,
    /// The layers, highest first.
    pub layers: Vec<Layer>,
}

/// Where the plain bytes of a file are.
#[derive(Debug, Serialize)]
pub struct Extent {
    /// The path of the source.
    pub path: String,
    /// The offset of the first byte.
    pub start: u64,
    /// The offset behind the last byte.
    pub end: u64,
}

/// Why there is no answer.
#[derive(Debug, Serialize)]
pub struct Failure {
    /// The reason.
    pub error: String,
    /// What to do; empty if nothing is known.
    pub help: String,
}

/// A problem of a game.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The kind, a word that stays the same in all versions: `gap`, `hidden-loose`. New versions may have more words.
    pub kind: &'static str,
    /// How severe it is.
    pub severity: &'static str,
    /// The layer or archive with the problem.
    pub layer: String,
    /// The name of the file with the problem, or null.
    pub name: Option<String>,
    /// Where it is, in a few words, with paths from the base directory.
    pub place: String,
    /// The problem in a sentence.
    pub reason: String,
    /// What to do, or null.
    pub help: Option<String>,
    /// Whether the engine stops with an error because of this.
    pub stops: bool,
}

/// An overridden copy and the rule that ranks the winner above it.
#[derive(Debug, Serialize)]
pub struct Overridden {
    /// The copy.
    pub file: QuakeFile,
    /// The rule.
    pub rule: String,
}

/// Which copy of a name wins and which ones it overrides, or why none is found.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// The winner, or null.
    pub file: Option<QuakeFile>,
    /// The overridden copies, highest first.
    pub overridden: Vec<Overridden>,
    /// Why no file is found, a word that stays the same in all versions: `left-out`. New versions may have more words. Null if a file is found.
    pub cause: Option<&'static str>,
    /// The explanation as lines of text.
    pub text: String,
    /// What to do if no file is found, or null.
    pub help: Option<String>,
}

/// A file that a level needs.
#[derive(Debug, Serialize)]
pub struct Need {
    /// The name that the engine looks up.
    pub name: String,
    /// The kind of file.
    pub kind: &'static str,
    /// Whether the engine requires it.
    pub presence: &'static str,
    /// Whether it is missing.
    pub missing: bool,
    /// What needs it, from the level on.
    pub by: String,
}

/// The files that a level needs.
#[derive(Debug, Serialize)]
pub struct Needs {
    /// The files, each once, missing files first.
    pub asked: Vec<Need>,
    /// Problems that make the answer incomplete.
    pub troubles: Vec<String>,
}

/// A picture.
#[derive(Debug, Serialize)]
pub struct Picture {
    /// Its name in the file; empty if the file itself is the picture.
    pub name: String,
    /// The stored width in pixels; null if the browser decodes the picture.
    pub width: Option<u32>,
    /// The stored height in pixels.
    pub height: Option<u32>,
    /// The media type of the data.
    pub media: &'static str,
    /// The picture, perhaps scaled down.
    #[serde(serialize_with = "bytes")]
    pub data: Vec<u8>,
}

/// Triangles of a model that share one skin.
#[derive(Debug, Serialize)]
pub struct Surface {
    /// The index of its picture, or null.
    pub picture: Option<usize>,
    /// 16-bit numbers, five for each vertex: x (forward), y (left) and z (up), where the longest side of the model is 65535; then the
    /// position in the skin, to the right and down, where 4096 is the whole skin.
    #[serde(serialize_with = "numbers")]
    pub vertices: Vec<u16>,
    /// 16-bit numbers, three vertices for a triangle, clockwise seen from the front.
    #[serde(serialize_with = "numbers")]
    pub triangles: Vec<u16>,
}

/// What a file shows.
#[derive(Debug, Serialize)]
pub struct Preview {
    /// `pictures`, `model`, `level`, `sound` or `text`.
    pub kind: &'static str,
    /// The pictures, the skins of a model or the textures of a level.
    pub pictures: Vec<Picture>,
    /// The triangles of a model.
    pub surfaces: Vec<Surface>,
    /// A text, or the title of a level.
    pub text: Option<String>,
}

fn bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

fn numbers<S: Serializer>(numbers: &[u16], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    serializer.serialize_bytes(&bytes)
}

impl From<quakefs::File<'_>> for QuakeFile {
    fn from(file: quakefs::File<'_>) -> Self {
        QuakeFile {
            name: file.name().to_string(),
            layer: file.layer().name().to_owned(),
            index: file.layer().index(),
            entry: file.entry(),
            size: file.size(),
        }
    }
}

impl From<&quakefs::Layer> for Layer {
    fn from(layer: &quakefs::Layer) -> Self {
        Layer {
            name: layer.name().to_owned(),
            kind: layer.kind().name(),
            entries: layer.archive().map(|archive| archive.entries().len()),
        }
    }
}

impl From<quakefs::search_path::Extent> for Extent {
    fn from(extent: quakefs::search_path::Extent) -> Self {
        Extent { path: extent.path.into(), start: extent.range.start, end: extent.range.end }
    }
}

impl From<&quakefs::Finding> for Finding {
    fn from(finding: &quakefs::Finding) -> Self {
        let place = &finding.location;
        Finding {
            kind: finding.kind.name(),
            severity: finding.severity.name(),
            layer: place.layer_name().to_owned(),
            name: place.name().map(|name| name.to_string()),
            place: place.to_string(),
            reason: finding.sentence(),
            help: finding.help(None),
            stops: finding.stops_engine,
        }
    }
}

impl From<quakefs::why::Explanation<'_>> for Explanation {
    fn from(explained: quakefs::why::Explanation<'_>) -> Self {
        let text = explained.to_string();
        match explained {
            quakefs::why::Explanation::Served { winner, hidden, .. } => {
                let overridden = hidden
                    .into_iter()
                    .map(|(copy, rule)| Overridden { file: copy.into(), rule: rule.to_string() });
                let overridden = overridden.collect();
                Explanation { file: Some(winner.into()), overridden, cause: None, text, help: None }
            }
            quakefs::why::Explanation::Missing(missing) => {
                let help = missing.help(None);
                Explanation { file: None, overridden: Vec::new(), cause: Some(missing.cause), text, help }
            }
        }
    }
}

impl From<&quakefs_needs::Need> for Need {
    fn from(need: &quakefs_needs::Need) -> Self {
        Need {
            name: need.name.to_string(),
            kind: need.kind.name(),
            presence: need.presence.name(),
            missing: need.is_missing(),
            by: need.chain(),
        }
    }
}

impl Failure {
    /// A failure without advice.
    pub fn new(error: impl Into<String>) -> Self {
        Failure { error: error.into(), help: String::new() }
    }
}
