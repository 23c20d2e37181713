//! The machine: global cells, entities, and the instructions.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::memory::{Entities, Texts};
use super::{Asked, Call, Executable, Incident, IncidentKind, Setting};
use crate::budget::Spent;
use quake_content::any_op;
use quake_content::program::{Op, Program, Statement};
use quakefs::FileData;
use quakefs::rules::QuakeC;

/// `PROGHEADER_CRC` of Quake's `progdefs.h`: the checksum of the variables whose places are `Globals::FIXED`.
const QUAKES_CHECKSUM: u32 = 5927;
/// The most instructions for one entity. QuakeSpasm stops at 16,777,216 a call, DarkPlaces at 10,000,000.
const OF_ENTITY: u64 = 1 << 23;
/// The most instructions for a level.
const OF_LEVEL: u64 = 1 << 25;
/// The steps that a run takes from the budget of all levels at a time.
const STEPS_AT_A_TIME: u64 = 1 << 16;
/// The most incidents of a run.
const MOST_INCIDENTS: usize = 4096;
/// The deepest nesting of calls (`MAX_STACK_DEPTH` of QuakeSpasm and DarkPlaces).
const DEEPEST: usize = 1024;
/// The most cells of local variables that calls save.
const MOST_KEPT: usize = 1 << 17;

/// The cell with the result of a function.
pub(super) const RETURNED: u32 = 1;
/// The cell of the first parameter; each has three.
pub(super) const PARAMETER: u32 = 4;

/// The first address of global cells. Lower addresses are cells of entities.
const GLOBALS: u32 = 1 << 31;

/// The cell of a variable that the program does not have. It reads as 0 and ignores writes.
const NOWHERE: u32 = u32::MAX;

/// Declares the variables that the engine itself reads or writes, each with its cell in Quake's `progdefs.h`.
macro_rules! named {
    ($(#[$doc:meta])* $Name:ident: $($variable:ident $text:literal $place:literal),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $Name { $(pub(super) $variable: u32),* }

        impl $Name {
            fn of(cell: impl Fn(&[u8]) -> Option<u32>) -> Self {
                $Name { $($variable: cell($text).unwrap_or(NOWHERE)),* }
            }

            /// The cells that the engine uses whatever the names are.
            const FIXED: Self = $Name { $($variable: $place),* };
        }
    };
}

named! {
    /// Global variables.
    Globals: this b"self" 28, time b"time" 31, mapname b"mapname" 34, deathmatch b"deathmatch" 35,
    coop b"coop" 36, forward b"v_forward" 59, up b"v_up" 62, right b"v_right" 65,
    trace_fraction b"trace_fraction" 70, trace_endpos b"trace_endpos" 71, trace_ent b"trace_ent" 78,
    trace_inopen b"trace_inopen" 79, trace_allsolid b"trace_allsolid" 68,
    trace_startsolid b"trace_startsolid" 69,
}

named! {
    /// Fields of entities.
    Fields: classname b"classname" 28, model b"model" 29, modelindex b"modelindex" 0, origin b"origin" 10,
    angles b"angles" 19, mins b"mins" 33, maxs b"maxs" 36, size b"size" 39, absmin b"absmin" 1,
    absmax b"absmax" 4, nextthink b"nextthink" 46, think b"think" 44, frame b"frame" 30, skin b"skin" 31,
    solid b"solid" 9, movetype b"movetype" 8, takedamage b"takedamage" 59,
    colormap b"colormap" 77, chain b"chain" 60, spawnflags b"spawnflags" 89,
}

/// The engine stops loading the level.
#[derive(Debug)]
pub(super) struct Stopped;

/// A call that has not returned.
#[derive(Debug)]
struct Frame {
    function: u32,
    /// The statement after the call.
    next: usize,
    /// The start of the saved variables of the function.
    kept: usize,
}

#[derive(Debug)]
pub(super) struct Machine<'p> {
    executable: &'p Executable<'p>,
    pub(super) program: &'p Program<'p>,
    pub(super) server: &'p QuakeC,
    pub(super) setting: &'p Setting<'p>,
    pub(super) cells: Vec<u32>,
    pub(super) entities: Entities,
    pub(super) texts: Texts<'p>,
    pub(super) globals: Globals,
    pub(super) fields: Fields,
    pub(super) cvars: HashMap<Arc<[u8]>, f32>,
    /// The arguments of the last `tokenize`.
    pub(super) arguments: Vec<Box<[u8]>>,
    /// The open files, each with the place of the next line.
    pub(super) files: Vec<Option<(FileData, usize)>>,
    asked: Vec<Asked>,
    /// The models, sounds, files and levels that were named, each with its number.
    pub(super) named: [HashMap<Arc<[u8]>, u32>; 4],
    incidents: Vec<Incident>,
    /// The places of the incidents.
    seen: HashMap<Incident, usize>,
    /// The number of the entity that is being spawned; its class follows.
    pub(super) entity: usize,
    pub(super) class: Arc<[u8]>,
    /// The name of the last function that named a file or made a mistake, with its number.
    called: (u32, Arc<[u8]>),
    kept: Vec<u32>,
    frames: Vec<Frame>,
    /// The instruction and the cell of the last `switch`.
    switch: (Op, u32),
    function: u32,
    steps: Cell<u64>,
    /// The steps that are paid for.
    paid: Cell<u64>,
    /// The limit of the entity and of the level.
    limit: u64,
    /// Why the budget of all levels pays no more.
    trouble: OnceCell<Spent>,
    depends_on_chance: bool,
}

