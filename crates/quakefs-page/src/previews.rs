//! The previews of a page, as many as there is room for.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pak_format::verify::DecodeBudget;
use quakefs::rules::SubstituteKind;
use quakefs::{Archive, File, FileData, SearchPath};
use quakefs_preview::{
    Budget, Class, Error, Kind, Level, Model, Options, Outline, Palette, Picture, Pictures, Preview, Sound,
    Surface, Text,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::json::json;

/// What the size of the page left no room for.
#[derive(Default, Serialize)]
pub(crate) struct LeftOut {
    pub(crate) previews: usize,
    pub(crate) sounds: usize,
    /// How many pictures are grey because the game has no palette.
    pub(crate) grey: usize,
}

/// A file that may be shown.
pub(crate) struct Wanted<'h> {
    pub(crate) hit: &'h File<'h>,
    /// Whether it stands beside another copy, and is shown larger.
    pub(crate) compared: bool,
    /// Whether it, or the copy that hides it, is one of the game that the engine comes with and not of a mod.
    pub(crate) of_base: bool,
}

/// The previews, and for each file that was wanted the number of its own.
pub(crate) struct Made {
    pub(crate) previews: Previews,
    pub(crate) numbers: Vec<Option<usize>>,
    pub(crate) left_out: LeftOut,
}

#[derive(Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Previews(Vec<PagePreview>);

impl Previews {
    /// How many show something.
    pub(crate) fn shown(&self) -> usize {
        self.0.iter().filter(|preview| !matches!(preview, PagePreview::Error { .. })).count()
    }

