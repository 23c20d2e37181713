//! `progs.dat`: programs of QuakeC.

mod op;

pub use op::Op;

use std::collections::HashMap;

use crate::Error;
use crate::fields::Fields;

/// A program: version 6 of Quake, or 7 of FTE with statements of 16 or 32 bits.
///
/// Sources: `pr_comp.h` of Quake and of FTE.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    strings: &'a [u8],
    cells: Vec<u32>,
    statements: Vec<Statement>,
    functions: Vec<Function<'a>>,
    global_definitions: Vec<Definition<'a>>,
    field_definitions: Vec<Definition<'a>>,
    checksum: u32,
    entity_size: usize,
    functions_by_name: HashMap<&'a [u8], u32>,
    fields_by_name: HashMap<&'a [u8], u32>,
    globals_by_name: HashMap<&'a [u8], u32>,
}

/// An instruction with its three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The instruction.
    pub op: Op,
    /// The first operand: the number of a global cell, or the distance of a jump.
    pub a: u32,
    /// The second operand.
    pub b: u32,
    /// The third operand.
    pub c: u32,
}

/// A function of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The source file that it was compiled from.
    pub file: &'a [u8],
    /// The first statement. A negative number means a function of the engine.
    pub first: i32,
    /// The first global cell of its parameters and local variables.
    pub cells: u32,
    /// The number of these cells.
    pub cell_count: u32,
    /// The number of parameters.
    pub parameter_count: u32,
    /// The cells of each parameter.
    pub parameter_sizes: [u8; 8],
}

/// A named global variable or field of entities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Definition<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The type of its value.
    pub kind: ValueKind,
    /// The global cell, or the cell of each entity.
    pub cell: u32,
}

/// The type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueKind {
    /// Nothing.
    Void,
    /// A text.
    Text,
    /// A number.
    Number,
    /// Three numbers.
    Vector,
    /// An entity.
    Entity,
    /// A field of entities.
    Field,
    /// A function.
    Function,
    /// An address.
    Pointer,
    /// A whole number, in FTE.
    Integer,
    /// Another number.
    Other(u16),
}

impl ValueKind {
    fn of(number: u32) -> Self {
        /// The variable is kept in saved games.
        const SAVED: u32 = 1 << 15;
        /// The variable is shared between programs, in FTE.
        const SHARED: u32 = 1 << 14;
        match number & 0xFFFF & !(SAVED | SHARED) {
            0 => ValueKind::Void,
            1 => ValueKind::Text,
            2 => ValueKind::Number,
            3 => ValueKind::Vector,
            4 => ValueKind::Entity,
            5 => ValueKind::Field,
            6 => ValueKind::Function,
            7 => ValueKind::Pointer,
            8 => ValueKind::Integer,
            other => ValueKind::Other(u16::try_from(other).unwrap_or(u16::MAX)),
        }
    }
}

/// Widths of statements and definitions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Bits16,
    Bits32,
}

impl Width {
    /// The width for a version. In version 7, the number after FTE's header decides:
    /// `PROG_SECONDARYVERSION16` or `PROG_SECONDARYVERSION32`.
    fn of(version: u32, fields: Fields<'_>) -> Result<Option<Self>, Error> {
        const FTE_16: u32 = u32::from_le_bytes(*b"1FTE") ^ u32::from_le_bytes(*b"PROG");
        const FTE_32: u32 = u32::from_le_bytes(*b"1FTE") ^ u32::from_le_bytes(*b"32B ");
        Ok(match version {
            6 => Some(Width::Bits16),
            7 => match fields.u32("the header", 88)? {
                FTE_16 => Some(Width::Bits16),
                FTE_32 => Some(Width::Bits32),
                _ => None,
            },
            _ => None,
        })
    }
}

/// The most cells of an entity, and the most global cells. 16-bit statements cannot address more, and no
/// known program has as many.
const MOST_CELLS: usize = 1 << 16;

