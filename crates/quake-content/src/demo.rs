//! `.dem`, `.dm2`, `.qwd` and `.mvd`: what a demo tells about its game.
//!
//! Sources: `CL_PlayDemo_f` and `CL_ParseServerInfo` of Quake, `CL_ParseServerData` of Quake II,
//! `CL_GetDemoMessage` of `QuakeWorld`, and the multi-view demos of `mvdsv`.

use crate::Error;
use crate::fields::{Fields, name};

/// A demo. Borrows from the bytes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Demo<'a> {
    /// The format.
    pub format: DemoFormat,
    /// The protocol of the network.
    pub protocol: u32,
    /// The levels in their order, each once; at most 256.
    pub levels: Vec<&'a [u8]>,
    /// The title of the first level.
    pub title: &'a [u8],
    /// The game directory; empty if the format does not tell it.
    pub game: &'a [u8],
    /// The length in seconds.
    pub seconds: f64,
}

/// The format of a demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DemoFormat {
    /// `.dem` of Quake.
    Quake,
    /// `.dm2` of Quake II.
    Quake2,
    /// `.qwd` of `QuakeWorld`.
    QuakeWorld,
    /// `.mvd`: all players of a game of `QuakeWorld`.
    MultiView,
}

impl DemoFormat {
    /// The format for a file name, by its extension in any case.
    #[must_use]
    pub fn of(name: &[u8]) -> Option<DemoFormat> {
        let dot = name.iter().rposition(|byte| *byte == b'.')?;
        Some(match &*name.get(dot + 1..)?.to_ascii_lowercase() {
            b"dem" => DemoFormat::Quake,
            b"dm2" => DemoFormat::Quake2,
            b"qwd" => DemoFormat::QuakeWorld,
            b"mvd" => DemoFormat::MultiView,
            _ => return None,
        })
    }

    /// The game.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DemoFormat::Quake => "Quake",
            DemoFormat::Quake2 => "Quake II",
            DemoFormat::QuakeWorld | DemoFormat::MultiView => "QuakeWorld",
        }
    }
}

/// The types of messages from a server: `svc_disconnect`, `svc_time`, `svc_print`, `svc_stufftext`,
/// `svc_serverinfo` (`svc_serverdata`); of Quake II `svc_serverdata`, `svc_configstring`, `svc_frame`.
const NOTHING: u8 = 1;
const TIME: u8 = 7;
const PRINT: u8 = 8;
const COMMAND: u8 = 9;
const SERVER: u8 = 11;
const SERVER_OF_QUAKE2: u8 = 12;
const TEXT_OF_QUAKE2: u8 = 13;
const FRAME_OF_QUAKE2: u8 = 20;

const MOST_LEVELS: usize = 256;

impl<'a> Demo<'a> {
    /// Reads a demo up to a truncated message.
    ///
    /// ```
    /// use quake_content::{Demo, DemoFormat};
    /// assert_eq!(DemoFormat::of(b"run.dem"), Some(DemoFormat::Quake));
    /// assert!(Demo::parse(DemoFormat::Quake, b"-1\n").is_err());
    /// ```
    ///
    /// # Errors
    /// No level starts in it.
    pub fn parse(format: DemoFormat, bytes: &'a [u8]) -> Result<Self, Error> {
        let mut found = Found::default();
        match format {
            DemoFormat::Quake => found.quake(bytes),
            DemoFormat::Quake2 => found.quake2(bytes),
            DemoFormat::QuakeWorld => found.world(bytes, false),
            DemoFormat::MultiView => found.world(bytes, true),
        }
        let Found { protocol, levels, title, game, mut seconds, clock } = found;
        seconds += clock.map_or(0.0, |(first, last)| (last - first).max(0.0));
        let protocol = protocol.ok_or_else(|| Error::format("the start of a level in a demo", bytes))?;
        let seconds = if seconds.is_finite() { seconds } else { 0.0 };
        Ok(Demo { format, protocol, levels, title, game, seconds })
    }
}

#[derive(Default)]
struct Found<'a> {
    protocol: Option<u32>,
    levels: Vec<&'a [u8]>,
    title: &'a [u8],
    game: &'a [u8],
    /// The length of earlier levels.
    seconds: f64,
    /// The first and the last time in this level.
    clock: Option<(f64, f64)>,
}

impl<'a> Found<'a> {
    fn tick(&mut self, time: f64) {
        self.clock = Some((self.clock.map_or(time, |(first, _)| first), time));
    }

    fn level(&mut self, level: &'a [u8]) {
        if self.levels.len() < MOST_LEVELS && !self.levels.contains(&level) {
            self.levels.push(level);
        }
    }

    /// The first level of a demo counts.
    fn server(&mut self, protocol: u32, game: &'a [u8], title: &'a [u8]) {
        if self.protocol.is_none() {
            (self.protocol, self.game, self.title) = (Some(protocol), game, title);
        }
    }

    /// A line with the track of the CD, then messages with their size and the view.
    fn quake(&mut self, bytes: &'a [u8]) {
        let Some(line) = bytes.iter().take(13).position(|byte| *byte == b'\n') else { return };
        for message in messages(bytes, line + 1, 12) {
            if let Some((protocol, title, level)) = quake_server(message) {
                if let Some((first, last)) = self.clock.take() {
                    self.seconds += (last - first).max(0.0);
                }
                self.server(protocol, b"", title);
                self.level(level);
            } else if let Some((&TIME, rest)) = message.split_first()
                && let Ok(time) = Fields(rest).f32("the time", 0)
            {
                self.tick(time.into());
            }
        }
    }