impl<'p> Machine<'p> {
    pub(super) fn new(executable: &'p Executable<'p>, setting: &'p Setting<'p>) -> Self {
        let program = &executable.program;
        let field = |name: &[u8]| program.field(name).map(|field| field.cell);
        // a compiler may strip the names
        let is_quakes = program.checksum() == QUAKES_CHECKSUM;
        Machine {
            executable,
            program,
            server: setting.server,
            setting,
            cells: program.cells().to_vec(),
            entities: Entities::new(program.entity_size()),
            texts: Texts::new(program, setting.entities.len()),
            globals: match program.global(b"self") {
                None if is_quakes => Globals::FIXED,
                _ => Globals::of(|name| program.global(name).map(|global| global.cell)),
            },
            fields: match field(b"classname") {
                None if is_quakes => Fields::FIXED,
                _ => Fields::of(field),
            },
            cvars: HashMap::new(),
            arguments: Vec::new(),
            files: Vec::new(),
            asked: Vec::new(),
            named: Default::default(),
            incidents: Vec::new(),
            seen: HashMap::new(),
            entity: 0,
            class: Arc::default(),
            called: (0, Arc::default()),
            kept: Vec::new(),
            frames: Vec::new(),
            switch: (Op::Done, 0),
            function: 0,
            steps: Cell::new(0),
            paid: Cell::new(0),
            limit: OF_LEVEL,
            trouble: OnceCell::new(),
            depends_on_chance: false,
        }
    }

    pub(super) fn finish(self) -> super::Spawned {
        let Machine { asked, incidents, depends_on_chance, trouble, .. } = self;
        let (steps, paid) = (self.steps.get(), self.paid.get());
        self.setting.budget.give_back(paid.saturating_sub(steps));
        super::Spawned { asked, incidents, depends_on_chance, trouble: trouble.into_inner(), steps }
    }

    pub(super) fn int(&self, cell: u32) -> u32 {
        self.cells.get(cell as usize).copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, cell: u32, value: u32) {
        if let Some(cell) = self.cells.get_mut(cell as usize) {
            *cell = value;
        }
    }

    pub(super) fn float(&self, cell: u32) -> f32 {
        f32::from_bits(self.int(cell))
    }

    pub(super) fn set_float(&mut self, cell: u32, value: f32) {
        self.set(cell, value.to_bits());
    }

    pub(super) fn vector(&self, cell: u32) -> [f32; 3] {
        [0, 1, 2].map(|number| self.float(cell.saturating_add(number)))
    }

    pub(super) fn set_vector(&mut self, cell: u32, value: [f32; 3]) {
        for (number, value) in (0..).zip(value) {
            self.set_float(cell.saturating_add(number), value);
        }
    }

    pub(super) fn field_vector(&self, entity: u32, field: u32) -> [f32; 3] {
        [0, 1, 2].map(|number| f32::from_bits(self.entities.get(entity, field.saturating_add(number))))
    }

    pub(super) fn set_field_vector(&mut self, entity: u32, field: u32, value: [f32; 3]) {
        for (number, value) in (0..).zip(value) {
            self.entities.set(entity, field.saturating_add(number), value.to_bits());
        }
    }

