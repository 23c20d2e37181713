//! Small QuakeC programs, laid out by hand.

/// The numbers of instructions.
pub mod op {
    #![allow(missing_docs, reason = "they are called as in `pr_comp.h`")]

    pub const DONE: u16 = 0;
    pub const ADD_F: u16 = 6;
    pub const EQ_F: u16 = 10;
    pub const LT: u16 = 22;
    pub const LOAD_F: u16 = 24;
    pub const LOAD_S: u16 = 26;
    pub const IFNOT: u16 = 50;
    pub const CALL0: u16 = 51;
    pub const CALL1: u16 = 52;
    pub const CALL2: u16 = 53;
    pub const CALL3: u16 = 54;
    pub const GOTO: u16 = 61;
    pub const STORE_F: u16 = 31;
}

/// The cell of a function's result.
pub const RETURNED: u16 = 1;
/// The cell of the first parameter.
pub const FIRST: u16 = 4;
/// The cell of the second parameter.
pub const SECOND: u16 = 7;
/// The cell of the third parameter.
pub const THIRD: u16 = 10;

/// A program under construction.
#[derive(Debug)]
pub struct Program {
    texts: Vec<u8>,
    cells: Vec<u32>,
    variables: Vec<(u16, u16, u32)>,
    fields: Vec<(u16, u16, u32)>,
    functions: Vec<[u32; 9]>,
    statements: Vec<[u16; 4]>,
    field_cells: u16,
}

const TEXT: u16 = 1;
const NUMBER: u16 = 2;
const VECTOR: u16 = 3;
const ENTITY: u16 = 4;
const FIELD: u16 = 5;
const FUNCTION: u16 = 6;

impl Default for Program {
    fn default() -> Self {
        Program::new()
    }
}

impl Program {
    /// A program with the variables and fields that a server expects.
    #[must_use]
    pub fn new() -> Self {
        let mut program = Program {
            texts: vec![0],
            cells: vec![0; 28],
            variables: Vec::new(),
            fields: Vec::new(),
            functions: vec![[0; 9]],
            statements: vec![[0; 4]],
            field_cells: 0,
        };
        for (name, kind) in [("self", ENTITY), ("time", NUMBER), ("deathmatch", NUMBER), ("mapname", TEXT)] {
            program.variable(name, kind, 0);
        }
        for name in ["classname", "model", "noise", "targetname"] {
            program.field(name, TEXT);
        }
        for name in ["modelindex", "spawnflags", "nextthink", "frame", "solid", "movetype", "think", "count"]
        {
            program.field(name, NUMBER);
        }
        for name in ["origin", "mins", "maxs", "size", "absmin", "absmax", "angles"] {
            program.field(name, VECTOR);
        }
        program
    }

    /// A program of Quake's variables without names: only `classname` has one, because the engine looks it
    /// up.
    #[must_use]
    pub fn stripped() -> Self {
        let mut program = Program::new();
        program.variables.clear();
        program.fields.clear();
        program.cells.resize(100, 0);
        program.field_at("classname", TEXT, 28);
        program.field_cells = 105;
        program
    }

    /// Adds a field at a cell of entities, and returns the cell that names it.
    pub fn field_at(&mut self, name: &str, kind: u16, at: u16) -> u16 {
        let text = self.text(name);
        self.fields.push((kind, at, text));
        self.cell(at.into())
    }

    fn text(&mut self, text: &str) -> u32 {
        let at = u32::try_from(self.texts.len()).unwrap();
        self.texts.extend(text.bytes().chain([0]));
        at
    }

    fn cell(&mut self, value: u32) -> u16 {
        self.cells.push(value);
        u16::try_from(self.cells.len() - 1).unwrap()
    }

    fn variable(&mut self, name: &str, kind: u16, value: u32) -> u16 {
        let (cell, name) = (self.cell(value), self.text(name));
        self.variables.push((kind, cell, name));
        cell
    }

    /// Adds a field of entities, and returns the cell that names it.
    pub fn field(&mut self, name: &str, kind: u16) -> u16 {
        let (at, text) = (self.field_cells, self.text(name));
        self.field_cells += if kind == VECTOR { 3 } else { 1 };
        self.fields.push((kind, at, text));
        self.variable(name, FIELD, at.into())
    }

    /// The cell of a variable or of the name of a field.
    #[must_use]
    pub fn named(&self, name: &str) -> u16 {
        let is = |at: &u32| self.texts[*at as usize..].starts_with(&[name.as_bytes(), b"\0"].concat());
        self.variables.iter().find(|(_, _, at)| is(at)).unwrap().1
    }

    /// A cell with a text.
    pub fn constant(&mut self, text: &str) -> u16 {
        let at = self.text(text);
        self.cell(at)
    }

    /// A cell with a number.
    pub fn number(&mut self, number: f32) -> u16 {
        self.cell(number.to_bits())
    }

