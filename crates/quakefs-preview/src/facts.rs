//! What demos, saved games, programs and coloured light tell about themselves.

use std::fmt;

use quake_content::program::Program;
use quake_content::{Demo, DemoFormat, SavedGame};

use crate::text::readable;
use crate::{Error, Options};

/// One fact about a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fact {
    /// What it is about, such as `Protocol`.
    pub about: &'static str,
    /// The value.
    pub value: FactValue,
}

/// The value of a [`Fact`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FactValue {
    /// A text without characters that control a terminal or reorder a line.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A length.
    Seconds(f64),
    /// Names.
    Names(Vec<String>),
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactValue::Text(text) => f.write_str(text),
            FactValue::Count(count) => write!(f, "{count}"),
            FactValue::Seconds(seconds) => write!(f, "{seconds:.1} s"),
            FactValue::Names(names) => f.write_str(&names.join(", ")),
        }
    }
}

/// The most characters of a text, and the most names of one fact.
const LONGEST: usize = 256;
const MOST_NAMES: usize = 4096;

fn text(bytes: &[u8]) -> String {
    readable(bytes.get(..LONGEST).unwrap_or(bytes))
}

/// Facts that are gathered.
#[derive(Default)]
struct Facts(Vec<Fact>);

impl Facts {
    fn add(mut self, about: &'static str, value: FactValue) -> Self {
        self.0.push(Fact { about, value });
        self
    }

    /// A text, unless it is empty.
    fn text(self, about: &'static str, bytes: &[u8]) -> Self {
        let text = text(bytes);
        if text.trim().is_empty() { self } else { self.add(about, FactValue::Text(text)) }
    }

    fn names(self, about: &'static str, names: impl Iterator<Item = String>) -> Self {
        self.add(about, FactValue::Names(names.take(MOST_NAMES).collect()))
    }
}

pub(crate) fn demo(format: DemoFormat, bytes: &[u8], options: &Options<'_>) -> Result<Vec<Fact>, Error> {
    options.take(bytes.len() as u64)?;
    let demo = Demo::parse(format, bytes)?;
    let levels = demo.levels.iter().map(|level| text(level)).collect::<Vec<_>>().join(", ");
    Ok(Facts::default()
        .text("Demo of", demo.format.name().as_bytes())
        .text("Protocol", demo.protocol.to_string().as_bytes())
        .add("Level", FactValue::Text(if levels.is_empty() { "not named".to_owned() } else { levels }))
        .text("Title", demo.title)
        .text("Game", demo.game)
        .add("Length", FactValue::Seconds(demo.seconds))
        .0)
}

pub(crate) fn saved(bytes: &[u8], options: &Options<'_>) -> Result<Vec<Fact>, Error> {
    options.take(bytes.len() as u64)?;
    let game = SavedGame::parse(bytes)?;
    let comment: Vec<u8> = game.comment.iter().map(|byte| if *byte == b'_' { b' ' } else { *byte }).collect();
    // the first ones are the variables of the program
    let entities = game.entities().skip(1).count() as u64;
    Ok(Facts::default()
        .text("Level", game.level)
        .text("Comment", comment.trim_ascii())
        .text("Skill", game.skill.to_string().as_bytes())
        .add("Time", FactValue::Seconds(game.seconds))
        .add("Entities", FactValue::Count(entities))
        .0)
}

/// Programs by the checksum of the variables that they share with the engine.
const CHECKSUMS: [(u32, &str); 8] = [
    (5927, "Quake"),
    (54730, "QuakeWorld"),
    (38488, "Hexen II"),
    (26905, "Hexen II with its mission pack"),
    (22390, "the client in FTE"),
    (52195, "the client in DarkPlaces"),
    (10020, "menus"),
    (32401, "Tenebrae"),
];

/// The last function of Quake's own engine.
const LAST_BUILTIN: i32 = 78;

pub(crate) fn program(bytes: &[u8], options: &Options<'_>) -> Result<Vec<Fact>, Error> {
    options.take(bytes.len() as u64)?;
    let program = Program::parse(bytes)?;
    let checksum = program.checksum();
    let known = CHECKSUMS.iter().find(|(known, _)| *known == checksum);
    let engine = known.map_or("another engine", |(_, engine)| engine);
    let functions = program.functions();
    let mut builtins: Vec<_> = functions
        .iter()
        .filter(|function| function.first < 0)
        .map(|function| (function.first.saturating_neg(), function.name))
        .collect();
    builtins.sort_unstable();
    let newer = builtins.iter().filter(|(number, _)| *number > LAST_BUILTIN);
    let named = |(number, name): &(i32, &[u8])| format!("{} #{number}", text(name));
    Ok(Facts::default()
        .add("Program for", FactValue::Text(format!("{engine} (CRC {checksum})")))
        .add("Functions", FactValue::Count(functions.len() as u64))
        .names("Builtins", builtins.iter().map(named))
        .names("Of newer engines", newer.map(named))
        .0)
}

/// `.lit`: three bytes for each point of the lightmaps of a level.
pub(crate) fn light(bytes: &[u8]) -> Result<Vec<Fact>, Error> {
    let Some((b"QLIT", rest)) = bytes.split_first_chunk() else {
        return Err(quake_content::Error::from(quake_content::ErrorKind::Format {
            expected: "coloured light (QLIT)",
            found: bytes.iter().take(8).copied().collect(),
        })
        .into());
    };
    let Some((version, points)) = rest.split_first_chunk() else {
        return Err(quake_content::Error::cut_off("the version", 8, bytes.len()).into());
    };
    Ok(Facts::default()
        .add("Light of", FactValue::Text("a level of the same name".to_owned()))
        .text("Version", u32::from_le_bytes(*version).to_string().as_bytes())
        .add("Points", FactValue::Count(points.len() as u64 / 3))
        .0)
}
