//! Values of options and arguments.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

use camino::Utf8PathBuf;
use clap::builder::{
    NonEmptyStringValueParser, OsStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser,
    TypedValueParser,
};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use pak_format::name::{escape, unescape};
use quakefs::archive::OpenOptions;
use quakefs::findings::Severity;
use quakefs::rules::{Host, SubstituteKind, spelling};
use quakefs::{Access, Engine, Layout};
use quakefs_archives::{CatalogFormat, DigestKind, Sums};
use quakefs_game::{EngineOn, Over};

use super::NAME;
use super::wrong::is_another;

/// The options for opening archives. Files are read by position: if they were mapped, a failing disk or a
/// truncated file would end the process.
pub(crate) fn by_position() -> OpenOptions {
    OpenOptions::new().access(Access::Read)
}

/// A path that is not empty, because an unset variable in a script must not mean the current folder.
pub(crate) fn path() -> impl TypedValueParser<Value = Utf8PathBuf> {
    NonEmptyStringValueParser::new().map(Utf8PathBuf::from)
}

/// A download over the base directory: `FILE`, or `NAME=FILE` with the name of its game directory.
pub(super) fn over() -> impl TypedValueParser<Value = Over> {
    path().map(|whole| {
        // a file whose own name has a `=` is that file
        let named = whole.as_str().split_once('=').filter(|(name, file)| {
            !name.is_empty() && !file.is_empty() && !name.contains(['/', '\\']) && !whole.exists()
        });
        match named {
            Some((name, file)) => Over { name: Some(name.to_owned()), file: file.into() },
            None => Over { name: None, file: whole },
        }
    })
}

/// A setting of an engine and its value.
pub(super) fn setting() -> impl TypedValueParser<Value = (String, String)> {
    StringValueParser::new().try_map(|word| match word.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE"),
    })
}

/// A path or a name of any bytes.
pub(super) fn word() -> impl TypedValueParser<Value = OsString> {
    let filled = |word: OsString| if word.is_empty() { Err("expected a path or a name") } else { Ok(word) };
    OsStringValueParser::new().try_map(filled)
}

/// Parses an engine. The error names those with a similar name; completions have all.
#[derive(Clone)]
pub(super) struct EngineName;

impl TypedValueParser for EngineName {
    type Value = Engine;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Engine, clap::Error> {
        let word = value.to_string_lossy();
        word.parse().map_err(|_| {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            let arg = arg.map_or_else(|| "NAME".to_owned(), ToString::to_string);
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg));
            error.insert(ContextKind::InvalidValue, ContextValue::String(word.into_owned()));
            let tip = other_engine(&value.to_string_lossy());
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |engine: &Engine| PossibleValue::new(engine.name()).aliases(engine.aliases());
        Some(Box::new(Engine::ALL.iter().map(value)))
    }
}

/// Advice for a word that is no engine.
pub(super) fn other_engine(word: &str) -> String {
    let engine = word.strip_suffix("ded").and_then(|engine| engine.parse::<Engine>().ok());
    if let Some(engine) = engine {
        return format!("the server has the rules of {engine}: `--engine {engine}`");
    }
    let near = near_engines(word).join(", ");
    let near = if near.is_empty() { near } else { format!("did you mean {near}? ") };
    format!("{near}`{NAME} engines` lists all engines")
}

/// The engines whose name is similar to a word or contains it, or that has a similar alias; at most five, the
/// most similar first.
fn near_engines(word: &str) -> Vec<&'static str> {
    let word = word.to_ascii_lowercase();
    let near = |engine: &&Engine| {
        let programs = engine.rules().executables.iter().map(|program| &**program);
        let names = std::iter::once(engine.name()).chain(engine.aliases().iter().copied()).chain(programs);
        let distance = |name: &str| match spelling::distance(word.as_bytes(), name.as_bytes()) {
            None if word.len() > 1 && name.contains(&word) => Some(usize::MAX),
            Some(_) if is_another(&word, name) => None,
            distance => distance,
        };
        names.filter_map(distance).min()
    };
    let mut found: Vec<_> =
        Engine::ALL.iter().filter_map(|engine| Some((near(&engine)?, engine.name()))).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(5).map(|(_, name)| name).collect()
}

/// One of several values by its name.
fn named<T: Copy + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let names: Vec<_> = all.iter().map(|value| name(*value)).collect();
    PossibleValuesParser::new(names).try_map(move |word| {
        let value = all.iter().copied().find(|value| name(*value).eq_ignore_ascii_case(&word));
        value.ok_or("expected one of the possible values")
    })
}

/// What a configuration sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Basedir,
    Engine,
}

impl Setting {
    fn name(self) -> &'static str {
        match self {
            Setting::Basedir => "basedir",
            Setting::Engine => "engine",
        }
    }
}

pub(super) fn named_settings() -> impl TypedValueParser<Value = Setting> {
    named([Setting::Basedir, Setting::Engine], Setting::name)
}

/// What the names of `which` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    /// Something that files replace.
    Replaced(SubstituteKind),
    /// A level, whose companions are meant.
    Companion,
}

impl Thing {
    fn name(self) -> &'static str {
        match self {
            Thing::Replaced(kind) => kind.name(),
            Thing::Companion => "companion",
        }
    }
}

