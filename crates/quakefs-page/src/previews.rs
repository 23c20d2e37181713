//! The previews of a page, as many as fit.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pak_format::verify::DecodeBudget;
use quakefs::{Archive, File, FileData, SearchPath};
use quakefs_preview::{
    Budget, Class, Error, Fact, FactValue, Kind, Level, Model, Options, Outline, Palette, Picture, Pictures,
    Preview, Sound, Surface,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::json::json;

/// Previews and sounds that did not fit.
#[derive(Default, Serialize)]
pub(crate) struct Omitted {
    pub(crate) previews: usize,
    pub(crate) sounds: usize,
    /// Pictures that are grey because the game has no palette.
    pub(crate) grey: usize,
}

/// A file that gets a preview if it fits.
pub(crate) struct Wanted<'h> {
    pub(crate) file: &'h File<'h>,
    /// Whether it is shown larger, because it is beside another copy.
    pub(crate) compared: bool,
    /// Whether the winner is in the base game and not in a mod.
    pub(crate) of_base: bool,
}

/// The previews, and the number of the preview of each wanted file.
pub(crate) struct Made {
    pub(crate) previews: Previews,
    pub(crate) numbers: Vec<Option<usize>>,
    pub(crate) omitted: Omitted,
}

#[derive(Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Previews(Vec<PagePreview>);

impl Previews {
    /// The number of previews without errors.
    pub(crate) fn shown(&self) -> usize {
        self.0.iter().filter(|preview| !matches!(preview, PagePreview::Error { .. })).count()
    }

