//! The previews of a page, as many as there is room for.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use pak_format::verify::DecodeBudget;
use quakefs::{Archive, FileData, Hit, SearchPath};
use quakefs_preview::{
    Budget, Error, Kind, Level, Options, Palette, Picture, Pictures, Preview, Sound, Text,
};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::html::json;

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
    pub(crate) hit: &'h Hit<'h>,
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
    Level {
        title: Option<String>,
        entities: usize,
        uses: Vec<(&'static str, Vec<String>, usize)>,
        textures: PagePictures,
    },
    Sound {
        format: &'static str,
        seconds: f64,
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

/// A larger file is not read for a preview.
const LARGEST: u64 = 64 << 20;

/// Percent of the room that is used before others have their turn: by copies beside each other, then by all but the bytes
/// of sounds.
const COMPARED: usize = 50;
const PICTURES: usize = 65;
const ALL: usize = 100;

/// The longer side of a picture is between these, by how many pictures share the room.
const SIDES: (u32, u32) = (48, 192);

/// The longer side of a picture that is shown alone, and the most pictures of one file: all of most archives of textures.
const SHOWN: u32 = 256;
const MANY: usize = 512;

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
        wanted,
        sides,
        has_palette: palette.is_some(),
        palette: palette.unwrap_or_else(Palette::grey),
        budget: quakefs_report::decode_budget(search_path),
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
                    let made = PagePreview::of(kind, &bytes, &self.options(*compared), self.has_palette);
                    let preview = made.and_then(|made| self.push(made));
                    self.of_content.insert(content, preview);
                    preview
                }
            }
            Err(why) => self.push(PagePreview::Error { why }),
        };
        self.left_out.previews += usize::from(preview.is_none());
        self.numbers.get_mut(number).into_iter().for_each(|place| *place = preview);
    }

    /// Adds a preview, and gives its number; `None` where there is no room.
    fn push(&mut self, preview: PagePreview) -> Option<usize> {
        let number = self.previews.len();
        let grey = preview.grey();
        self.take(preview.size()).then(|| self.previews.push(preview))?;
        self.left_out.grey += grey;
        Some(number)
    }

    /// Copies beside each other are shown larger.
    fn options(&self, compared: bool) -> Options<'_> {
        let options = Options::new(&self.palette).budget(&self.steps);
        if compared {
            options.side(self.sides.0).pictures(6).text(4096)
        } else {
            options.side(self.sides.1).pictures(4).text(1024)
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
    fn read(&mut self, hit: &Hit<'_>, size: u64) -> Result<Option<FileData>, String> {
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
pub fn preview(search_path: &SearchPath, hit: &Hit<'_>) -> String {
    json(&Kind::of(hit.name().as_bytes()).map(|kind| shown(search_path, hit, kind)))
}

fn shown(search_path: &SearchPath, hit: &Hit<'_>, kind: Kind) -> PagePreview {
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
    let options = Options::new(&palette).side(SHOWN).pictures(MANY).text(4096).budget(&steps);
    let made = PagePreview::of(kind, &bytes, &options, has_palette);
    match made {
        Some(PagePreview::Sound { format, seconds, channels, rate, bits, loops, .. }) => {
            let source = Some(sound_url(kind == Kind::Wav, &bytes));
            PagePreview::Sound { format, seconds, channels, rate, bits, loops, source }
        }
        made => made.unwrap_or_else(|| error("it is too much to decode")),
    }
}

impl PagePreview {
    /// `None` where it would be too much to decode.
    fn of(kind: Kind, bytes: &[u8], options: &Options<'_>, has_palette: bool) -> Option<Self> {
        Some(match quakefs_preview::preview(kind, bytes, options) {
            Ok(Preview::Pictures(pictures)) => PagePreview::Pictures(PagePictures::of(pictures, has_palette)),
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
            PagePreview::Pictures(pictures) | PagePreview::Level { textures: pictures, .. } => {
                pictures.shown.iter().filter(|picture| picture.grey).count()
            }
            _ => 0,
        }
    }

    fn of_level(level: Level, has_palette: bool) -> Self {
        let Level { title, entities, uses, textures, .. } = level;
        let uses = uses.into_iter().map(|(kind, names)| {
            let more = names.len().saturating_sub(USES);
            let names = names.into_iter().take(USES).map(|name| cut(name, NAME)).collect();
            (kind.name(), names, more)
        });
        let title = title.map(|title| cut(title, TITLE));
        let textures = PagePictures::of(textures, has_palette);
        PagePreview::Level { title, entities, uses: uses.collect(), textures }
    }

    fn of_sound(sound: &Sound) -> Self {
        let Sound { format, seconds, channels, rate, bits, loops, .. } = *sound;
        PagePreview::Sound { format: format.name(), seconds, channels, rate, bits, loops, source: None }
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
