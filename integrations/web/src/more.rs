//! Questions whose answers need the second module: why, what a level needs, and previews.

use std::collections::HashSet;

use quakefs::findings::Severity;
use quakefs::pak_format::name::unescape;
use quakefs::rules::SubstituteKind;
use quakefs::sentences::Help as _;
use quakefs::why::{Explanation as Explained, check, explain};
use quakefs::{File, SearchPath};
use quakefs_needs::Levels;
use quakefs_preview::{Kind, Options, Palette, Pictures, Preview as Shown, preview};

use crate::answers::{Answer, Failure, QuakeFile, Question, Session, file};
use crate::rows::{json, rows};

rows! {
    /// A problem of a game.
    Finding {
        /// The kind, a word that stays the same in all versions: `gap`, `hidden-loose`. New versions may have more words.
        kind: &'static str,
        /// How severe it is.
        severity: Severity,
        /// The layer or archive with the problem.
        layer: String,
        /// The name of the file with the problem, or null.
        name: Option<String>,
        /// Where it is, in a few words, with paths from the base directory.
        place: String,
        /// The problem in a sentence.
        reason: String,
        /// What to do, or null.
        help: Option<String>,
        /// Whether the engine stops with an error because of this.
        stops: bool,
    }

    /// An overridden copy and the rule that ranks the winner above it.
    Overridden {
        /// The copy.
        file: QuakeFile,
        /// The rule.
        rule: String,
    }

    /// Which copy of a name wins and which ones it overrides, or why none is found.
    Explanation {
        /// The winner, or null.
        file: Option<QuakeFile>,
        /// The overridden copies, highest first.
        overridden: Vec<Overridden>,
        /// Why no file is found, a word that stays the same in all versions: `left-out`. New versions may have more words. Null if a file
        /// is found.
        cause: Option<&'static str>,
        /// The explanation as lines of text.
        text: String,
        /// What to do if no file is found, or null.
        help: Option<String>,
    }

    /// A file that a level needs.
    Need {
        /// The name that the engine looks up.
        name: String,
        /// The kind of file.
        kind: quakefs_needs::Kind,
        /// Whether the engine requires it.
        presence: quakefs_needs::Presence,
        /// Whether it is missing.
        missing: bool,
        /// What needs it, from the level on.
        by: String,
    }

    /// The files that a level needs.
    Needs {
        /// The files, each once, missing files first.
        asked: Vec<Need>,
        /// Problems that make the answer incomplete.
        troubles: Vec<String>,
    }

    /// Bytes beside an answer.
    Bytes {
        /// The offset of the first byte.
        start: usize,
        /// The offset behind the last byte.
        end: usize,
    }

    /// A picture.
    Picture {
        /// Its name in the file; empty if the file itself is the picture.
        name: String,
        /// The stored width in pixels; null if the browser decodes the picture.
        width: Option<usize>,
        /// The stored height in pixels.
        height: Option<usize>,
        /// The media type of the data.
        media: &'static str,
        /// The picture, perhaps scaled down.
        data: Bytes,
    }

    /// Triangles of a model that share one skin.
    Surface {
        /// The index of its picture, or null.
        picture: Option<usize>,
        /// 16-bit numbers, five for each vertex: x (forward), y (left) and z (up), where the longest side of the model is 65535; then the
        /// position in the skin, to the right and down, where 4096 is the whole skin.
        vertices: Bytes,
        /// 16-bit numbers, three vertices for a triangle, clockwise seen from the front.
        triangles: Bytes,
    }

    /// What a file shows.
    Preview {
        /// `pictures`, `model`, `level`, `sound` or `text`.
        kind: &'static str,
        /// The pictures, the skins of a model or the textures of a level.
        pictures: Vec<Picture>,
        /// The triangles of a model.
        surfaces: Vec<Surface>,
        /// A text, or the title of a level.
        text: Option<String>,
    }
}