    /// The number of sounds that can be played.
    pub(crate) fn sounds(&self) -> usize {
        self.0.iter().filter(|preview| matches!(preview, PagePreview::Sound { source: Some(_), .. })).count()
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum PagePreview {
    Pictures(PagePictures),
    Model {
        pictures: PagePictures,
        frames: usize,
        /// See [`Model::corner`] and [`Model::side`].
        corner: [f32; 3],
        side: f32,
        surfaces: Vec<PageSurface>,
        /// Why `surfaces` is empty.
        why: Option<String>,
    },
    Level {
        title: Option<String>,
        entities: usize,
        uses: Vec<(&'static str, Vec<String>, usize)>,
        textures: PagePictures,
        outline: Option<PageOutline>,
        /// Why `outline` is missing.
        why: Option<String>,
    },
    Sound {
        format: &'static str,
        milliseconds: u64,
        channels: u16,
        rate: u32,
        bits: Option<u16>,
        loops: bool,
        source: Option<String>,
    },
    Text {
        text: String,
        more: u64,
    },
    Facts {
        rows: Vec<(&'static str, Value)>,
    },
    /// Why the file has no preview.
    Error {
        why: String,
    },
}

#[derive(Serialize)]
struct PagePictures {
    all: usize,
    damaged: usize,
    shown: Vec<PagePicture>,
}

#[derive(Serialize)]
struct PagePicture {
    name: String,
    width: u32,
    height: u32,
    source: String,
    /// Whether it is grey because the game has no palette.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    grey: bool,
}

/// Triangles of a model, as 16-bit numbers in base64.
#[derive(Serialize)]
struct PageSurface {
    /// The index of the picture in the pictures of the model.
    picture: Option<usize>,
    /// The name of the picture if it is another file.
    #[serde(skip)]
    name: Vec<u8>,
    /// Five numbers a vertex: see [`Surface::vertices`].
    vertices: String,
    triangles: String,
}

/// A level from above, as 16-bit numbers in base64. See [`Outline`].
#[derive(Serialize)]
struct PageOutline {
    corner: [i32; 2],
    units: [u16; 2],
    all: usize,
    lines: String,
    /// The name of each class, the number of its entities, and the positions of the first ones.
    classes: Vec<(String, usize, String)>,
}

/// The largest file that is read for a preview.
const LARGEST: u64 = 64 << 20;

/// Limits on the room, in percent. Conflicts use it up to the first limit, other previews up to the second.
/// The bytes of sounds and the remaining previews get the rest.
const COMPARED: usize = 50;
const PICTURES: usize = 65;
const ALL: usize = 100;

/// Limits of the longer side of a picture. It shrinks as more pictures share the room.
const SIDES: (u32, u32) = (48, 192);

/// Without a limit on the page: the longer side of a picture, and the most pictures of one file (enough for
/// every known texture archive).
const SHOWN: u32 = 256;
const MANY: usize = 4096;

/// The largest picture that is read for a model.
const LARGEST_SKIN: u64 = 4 << 20;

/// The longer side of a texture in an archive, which may contain thousands.
const TEXTURE_SIDE: u32 = 64;

/// The most triangles of a model, and lines of a level, in a page with its data: of a single file, and of a
/// copy in a conflict. A page with a module shows [`LARGEST_SHAPE`].
const SHAPES: (usize, usize) = (1500, 3000);
const LARGEST_SHAPE: usize = 8192;

/// A preview that takes more than this fraction of the room keeps only the first few pictures.
const PART: usize = 8;
const FEW: usize = 4;

/// The decoding steps that every game may take: eight pictures of the largest size.
const LEAST_STEPS: u64 = 8 * quakefs_preview::MAX_PIXELS;

/// The most names of one kind that a level shows.
const USES: usize = 30;

/// The bytes of a preview's number in a row, with a comma.
const NUMBER: usize = 8;

/// If fewer bytes are left than this, the room is full and no more files are read.
const FULL: usize = 1024;

/// Makes previews until the room is full, the most useful ones first. Breaks if `progress` breaks.
pub(crate) fn make(
    search_path: &SearchPath,
    wanted: &[Wanted<'_>],
    room: usize,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> ControlFlow<(), Made> {
    let palette = palette(search_path);
    let (mut compared, mut others, mut sounds) = (VecDeque::new(), VecDeque::new(), Vec::new());
    for (number, wanted) in wanted.iter().enumerate() {
        let Some(kind) = Kind::of(wanted.file.name().as_bytes()) else { continue };
        let queue = if wanted.compared { &mut compared } else { &mut others };
        queue.push_back(Waiting {
            of_base: wanted.of_base,
            is_other: kind != Kind::Level,
            size: wanted.file.size(),
            number,
            kind,
        });
        if let Kind::Wav | Kind::Ogg = kind {
            sounds.push((!wanted.compared, wanted.of_base, wanted.file.size(), number));
        }
    }
    // the mod's own files, levels, then small files, because more of these fit
    for queue in [&mut compared, &mut others] {
        queue.make_contiguous().sort_unstable_by_key(Waiting::order);
    }
    sounds.sort_unstable();
    let pictures =
        |queue: &VecDeque<Waiting>| queue.iter().filter(|waiting| has_pictures(waiting.kind)).count();
    let sides =
        (side(room / 100 * COMPARED, pictures(&compared)), side(room / 100 * PICTURES, pictures(&others)));
    let mut maker = Maker {
        search_path,
        wanted,
        sides,
        has_palette: palette.is_some(),
        palette: palette.unwrap_or_else(Palette::grey),
        budget: quakefs::why::decode_budget(search_path),
        steps: steps(search_path, wanted),
        of_content: HashMap::new(),
        previews: Vec::new(),
        numbers: vec![None; wanted.len()],
        omitted: Omitted::default(),
        room,
        used: 0,
        done: 0,
        all: (compared.len() + others.len()) as u64,
        progress,
    };
    (maker.progress)(0, maker.all)?;
    maker.fill(&mut compared, COMPARED)?;
    maker.fill(&mut others, PICTURES)?;
    for (.., size, number) in sounds {
        maker.add_sound(number, size)?;
    }
    maker.fill(&mut compared, ALL)?;
    maker.fill(&mut others, ALL)?;
    maker.omitted.previews += compared.len() + others.len();
    let Maker { previews, numbers, omitted, .. } = maker;
    ControlFlow::Continue(Made { previews: Previews(previews), numbers, omitted })
}

fn has_pictures(kind: Kind) -> bool {
    use Kind::{Demo, Light, Ogg, Program, SavedGame, Text, Wav};
    !matches!(kind, Demo(_) | Light | Ogg | Program | SavedGame | Text | Wav)
}

/// A file that waits for its preview.
struct Waiting {
    of_base: bool,
    /// Whether it is not a level.
    is_other: bool,
    size: u64,
    /// The index in the wanted files.
    number: usize,
    kind: Kind,
}

impl Waiting {
    fn order(&self) -> (bool, bool, u64, usize) {
        (self.of_base, self.is_other, self.size, self.number)
    }
}

/// Identifies a preview: the kind of file, whether it is shown larger, the hash of the bytes.
type PreviewKey = (Kind, bool, [u8; 32]);

struct Maker<'w> {
    search_path: &'w SearchPath,
    wanted: &'w [Wanted<'w>],
    palette: Palette,
    /// Whether the palette comes from the game.
    has_palette: bool,
    /// The longer side of pictures in conflicts, and of others.
    sides: (u32, u32),
    /// Limits decompression: a small archive can claim terabytes.
    budget: DecodeBudget,
    /// Limits decoding: a small file can claim a huge picture.
    steps: Budget,
    /// The preview of each distinct content.
    of_content: HashMap<PreviewKey, Option<usize>>,
    previews: Vec<PagePreview>,
    numbers: Vec<Option<usize>>,
    omitted: Omitted,
    /// The bytes that previews may take, and the bytes used so far.
    room: usize,
    used: usize,
    done: u64,
    all: u64,
    progress: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl Maker<'_> {
    /// Makes previews until a percentage of the room is used.
    fn fill(&mut self, queue: &mut VecDeque<Waiting>, percent: usize) -> ControlFlow<()> {
        let most = (self.room / 100 * percent).saturating_sub(FULL);
        while self.used < most
            && let Some(Waiting { number, kind, .. }) = queue.pop_front()
        {
            self.done += 1;
            (self.progress)(self.done, self.all)?;
            self.add(number, kind);
        }
        ControlFlow::Continue(())
    }

    fn add(&mut self, number: usize, kind: Kind) {
        let Some(Wanted { file, compared, .. }) = self.wanted.get(number) else { return };
        let preview = self.preview(file, kind, *compared);
        self.omitted.previews += usize::from(preview.is_none());
        if let Some(number) = self.numbers.get_mut(number) {
            *number = preview;
        }
    }

    /// The number of the preview of a file; `None` if it does not fit.
    fn preview(&mut self, file: &File<'_>, kind: Kind, compared: bool) -> Option<usize> {
        let bytes = match self.read(file) {
            Ok(bytes) => bytes?,
            Err(why) => return self.push(PagePreview::Error { why }),
        };
        let worn = worn(self.search_path, file.name().as_bytes(), kind, &bytes);
        let mut content = Sha256::new_with_prefix(&bytes);
        worn.iter().flatten().for_each(|shader| content.update(shader));
        let content = (kind, compared, content.finalize().into());
        if let Some(known) = self.of_content.get(&content).copied() {
            // the page stores only its number again
            return known.filter(|_| self.take(0));
        }
        let preview = self.look(kind, &bytes, compared).and_then(|mut made| {
            made.wear(worn);
            made.add_named(|name| self.picture(name, compared));
            self.push(made)
        });
        self.of_content.insert(content, preview);
        preview
    }

    fn look(&self, kind: Kind, bytes: &[u8], compared: bool) -> Option<PagePreview> {
        PagePreview::of(kind, bytes, &self.options(kind, compared), self.has_palette)
    }

    /// The picture of a skin that a model names.
    fn picture(&mut self, name: &[u8], compared: bool) -> Option<PagePicture> {
        let (file, kind) = skin(self.search_path, name)?;
        let bytes = self.read(&file).ok()??;
        self.look(kind, &bytes, compared)?.into_picture()
    }

    /// Adds a preview and returns its number; `None` if it does not fit.
    fn push(&mut self, mut preview: PagePreview) -> Option<usize> {
        let number = self.previews.len();
        let mut size = preview.size();
        if size > (self.room / PART).min(self.room.saturating_sub(self.used + NUMBER)) {
            preview = preview.brief();
            size = preview.size();
        }
        let grey = preview.grey();
        self.take(size).then(|| self.previews.push(preview))?;
        self.omitted.grey += grey;
        Some(number)
    }

    /// Copies in a conflict are shown larger.
    fn options(&self, kind: Kind, compared: bool) -> Options<'_> {
        let mut options = Options::new(&self.palette);
        options.budget = Some(&self.steps);
        (options.side, options.pictures, options.shape, options.text) =
            if compared { (self.sides.0, 6, SHAPES.1, 4096) } else { (self.sides.1, FEW, SHAPES.0, 1024) };
        if kind == Kind::TextureArchive {
            (options.side, options.pictures) = (options.side.min(TEXTURE_SIDE), MANY);
        }
        options
    }

    /// Adds the bytes of a sound to its preview, so that it can be played.
    fn add_sound(&mut self, number: usize, size: u64) -> ControlFlow<()> {
        (self.progress)(self.done, self.all)?;
        let preview = self.numbers.get(number).copied().flatten();
        let is_sound = |preview: &PagePreview| matches!(preview, PagePreview::Sound { source: None, .. });
        let Some(preview) = preview.filter(|number| self.previews.get(*number).is_some_and(is_sound)) else {
            self.omitted.sounds += usize::from(preview.is_none());
            return ControlFlow::Continue(());
        };
        let cost = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(4) / 3 + FULL / 8;
        let file = self.wanted.get(number).map(|wanted| wanted.file);
        let bytes = file.filter(|_| self.used.saturating_add(cost) <= self.room);
        let bytes = bytes.and_then(|file| Some((file, self.read(file).ok()??)));
        match (bytes, self.previews.get_mut(preview)) {
            (Some((file, bytes)), Some(PagePreview::Sound { source, .. })) => {
                let is_wav = Kind::of(file.name().as_bytes()) == Some(Kind::Wav);
                *source = Some(sound_url(is_wav, &bytes));
                self.used += cost;
            }
            _ => self.omitted.sounds += 1,
        }
        ControlFlow::Continue(())
    }

    /// Reads a file; `None` if it is too large or beyond the budget.
    fn read(&mut self, file: &File<'_>) -> Result<Option<FileData>, String> {
        if file.size() > LARGEST || file.entry().is_some() && !self.budget.take(file.size()) {
            return Ok(None);
        }
        file.read().map(Some).map_err(|error| error.to_string())
    }

    fn take(&mut self, cost: usize) -> bool {
        let used = self.used.saturating_add(cost + NUMBER);
        let fits = used <= self.room;
        if fits {
            self.used = used;
        }
        fits
    }
}

/// The file that the engine loads as a skin that a model names, and its kind.
fn skin<'s>(search_path: &'s SearchPath, name: &[u8]) -> Option<(File<'s>, Kind)> {
    if name.is_empty() {
        return None;
    }
    let file = quakefs_needs::skin(search_path, name)?;
    let kind = Kind::of(file.name().as_bytes())?;
    let packs = matches!(kind, Kind::Pcx | Kind::Tga | Kind::Png | Kind::Jpeg);
    let is_picture = packs || matches!(kind, Kind::Lump | Kind::Wal | Kind::M8 | Kind::M32);
    (is_picture && file.size() <= LARGEST_SKIN).then_some((file, kind))
}

/// The shaders of a model's surfaces in its default skin.
fn worn(search_path: &SearchPath, name: &[u8], kind: Kind, bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    if kind == Kind::Model { quakefs_needs::worn(search_path, name, bytes) } else { None }
}

/// The palette of the game. A part of a game for Quake has Quake's.
fn palette(search_path: &SearchPath) -> Option<Palette> {
    let is_for_quake = || search_path.rules().directories.base.iter().any(|base| base == "id1");
    quakefs_needs::palette(search_path).or_else(|| is_for_quake().then(Palette::quake))
}

/// The limit on decoding steps for all previews. It allows some seconds of work, more than ordinary files
/// need.
fn steps(search_path: &SearchPath, wanted: &[Wanted<'_>]) -> Budget {
    /// A byte of a JPEG encodes about four pixels; other formats encode fewer.
    const OF_A_BYTE: u64 = 8;
    let archives = search_path.layers().filter_map(|layer| layer.archive()).map(Archive::size);
    let loose = wanted.iter().filter(|wanted| wanted.file.entry().is_none()).map(|wanted| wanted.file.size());
    let stored = archives.chain(loose).fold(0, u64::saturating_add);
    Budget::new(stored.saturating_mul(OF_A_BYTE).saturating_add(LEAST_STEPS))
}

/// The longer side at which the pictures of `files` share the room: a pixel takes about one byte of the page.
fn side(room: usize, files: usize) -> u32 {
    let pixels = room.checked_div(files).unwrap_or(room).isqrt();
    u32::try_from(pixels).unwrap_or(u32::MAX).clamp(SIDES.0, SIDES.1)
}

/// How a preview shows a file.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct View {
    /// The frame of a model.
    pub frame: usize,
    /// Whether pictures have their own size. Otherwise, large ones are reduced.
    pub whole: bool,
}

/// The preview of one file as JSON, with the bytes of a sound. `null` if files of this type have no preview.
#[must_use]
pub fn preview(search_path: &SearchPath, file: &File<'_>, view: View) -> String {
    json(&Kind::of(file.name().as_bytes()).map(|kind| of_file(search_path, file, kind, view)))
}

/// The preview of a file that is in no search path, as [`preview`] gives it. The palette and the skins come
/// from a search path, if there is one, or else the palette is Quake's.
#[must_use]
pub fn preview_alone(search_path: Option<&SearchPath>, name: &[u8], bytes: &[u8], view: View) -> String {
    json(&Kind::of(name).map(|kind| shown(search_path, name, kind, bytes, view)))
}

fn of_file(search_path: &SearchPath, file: &File<'_>, kind: Kind, view: View) -> PagePreview {
    match content(file) {
        Ok(bytes) => shown(Some(search_path), file.name().as_bytes(), kind, &bytes, view),
        Err(why) => PagePreview::error(&why),
    }
}

/// The content of a file that is shown at once, or a sentence that tells why not.
pub(crate) fn content(file: &File<'_>) -> Result<FileData, String> {
    if file.size() > LARGEST {
        return Err(format!("it has more than {} MiB", LARGEST >> 20));
    }
    file.read().map_err(|error| error.to_string())
}

fn shown(search_path: Option<&SearchPath>, name: &[u8], kind: Kind, bytes: &[u8], view: View) -> PagePreview {
    // the browser decodes these itself
    if let Kind::Png | Kind::Jpeg = kind {
        let media_type = if kind == Kind::Png { "image/png" } else { "image/jpeg" };
        let source = data_url(media_type, bytes);
        let picture = PagePicture { name: String::new(), width: 0, height: 0, source, grey: false };
        return PagePreview::Pictures(PagePictures { all: 1, damaged: 0, shown: vec![picture] });
    }
    let palette = match search_path {
        Some(search_path) => palette(search_path),
        // textures of Quake II have other colours
        None => Some(Palette::quake()).filter(|_| kind != Kind::Wal),
    };
    let has_palette = palette.is_some();
    let palette = palette.unwrap_or_else(Palette::grey);
    // a small archive may contain many rows that refer to one large picture
    let steps = Budget::new(LEAST_STEPS);
    let side = match kind {
        _ if view.whole => u32::MAX,
        Kind::TextureArchive => TEXTURE_SIDE,
        _ => SHOWN,
    };
    let mut options = Options::new(&palette);
    (options.side, options.pictures, options.shape, options.text) = (side, MANY, LARGEST_SHAPE, 4096);
    (options.budget, options.frame) = (Some(&steps), view.frame);
    let mut made = PagePreview::of(kind, bytes, &options, has_palette);
    if let (Some(made), Some(search_path)) = (&mut made, search_path) {
        made.wear(worn(search_path, name, kind, bytes));
        made.add_named(|name| {
            let (file, kind) = skin(search_path, name)?;
            of_file(search_path, &file, kind, View { frame: 0, ..view }).into_picture()
        });
    }
    if let Some(PagePreview::Sound { source, .. }) = &mut made {
        *source = Some(sound_url(kind == Kind::Wav, bytes));
    }
    made.unwrap_or_else(|| PagePreview::error("it would take too long to decode"))
}

impl PagePreview {
    fn error(why: &str) -> Self {
        PagePreview::Error { why: why.to_owned() }
    }

    /// `None` if decoding is beyond the budget.
    fn of(kind: Kind, bytes: &[u8], options: &Options<'_>, has_palette: bool) -> Option<Self> {
        Some(match quakefs_preview::preview(kind, bytes, options) {
            Ok(Preview::Pictures(pictures)) => PagePreview::Pictures(PagePictures::of(pictures, has_palette)),
            Ok(Preview::Model(model)) => PagePreview::of_model(model, has_palette),
            Ok(Preview::Level(level)) => PagePreview::of_level(level, has_palette),
            Ok(Preview::Sound(sound)) => PagePreview::of_sound(&sound),
            Ok(Preview::Facts(facts)) => PagePreview::Facts { rows: facts.into_iter().map(fact).collect() },
            Ok(Preview::Text { text, more }) => PagePreview::Text { text, more },
            Ok(_) => PagePreview::Error { why: "the page has no preview for files of this type".to_owned() },
            Err(Error::Budget) => return None,
            Err(error) => PagePreview::Error { why: error.to_string() },
        })
    }

    /// The number of grey pictures.
    fn grey(&self) -> usize {
        match self {
            PagePreview::Pictures(pictures)
            | PagePreview::Model { pictures, .. }
            | PagePreview::Level { textures: pictures, .. } => {
                pictures.shown.iter().filter(|picture| picture.grey).count()
            }
            _ => 0,
        }
    }

    fn of_model(model: Model, has_palette: bool) -> Self {
        let Model { skins, frames, corner, side, shape, .. } = model;
        let pictures = PagePictures::of(skins, has_palette);
        let skin = (!pictures.shown.is_empty()).then_some(0);
        let (surfaces, why) = apart(shape);
        let surface = |surface: Surface| PageSurface {
            picture: skin.filter(|_| surface.picture.is_empty()),
            vertices: numbers(surface.vertices.as_flattened()),
            triangles: numbers(surface.triangles.as_flattened()),
            name: surface.picture,
        };
        let surfaces = surfaces.into_iter().flatten().map(surface).collect();
        PagePreview::Model { pictures, frames, corner, side, surfaces, why }
    }

    /// Gives the surfaces of a model the shaders of its default skin.
    fn wear(&mut self, shaders: Option<Vec<Vec<u8>>>) {
        let PagePreview::Model { surfaces, .. } = self else { return };
        surfaces
            .iter_mut()
            .zip(shaders.into_iter().flatten())
            .for_each(|(surface, shader)| surface.name = shader);
    }

    /// Adds the pictures of the skins that a model names, each once.
    fn add_named(&mut self, mut picture: impl FnMut(&[u8]) -> Option<PagePicture>) {
        let PagePreview::Model { pictures, surfaces, .. } = self else { return };
        let mut known = HashMap::new();
        for surface in surfaces.iter_mut().filter(|surface| surface.picture.is_none()) {
            surface.picture = *known.entry(surface.name.clone()).or_insert_with(|| {
                let picture = picture(&surface.name)?;
                pictures
                    .shown
                    .push(PagePicture { name: quakefs_preview::readable(&surface.name), ..picture });
                pictures.all += 1;
                Some(pictures.shown.len() - 1)
            });
        }
    }

    fn into_picture(self) -> Option<PagePicture> {
        match self {
            PagePreview::Pictures(pictures) => pictures.shown.into_iter().next(),
            _ => None,
        }
    }

    /// A smaller preview: the first pictures, without a shape.
    fn brief(mut self) -> Self {
        let no_room = || Some("the page has no room for it".to_owned());
        let pictures = match &mut self {
            PagePreview::Pictures(pictures) => pictures,
            PagePreview::Model { pictures, surfaces, why, .. } => {
                surfaces.clear();
                *why = no_room();
                pictures
            }
            PagePreview::Level { textures, outline, why, .. } => {
                *outline = None;
                *why = no_room();
                textures
            }
            _ => return self,
        };
        pictures.shown.truncate(FEW);
        self
    }

    fn of_level(level: Level, has_palette: bool) -> Self {
        let Level { title, entities, uses, textures, outline, .. } = level;
        let uses = uses.into_iter().map(|(kind, names)| {
            let more = names.len().saturating_sub(USES);
            let names = names.into_iter().take(USES).map(|name| cut(name, NAME)).collect();
            (kind, names, more)
        });
        let title = title.map(|title| cut(title, TITLE));
        let textures = PagePictures::of(textures, has_palette);
        let (outline, why) = apart(outline);
        let outline = outline.filter(|outline| outline.all > 0).map(PageOutline::of);
        PagePreview::Level { title, entities, uses: uses.collect(), textures, outline, why }
    }

    fn of_sound(sound: &Sound) -> Self {
        let Sound { format, seconds, channels, rate, bits, loops, .. } = *sound;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no file lasts as long")]
        let milliseconds = (seconds * 1000.0).round() as u64;
        PagePreview::Sound { format: format.name(), milliseconds, channels, rate, bits, loops, source: None }
    }

    /// The bytes that it takes in the page.
    fn size(&self) -> usize {
        json(self).len()
    }
}

/// The most characters of a level's title and of a name in it, because both can be a megabyte long.
const TITLE: usize = 200;
const NAME: usize = 100;

fn cut(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

impl PageOutline {
    fn of(outline: Outline) -> Self {
        let Outline { corner, units, lines, all, classes, .. } = outline;
        let class = |class: Class| (cut(class.name, NAME), class.all, numbers(class.places.as_flattened()));
        let classes = classes.into_iter().map(class).collect();
        PageOutline { corner, units, all, lines: numbers(lines.as_flattened()), classes }
    }
}

/// A fact with its value as text, a number, an object with seconds, or a list of names.
fn fact(Fact { about, value, .. }: Fact) -> (&'static str, Value) {
    let value = match value {
        FactValue::Count(count) => json!(count),
        FactValue::Seconds(seconds) => json!({ "seconds": seconds }),
        FactValue::Names(names) => json!(names),
        text => json!(text.to_string()),
    };
    (about, value)
}

/// The value, or the sentence of the error.
fn apart<T>(found: Result<T, Error>) -> (Option<T>, Option<String>) {
    match found {
        Ok(found) => (Some(found), None),
        Err(error) => (None, Some(error.to_string())),
    }
}

/// 16-bit numbers in base64.
fn numbers(numbers: &[u16]) -> String {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    BASE64.encode(bytes)
}

impl PagePictures {
    fn of(pictures: Pictures, has_palette: bool) -> Self {
        let Pictures { shown, all, damaged, .. } = pictures;
        let shown = shown.into_iter().filter_map(|picture| PagePicture::of(picture, has_palette));
        PagePictures { all, damaged, shown: shown.collect() }
    }
}

impl PagePicture {
    fn of(picture: Picture, has_palette: bool) -> Option<Self> {
        let Picture { name, width, height, in_palette, image, .. } = picture;
        let (media_type, bytes) = image.encode().ok()?;
        let source = data_url(media_type, &bytes);
        Some(PagePicture {
            name: quakefs_preview::readable(&name),
            width,
            height,
            source,
            grey: in_palette && !has_palette,
        })
    }
}

fn sound_url(is_wav: bool, bytes: &[u8]) -> String {
    data_url(if is_wav { "audio/wav" } else { "audio/ogg" }, bytes)
}

fn data_url(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", BASE64.encode(bytes))
}