    /// The text of a cell.
    pub(super) fn text(&self, cell: u32) -> &[u8] {
        self.text_of(self.int(cell))
    }

    /// The text of a value. Finding its end touches all its bytes.
    pub(super) fn text_of(&self, value: u32) -> &[u8] {
        let text = self.texts.get(value);
        self.touch(text.len());
        text
    }

    pub(super) fn are_equal(&self, a: u32, b: u32) -> bool {
        a == b || self.text_of(a) == self.text_of(b)
    }

    /// Frees an entity. Only some fields are reset (`ED_Free`).
    pub(super) fn free(&mut self, entity: u32) {
        let fields = self.fields;
        for field in [
            fields.model,
            fields.takedamage,
            fields.modelindex,
            fields.colormap,
            fields.skin,
            fields.frame,
            fields.solid,
        ] {
            self.entities.set(entity, field, 0);
        }
        self.set_field_vector(entity, fields.origin, [0.0; 3]);
        self.set_field_vector(entity, fields.angles, [0.0; 3]);
        self.entities.set(entity, fields.nextthink, (-1.0_f32).to_bits());
        self.entities.free(entity);
    }

    /// The name of the running function; empty outside the program.
    fn function_name(&mut self) -> Arc<[u8]> {
        if self.called.0 != self.function {
            let function = self.program.functions().get(self.function as usize);
            let name = function.map(|function| function.name).unwrap_or_default();
            self.called = (self.function, name.into());
        }
        Arc::clone(&self.called.1)
    }

    /// Keeps a name when the program mentions it for the first time. Returns its number among the names of
    /// the call.
    pub(super) fn ask(&mut self, call: Call, name: u32) -> Result<u32, IncidentKind> {
        let text = self.text_of(name);
        if let Some(number) = self.named.get(call as usize).and_then(|named| named.get(text)) {
            return Ok(*number);
        }
        let name: Arc<[u8]> = text.into();
        self.texts.keep(name.len() + size_of::<Asked>())?;
        let (entity, class, function) = (self.entity, Arc::clone(&self.class), self.function_name());
        self.asked.push(Asked { call, name: Arc::clone(&name), entity, class, function });
        Ok(self.name(call, name))
    }

    /// Numbers a name.
    pub(super) fn name(&mut self, call: Call, name: Arc<[u8]>) -> u32 {
        let Some(named) = self.named.get_mut(call as usize) else { return 0 };
        let number = u32::try_from(named.len()).unwrap_or(u32::MAX);
        *named.entry(name).or_insert(number)
    }

    /// The number of a model that is loaded.
    pub(super) fn model(&self, name: u32) -> Option<u32> {
        self.named.get(Call::Model as usize)?.get(self.text_of(name)).copied()
    }

    /// Keeps an incident. Repeated ones are dropped, because a loop could fill the memory.
    pub(super) fn record(&mut self, kind: IncidentKind, ends: bool) {
        // the budget of all levels is no mistake of this one
        if self.trouble.get().is_some() {
            return;
        }
        let (entity, class, function) = (self.entity, Arc::clone(&self.class), self.function_name());
        let incident = Incident { kind, entity, class, function, ends };
        let place = self.incidents.len();
        if (ends || place < MOST_INCIDENTS) && self.seen.insert(incident.clone(), place).is_none() {
            self.incidents.push(incident);
        }
    }

    /// Counts work other than instructions.
    pub(super) fn work(&self, steps: usize) {
        self.steps.set(self.steps.get().saturating_add(steps as u64));
    }

    /// Counts bytes that are read or written.
    pub(super) fn touch(&self, bytes: usize) {
        self.work(bytes / 16);
    }

    /// Checks that the work so far is within the limits and paid for.
    pub(super) fn check(&self) -> Result<(), IncidentKind> {
        let steps = self.steps.get();
        if steps > self.limit {
            return Err(IncidentKind::Budget);
        }
        if steps > self.paid.get() {
            let more = steps - self.paid.get() + STEPS_AT_A_TIME;
            self.setting.budget.work(more).map_err(|trouble| {
                let _ = self.trouble.set(trouble);
                IncidentKind::Budget
            })?;
            self.paid.set(self.paid.get() + more);
        }
        Ok(())
    }