impl Finding {
    fn of(finding: &quakefs::Finding) -> Self {
        let place = &finding.location;
        Finding {
            kind: finding.kind.name(),
            severity: finding.severity,
            layer: place.layer_name().to_owned(),
            name: place.name().map(|name| name.to_string()),
            place: place.to_string(),
            reason: finding.sentence(),
            help: finding.help(None),
            stops: finding.stops_engine,
        }
    }
}

impl<R: quakefs::disk::ReadAt + 'static> Session<R> {
    /// Answers a question that needs the second module.
    #[must_use]
    pub fn explain(&self, question: &str) -> Answer {
        let mut bytes = Vec::new();
        let text = self.explain_to(&Question::new(question), &mut bytes);
        Answer { text: text.unwrap_or_else(|failure| json(&failure)), bytes }
    }

    fn explain_to(&self, question: &Question<'_>, bytes: &mut Vec<u8>) -> Result<String, Failure> {
        let quake = self.quake()?;
        let name = unescape(question.one("name"));
        Ok(match question.one("question") {
            "findings" => json(&quake.findings().map(Finding::of).collect::<Vec<_>>()),
            "check" => json(&check(quake).iter().map(Finding::of).collect::<Vec<_>>()),
            "explain" => json(&explanation(quake, &name)),
            "needs" => json(&needs(quake, &name)),
            "preview" => json(&shown(quake, &file(quake, question)?, bytes)?),
            unknown => return Err(Failure::new(format!("unknown question \"{unknown}\""))),
        })
    }
}

fn explanation(quake: &SearchPath, name: &[u8]) -> Explanation {
    let explained = explain(quake, name);
    let text = explained.to_string();
    match explained {
        Explained::Served { winner, hidden, .. } => {
            let overridden = hidden
                .iter()
                .map(|(copy, rule)| Overridden { file: QuakeFile::of(copy), rule: rule.to_string() });
            Explanation {
                file: Some(QuakeFile::of(&winner)),
                overridden: overridden.collect(),
                cause: None,
                text,
                help: None,
            }
        }
        Explained::Missing(missing) => Explanation {
            file: None,
            overridden: Vec::new(),
            cause: Some(missing.cause),
            text,
            help: missing.help(None),
        },
    }
}

/// The files that a level needs, each once, missing files first; and the problems that make the answer incomplete.
#[must_use]
pub fn asked(quake: &SearchPath, level: &[u8]) -> (Vec<quakefs_needs::Need>, Vec<String>) {
    let (mut asked, mut troubles) = (Vec::new(), Vec::new());
    for needs in Levels::new(quake).of(&[level]) {
        asked.extend(needs.asked);
        troubles.extend(needs.troubles.iter().map(ToString::to_string));
    }
    let mut seen = HashSet::new();
    asked.retain(|need| seen.insert(need.name.as_bytes().to_vec()));
    asked.sort_by_key(|need| !need.is_missing());
    (asked, troubles)
}

fn needs(quake: &SearchPath, level: &[u8]) -> Needs {
    let (rows, troubles) = asked(quake, level);
    let row = |need: &quakefs_needs::Need| Need {
        name: need.name.to_string(),
        kind: need.kind,
        presence: need.presence,
        missing: need.is_missing(),
        by: need.chain(),
    };
    Needs { asked: rows.iter().map(row).collect(), troubles }
}

/// The largest file that is read for a preview.
const LARGEST: u64 = 64 << 20;