    /// Messages with their size, ten frames a second.
    fn quake2(&mut self, bytes: &'a [u8]) {
        for message in messages(bytes, 0, 0) {
            let rest = self.quake2_server(message).unwrap_or(message);
            let rest = self.quake2_texts(rest);
            if let Some((&FRAME_OF_QUAKE2, rest)) = rest.split_first()
                && let Ok(frame) = Fields(rest).u32("the frame", 0)
            {
                self.tick(f64::from(frame) / 10.0);
            }
        }
    }

    fn quake2_server(&mut self, message: &'a [u8]) -> Option<&'a [u8]> {
        let (&SERVER_OF_QUAKE2, rest) = message.split_first()? else { return None };
        let protocol = Fields(rest).u32("the protocol", 0).ok()?;
        let (game, rest) = text(rest.get(9..)?)?;
        let (title, rest) = text(rest.get(2..)?)?;
        self.server(protocol, game, title);
        Some(rest)
    }

    /// The names of files. The first model is the level.
    fn quake2_texts(&mut self, mut rest: &'a [u8]) -> &'a [u8] {
        const FIRST_MODEL: u16 = 33;
        while let Some((&TEXT_OF_QUAKE2, tail)) = rest.split_first()
            && let Ok(number) = Fields(tail).u16("the number of a text", 0)
            && let Some((value, tail)) = tail.get(2..).and_then(text)
        {
            if number == FIRST_MODEL {
                self.level(value);
            }
            rest = tail;
        }
        rest
    }

    /// Parts with a time: seconds, or in a multi-view demo the milliseconds since the last part.
    fn world(&mut self, bytes: &'a [u8], is_multi: bool) {
        /// The level is in a command at the start.
        const START: usize = 1 << 15;
        let fields = Fields(bytes);
        let (mut at, mut time) = (0_usize, 0.0);
        loop {
            let (clock, before) = if is_multi { (1, 0) } else { (4, 8) };
            let Ok(kind) = fields.bytes("a part", at.saturating_add(clock), 1) else { break };
            if is_multi {
                time += f64::from(bytes.get(at).copied().unwrap_or_default()) / 1000.0;
            } else {
                time = f64::from(fields.f32("the time", at).unwrap_or_default());
            }
            self.tick(time);
            at += clock + 1;
            // a command of the player, a message to some or all, the numbers of a connection
            match kind.first().map_or(0, |kind| kind & 7) {
                0 => at += 36,
                2 => at += 8,
                kind => {
                    at += if kind == 3 { 4 } else { 0 };
                    let Ok(size) = fields.size("a message", at) else { break };
                    let Ok(message) = fields.bytes("a message", at + 4, size) else { break };
                    at += 4 + size;
                    if self.protocol.is_none()
                        && let Some((protocol, game, title)) = world_server(message, before, is_multi)
                    {
                        self.server(protocol, game, title);
                    }
                }
            }
        }
        let start = bytes.get(..START).unwrap_or(bytes);
        if let Some(found) = start.windows(5).position(|word| word == b"\\map\\") {
            let level = name(start.get(found + 5..).unwrap_or_default());
            self.level(level.split(|byte| matches!(byte, b'\\' | b'"')).next().unwrap_or_default());
        }
    }
}

/// Messages with their size, and bytes between the size and the message.
fn messages(bytes: &[u8], mut at: usize, between: usize) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let size = Fields(bytes).size("a message", at).ok()?;
        let message = Fields(bytes).bytes("a message", at + 4 + between, size).ok()?;
        at += 4 + between + size;
        Some(message)
    })
}

/// A text up to its NUL, and what follows.
fn text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..end)?, bytes.get(end + 1..)?))
}

/// The protocol behind the marks of FTE's extensions, and what follows.
fn protocol(mut rest: &[u8]) -> Option<(u32, &[u8])> {
    while rest.starts_with(b"FTEX") || rest.starts_with(b"FTE2") {
        rest = rest.get(8..)?;
    }
    Some((Fields(rest).u32("the protocol", 0).ok()?, rest.get(4..)?))
}

/// Protocol, title and level, if a message starts a level; texts for the console may be before it.
fn quake_server(message: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    /// The protocol of RMQ, which has flags.
    const FLAGS: u32 = 999;
    let mut rest = message;
    loop {
        rest = match rest.split_first()? {
            (&NOTHING, tail) => tail,
            (&(PRINT | COMMAND), tail) => text(tail)?.1,
            (&SERVER, tail) => {
                rest = tail;
                break;
            }
            _ => return None,
        };
    }
    let (protocol, rest) = protocol(rest)?;
    let (title, rest) = text(rest.get(if protocol == FLAGS { 6 } else { 2 }..)?)?;
    Some((protocol, title, text(rest)?.0))
}

/// Protocol, game and title, if a message starts a level.
fn world_server(message: &[u8], before: usize, is_multi: bool) -> Option<(u32, &[u8], &[u8])> {
    let (&SERVER, rest) = message.get(before..)?.split_first()? else { return None };
    let (protocol, rest) = protocol(rest)?;
    let (game, rest) = text(rest.get(4..)?)?;
    // a multi-view demo has the time of the server, others the number of the player
    let (title, _) = text(rest.get(if is_multi { 4 } else { 1 }..)?)?;
    Some((protocol, game, title))
}
