//! The functions and extensions that a program uses anywhere and an engine does not have.

use std::collections::HashSet;

use quake_content::program::{Op, Program};
use quakefs::rules::QuakeC;

use super::builtin::Builtin;
use super::machine::PARAMETER;
use super::{Incident, IncidentKind};
use crate::budget::shortened;

/// The most incidents of a program.
const MOST: usize = 256;

/// Each function and extension that the engine does not have, with the first function of the program that
/// uses it.
pub(super) fn by(server: &QuakeC, program: &Program<'_>) -> Vec<Incident> {
    if server.builtins.is_unknown() {
        return Vec::new();
    }
    let cell = |cell: u32| program.cells().get(cell as usize).copied().unwrap_or_default();
    let mut functions: Vec<_> = program.functions().iter().filter(|function| function.first > 0).collect();
    functions.sort_by_key(|function| function.first);
    let mut functions = functions.into_iter().peekable();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut asks_first = program.texts().any(|text| text == b"pr_checkextension");
    let (mut name, mut parameter) = (&b""[..], None);
    for (number, statement) in program.statements().iter().enumerate() {
        while let Some(function) = functions.next_if(|next| next.first.unsigned_abs() as usize <= number) {
            (name, parameter) = (function.name, None);
        }
        let called = match statement.op {
            Op::Call(_) => statement.a,
            Op::CallWith(_) => {
                parameter = Some(statement.b);
                statement.a
            }
            Op::StoreF | Op::StoreS if statement.b == PARAMETER => {
                parameter = Some(statement.a);
                continue;
            }
            _ => continue,
        };
        let called = program.functions().get(cell(called) as usize);
        let Some(called) = called.filter(|called| called.first < 0) else { continue };
        let called = called.first.unsigned_abs();
        let is_question = Builtin::numbered(called) == Some(Builtin::CheckExtension);
        let wanted = parameter.take().map(|from| program.text(cell(from))).unwrap_or_default();
        let kinds = [
            (!server.has_builtin(called)).then_some(IncidentKind::UnknownBuiltin(called)),
            (is_question && !wanted.is_empty() && !server.has_extension(wanted))
                .then(|| IncidentKind::MissingExtension(shortened(wanted).into())),
        ];
        asks_first |= is_question && server.has_builtin(called);
        for kind in
            kinds.into_iter().flatten().filter(|kind| seen.insert(kind.clone())).take(MOST - found.len())
        {
            found.push(Incident { function: shortened(name).into(), ..Incident::new(kind) });
        }
    }
    // a program that asks first calls the functions of an extension only if the engine has it
    found.retain(|incident| asks_first == matches!(incident.kind, IncidentKind::MissingExtension(_)));
    found
}