pub(super) fn kinds() -> impl TypedValueParser<Value = Thing> {
    let replaced = SubstituteKind::ALL.iter().copied().map(Thing::Replaced);
    named(replaced.chain([Thing::Companion]), Thing::name)
}

/// Parses an engine with an optional system: `quakespasm`, `quakespasm@windows`.
#[derive(Clone)]
pub(super) struct EnginesOnSystems;

impl TypedValueParser for EnginesOnSystems {
    type Value = EngineOn;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<EngineOn, clap::Error> {
        let (engine, host) = match value.to_str().and_then(|value| value.split_once('@')) {
            Some((engine, host)) => (OsStr::new(engine), Some(OsStr::new(host))),
            None => (value, None),
        };
        let engine = EngineName.parse_ref(command, arg, engine)?;
        let host = host.map(|host| systems().parse_ref(command, arg, host)).transpose()?;
        Ok(EngineOn { engine, on: host })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        EngineName.possible_values()
    }
}

pub(super) fn systems() -> impl TypedValueParser<Value = Host> {
    named(Host::ALL.iter().copied(), Host::name)
}

pub(super) fn layouts() -> impl TypedValueParser<Value = Layout> {
    named(Layout::ALL, Layout::name)
}

pub(super) fn catalog_formats() -> impl TypedValueParser<Value = CatalogFormat> {
    named(CatalogFormat::ALL.iter().copied(), CatalogFormat::name)
}

/// How a command prints its findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Text for people.
    Text,
    /// One object per line.
    Json,
    /// Annotations in the log of a GitHub workflow.
    Github,
    /// A log of SARIF 2.1.0, one JSON document.
    Sarif,
}

impl Format {
    pub(crate) const ALL: [Format; 4] = [Format::Text, Format::Json, Format::Github, Format::Sarif];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Github => "github",
            Format::Sarif => "sarif",
        }
    }

    /// Whether the format has only findings, and no other answers of the command.
    pub(crate) fn has_only_findings(self) -> bool {
        matches!(self, Format::Github | Format::Sarif)
    }
}

pub(super) fn finding_formats() -> impl TypedValueParser<Value = Format> {
    named(Format::ALL, Format::name)
}

pub(super) fn failing_severities() -> impl TypedValueParser<Value = Severity> {
    named([Severity::Error, Severity::Warning], Severity::name)
}

pub(super) fn sums() -> impl TypedValueParser<Value = DigestKind> {
    let is_sum = |kind: &DigestKind| Sums::of(&[*kind]) != Sums::default();
    named(DigestKind::ALL.iter().copied().filter(is_sum), DigestKind::name)
}

pub(super) fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("expected a number with K, M, G or T after it, such as 500M".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a whole number, such as 500M".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "this is more than a disk can hold".to_owned())
}

/// Names and patterns of names.
pub(super) fn pattern() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| typed(&text).into_owned())
}

/// A name as it was typed. On Windows people write `\` between folders; there, too, `\xNN` is a byte.
fn typed(name: &str) -> Cow<'_, str> {
    #[cfg(windows)]
    let name = with_slashes(name);
    name.into()
}

#[cfg(any(windows, test))]
fn with_slashes(name: &str) -> String {
    let is_byte = |rest: &str| {
        let mut letters = rest.chars();
        letters.next() == Some('x') && letters.by_ref().take(2).filter(char::is_ascii_hexdigit).count() == 2
    };
    let slashed = |(at, letter): (usize, char)| match letter {
        '\\' if !name.get(at + 1..).is_some_and(is_byte) => '/',
        letter => letter,
    };
    name.char_indices().map(slashed).collect()
}

/// The bytes of a name from the command line, in which `\xNN` is a byte.
pub(crate) fn name_bytes(name: &OsStr) -> Vec<u8> {
    match name.to_str() {
        Some(text) => unescape(&typed(text)).into_owned(),
        None => raw_bytes(name),
    }
}

/// The text of a pattern from the command line, with `\xNN` for each byte that is not UTF-8.
pub(crate) fn pattern_text(pattern: &OsStr) -> String {
    match pattern.to_str() {
        Some(text) => typed(text).into_owned(),
        None => escape(&raw_bytes(pattern)).into_owned(),
    }
}

#[cfg(unix)]
fn raw_bytes(name: &OsStr) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(name).to_vec()
}

#[cfg(not(unix))]
fn raw_bytes(name: &OsStr) -> Vec<u8> {
    name.to_string_lossy().into_owned().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{near_engines, with_slashes};

    #[test]
    fn a_name_may_have_the_slashes_of_windows() {
        assert_eq!(with_slashes(r"gfx\*"), "gfx/*");
        assert_eq!(with_slashes(r"gfx\palette.lmp"), "gfx/palette.lmp");
        assert_eq!(with_slashes(r"caf\xE9\xy.wav"), r"caf\xE9/xy.wav");
        assert_eq!(with_slashes(r"maps\"), "maps/");
    }

    #[test]
    fn a_wrong_engine_has_at_most_five_near_ones() {
        assert_eq!(near_engines("quakespasn"), ["quakespasm"]);
        assert_eq!(near_engines("darkplases"), ["darkplaces"]);
        assert_eq!(near_engines("vkquak")[0], "vkquake");
        assert_eq!(near_engines("quake").len(), 5);
        assert!(near_engines("unreal").is_empty());
    }
}