fn shown(quake: &SearchPath, file: &File<'_>, bytes: &mut Vec<u8>) -> Result<Option<Preview>, Failure> {
    let Some(kind) = Kind::of(file.name().as_bytes()) else { return Ok(None) };
    let mut put = |part: &[u8]| {
        // 16-bit numbers are read in place
        bytes.resize(bytes.len().next_multiple_of(2), 0);
        bytes.extend(part);
        Bytes { start: bytes.len() - part.len(), end: bytes.len() }
    };
    let palette = palette(quake);
    let mut preview = Preview { kind: "pictures", pictures: Vec::new(), surfaces: Vec::new(), text: None };
    match preview.add(read(file, kind, &palette)?, &mut put) {
        Some(Shown::Model(model)) => {
            preview.kind = "model";
            preview.add_pictures(model.skins, &mut put);
            let own = (!preview.pictures.is_empty()).then_some(0);
            for surface in model.shape.map_err(|error| Failure::new(error.to_string()))? {
                let mut picture = own.filter(|_| surface.picture.is_empty());
                if let Some((skin, kind)) = skin(quake, &surface.picture) {
                    let before = preview.pictures.len();
                    preview.add(read(&skin, kind, &palette)?, &mut put);
                    picture = (preview.pictures.len() > before).then_some(before);
                }
                preview.surfaces.push(Surface {
                    picture,
                    vertices: put(&bytes_of(surface.vertices.as_flattened())),
                    triangles: put(&bytes_of(surface.triangles.as_flattened())),
                });
            }
        }
        Some(Shown::Level(level)) => {
            (preview.kind, preview.text) = ("level", level.title);
            preview.add_pictures(level.textures, &mut put);
        }
        Some(Shown::Text { text, .. }) => (preview.kind, preview.text) = ("text", Some(text)),
        Some(_) => preview.kind = "sound",
        None => {}
    }
    Ok(Some(preview))
}

fn bytes_of(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

impl Preview {
    /// Adds pictures, and returns everything else.
    fn add(&mut self, read: Read, put: &mut impl FnMut(&[u8]) -> Bytes) -> Option<Shown> {
        match read {
            Read::Encoded(media, data) => {
                let data = put(&data);
                self.pictures.push(Picture { name: String::new(), width: None, height: None, media, data });
            }
            Read::Decoded(Shown::Pictures(pictures)) => self.add_pictures(pictures, put),
            Read::Decoded(shown) => return Some(shown),
        }
        None
    }

    fn add_pictures(&mut self, pictures: Pictures, put: &mut impl FnMut(&[u8]) -> Bytes) {
        for picture in pictures.shown {
            let Ok((media, data)) = picture.image.encode() else { continue };
            self.pictures.push(Picture {
                name: quakefs_preview::readable(&picture.name),
                width: Some(picture.width as usize),
                height: Some(picture.height as usize),
                media,
                data: put(&data),
            });
        }
    }
}

/// A decoded file, or a picture that the browser decodes.
enum Read {
    Decoded(Shown),
    Encoded(&'static str, quakefs::FileData),
}

fn read(file: &File<'_>, kind: Kind, palette: &Palette) -> Result<Read, Failure> {
    if file.size() > LARGEST {
        return Err(Failure::new(format!("{}: it has more than {LARGEST} bytes", file.name())));
    }
    let bytes = file.read().map_err(|error| Failure::of(&error))?;
    match kind {
        Kind::Png => return Ok(Read::Encoded("image/png", bytes)),
        Kind::Jpeg => return Ok(Read::Encoded("image/jpeg", bytes)),
        _ => {}
    }
    let mut options = Options::new(palette);
    (options.side, options.pictures, options.shape) = (1024, 4096, 8192);
    let made = preview(kind, &bytes, &options);
    made.map(Read::Decoded).map_err(|error| Failure::new(format!("{}: {error}", file.name())))
}

/// The file that the engine loads as a skin that a model names.
fn skin<'q>(quake: &'q SearchPath, name: &[u8]) -> Option<(File<'q>, Kind)> {
    let skins = quake.substitutes(SubstituteKind::Skin, name, None);
    let first = skins.and_then(|files| files.into_iter().flat_map(|file| file.copies).next());
    let file = first.map(|copy| copy.hit).or_else(|| quake.find(name))?;
    let kind = Kind::of(file.name().as_bytes())?;
    matches!(kind, Kind::Lump | Kind::Wal | Kind::Pcx | Kind::Tga | Kind::Png | Kind::Jpeg)
        .then_some((file, kind))
}

/// The palette of the game, or grey.
fn palette(quake: &SearchPath) -> Palette {
    let read = |name| quake.read(name).ok();
    let lump = read("gfx/palette.lmp").and_then(|bytes| Palette::from_lump(&bytes));
    lump.or_else(|| Palette::from_pcx(&read("pics/colormap.pcx")?)).unwrap_or_else(Palette::grey)
}