    /// Runs a function to its end.
    ///
    /// # Errors
    /// The engine does not load the level. The incident is recorded.
    pub(super) fn run(&mut self, function: u32) -> Result<(), Stopped> {
        let ended = self.execute(function).map_err(|kind| {
            self.record(kind, true);
            Stopped
        });
        self.function = 0;
        self.frames.clear();
        self.kept.clear();
        ended
    }

    fn enter(&mut self, number: u32, next: usize) -> Result<usize, IncidentKind> {
        let function = *self.program.functions().get(number as usize).ok_or(IncidentKind::Broken)?;
        if self.frames.len() >= DEEPEST || self.kept.len() > MOST_KEPT {
            return Err(IncidentKind::Depth);
        }
        self.frames.push(Frame { function: self.function, next, kept: self.kept.len() });
        let start = function.cells as usize;
        let count = function.cell_count as usize;
        let variables = self.cells.get(start..start.saturating_add(count)).ok_or(IncidentKind::Broken)?;
        self.kept.extend_from_slice(variables);
        self.work(count);
        let mut cell = function.cells;
        let parameters = function.parameter_sizes.iter().take(function.parameter_count as usize);
        for (number, size) in (0..).zip(parameters) {
            for part in 0..u32::from(*size) {
                self.set(cell, self.int(PARAMETER + number * 3 + part));
                cell = cell.saturating_add(1);
            }
        }
        self.function = number;
        usize::try_from(function.first).map_err(|_| IncidentKind::Broken)
    }

    /// Returns the statement after the call; `None` at the end of the first function.
    fn leave(&mut self) -> Option<usize> {
        let frame = self.frames.pop()?;
        let start = self.program.functions().get(self.function as usize).map_or(0, |function| function.cells);
        let kept = self.kept.get(frame.kept..).unwrap_or_default();
        if let Some(cells) = self.cells.get_mut(start as usize..start as usize + kept.len()) {
            cells.copy_from_slice(kept);
        }
        self.kept.truncate(frame.kept);
        self.function = frame.function;
        (!self.frames.is_empty()).then_some(frame.next)
    }

    fn execute(&mut self, function: u32) -> Result<(), IncidentKind> {
        let program = self.program;
        let statements = program.statements();
        self.limit = OF_LEVEL.min(self.steps.get() + OF_ENTITY);
        let mut at = self.enter(function, 0)?;
        loop {
            self.work(1);
            self.check()?;
            let statement = *statements.get(at).ok_or(IncidentKind::Broken)?;
            let Statement { op, a, b, c } = statement;
            at += 1;
            let jump = |distance: u32| (at - 1).checked_add_signed(distance.cast_signed() as isize);
            match op {
                Op::If | Op::IfF if self.int(a) != 0 => at = jump(b).ok_or(IncidentKind::Broken)?,
                Op::IfNot | Op::IfNotF if self.int(a) == 0 => at = jump(b).ok_or(IncidentKind::Broken)?,
                Op::IfS if !self.text(a).is_empty() => at = jump(b).ok_or(IncidentKind::Broken)?,
                Op::IfNotS if self.text(a).is_empty() => at = jump(b).ok_or(IncidentKind::Broken)?,
                Op::Goto => at = jump(a).ok_or(IncidentKind::Broken)?,
                any_op!(SwitchF SwitchV SwitchS SwitchE SwitchFnc) => {
                    self.switch = (op, a);
                    at = jump(b).ok_or(IncidentKind::Broken)?;
                }
                Op::Case if self.is_case(a) => at = jump(b).ok_or(IncidentKind::Broken)?,
                Op::CaseRange if self.is_in_case(a, b) => at = jump(c).ok_or(IncidentKind::Broken)?,
                any_op!(If IfNot Case CaseRange IfNotS IfS IfF IfNotF) => {}
                Op::Call(arguments) | Op::CallWith(arguments) => {
                    if matches!(op, Op::CallWith(_)) {
                        self.copy(b, PARAMETER);
                        if arguments > 1 {
                            self.copy(c, PARAMETER + 3);
                        }
                    }
                    let number = self.int(a);
                    let first = program.functions().get(number as usize).filter(|_| number != 0);
                    let first = first.ok_or(IncidentKind::Broken)?.first;
                    if first >= 0 {
                        at = self.enter(number, at)?;
                        continue;
                    }
                    if self.executable.chances.get(at - 1) == Some(&true) {
                        self.depends_on_chance = true;
                    }
                    self.builtin(first.unsigned_abs(), arguments.into())?;
                }
                Op::Done | Op::Return => {
                    self.copy(a, RETURNED);
                    match self.leave() {
                        Some(next) => at = next,
                        None => return Ok(()),
                    }
                }
                _ => self.step(statement)?,
            }
        }
    }