    /// A new cell.
    pub fn spare(&mut self) -> u16 {
        self.cell(0)
    }

    fn add_function(&mut self, name: &str, first: u32) -> u16 {
        let number = u32::try_from(self.functions.len()).unwrap();
        let text = self.text(name);
        self.functions.push([first, 0, 0, 0, text, 0, 0, 0, 0]);
        self.variable(name, FUNCTION, number)
    }

    /// A function of the engine, by its number.
    pub fn builtin(&mut self, name: &str, number: i32) -> u16 {
        self.add_function(name, (-number).cast_unsigned())
    }

    /// A function with these instructions and an end.
    pub fn function(&mut self, name: &str, statements: &[[u16; 4]]) -> u16 {
        let first = u32::try_from(self.statements.len()).unwrap();
        self.statements.extend(statements);
        self.statements.push([op::DONE, 0, 0, 0]);
        self.add_function(name, first)
    }

    /// A function that calls functions with one parameter each.
    pub fn calls(&mut self, name: &str, calls: &[(u16, u16)]) -> u16 {
        let one = |(function, parameter): &(u16, u16)| {
            [[op::STORE_F, *parameter, FIRST, 0], [op::CALL1, *function, 0, 0]]
        };
        let statements: Vec<_> = calls.iter().flat_map(one).collect();
        self.function(name, &statements)
    }

    /// The program as a file.
    #[must_use]
    pub fn finish(&self) -> Vec<u8> {
        let halves = |rows: &[[u16; 4]]| -> Vec<u8> {
            rows.iter().flatten().flat_map(|half| half.to_le_bytes()).collect()
        };
        let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
        let named = |rows: &[(u16, u16, u32)]| -> Vec<u8> {
            let row = |(kind, at, name): &(u16, u16, u32)| {
                [&kind.to_le_bytes()[..], &at.to_le_bytes(), &name.to_le_bytes()].concat()
            };
            rows.iter().flat_map(row).collect()
        };
        let tables = [
            (halves(&self.statements), self.statements.len()),
            (named(&self.variables), self.variables.len()),
            (named(&self.fields), self.fields.len()),
            (words(self.functions.as_flattened()), self.functions.len()),
            (self.texts.clone(), self.texts.len()),
            (words(&self.cells), self.cells.len()),
        ];
        let mut file = words(&[6, 5927]);
        let mut at = 60;
        let mut bodies = Vec::new();
        for (body, count) in tables {
            file.extend(words(&[at, u32::try_from(count).unwrap()]));
            at += u32::try_from(body.len()).unwrap();
            bodies.extend(body);
        }
        file.extend(words(&[self.field_cells.into()]));
        file.extend(bodies);
        file
    }
}

/// A program with a world, a lamp, a door and a trap. The lamp loads a model and a sound. The door loads the
/// sound that its `noise` names. The trap loads one of two models, depending on `random()`.
#[must_use]
pub fn small() -> Vec<u8> {
    let mut program = Program::new();
    let model = program.builtin("precache_model", 20);
    let sound = program.builtin("precache_sound", 19);
    let set = program.builtin("setmodel", 3);
    let random = program.builtin("random", 7);
    let [player, lamp, hum] =
        ["progs/player.mdl", "progs/lamp.mdl", "lamp/hum.wav"].map(|text| program.constant(text));
    let [low, high, half] =
        [program.constant("progs/low.mdl"), program.constant("progs/high.mdl"), program.number(0.5)];
    let (this, noise, spare) = (program.named("self"), program.named("noise"), program.spare());
    program.calls("worldspawn", &[(model, player)]);
    let load = [op::STORE_F, lamp, SECOND, 0];
    let mut lit: Vec<_> = vec![
        [op::STORE_F, lamp, FIRST, 0],
        [op::CALL1, model, 0, 0],
        [op::STORE_F, hum, FIRST, 0],
        [op::CALL1, sound, 0, 0],
    ];
    lit.extend([[op::STORE_F, this, FIRST, 0], load, [op::CALL2, set, 0, 0]]);
    program.function("light_lamp", &lit);
    program.function(
        "func_door",
        &[[op::LOAD_S, this, noise, spare], [op::STORE_F, spare, FIRST, 0], [op::CALL1, sound, 0, 0]],
    );
    program.function(
        "misc_trap",
        &[
            [op::CALL0, random, 0, 0],
            [op::LT, RETURNED, half, spare],
            [op::IFNOT, spare, 4, 0],
            [op::STORE_F, low, FIRST, 0],
            [op::CALL1, model, 0, 0],
            [op::GOTO, 3, 0, 0],
            [op::STORE_F, high, FIRST, 0],
            [op::CALL1, model, 0, 0],
        ],
    );
    for class in ["info_player_start", "trigger_changelevel"] {
        program.function(class, &[]);
    }
    program.function("misc_loop", &[[op::GOTO, 0, 0, 0]]);
    program.finish()
}