    /// How many sounds can be played.
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
        surfaces: Vec<PageSurface>,
        /// Why it has no shape.
        why: Option<String>,
    },
    Level {
        title: Option<String>,
        entities: usize,
        uses: Vec<(&'static str, Vec<String>, usize)>,
        textures: PagePictures,
        outline: Option<PageOutline>,
        /// Why it has no outline.
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
    /// Why there is none.
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
    /// Whether it is drawn in grey, as the game has no palette.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    grey: bool,
}

/// Triangles of a model: numbers of 16 bits, in base64.
#[derive(Serialize)]
struct PageSurface {
    /// The number of the picture, among those of the model.
    picture: Option<usize>,
    /// The name of the picture, where it is in a file of its own.
    #[serde(skip)]
    name: Vec<u8>,
    /// Five numbers each: see [`Surface::vertices`].
    vertices: String,
    triangles: String,
}

/// A level from above: numbers of 16 bits, in base64. See [`Outline`].
#[derive(Serialize)]
struct PageOutline {
    units: [u16; 2],
    all: usize,
    lines: String,
    /// The name of a class, how many entities it has, and the places of the first.
    classes: Vec<(String, usize, String)>,
}

/// A larger file is not read for a preview.
const LARGEST: u64 = 64 << 20;

/// Percent of the room that is used before others have their turn: by copies beside each other, then by all but the bytes
/// of sounds.
const COMPARED: usize = 50;
const PICTURES: usize = 65;
const ALL: usize = 100;

/// The longer side of a picture is between these, by how many pictures share the room.
const SIDES: (u32, u32) = (48, 192);

/// The longer side of a picture that is shown alone, and the most pictures of one file: all of any known archive of textures.
const SHOWN: u32 = 256;
const MANY: usize = 4096;

/// A larger picture is not read for a model that names it.
const LARGEST_SKIN: u64 = 4 << 20;

/// The longer side of the textures of an archive, of which there can be thousands.
const TEXTURE_SIDE: u32 = 64;

/// The triangles of a model and the lines of a level, in a page with its data inside: of one file, and of copies beside each
/// other. A page with a module shows more.
const SHAPES: (usize, usize) = (1500, 3000);
const LARGEST_SHAPE: usize = 8192;

/// A preview that takes more than this part of the room is made brief, to so many pictures.
const PART: usize = 8;
const FEW: usize = 4;

/// The steps that any preview may take: eight pictures of the largest size.
const LEAST_STEPS: u64 = 8 * quakefs_preview::MAX_PIXELS;

/// The most names that a level's entities show of a kind.
const USES: usize = 30;

/// What a row's number takes, and a comma.
const NUMBER: usize = 8;

/// Below this the room counts as full: nothing more is read to see whether it fits.
const FULL: usize = 1024;

/// Makes previews in the order in which they are wanted most, until the room is full; breaks after an interrupt.
pub(crate) fn make(
    search_path: &SearchPath,
    wanted: &[Wanted<'_>],
    room: usize,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> ControlFlow<(), Made> {
    let palette = palette(search_path);
    let (mut compared, mut others, mut sounds) = (VecDeque::new(), VecDeque::new(), Vec::new());
    for (number, file) in wanted.iter().enumerate() {
        let Some(kind) = Kind::of(file.hit.name().as_bytes()) else { continue };
        let queue = if file.compared { &mut compared } else { &mut others };
        queue.push_back(Waiting {
            of_base: file.of_base,
            is_other: kind != Kind::Level,
            size: file.hit.size(),
            number,
            kind,
        });
        if let Kind::Wav | Kind::Ogg = kind {
            sounds.push((!file.compared, file.of_base, file.hit.size(), number));
        }
    }
    // a mod's own; levels; then the smallest: the room holds most of them, and the work is least
    for queue in [&mut compared, &mut others] {
        queue.make_contiguous().sort_unstable_by_key(Waiting::order);
    }
    sounds.sort_unstable();
    let pictures =
        |queue: &VecDeque<Waiting>| queue.iter().filter(|waiting| has_pictures(waiting.kind)).count();
    let sides =
        (side(room / 100 * COMPARED, pictures(&compared)), side(room / 100 * (PICTURES), pictures(&others)));
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
        left_out: LeftOut::default(),
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
    maker.left_out.previews += compared.len() + others.len();
    let Maker { previews, numbers, left_out, .. } = maker;
    ControlFlow::Continue(Made { previews: Previews(previews), numbers, left_out })
}

fn has_pictures(kind: Kind) -> bool {
    !matches!(kind, Kind::Wav | Kind::Ogg | Kind::Text)
}

/// A file that waits for its preview.
struct Waiting {
    of_base: bool,
    /// Whether it is no level.
    is_other: bool,
    size: u64,
    /// Among all that are wanted.
    number: usize,
    kind: Kind,
}

impl Waiting {
    fn order(&self) -> (bool, bool, u64, usize) {
        (self.of_base, self.is_other, self.size, self.number)
    }
}

/// What a preview is made of: how it is looked at, whether it is shown larger, the hash of its bytes.
type Content = (Kind, bool, [u8; 32]);

struct Maker<'w> {
    search_path: &'w SearchPath,
    wanted: &'w [Wanted<'w>],
    palette: Palette,
    /// Whether the game has the palette.
    has_palette: bool,
    /// The longer sides of pictures beside each other, and of the rest.
    sides: (u32, u32),
    /// What may be read: a small archive can claim terabytes.
    budget: DecodeBudget,
    /// What may be decoded of what is read: a small picture can claim a large one.
    steps: Budget,
    /// The preview of each content that was read.
    of_content: HashMap<Content, Option<usize>>,
    previews: Vec<PagePreview>,
    numbers: Vec<Option<usize>>,
    left_out: LeftOut,
    /// Bytes of the page that previews may take, and those that they take.
    room: usize,
    used: usize,
    done: u64,
    all: u64,
    progress: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl Maker<'_> {
    /// Makes previews until so much of the room is used.
    fn fill(&mut self, queue: &mut VecDeque<Waiting>, percent: usize) -> ControlFlow<()> {
        let most = (self.room / 100 * percent).saturating_sub(FULL);
        while self.used < most
            && let Some(Waiting { size, number, kind, .. }) = queue.pop_front()
        {
            self.done += 1;
            (self.progress)(self.done, self.all)?;
            self.add(number, size, kind);
        }
        ControlFlow::Continue(())
    }

    fn add(&mut self, number: usize, size: u64, kind: Kind) {
        let Some(Wanted { hit, compared, .. }) = self.wanted.get(number) else { return };
        let preview = match self.read(hit, size) {
            Ok(None) => None,
            Ok(Some(bytes)) => {
                let content = (kind, *compared, Sha256::digest(&bytes).into());
                if let Some(known) = self.of_content.get(&content) {
                    // a number of it is all that the page takes
                    known.filter(|_| self.take(0))
                } else {
                    let made = self.look(kind, &bytes, *compared);
                    let preview = made.and_then(|mut made| {
                        made.add_named(|name| self.picture(name, *compared));
                        self.push(made)
                    });
                    self.of_content.insert(content, preview);
                    preview
                }
            }
            Err(why) => self.push(PagePreview::Error { why }),
        };
        self.left_out.previews += usize::from(preview.is_none());
        self.numbers.get_mut(number).into_iter().for_each(|place| *place = preview);
    }

    fn look(&self, kind: Kind, bytes: &[u8], compared: bool) -> Option<PagePreview> {
        PagePreview::of(kind, bytes, &self.options(kind, compared), self.has_palette)
    }

    /// The picture that a model names.
    fn picture(&mut self, name: &[u8], compared: bool) -> Option<PagePicture> {
        let (hit, kind) = skin(self.search_path, name)?;
        let bytes = self.read(&hit, hit.size()).ok()??;
        self.look(kind, &bytes, compared)?.into_picture()
    }

    /// Adds a preview, and gives its number; `None` where there is no room.
    fn push(&mut self, mut preview: PagePreview) -> Option<usize> {
        let number = self.previews.len();
        let mut size = preview.size();
        if size > (self.room / PART).min(self.room.saturating_sub(self.used + NUMBER)) {
            preview = preview.brief();
            size = preview.size();
        }
        let grey = preview.grey();
        self.take(size).then(|| self.previews.push(preview))?;
        self.left_out.grey += grey;
        Some(number)
    }

    /// Copies beside each other are shown larger.
    fn options(&self, kind: Kind, compared: bool) -> Options<'_> {
        let options = Options::new(&self.palette).budget(&self.steps);
        let options = if compared {
            options.side(self.sides.0).pictures(6).shape(SHAPES.1).text(4096)
        } else {
            options.side(self.sides.1).pictures(FEW).shape(SHAPES.0).text(1024)
        };
        match kind {
            Kind::TextureArchive => options.side(options.side.min(TEXTURE_SIDE)).pictures(MANY),
            _ => options,
        }
    }

    /// Adds the bytes of a sound to its preview, to be played.
    fn add_sound(&mut self, number: usize, size: u64) -> ControlFlow<()> {
        (self.progress)(self.done, self.all)?;
        let preview = self.numbers.get(number).copied().flatten();
        let is_sound = |preview: &PagePreview| matches!(preview, PagePreview::Sound { source: None, .. });
        let Some(preview) = preview.filter(|number| self.previews.get(*number).is_some_and(is_sound)) else {
            self.left_out.sounds += usize::from(preview.is_none());
            return ControlFlow::Continue(());
        };
        let cost = usize::try_from(size).unwrap_or(usize::MAX).saturating_mul(4) / 3 + FULL / 8;
        let hit = self.wanted.get(number).map(|wanted| wanted.hit);
        let bytes = hit.filter(|_| self.used.saturating_add(cost) <= self.room);
        let bytes = bytes.and_then(|hit| Some((hit, self.read(hit, size).ok()??)));
        match (bytes, self.previews.get_mut(preview)) {
            (Some((hit, bytes)), Some(PagePreview::Sound { source, .. })) => {
                let is_wav = Kind::of(hit.name().as_bytes()) == Some(Kind::Wav);
                *source = Some(sound_url(is_wav, &bytes));
                self.used += cost;
            }
            _ => self.left_out.sounds += 1,
        }
        ControlFlow::Continue(())
    }

    /// The content; `None` where it is too large, or would take too long to decode.
    fn read(&mut self, hit: &File<'_>, size: u64) -> Result<Option<FileData>, String> {
        if size > LARGEST || hit.entry().is_some() && !self.budget.take(size) {
            return Ok(None);
        }
        hit.read().map(Some).map_err(|error| error.to_string())
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

/// The file that the engine takes for the picture that a model names, and how it is looked at.
fn skin<'s>(search_path: &'s SearchPath, name: &[u8]) -> Option<(File<'s>, Kind)> {
    if name.is_empty() {
        return None;
    }
    let asked = search_path.substitutes(SubstituteKind::Skin, name, None);
    let first = asked.and_then(|files| files.into_iter().flat_map(|file| file.copies).next());
    let hit = first.map(|copy| copy.hit).or_else(|| search_path.find(name))?;
    let kind = Kind::of(hit.name().as_bytes())?;
    let is_one = matches!(kind, Kind::Lump | Kind::Wal | Kind::Pcx | Kind::Tga | Kind::Png | Kind::Jpeg);
    (is_one && hit.size() <= LARGEST_SKIN).then_some((hit, kind))
}

/// The palette of the game: Quake's and Hexen II's, or Quake II's.
fn palette(search_path: &SearchPath) -> Option<Palette> {
    let read = |name| search_path.read(name).ok();
    let of_lump = || Palette::from_lump(&read("gfx/palette.lmp")?);
    of_lump().or_else(|| Palette::from_pcx(&read("pics/colormap.pcx")?))
}

/// The steps that the previews of a game may take: some seconds, and more than all its files need.
fn steps(search_path: &SearchPath, wanted: &[Wanted<'_>]) -> Budget {
    /// A byte of a JPEG stands for four pixels, one of any other picture for less.
    const OF_A_BYTE: u64 = 8;
    let archives = search_path.layers().filter_map(|layer| layer.archive()).map(Archive::size);
    let loose = wanted.iter().filter(|file| file.hit.entry().is_none()).map(|file| file.hit.size());
    let stored = archives.chain(loose).fold(0, u64::saturating_add);
    Budget::new(stored.saturating_mul(OF_A_BYTE).saturating_add(LEAST_STEPS))
}

/// The longer side that lets so many files with pictures share some room: a pixel takes about a byte of the page.
fn side(room: usize, files: usize) -> u32 {
    let pixels = room.checked_div(files).unwrap_or(room).isqrt();
    u32::try_from(pixels).unwrap_or(u32::MAX).clamp(SIDES.0, SIDES.1)
}

/// What one file shows, as the script takes it: as large as beside another copy, a sound with its bytes. `null` where it has
/// no preview.
#[must_use]
pub fn preview(search_path: &SearchPath, hit: &File<'_>) -> String {
    json(&Kind::of(hit.name().as_bytes()).map(|kind| shown(search_path, hit, kind)))
}

fn shown(search_path: &SearchPath, hit: &File<'_>, kind: Kind) -> PagePreview {
    let error = |why: &str| PagePreview::Error { why: why.to_owned() };
    if hit.size() > LARGEST {
        return error(&format!("it has more than {LARGEST} bytes"));
    }
    let bytes = match hit.read() {
        Ok(bytes) => bytes,
        Err(why) => return error(&why.to_string()),
    };
    // what a browser reads, it shows as it is
    if let Kind::Png | Kind::Jpeg = kind {
        let media_type = if kind == Kind::Png { "image/png" } else { "image/jpeg" };
        let source = data_url(media_type, &bytes);
        let picture = PagePicture { name: String::new(), width: 0, height: 0, source, grey: false };
        return PagePreview::Pictures(PagePictures { all: 1, damaged: 0, shown: vec![picture] });
    }
    let palette = palette(search_path);
    let has_palette = palette.is_some();
    let palette = palette.unwrap_or_else(Palette::grey);
    // rows of a small archive may all name one large picture
    let steps = Budget::new(LEAST_STEPS);
    let side = if kind == Kind::TextureArchive { TEXTURE_SIDE } else { SHOWN };
    let options = Options::new(&palette).side(side).pictures(MANY).text(4096).shape(LARGEST_SHAPE);
    let mut made = PagePreview::of(kind, &bytes, &options.budget(&steps), has_palette);
    if let Some(made) = &mut made {
        made.add_named(|name| {
            let (hit, kind) = skin(search_path, name)?;
            shown(search_path, &hit, kind).into_picture()
        });
    }
    match made {
        Some(PagePreview::Sound { format, milliseconds, channels, rate, bits, loops, .. }) => {
            let source = Some(sound_url(kind == Kind::Wav, &bytes));
            PagePreview::Sound { format, milliseconds, channels, rate, bits, loops, source }
        }
        made => made.unwrap_or_else(|| error("it is too much to decode")),
    }
}

impl PagePreview {
    /// `None` where it would be too much to decode.
    fn of(kind: Kind, bytes: &[u8], options: &Options<'_>, has_palette: bool) -> Option<Self> {
        Some(match quakefs_preview::preview(kind, bytes, options) {
            Ok(Preview::Pictures(pictures)) => PagePreview::Pictures(PagePictures::of(pictures, has_palette)),
            Ok(Preview::Model(model)) => PagePreview::of_model(model, has_palette),
            Ok(Preview::Level(level)) => PagePreview::of_level(level, has_palette),
            Ok(Preview::Sound(sound)) => PagePreview::of_sound(&sound),
            Ok(Preview::Text(Text { text, more, .. })) => PagePreview::Text { text, more },
            Ok(_) => PagePreview::Error { why: "this page shows no such file".to_owned() },
            Err(Error::Budget) => return None,
            Err(error) => PagePreview::Error { why: error.to_string() },
        })
    }

    /// How many of its pictures are grey.
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
        let Model { skins, shape, .. } = model;
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
        PagePreview::Model { pictures, surfaces, why }
    }

    /// Adds the pictures that a model names, each once.
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

    /// What there is more often room for: the first pictures, and no shape.
    fn brief(mut self) -> Self {
        let no_room = || Some("the page has no room for it".to_owned());
        let pictures = match &mut self {
            PagePreview::Pictures(pictures) => pictures,
            PagePreview::Model { pictures, surfaces, why } => {
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
            (kind.name(), names, more)
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
        serde_json::to_string(self).map_or(usize::MAX, |json| {
            // in the page, such a character takes six bytes
            json.len() + 5 * json.bytes().filter(|byte| *byte == b'<').count()
        })
    }
}

/// The most characters of a level's title and of a name in it: a level can hold a megabyte of either.
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
        let Outline { units, lines, all, classes, .. } = outline;
        let class = |class: Class| (cut(class.name, NAME), class.all, numbers(class.places.as_flattened()));
        let classes = classes.into_iter().map(class).collect();
        PageOutline { units, all, lines: numbers(lines.as_flattened()), classes }
    }
}

/// What there is, or why there is none.
fn apart<T>(found: Result<T, Error>) -> (Option<T>, Option<String>) {
    match found {
        Ok(found) => (Some(found), None),
        Err(error) => (None, Some(error.to_string())),
    }
}

/// Numbers of 16 bits as text.
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
        let file = image.encode().ok()?;
        let source = data_url(file.media_type, &file.bytes);
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