    /// Whether the last `switch` selects this case.
    fn is_case(&mut self, cell: u32) -> bool {
        let (op, value) = self.switch;
        match op {
            Op::SwitchF => {
                self.float(value).total_cmp(&self.float(cell)).is_eq() || self.int(value) == self.int(cell)
            }
            Op::SwitchV => {
                (0..3).all(|part| self.int(value.saturating_add(part)) == self.int(cell.saturating_add(part)))
            }
            Op::SwitchS => self.are_equal(self.int(value), self.int(cell)),
            _ => self.int(value) == self.int(cell),
        }
    }

    fn is_in_case(&self, least: u32, most: u32) -> bool {
        (self.float(least)..=self.float(most)).contains(&self.float(self.switch.1))
    }

    fn copy(&mut self, from: u32, to: u32) {
        for number in 0..3 {
            self.set(to + number, self.int(from.saturating_add(number)));
        }
    }

    fn truth(&mut self, cell: u32, value: bool) {
        self.set_float(cell, f32::from(u8::from(value)));
    }

    /// Runs an instruction other than a jump or a call.
    #[expect(clippy::float_cmp, reason = "the engines compare so")]
    fn step(&mut self, statement: Statement) -> Result<(), IncidentKind> {
        let Statement { op, a, b, c } = statement;
        match op {
            Op::MulF => self.set_float(c, self.float(a) * self.float(b)),
            Op::MulV => {
                let ([ax, ay, az], [bx, by, bz]) = (self.vector(a), self.vector(b));
                self.set_float(c, ax * bx + ay * by + az * bz);
            }
            Op::MulFv => self.set_vector(c, self.vector(b).map(|part| part * self.float(a))),
            Op::MulVf => self.set_vector(c, self.vector(a).map(|part| part * self.float(b))),
            Op::DivF => self.set_float(c, self.float(a) / self.float(b)),
            Op::AddF => self.set_float(c, self.float(a) + self.float(b)),
            Op::AddV => {
                let ([ax, ay, az], [bx, by, bz]) = (self.vector(a), self.vector(b));
                self.set_vector(c, [ax + bx, ay + by, az + bz]);
            }
            Op::SubF => self.set_float(c, self.float(a) - self.float(b)),
            Op::SubV => {
                let ([ax, ay, az], [bx, by, bz]) = (self.vector(a), self.vector(b));
                self.set_vector(c, [ax - bx, ay - by, az - bz]);
            }
            Op::EqF => self.truth(c, self.float(a) == self.float(b)),
            Op::EqV => self.truth(c, self.vector(a) == self.vector(b)),
            Op::EqS | Op::NeS => {
                let are_equal = self.are_equal(self.int(a), self.int(b));
                self.truth(c, are_equal == (op == Op::EqS));
            }
            Op::EqE | Op::EqFnc => self.truth(c, self.int(a) == self.int(b)),
            Op::NeF => self.truth(c, self.float(a) != self.float(b)),
            Op::NeV => self.truth(c, self.vector(a) != self.vector(b)),
            Op::NeE | Op::NeFnc => self.truth(c, self.int(a) != self.int(b)),
            Op::LeF => self.truth(c, self.float(a) <= self.float(b)),
            Op::GeF => self.truth(c, self.float(a) >= self.float(b)),
            Op::LtF => self.truth(c, self.float(a) < self.float(b)),
            Op::GtF => self.truth(c, self.float(a) > self.float(b)),
            any_op!(LoadF LoadS LoadEnt LoadFld LoadFnc LoadI LoadP) => {
                let value = self.entities.address(self.int(a), self.int(b)).ok_or(IncidentKind::Broken)?;
                self.set(c, self.entities.at(value));
            }
            Op::LoadV => {
                let field = self.int(b);
                let value = self.entities.address(self.int(a), field).ok_or(IncidentKind::Broken)?;
                for number in 0..3 {
                    self.set(c + number, self.entities.at(value + number));
                }
            }
            Op::Address => {
                let address = self.entities.address(self.int(a), self.int(b)).ok_or(IncidentKind::Broken)?;
                self.set(c, address);
            }
            any_op!(StoreF StoreS StoreEnt StoreFld StoreFnc StoreI StoreP) => self.set(b, self.int(a)),
            Op::StoreV => self.copy(a, b),
            any_op!(StorePF StorePS StorePEnt StorePFld StorePFnc StorePI) => {
                let value = self.int(a);
                self.store(self.int(b), value)?;
            }
            Op::StorePV => {
                for number in 0..3 {
                    let value = self.int(a.saturating_add(number));
                    self.store(self.int(b).saturating_add(number), value)?;
                }
            }
            Op::NotF => self.truth(c, self.float(a) == 0.0),
            Op::NotV => self.truth(c, self.vector(a) == [0.0; 3]),
            Op::NotS => self.truth(c, self.text(a).is_empty()),
            Op::NotEnt | Op::NotFnc => self.truth(c, self.int(a) == 0),
            Op::State => {
                let (this, fields) = (self.int(self.globals.this), self.fields);
                let next = self.float(self.globals.time) + 0.1;
                self.entities.set(this, fields.nextthink, next.to_bits());
                self.entities.set(this, fields.frame, self.int(a));
                self.entities.set(this, fields.think, self.int(b));
            }
            Op::AndF => self.truth(c, self.float(a) != 0.0 && self.float(b) != 0.0),
            Op::OrF => self.truth(c, self.float(a) != 0.0 || self.float(b) != 0.0),
            Op::BitAndF => self.set_float(c, whole(whole_of(self.float(a)) & whole_of(self.float(b)))),
            Op::BitOrF => self.set_float(c, whole(whole_of(self.float(a)) | whole_of(self.float(b)))),
            Op::DivVf => self.set_vector(c, self.vector(a).map(|part| part / self.float(b))),
            _ => return self.step_of_fte(statement),
        }
        Ok(())
    }