impl<'a> Program<'a> {
    /// Reads a program and checks that its operands are existing cells.
    ///
    /// # Errors
    /// The bytes are not a program, a table is outside them, or an operand is not an existing cell.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let fields = Fields(bytes);
        let not_a_program = || Error::format("a program (version 6, or 7 of FTE)", bytes);
        let version = fields.u32("the version", 0).map_err(|_| not_a_program())?;
        let width = Width::of(version, fields)?.ok_or_else(not_a_program)?;
        if version == 7 && fields.u32("the header", 84)? != 0 {
            return Err(Error::format("a program without compressed parts", bytes));
        }
        let table = |number: usize| -> Result<(usize, usize), Error> {
            Ok((fields.size("a table", 8 + number * 8)?, fields.size("a table", 12 + number * 8)?))
        };
        let (at, length) = table(4)?;
        let strings = fields.bytes("the texts", at, length)?;
        let entity_size = fields.size("the size of an entity", 56)?;
        if entity_size > MOST_CELLS {
            return Err(Error::number("the size of an entity", entity_size, MOST_CELLS));
        }
        let (at, count) = table(5)?;
        if count > MOST_CELLS * 16 {
            return Err(Error::number("the number of global cells", count, MOST_CELLS * 16));
        }
        let mut cells: Vec<u32> = fields
            .rows("the global cells", at, count)?
            .iter()
            .map(|cell| u32::from_le_bytes(*cell))
            .collect();
        // the last cell may be used as a vector, and short programs lack cells for parameters
        cells.resize((count + 3).max(32), 0);
        let statements = statements(fields, table(0)?, width)?;
        if let Some(cell) =
            statements.iter().flat_map(Statement::cells).find(|cell| *cell as usize >= cells.len())
        {
            return Err(Error::number("an operand", cell as usize, cells.len()));
        }
        let functions = functions(fields, table(3)?, strings)?;
        let global_definitions = definitions(fields, table(1)?, width, strings)?;
        let field_definitions = definitions(fields, table(2)?, width, strings)?;
        let first =
            |definitions: &[Definition<'a>]| by_name(definitions.iter().map(|definition| definition.name));
        Ok(Program {
            strings,
            functions_by_name: by_name(functions.iter().map(|function| function.name)),
            fields_by_name: first(&field_definitions),
            globals_by_name: first(&global_definitions),
            cells,
            statements,
            functions,
            global_definitions,
            field_definitions,
            checksum: fields.u32("the checksum", 4)?,
            entity_size,
        })
    }

    /// The checksum of the engine's variables that it was compiled for (`PROGHEADER_CRC`).
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The cells of an entity.
    #[must_use]
    pub fn entity_size(&self) -> usize {
        self.entity_size
    }

    /// Its statements.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// The values of the global cells before the program runs.
    #[must_use]
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Its functions, in the order of their numbers.
    #[must_use]
    pub fn functions(&self) -> &[Function<'a>] {
        &self.functions
    }

    /// The text at an offset, up to its NUL or 65,536 bytes; empty outside the texts.
    #[must_use]
    pub fn text(&self, offset: u32) -> &'a [u8] {
        text(self.strings, offset, 1 << 16)
    }

    /// The bytes of all texts, with a NUL after each.
    pub(crate) fn all_texts(&self) -> &'a [u8] {
        self.strings
    }

    /// All texts, including unused ones.
    pub fn texts(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.strings.split(|byte| *byte == 0).filter(|text| !text.is_empty())
    }

    /// The number of the first function of a name.
    #[must_use]
    pub fn function(&self, name: &[u8]) -> Option<u32> {
        self.functions_by_name.get(name).copied()
    }

    /// The first field of a name.
    #[must_use]
    pub fn field(&self, name: &[u8]) -> Option<&Definition<'a>> {
        self.field_definitions.get(*self.fields_by_name.get(name)? as usize)
    }

    /// The first global variable of a name.
    #[must_use]
    pub fn global(&self, name: &[u8]) -> Option<&Definition<'a>> {
        self.global_definitions.get(*self.globals_by_name.get(name)? as usize)
    }
}

/// The number of each name. If a name occurs twice, the first one wins, as in the engines.
fn by_name<'a>(names: impl Iterator<Item = &'a [u8]>) -> HashMap<&'a [u8], u32> {
    let mut numbers = HashMap::new();
    for (number, name) in (0..).zip(names) {
        numbers.entry(name).or_insert(number);
    }
    numbers
}

/// A pattern of several instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! any_op {
    ($($Name:ident)*) => { $($crate::program::Op::$Name)|* };
}

