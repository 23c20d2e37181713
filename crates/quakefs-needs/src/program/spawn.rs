//! Reads the entities of a level and calls their spawn functions, as a server does.

use super::machine::{Machine, Stopped};
use super::memory::{number, unescaped, vector};
use super::{Call, Executable, IncidentKind, Setting, Spawned};
use crate::budget::shortened;
use quake_content::program::ValueKind;
use quake_content::{Entities, Entity};

/// The time while a level loads (`SV_SpawnServer`).
const TIME: f32 = 1.0;

/// Spawns the entities of a level.
#[must_use]
pub(crate) fn spawn(executable: &Executable<'_>, setting: &Setting<'_>) -> Spawned {
    let mut machine = Machine::new(executable, setting);
    // the reason is recorded
    let _ = machine.load();
    machine.finish()
}

impl Machine<'_> {
    fn load(&mut self) -> Result<(), Stopped> {
        let (setting, globals, fields) = (self.setting, self.globals, self.fields);
        let mode = setting.mode;
        let flag = |is: bool| f32::from(u8::from(is)).to_bits();
        self.set_float(globals.time, TIME);
        self.set(globals.deathmatch, flag(mode.is_deathmatch));
        self.set(globals.coop, flag(mode.is_coop));
        let name = setting.map.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let texts = [name.strip_suffix(b".bsp").unwrap_or(name), setting.map];
        let [name, map] = texts.map(|text| self.texts.make(text).unwrap_or_default());
        self.set(globals.mapname, name);
        // the cells, the models and the text are gone through once
        self.work(self.cells.len() / 4 + setting.models.len() * 16 + setting.entities.len());
        self.check().map_err(|kind| self.stop(kind))?;
        // 0 is no model, 1 the level
        for name in [&b""[..], setting.map] {
            self.name(Call::Model, name.into());
        }
        for index in 1..setting.models.len() {
            self.name(Call::Model, format!("*{index}").into_bytes().into());
        }
        // the world is a brush that pushes
        self.entities.set(0, fields.model, map);
        self.entities.set(0, fields.modelindex, 1.0_f32.to_bits());
        self.entities.set(0, fields.solid, 4.0_f32.to_bits());
        self.entities.set(0, fields.movetype, 7.0_f32.to_bits());
        for (index, entity) in Entities::new(setting.entities).enumerate() {
            self.entity = index;
            self.class = shortened(entity.class()).into();
            self.spawn_entity(&entity, index == 0)?;
        }
        Ok(())
    }

    fn stop(&mut self, kind: IncidentKind) -> Stopped {
        self.record(kind, true);
        Stopped
    }

    fn spawn_entity(&mut self, entity: &Entity<'_>, is_world: bool) -> Result<(), Stopped> {
        let number = if is_world { 0 } else { self.spawned().map_err(|kind| self.stop(kind))? };
        self.fill(number, entity).map_err(|kind| self.stop(kind))?;
        if !is_world && self.is_left_out(number) {
            self.free(number);
            return Ok(());
        }
        let class = self.entities.get(number, self.fields.classname);
        if class == 0 {
            self.record(IncidentKind::NoClass, false);
            self.free(number);
            return Ok(());
        }
        let class = self.text_of(class);
        let prefixed = [b"spawnfunc_", class].concat();
        let Some(function) = self.program.function(&prefixed).or_else(|| self.program.function(class)) else {
            self.record(IncidentKind::NoSpawnFunction, false);
            self.free(number);
            return Ok(());
        };
        self.set(self.globals.this, number);
        self.run(function)
    }

    /// Whether the flags of the entity exclude this mode (`ED_LoadFromFile`).
    fn is_left_out(&self, number: u32) -> bool {
        let flags = f32::from_bits(self.entities.get(number, self.fields.spawnflags));
        let flags = super::machine::whole_of(flags);
        // the world may change the variable; the skill is fixed before
        let is_deathmatch = self.cvar(b"deathmatch") != 0.0;
        let out = match (is_deathmatch, self.setting.mode.skill) {
            (true, _) => 2048,
            (false, 0) => 256,
            (false, 1) => 512,
            (false, _) => 1024,
        };
        flags & out != 0
    }

    /// Stores the values of an entity by the types of the fields (`ED_ParseEdict`, `ED_ParseEpair`).
    fn fill(&mut self, number: u32, entity: &Entity<'_>) -> Result<(), IncidentKind> {
        for (key, value) in &entity.pairs {
            let is_angle = *key == b"angle";
            let key = match *key {
                b"angle" => &b"angles"[..],
                b"light" => b"light_lev",
                key => key,
            };
            let end = key.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
            let key = key.get(..end).unwrap_or_default();
            // a key for editors or compilers
            if key.starts_with(b"_") {
                continue;
            }
            let Some(field) = self.program.field(key).copied() else { continue };
            let value = match field.kind {
                ValueKind::Text => self.texts.make(&*unescaped(value))?,
                ValueKind::Number => self::number(value).to_bits(),
                ValueKind::Vector => {
                    let parts = if is_angle { [0.0, self::number(value), 0.0] } else { vector(value) };
                    self.set_field_vector(number, field.cell, parts);
                    continue;
                }
                ValueKind::Entity | ValueKind::Integer => {
                    super::machine::whole_of(self::number(value)).cast_unsigned()
                }
                ValueKind::Field => self.program.field(value).map_or(0, |field| field.cell),
                // the engine gives up the level (`ED_ParseEpair`, `ED_ParseEdict`)
                ValueKind::Function => self
                    .program
                    .function(value)
                    .ok_or_else(|| IncidentKind::UnknownFunction(shortened(value).into()))?,
                _ => continue,
            };
            self.entities.set(number, field.cell, value);
        }
        Ok(())
    }
}