    /// Stores a value at the address of an entity cell or a global cell.
    fn store(&mut self, address: u32, value: u32) -> Result<(), IncidentKind> {
        let place = match address.checked_sub(GLOBALS) {
            Some(cell) => self.cells.get_mut(cell as usize),
            None => self.entities.at_mut(address),
        };
        *place.ok_or(IncidentKind::Broken)? = value;
        Ok(())
    }

    fn stored(&self, address: u32) -> Result<u32, IncidentKind> {
        match address.checked_sub(GLOBALS) {
            Some(cell) => self.cells.get(cell as usize).copied().ok_or(IncidentKind::Broken),
            None => Ok(self.entities.at(address)),
        }
    }

    /// Runs an update in place, such as `+=`. Hexen II added these instructions, and FTE's compiler uses them
    /// too.
    fn change(&mut self, statement: Statement) -> Result<(), IncidentKind> {
        let Statement { op, a, b, c } = statement;
        let by = |old: f32, value: f32| match op {
            any_op!(MulStoreF MulStoreVf MulStorePF MulStorePVf) => old * value,
            Op::DivStoreF | Op::DivStorePF => old / value,
            any_op!(AddStoreF AddStoreV AddStorePF AddStorePV) => old + value,
            any_op!(SubStoreF SubStoreV SubStorePF SubStorePV) => old - value,
            Op::BitSetStoreF | Op::BitSetStorePF => whole(whole_of(old) | whole_of(value)),
            _ => whole(whole_of(old) & !whole_of(value)),
        };
        let parts = if matches!(op, any_op!(MulStoreVf MulStorePVf AddStoreV AddStorePV SubStoreV SubStorePV))
        {
            3
        } else {
            1
        };
        // vectors are multiplied by a number, but added to a vector
        let is_scaled = matches!(op, Op::MulStoreVf | Op::MulStorePVf);
        let values = [0, 1, 2].map(|part| self.float(a.saturating_add(if is_scaled { 0 } else { part })));
        let is_bits = matches!(op, any_op!(BitSetStoreF BitSetStorePF BitClrStoreF BitClrStorePF));
        let is_address = matches!(
            op,
            any_op!(
                MulStorePF MulStorePVf DivStorePF AddStorePF AddStorePV SubStorePF SubStorePV
                BitSetStorePF BitClrStorePF
            )
        );
        for (part, value) in (0..parts).zip(values) {
            if is_address {
                let address = self.int(b).saturating_add(part);
                let new = by(f32::from_bits(self.stored(address)?), value).to_bits();
                self.store(address, new)?;
                // setting bits has no result
                if !is_bits {
                    self.set(c.saturating_add(part), new);
                }
            } else {
                let cell = b.saturating_add(part);
                self.set_float(cell, by(self.float(cell), value));
            }
        }
        Ok(())
    }