impl Statement {
    /// The cells that an instruction of Quake uses. The cells of FTE's instructions are checked when they
    /// run.
    fn cells(&self) -> impl Iterator<Item = u32> + use<> {
        let Statement { op, a, b, c } = *self;
        let named = match op {
            Op::Done | Op::Return | Op::If | Op::IfNot | Op::Call(_) => [a, 0, 0],
            any_op!(
                StoreF StoreV StoreS StoreEnt StoreFld StoreFnc StorePF StorePV StorePS StorePEnt
                StorePFld StorePFnc State
            ) => [a, b, 0],
            any_op!(NotF NotV NotS NotEnt NotFnc) => [a, c, 0],
            any_op!(
                MulF MulV MulFv MulVf DivF AddF AddV SubF SubV EqF EqV EqS EqE EqFnc NeF NeV NeS NeE
                NeFnc LeF GeF LtF GtF LoadF LoadV LoadS LoadEnt LoadFld LoadFnc Address AndF OrF BitAndF
                BitOrF
            ) => [a, b, c],
            _ => [0; 3],
        };
        named.into_iter()
    }
}

fn statements(
    fields: Fields<'_>,
    (at, count): (usize, usize),
    width: Width,
) -> Result<Vec<Statement>, Error> {
    let what = "the statements";
    Ok(match width {
        Width::Bits16 => {
            let read = |row: &[u8; 8]| {
                let [number, a, b, c] =
                    [0, 2, 4, 6].map(|at| u32::from(Fields(row).u16(what, at).unwrap_or_default()));
                let op = Op::from(number);
                // distances are signed
                match op {
                    Op::Goto => Statement { op, a: wide(a), b, c },
                    any_op!(
                        If IfNot IfS IfNotS IfF IfNotF SwitchF SwitchV SwitchS SwitchE SwitchFnc Case
                    ) => Statement { op, a, b: wide(b), c },
                    Op::CaseRange => Statement { op, a, b, c: wide(c) },
                    _ => Statement { op, a, b, c },
                }
            };
            fields.rows(what, at, count)?.iter().map(read).collect()
        }
        Width::Bits32 => {
            let read = |row: &[u8; 16]| {
                let [number, a, b, c] = [0, 4, 8, 12].map(|at| Fields(row).u32(what, at).unwrap_or_default());
                Statement { op: Op::from(number), a, b, c }
            };
            fields.rows(what, at, count)?.iter().map(read).collect()
        }
    })
}

/// Extends the sign of a 16-bit distance to 32 bits.
fn wide(distance: u32) -> u32 {
    if distance & 0x8000 == 0 { distance } else { distance | 0xFFFF_0000 }
}

/// The longest name of a variable or function, so that a file without NULs is not read once for each name.
const LONGEST_NAME: usize = 256;

fn text(strings: &[u8], offset: u32, most: usize) -> &[u8] {
    let rest = strings.get(offset as usize..).unwrap_or_default();
    crate::fields::name(rest.get(..most).unwrap_or(rest))
}

fn functions<'a>(
    fields: Fields<'a>,
    (at, count): (usize, usize),
    strings: &'a [u8],
) -> Result<Vec<Function<'a>>, Error> {
    let rows = fields.rows::<36>("the functions", at, count)?;
    let read = |row: &'a [u8; 36]| {
        let at = |offset| Fields(row).u32("a function", offset).unwrap_or_default();
        Function {
            name: text(strings, at(16), LONGEST_NAME),
            file: text(strings, at(20), LONGEST_NAME),
            first: at(0).cast_signed(),
            cells: at(4),
            cell_count: at(8),
            parameter_count: at(24),
            parameter_sizes: row.last_chunk().copied().unwrap_or_default(),
        }
    };
    Ok(rows.iter().map(read).collect())
}

fn definitions<'a>(
    fields: Fields<'a>,
    (at, count): (usize, usize),
    width: Width,
    strings: &'a [u8],
) -> Result<Vec<Definition<'a>>, Error> {
    let what = "the definitions";
    let definition = |kind, cell, name| Definition {
        name: text(strings, name, LONGEST_NAME),
        kind: ValueKind::of(kind),
        cell,
    };
    Ok(match width {
        Width::Bits16 => {
            let read = |row: &[u8; 8]| {
                let half = |at| u32::from(Fields(row).u16(what, at).unwrap_or_default());
                definition(half(0), half(2), Fields(row).u32(what, 4).unwrap_or_default())
            };
            fields.rows(what, at, count)?.iter().map(read).collect()
        }
        Width::Bits32 => {
            let read = |row: &[u8; 12]| {
                let [kind, cell, name] = [0, 4, 8].map(|at| Fields(row).u32(what, at).unwrap_or_default());
                definition(kind, cell, name)
            };
            fields.rows(what, at, count)?.iter().map(read).collect()
        }
    })
}
