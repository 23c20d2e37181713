//! Where a branch of a program depends on `random()`.

use crate::Program;

/// The number of `random()` among the functions of the engine.
const RANDOM: i32 = -7;
const RETURNED: u32 = 1;
const PARAMETERS: std::ops::Range<u32> = 4..28;

/// For each statement, whether it calls `random()` and what it gives decides a branch of the same function, or is returned.
/// A value that is stored in a field is not followed: that is when an entity thinks, after the level is loaded.
pub(crate) fn branches(program: &Program<'_>) -> Vec<bool> {
    let is_random = |cell: u32| {
        let number = program.globals.get(cell as usize).copied().unwrap_or_default() as usize;
        program.functions().get(number).is_some_and(|function| function.first == RANDOM)
    };
    let statements = &program.statements;
    let decides = |index: usize| {
        let mut tainted = vec![RETURNED];
        for statement in statements.iter().skip(index + 1).take(256) {
            let (a, b, c) = (statement.a, statement.b, statement.c);
            let is = |cell: u32| tainted.contains(&cell);
            let (written, with) = match statement.operation {
                43 | 49 | 50 | 98..=102 | 136 | 137 | 217 | 218 if is(a) => return true,
                0 => return false,
                31..=36 | 113..=115 => (b, is(a)),
                51..=59 => (RETURNED, PARAMETERS.clone().any(is)),
                105..=112 => (RETURNED, PARAMETERS.clone().any(is) || is(b) || is(c)),
                66 | 67 | 70 | 72 | 73 | 76 | 77 | 88 | 90 => (b, is(a) || is(b)),
                1..=23 | 62..=65 | 116..=123 | 130..=135 | 139..=142 | 161..=174 | 179..=196 => {
                    (c, is(a) || is(b))
                }
                44..=48 => (c, is(a)),
                24..=30 => (c, false),
                _ => continue,
            };
            tainted.retain(|other| *other != written);
            if with {
                tainted.push(written);
            }
            if tainted.is_empty() {
                return false;
            }
        }
        false
    };
    let is_call = |statement: &crate::program::Statement| matches!(statement.operation, 51..=59 | 105..=112);
    let each = statements.iter().enumerate();
    each.map(|(index, statement)| is_call(statement) && is_random(statement.a) && decides(index)).collect()
}