    /// Reads an array element, or the value at an address.
    fn element(&mut self, statement: Statement) -> Result<(), IncidentKind> {
        let Statement { op, a, b, c } = statement;
        let is_vector = matches!(op, Op::FetchGblV | Op::LoadAV | Op::LoadPV);
        let address = match op {
            any_op!(FetchGblF FetchGblV FetchGblS FetchGblE FetchGblFnc) => {
                let index = u32::try_from(whole_of(self.float(b))).map_err(|_| IncidentKind::Broken)?;
                // the cell before an array contains its last index
                if a.checked_sub(1).is_none_or(|last| index > self.int(last)) {
                    return Err(IncidentKind::Broken);
                }
                let step = if is_vector { 3 } else { 1 };
                GLOBALS | a.saturating_add(index.saturating_mul(step))
            }
            any_op!(GlobalAddress LoadAF LoadAV LoadAS LoadAEnt LoadAFld LoadAFnc LoadAI) => {
                GLOBALS | a.wrapping_add(self.int(b)) & !GLOBALS
            }
            _ => self.int(a).wrapping_add(self.int(b)),
        };
        if matches!(op, Op::GlobalAddress | Op::AddPiw) {
            self.set(c, address);
            return Ok(());
        }
        for part in 0..if is_vector { 3 } else { 1 } {
            let value = self.stored(address.saturating_add(part))?;
            self.set(c.saturating_add(part), value);
        }
        Ok(())
    }

