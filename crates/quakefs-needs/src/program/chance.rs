//! Finds branches of a program that depend on `random()`.

use quake_content::any_op;
use quake_content::program::{Op, Program, Statement};

use super::builtin::Builtin;

const RETURNED: u32 = 1;
const PARAMETERS: std::ops::Range<u32> = 4..28;

/// For each statement, whether it calls `random()` and the result decides a branch of the same function or is
/// returned. Values in fields are not followed, because entities read them only after the level has loaded.
pub(crate) fn branches(program: &Program<'_>) -> Vec<bool> {
    let is_random = |cell: u32| {
        let number = program.cells().get(cell as usize).copied().unwrap_or_default() as usize;
        let function = program.functions().get(number).filter(|function| function.first < 0);
        function.and_then(|function| Builtin::numbered(function.first.unsigned_abs()))
            == Some(Builtin::Random)
    };
    let statements = program.statements();
    let decides = |index: usize| {
        let mut tainted = vec![RETURNED];
        for statement in statements.iter().skip(index + 1).take(256) {
            let (a, b, c) = (statement.a, statement.b, statement.c);
            let is = |cell: u32| tainted.contains(&cell);
            let (written, with) = match statement.op {
                any_op!(Return If IfNot SwitchF SwitchV SwitchS SwitchE SwitchFnc IfNotS IfS IfF IfNotF)
                    if is(a) =>
                {
                    return true;
                }
                Op::Done => return false,
                any_op!(StoreF StoreV StoreS StoreEnt StoreFld StoreFnc StoreI StoreIf StoreFi) => (b, is(a)),
                Op::Call(_) => (RETURNED, PARAMETERS.clone().any(is)),
                Op::CallWith(_) => (RETURNED, PARAMETERS.clone().any(is) || is(b) || is(c)),
                any_op!(
                    MulStoreF MulStoreVf DivStoreF AddStoreF AddStoreV SubStoreF SubStoreV BitSetStoreF
                    BitClrStoreF
                ) => (b, is(a) || is(b)),
                any_op!(
                    MulF MulV MulFv MulVf DivF AddF AddV SubF SubV EqF EqV EqS EqE EqFnc NeF NeV NeS NeE
                    NeFnc LeF GeF LtF GtF AndF OrF BitAndF BitOrF AddI AddFi AddIf SubI SubFi SubIf ConvItof
                    ConvFtoi BitAndI BitOrI MulI DivI EqI NeI DivVf BitXorI RShiftI LShiftI LeI GeI LtI GtI
                    LeIf GeIf LtIf GtIf LeFi GeFi LtFi GtFi EqIf EqFi MulIf MulFi MulVi MulIv DivIf DivFi
                    BitAndIf BitOrIf BitAndFi BitOrFi AndI OrI AndIf OrIf AndFi OrFi NeIf NeFi
                ) => (c, is(a) || is(b)),
                any_op!(NotF NotV NotS NotEnt NotFnc) => (c, is(a)),
                any_op!(LoadF LoadV LoadS LoadEnt LoadFld LoadFnc Address) => (c, false),
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
    let is_call = |statement: &Statement| matches!(statement.op, Op::Call(_) | Op::CallWith(_));
    let each = statements.iter().enumerate();
    each.map(|(index, statement)| is_call(statement) && is_random(statement.a) && decides(index)).collect()
}
