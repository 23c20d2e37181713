//! Simulates the engine's functions while a level loads.

use std::sync::Arc;

use super::builtin::Builtin;
use super::machine::{Machine, PARAMETER, RETURNED, whole, whole_of};
use super::memory::{MOST_TEXT, number, vector};
use super::{Call, IncidentKind};
use crate::budget::shortened;
use quakefs::FileData;

/// The cell of a parameter, counted from 0.
const fn parameter(number: u32) -> u32 {
    PARAMETER + number * 3
}

const P0: u32 = parameter(0);
const P1: u32 = parameter(1);
const P2: u32 = parameter(2);

/// The most files that are open at once.
const MOST_FILES: usize = 64;

/// `CONTENTS_EMPTY`: open space.
const EMPTY: f32 = -1.0;

impl Machine<'_> {
    /// Calls a function of the engine.
    #[expect(clippy::too_many_lines, reason = "an arm for each function")]
    pub(super) fn builtin(&mut self, called: u32, arguments: u32) -> Result<(), IncidentKind> {
        if !self.server.has_builtin(called) {
            return Err(IncidentKind::UnknownBuiltin(called));
        }
        let Some(builtin) = Builtin::numbered(called) else {
            self.set_vector(RETURNED, [0.0; 3]);
            return Ok(());
        };
        match builtin {
            Builtin::MakeVectors => self.makevectors(),
            Builtin::SetOrigin => {
                let entity = self.int(P0);
                self.set_field_vector(entity, self.fields.origin, self.vector(P1));
                self.link(entity);
            }
            Builtin::SetModel => self.setmodel()?,
            Builtin::SetSize => {
                let (least, greatest) = (self.vector(P1), self.vector(P2));
                self.set_size(self.int(P0), least, greatest)?;
            }
            Builtin::Random => self.set_float(RETURNED, self.setting.chance),
            Builtin::Normalize => {
                let length = length(self.vector(P0));
                let unit = self.vector(P0).map(|part| if length == 0.0 { 0.0 } else { part / length });
                self.set_vector(RETURNED, unit);
            }
            Builtin::Error => {
                return Err(IncidentKind::Error(shortened(&self.joined(0, arguments)).into()));
            }
            Builtin::ObjError => {
                let error = IncidentKind::ObjectError(shortened(&self.joined(0, arguments)).into());
                if self.server.ends_at_objerror {
                    return Err(error);
                }
                self.record(error, false);
                self.free(self.int(self.globals.this));
            }
            Builtin::VLen => self.set_float(RETURNED, length(self.vector(P0))),
            Builtin::VecToYaw => {
                let [x, y, _] = self.vector(P0);
                self.set_float(RETURNED, angle(x, y));
            }
            Builtin::Spawn => {
                let entity = self.spawned()?;
                self.set(RETURNED, entity);
            }
            // makestatic removes the entity from the server
            Builtin::Remove | Builtin::MakeStatic => self.free(self.int(P0)),
            Builtin::TraceLine | Builtin::TraceToss => self.trace(P1),
            Builtin::TraceBox => self.trace(parameter(3)),
            Builtin::Find => {
                self.find(self.int(P0), |machine, value| machine.are_equal(value, machine.int(P2)))?;
            }
            Builtin::FindFloat => {
                let fits =
                    |machine: &Self, value| f32::from_bits(value).total_cmp(&machine.float(P2)).is_eq();
                self.find(self.int(P0), fits)?;
            }
            Builtin::FindFlags => self.find(self.int(P0), |machine, value| {
                whole_of(f32::from_bits(value)) & whole_of(machine.float(P2)) != 0
            })?,
            Builtin::PrecacheSound | Builtin::PrecacheSound2 => self.precache(Call::Sound)?,
            Builtin::PrecacheModel | Builtin::PrecacheModel2 => self.precache(Call::Model)?,
            Builtin::PrecacheFile | Builtin::PrecacheFile2 => {
                self.ask(Call::File, self.int(P0))?;
                self.set(RETURNED, self.int(P0));
            }
            Builtin::FindRadius => self.findradius(),
            Builtin::FToS => {
                let text = shown(self.float(P0));
                self.give(text)?;
            }
            Builtin::VToS => {
                let [x, y, z] = self.vector(P0);
                self.give(format!("'{x:5.1} {y:5.1} {z:5.1}'"))?;
            }
            // nothing blocks a step, and there is a floor
            Builtin::WalkMove | Builtin::DropToFloor | Builtin::CheckBottom => self.set_float(RETURNED, 1.0),
            Builtin::PointContents => self.set_float(RETURNED, EMPTY),
            Builtin::FAbs => self.set_float(RETURNED, self.float(P0).abs()),
            Builtin::Aim => self.set_vector(RETURNED, self.vector(self.globals.forward)),
            Builtin::Cvar => {
                let value = self.cvar(self.text(P0));
                self.set_float(RETURNED, value);
            }
            Builtin::NextEnt => self.nextent(),
            Builtin::VecToAngles => {
                let [x, y, z] = self.vector(P0);
                self.set_vector(RETURNED, [angle(x.hypot(y), z), angle(x, y), 0.0]);
            }
            Builtin::EToS => self.give(format!("entity {}", self.int(P0)))?,
            Builtin::ChangeLevel => {
                self.ask(Call::Level, self.int(P0))?;
            }
            Builtin::CvarSet => {
                let (name, value): (Arc<[u8]>, _) = (self.text(P0).into(), number(self.text(P1)));
                if let Some(known) = self.cvars.get_mut(&name) {
                    *known = value;
                } else {
                    self.texts.keep(name.len() + 32)?;
                    self.cvars.insert(name, value);
                }
            }
            Builtin::FindChain | Builtin::FindChainFloat | Builtin::FindChainFlags => {
                self.findchain(builtin)?;
            }
            Builtin::CvarString => {
                let value = self.setting.cvars.get(self.text(P0)).unwrap_or_default().to_vec();
                self.give(value)?;
            }
            Builtin::FOpen => self.fopen(),
            Builtin::FClose => {
                if let Some(file) = self.file() {
                    *file = None;
                }
            }
            Builtin::FGets => self.fgets()?,
            _ => self.text_builtin(builtin, arguments)?,
        }
        Ok(())
    }

    /// Functions on numbers.
    fn number_builtin(&mut self, builtin: Builtin, arguments: u32) {
        match builtin {
            Builtin::RInt => {
                let value = self.float(P0);
                let half = if value > 0.0 { 0.5 } else { -0.5 };
                self.set_float(RETURNED, (value + half).trunc());
            }
            Builtin::Floor => self.set_float(RETURNED, self.float(P0).floor()),
            Builtin::Ceil => self.set_float(RETURNED, self.float(P0).ceil()),
            Builtin::Sin => self.set_float(RETURNED, self.float(P0).sin()),
            Builtin::Cos => self.set_float(RETURNED, self.float(P0).cos()),
            Builtin::Sqrt => self.set_float(RETURNED, self.float(P0).sqrt()),
            Builtin::SToF => self.set_float(RETURNED, number(self.text(P0))),
            Builtin::Min | Builtin::Max => {
                let values = (0..arguments.min(8)).map(|number| self.float(parameter(number)));
                let chosen =
                    if builtin == Builtin::Min { values.reduce(f32::min) } else { values.reduce(f32::max) };
                self.set_float(RETURNED, chosen.unwrap_or_default());
            }
            Builtin::Bound => {
                let value = self.float(P1).max(self.float(P0)).min(self.float(P2));
                self.set_float(RETURNED, value);
            }
            Builtin::Pow => self.set_float(RETURNED, self.float(P0).powf(self.float(P1))),
            Builtin::CheckExtension => {
                let wanted = self.text(P0);
                let is_there = self.server.has_extension(wanted);
                self.set_float(RETURNED, f32::from(u8::from(is_there)));
            }
            Builtin::BitShift => {
                let (bits, by) = (whole_of(self.float(P0)), whole_of(self.float(P1)));
                let shifted = if by < 0 {
                    bits.checked_shr(by.unsigned_abs())
                } else {
                    bits.checked_shl(by.unsigned_abs())
                };
                self.set_float(RETURNED, whole(shifted.unwrap_or_default()));
            }
            _ => self.set_vector(RETURNED, [0.0; 3]),
        }
    }

    fn give(&mut self, text: impl Into<Vec<u8>>) -> Result<(), IncidentKind> {
        let text = text.into();
        self.touch(text.len());
        let value = self.texts.make(text)?;
        self.set(RETURNED, value);
        Ok(())
    }

    /// Joins the texts of the arguments, starting with one of them.
    fn joined(&self, from: u32, arguments: u32) -> Vec<u8> {
        (from..arguments.min(8)).map(|number| self.text(parameter(number))).collect::<Vec<_>>().concat()
    }

    fn precache(&mut self, call: Call) -> Result<(), IncidentKind> {
        let value = self.int(P0);
        let name = self.text_of(value);
        if name.first().is_none_or(|byte| *byte <= b' ') {
            return Err(IncidentKind::EmptyName);
        }
        if call == Call::Model && self.server.has_null_model && name == b"null" {
            self.name(call, b"null"[..].into());
        } else {
            self.ask(call, value)?;
        }
        self.set(RETURNED, value);
        Ok(())
    }

    /// Opens a file of the game to read, in `data/` first (`VM_fopen` of DarkPlaces). Files to write cannot
    /// be opened.
    fn fopen(&mut self) {
        let is_free = |file: &Option<_>| file.is_none();
        let number = self.files.iter().position(is_free).unwrap_or(self.files.len());
        let name = self.text(P0);
        let names = [[b"data/", name].concat(), name.to_vec()];
        let read = whole_of(self.float(P1)) == 0 && number < MOST_FILES;
        let search_path = self.setting.search_path.filter(|_| read);
        let found = search_path.and_then(|files| names.iter().find_map(|name| files.read(name).ok()));
        self.touch(found.as_ref().map_or(0, |bytes| bytes.len() * 4));
        let Some(bytes) = found else { return self.set_float(RETURNED, -1.0) };
        self.files.resize_with(self.files.len().max(number + 1), || None);
        if let Some(file) = self.files.get_mut(number) {
            *file = Some((bytes, 0));
        }
        self.set_float(RETURNED, whole(i32::try_from(number).unwrap_or(-1)));
    }

    fn file(&mut self) -> Option<&mut Option<(FileData, usize)>> {
        let number = usize::try_from(whole_of(self.float(P0))).ok()?;
        self.files.get_mut(number)
    }

    /// The next line of a file; no text at its end.
    fn fgets(&mut self) -> Result<(), IncidentKind> {
        self.set(RETURNED, 0);
        let Some((bytes, at)) = self.file().and_then(Option::as_mut) else { return Ok(()) };
        let Some(rest) = bytes.get(*at..).filter(|rest| !rest.is_empty()) else { return Ok(()) };
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        *at += end + 1;
        let line = rest.get(..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line).to_vec();
        self.give(line)
    }

    /// Creates an entity.
    pub(super) fn spawned(&mut self) -> Result<u32, IncidentKind> {
        // all its cells are cleared, and a freed entity is looked for
        self.touch(self.entities.size() * 4 + self.entities.count());
        self.entities.spawn()
    }

    fn setmodel(&mut self) -> Result<(), IncidentKind> {
        let (entity, name) = (self.int(P0), self.int(P1));
        let number = if let Some(number) = self.model(name) {
            number
        } else {
            let unknown = IncidentKind::NotPrecached(shortened(self.text_of(name)).into());
            if !self.server.loads_late {
                return Err(unknown);
            }
            self.record(unknown, false);
            self.ask(Call::Model, name)?
        };
        self.entities.set(entity, self.fields.model, name);
        self.entities.set(entity, self.fields.modelindex, whole(number.cast_signed()).to_bits());
        // a model inside the level is a unit larger on each side (`Mod_LoadSubmodels`); other models get id's
        // default size
        let part = (number as usize).checked_sub(1).and_then(|index| self.setting.models.get(index));
        let (least, greatest) = match (number, part) {
            (0, _) => ([0.0; 3], [0.0; 3]),
            (_, Some(bounds)) => {
                (bounds.least.map(|part| part - 1.0), bounds.greatest.map(|part| part + 1.0))
            }
            (_, None) => ([-16.0; 3], [16.0; 3]),
        };
        self.set_size(entity, least, greatest)
    }

    fn set_size(&mut self, entity: u32, least: [f32; 3], greatest: [f32; 3]) -> Result<(), IncidentKind> {
        if least.iter().zip(&greatest).any(|(least, greatest)| least > greatest) {
            return Err(IncidentKind::BackwardsBox);
        }
        let ([x, y, z], [right, back, top]) = (least, greatest);
        self.set_field_vector(entity, self.fields.mins, least);
        self.set_field_vector(entity, self.fields.maxs, greatest);
        self.set_field_vector(entity, self.fields.size, [right - x, back - y, top - z]);
        self.link(entity);
        Ok(())
    }

    /// Sets the absolute box of an entity.
    fn link(&mut self, entity: u32) {
        let fields = self.fields;
        let at = self.field_vector(entity, fields.origin);
        let sum = |a: [f32; 3], by: f32| {
            let ([ax, ay, az], [bx, by_, bz]) = (at, a);
            [ax + bx + by, ay + by_ + by, az + bz + by]
        };
        let (least, greatest) =
            (self.field_vector(entity, fields.mins), self.field_vector(entity, fields.maxs));
        self.set_field_vector(entity, fields.absmin, sum(least, -1.0));
        self.set_field_vector(entity, fields.absmax, sum(greatest, 1.0));
    }

    fn makevectors(&mut self) {
        let [pitch, yaw, roll] = self.vector(P0).map(f32::to_radians);
        let ((sp, cp), (sy, cy), (sr, cr)) = (pitch.sin_cos(), yaw.sin_cos(), roll.sin_cos());
        let globals = self.globals;
        self.set_vector(globals.forward, [cp * cy, cp * sy, -sp]);
        self.set_vector(globals.right, [cr * sy - sr * sp * cy, -sr * sp * sy - cr * cy, -sr * cp]);
        self.set_vector(globals.up, [cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp]);
    }

    /// Traces a line that hits nothing.
    fn trace(&mut self, end: u32) {
        let globals = self.globals;
        self.set_float(globals.trace_fraction, 1.0);
        self.set_float(globals.trace_inopen, 1.0);
        self.set_float(globals.trace_allsolid, 0.0);
        self.set_float(globals.trace_startsolid, 0.0);
        self.set_vector(globals.trace_endpos, self.vector(end));
        self.set(globals.trace_ent, 0);
    }

    fn each(&self, after: u32) -> std::ops::Range<u32> {
        let count = u32::try_from(self.entities.count()).unwrap_or(u32::MAX);
        let range = after.saturating_add(1)..count;
        self.work(range.len());
        range
    }

    /// Finds the next entity whose field fits.
    fn find(&mut self, after: u32, fits: impl Fn(&Self, u32) -> bool) -> Result<(), IncidentKind> {
        let field = self.int(P1);
        let mut found = 0;
        for other in self.each(after) {
            self.check()?;
            if !self.entities.is_free(other) && fits(self, self.entities.get(other, field)) {
                found = other;
                break;
            }
        }
        self.set(RETURNED, found);
        Ok(())
    }

    fn findchain(&mut self, builtin: Builtin) -> Result<(), IncidentKind> {
        let (field, wanted) = (self.int(P0), self.int(P1));
        let mut chain = 0;
        for other in self.each(0) {
            self.check()?;
            let value = self.entities.get(other, field);
            let number = f32::from_bits(value);
            let fits = match builtin {
                Builtin::FindChain => self.are_equal(value, wanted),
                Builtin::FindChainFloat => number.to_bits() == wanted,
                _ => whole_of(number) & whole_of(f32::from_bits(wanted)) != 0,
            };
            if fits && !self.entities.is_free(other) {
                self.entities.set(other, self.fields.chain, chain);
                chain = other;
            }
        }
        self.set(RETURNED, chain);
        Ok(())
    }

    fn findradius(&mut self) {
        let ([x, y, z], radius) = (self.vector(P0), self.float(P1));
        let mut chain = 0;
        for other in self.each(0) {
            let solid = f32::from_bits(self.entities.get(other, self.fields.solid));
            if self.entities.is_free(other) || solid == 0.0 {
                continue;
            }
            let [ox, oy, oz] = self.field_vector(other, self.fields.origin);
            let ([lx, ly, lz], [gx, gy, gz]) =
                (self.field_vector(other, self.fields.mins), self.field_vector(other, self.fields.maxs));
            let middle = [ox + (lx + gx) * 0.5, oy + (ly + gy) * 0.5, oz + (lz + gz) * 0.5];
            let [mx, my, mz] = middle;
            if length([x - mx, y - my, z - mz]) <= radius {
                self.entities.set(other, self.fields.chain, chain);
                chain = other;
            }
        }
        self.set(RETURNED, chain);
    }

    fn nextent(&mut self) {
        let after = self.int(P0);
        let found = self.each(after).find(|other| !self.entities.is_free(*other));
        self.set(RETURNED, found.unwrap_or_default());
    }

    pub(super) fn cvar(&self, name: &[u8]) -> f32 {
        if let Some(value) = self.cvars.get(name) {
            return *value;
        }
        let mode = self.setting.mode;
        match name {
            b"skill" => f32::from(mode.skill),
            b"coop" => f32::from(u8::from(mode.is_coop)),
            b"deathmatch" => f32::from(u8::from(mode.is_deathmatch)),
            _ => match self.setting.cvars.get(name) {
                Some(value) => number(value),
                None => self.server.cvar(name).unwrap_or_default(),
            },
        }
    }

    /// Functions on texts (`FRIK_FILE`, `FTE_STRINGS`, `KRIMZON_SV_PARSECLIENTCOMMAND`, `DP_QC_STRREPLACE`).
    fn text_builtin(&mut self, builtin: Builtin, arguments: u32) -> Result<(), IncidentKind> {
        let size = |length: usize| whole(i32::try_from(length).unwrap_or(i32::MAX));
        let count = |value: f32| usize::try_from(whole_of(value)).unwrap_or_default();
        match builtin {
            Builtin::StrLen => self.set_float(RETURNED, size(self.text(P0).len())),
            Builtin::StrCat | Builtin::StrZone => self.give(self.joined(0, arguments))?,
            Builtin::SubString => {
                let text = self.text(P0);
                let (start, length) = (whole_of(self.float(P1)), whole_of(self.float(P2)));
                let from = |place: i32| {
                    usize::try_from(place)
                        .unwrap_or_else(|_| text.len().saturating_sub(place.unsigned_abs() as usize))
                };
                let start = from(start).min(text.len());
                let end = usize::try_from(length).map_or_else(
                    |_| text.len().saturating_sub(length.unsigned_abs() as usize - 1),
                    |length| start.saturating_add(length).min(text.len()),
                );
                let part = text.get(start..end).unwrap_or_default().to_vec();
                self.give(part)?;
            }
            Builtin::SToV => {
                let text = self.text(P0);
                let parts = vector(text.strip_prefix(b"'").unwrap_or(text));
                self.set_vector(RETURNED, parts);
            }
            Builtin::StrStrOfs => {
                let (text, part) = (self.text(P0), self.text(P1));
                let from = if arguments > 2 { count(self.float(P2)) } else { 0 };
                let rest = text.get(from..).unwrap_or_default();
                self.work(rest.len() + part.len());
                let at = if part.is_empty() { Some(0) } else { places(rest, part).next() };
                self.set_float(RETURNED, at.map_or(-1.0, |at| size(at + from)));
            }
            Builtin::Str2Chr => {
                let at = if arguments > 1 { count(self.float(P1)) } else { 0 };
                let byte = self.text(P0).get(at).copied().unwrap_or_default();
                self.set_float(RETURNED, byte.into());
            }
            Builtin::Chr2Str => {
                let byte =
                    |number: u32| u8::try_from(whole_of(self.float(parameter(number)))).unwrap_or(b'?');
                self.give((0..arguments.min(8)).map(byte).collect::<Vec<_>>())?;
            }
            Builtin::StrNCmp | Builtin::StrCaseCmp | Builtin::StrNCaseCmp => {
                let most = if arguments > 2 { count(self.float(P2)) } else { usize::MAX };
                let cut = |cell: u32| {
                    let text = self.text(cell);
                    let text = text.get(..most).unwrap_or(text);
                    if builtin == Builtin::StrNCmp { text.to_vec() } else { text.to_ascii_lowercase() }
                };
                let order = cut(P0).cmp(&cut(P1));
                self.set_float(RETURNED, whole(order as i32));
            }
            Builtin::Tokenize => {
                let words = self.text(P0).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                self.arguments = words.take(256).map(Into::into).collect();
                self.set_float(RETURNED, size(self.arguments.len()));
            }
            Builtin::ArgV => {
                let word = self.arguments.get(count(self.float(P0))).cloned().unwrap_or_default();
                self.give(word)?;
            }
            Builtin::StrToLower => self.give(self.text(P0).to_ascii_lowercase())?,
            Builtin::StrToUpper => self.give(self.text(P0).to_ascii_uppercase())?,
            Builtin::StrReplace => {
                let (from, to, text) = (self.text(P0), self.text(P1), self.text(P2));
                self.work(from.len() + text.len());
                self.give(replaced(text, from, to))?;
            }
            _ => self.number_builtin(builtin, arguments),
        }
        Ok(())
    }
}

fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut end = 0;
    for at in places(text, from) {
        all.extend_from_slice(text.get(end..at).unwrap_or_default());
        all.extend_from_slice(to);
        end = at + from.len();
        // a longer text is beyond the budget
        if all.len() > MOST_TEXT {
            break;
        }
    }
    all.extend_from_slice(text.get(end..).unwrap_or_default());
    all
}

/// The places of a part in a text, one after the other and none inside another. The time is linear (Knuth,
/// Morris and Pratt).
pub(super) fn places<'t>(text: &'t [u8], part: &'t [u8]) -> impl Iterator<Item = usize> + use<'t> {
    // for each length of a start of the part, the longest shorter start that ends it
    let mut shorter: Vec<u32> = vec![0; 1.min(part.len())];
    let next = move |shorter: &[u32], mut length: usize, byte: u8| loop {
        match part.get(length) {
            Some(wanted) if *wanted == byte => return length + 1,
            _ if length == 0 => return 0,
            _ => length = shorter.get(length - 1).map_or(0, |length| *length as usize),
        }
    };
    for byte in part.iter().skip(1) {
        let length = shorter.last().map_or(0, |length| *length as usize);
        let length = next(&shorter, length, *byte);
        shorter.push(u32::try_from(length).unwrap_or_default());
    }
    let mut length = 0;
    text.iter().enumerate().filter_map(move |(at, byte)| {
        length = next(&shorter, length, *byte);
        (length > 0 && length == part.len()).then(|| {
            length = 0;
            at + 1 - part.len()
        })
    })
}

/// Formats a number like `ftos`.
fn shown(value: f32) -> String {
    if value.fract() == 0.0 { whole_of(value).to_string() } else { format!("{value:5.1}") }
}

fn length([x, y, z]: [f32; 3]) -> f32 {
    (x * x + y * y + z * z).sqrt()
}

/// The angle of a direction in whole degrees, from 0 to 359 (`PF_vectoyaw`).
fn angle(x: f32, y: f32) -> f32 {
    let degrees = y.atan2(x).to_degrees().trunc();
    if degrees < 0.0 { degrees + 360.0 } else { degrees }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_are_shown_as_printf_shows_them() {
        for (value, wanted) in [
            (7.0, "7"),
            (-3.0, "-3"),
            (0.5, "  0.5"),
            (-0.5, " -0.5"),
            (0.25, "  0.2"),
            (0.75, "  0.8"),
            (-0.01, " -0.0"),
            (123.96, "124.0"),
            (4_194_303.5, "4194303.5"),
            (f32::NEG_INFINITY, " -inf"),
        ] {
            assert_eq!(shown(value), wanted);
        }
    }
}