    /// Runs an instruction for whole numbers or arrays from FTE's compiler (`pr_comp.h` and `execloop.h` of
    /// FTE). Its instructions for texts by address are unknown here, like Hexen II's for states and chance.
    #[expect(clippy::float_cmp, reason = "the engine compares so")]
    fn step_of_fte(&mut self, statement: Statement) -> Result<(), IncidentKind> {
        let Statement { op, a, b, c } = statement;
        let int = |cell| self.int(cell).cast_signed();
        let float = |cell| self.float(cell);
        let bits = |number: i32| number.cast_unsigned();
        let truth = u32::from;
        let (cell, value) = match op {
            any_op!(
                MulStoreF MulStoreVf MulStorePF MulStorePVf DivStoreF DivStorePF AddStoreF AddStoreV
                AddStorePF AddStorePV SubStoreF SubStoreV SubStorePF SubStorePV BitSetStoreF
                BitSetStorePF BitClrStoreF BitClrStorePF
            ) => return self.change(statement),
            any_op!(
                FetchGblF FetchGblV FetchGblS FetchGblE FetchGblFnc GlobalAddress AddPiw LoadAF LoadAV
                LoadAS LoadAEnt LoadAFld LoadAFnc LoadAI LoadPF LoadPV LoadPS LoadPEnt LoadPFld LoadPFnc
                LoadPI
            ) => return self.element(statement),
            Op::ThinkTime => {
                let next = self.float(self.globals.time) + self.float(b);
                self.entities.set(self.int(a), self.fields.nextthink, next.to_bits());
                return Ok(());
            }
            Op::StorePIf => return self.store(self.int(b), whole(int(a)).to_bits()),
            Op::StorePFi => return self.store(self.int(b), bits(whole_of(float(a)))),
            Op::MulVi | Op::MulIv => {
                let (vector, number) = if op == Op::MulVi { (a, b) } else { (b, a) };
                self.set_vector(c, self.vector(vector).map(|part| part * whole(int(number))));
                return Ok(());
            }
            Op::StoreIf => (b, whole(int(a)).to_bits()),
            Op::StoreFi => (b, bits(whole_of(float(a)))),
            Op::AddI => (c, bits(int(a).wrapping_add(int(b)))),
            Op::AddFi => (c, (float(a) + whole(int(b))).to_bits()),
            Op::AddIf => (c, (whole(int(a)) + float(b)).to_bits()),
            Op::SubI => (c, bits(int(a).wrapping_sub(int(b)))),
            Op::SubFi => (c, (float(a) - whole(int(b))).to_bits()),
            Op::SubIf => (c, (whole(int(a)) - float(b)).to_bits()),
            Op::ConvItof => (c, whole(int(a)).to_bits()),
            Op::ConvFtoi => (c, bits(whole_of(float(a)))),
            Op::LoadPItof => (c, whole(self.stored(self.int(a))?.cast_signed()).to_bits()),
            Op::LoadPFtoi => (c, bits(whole_of(f32::from_bits(self.stored(self.int(a))?)))),
            Op::BitAndI => (c, self.int(a) & self.int(b)),
            Op::BitOrI => (c, self.int(a) | self.int(b)),
            Op::MulI => (c, bits(int(a).wrapping_mul(int(b)))),
            Op::DivI => (c, bits(int(a).checked_div(int(b)).unwrap_or_default())),
            Op::EqI => (c, truth(int(a) == int(b))),
            Op::NeI => (c, truth(int(a) != int(b))),
            Op::NotI => (c, truth(int(a) == 0)),
            Op::BitXorI => (c, self.int(a) ^ self.int(b)),
            Op::RShiftI => (c, bits(int(a).wrapping_shr(self.int(b)))),
            Op::LShiftI => (c, bits(int(a).wrapping_shl(self.int(b)))),
            Op::LeI => (c, truth(int(a) <= int(b))),
            Op::GeI => (c, truth(int(a) >= int(b))),
            Op::LtI => (c, truth(int(a) < int(b))),
            Op::GtI => (c, truth(int(a) > int(b))),
            Op::LeIf => (c, truth(whole(int(a)) <= float(b))),
            Op::GeIf => (c, truth(whole(int(a)) >= float(b))),
            Op::LtIf => (c, truth(whole(int(a)) < float(b))),
            Op::GtIf => (c, truth(whole(int(a)) > float(b))),
            Op::LeFi => (c, truth(float(a) <= whole(int(b)))),
            Op::GeFi => (c, truth(float(a) >= whole(int(b)))),
            Op::LtFi => (c, truth(float(a) < whole(int(b)))),
            Op::GtFi => (c, truth(float(a) > whole(int(b)))),
            Op::EqIf => (c, truth(whole(int(a)) == float(b))),
            Op::EqFi => (c, truth(float(a) == whole(int(b)))),
            Op::MulIf => (c, (whole(int(a)) * float(b)).to_bits()),
            Op::MulFi => (c, (float(a) * whole(int(b))).to_bits()),
            Op::DivIf => (c, (whole(int(a)) / float(b)).to_bits()),
            Op::DivFi => (c, (float(a) / whole(int(b))).to_bits()),
            Op::BitAndIf => (c, bits(int(a) & whole_of(float(b)))),
            Op::BitOrIf => (c, bits(int(a) | whole_of(float(b)))),
            Op::BitAndFi => (c, bits(whole_of(float(a)) & int(b))),
            Op::BitOrFi => (c, bits(whole_of(float(a)) | int(b))),
            Op::AndI => (c, truth(int(a) != 0 && int(b) != 0)),
            Op::OrI => (c, truth(int(a) != 0 || int(b) != 0)),
            Op::AndIf => (c, truth(int(a) != 0 && float(b) != 0.0)),
            Op::OrIf => (c, truth(int(a) != 0 || float(b) != 0.0)),
            Op::AndFi => (c, truth(float(a) != 0.0 && int(b) != 0)),
            Op::OrFi => (c, truth(float(a) != 0.0 || int(b) != 0)),
            Op::NeIf => (c, truth(whole(int(a)) != float(b))),
            Op::NeFi => (c, truth(float(a) != whole(int(b)))),
            other => return Err(IncidentKind::UnknownInstruction(other.into())),
        };
        self.set(cell, value);
        Ok(())
    }
}

/// Converts a whole number to a float as the engines do.
#[expect(clippy::cast_precision_loss, reason = "the engines store 32 bits")]
pub(super) fn whole(number: i32) -> f32 {
    number as f32
}

/// Truncates a float as the engines do.
#[expect(clippy::cast_possible_truncation, reason = "the whole part is meant")]
pub(super) fn whole_of(number: f32) -> i32 {
    number as i32
}
