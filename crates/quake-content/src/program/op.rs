//! The instructions of QuakeC, by the names of FTE's `pr_comp.h`.

/// The numbers of Quake's calls start here: `OP_CALL0` to `OP_CALL8`.
const CALL: u32 = 51;
const LAST_CALL: u32 = 59;
/// The numbers of Hexen II's calls start here: `OP_CALL1H` to `OP_CALL8H`.
const CALL_WITH: u32 = 105;
const LAST_CALL_WITH: u32 = 112;

/// Declares the instructions with their numbers.
macro_rules! ops {
    ($($Name:ident = $number:literal),* $(,)?) => {
        /// An instruction, named as in FTE's `pr_comp.h`: 0 to 65 are Quake's, 66 to 112 Hexen II's, the rest
        /// FTE's.
        ///
        /// The last letters tell the types: `F` number, `V` vector, `S` text, `E` or `Ent` entity, `Fld`
        /// field, `Fnc` function, `I` whole number, `P` address.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of the compiler")]
        #[non_exhaustive]
        pub enum Op {
            $($Name,)*
            /// A call with this many arguments in the cells of the parameters.
            Call(u8),
            /// A call with this many arguments. The first two are operands.
            CallWith(u8),
            /// An instruction without a name here.
            Other(u32),
        }

        impl From<u32> for Op {
            /// The instruction with this number.
            fn from(number: u32) -> Self {
                let arguments = |least: u32| u8::try_from(number - least).unwrap_or_default();
                match number {
                    $($number => Op::$Name,)*
                    CALL..=LAST_CALL => Op::Call(arguments(CALL)),
                    CALL_WITH..=LAST_CALL_WITH => Op::CallWith(arguments(CALL_WITH) + 1),
                    other => Op::Other(other),
                }
            }
        }
    };
}

impl From<Op> for u32 {
    /// The number of the instruction.
    fn from(op: Op) -> u32 {
        match op {
            Op::Other(number) => number,
            // a search: only messages need the number, and a second table would be as large as the first
            _ => (0..=u32::from(u8::MAX)).find(|number| Op::from(*number) == op).unwrap_or_default(),
        }
    }
}

ops! {
    Done = 0, MulF = 1, MulV = 2, MulFv = 3, MulVf = 4, DivF = 5, AddF = 6, AddV = 7, SubF = 8, SubV = 9,
    EqF = 10, EqV = 11, EqS = 12, EqE = 13, EqFnc = 14, NeF = 15, NeV = 16, NeS = 17, NeE = 18, NeFnc = 19,
    LeF = 20, GeF = 21, LtF = 22, GtF = 23, LoadF = 24, LoadV = 25, LoadS = 26, LoadEnt = 27, LoadFld = 28,
    LoadFnc = 29, Address = 30,
    StoreF = 31, StoreV = 32, StoreS = 33, StoreEnt = 34, StoreFld = 35, StoreFnc = 36, StorePF = 37,
    StorePV = 38, StorePS = 39, StorePEnt = 40, StorePFld = 41, StorePFnc = 42, Return = 43, NotF = 44,
    NotV = 45, NotS = 46, NotEnt = 47, NotFnc = 48,
    If = 49, IfNot = 50,
    State = 60, Goto = 61, AndF = 62, OrF = 63, BitAndF = 64, BitOrF = 65,
    MulStoreF = 66, MulStoreVf = 67, MulStorePF = 68, MulStorePVf = 69, DivStoreF = 70, DivStorePF = 71,
    AddStoreF = 72, AddStoreV = 73, AddStorePF = 74, AddStorePV = 75, SubStoreF = 76, SubStoreV = 77,
    SubStorePF = 78, SubStorePV = 79, FetchGblF = 80, FetchGblV = 81, FetchGblS = 82, FetchGblE = 83,
    FetchGblFnc = 84, CState = 85, CWState = 86, ThinkTime = 87, BitSetStoreF = 88, BitSetStorePF = 89,
    BitClrStoreF = 90, BitClrStorePF = 91,
    Rand0 = 92, Rand1 = 93, Rand2 = 94, RandV0 = 95, RandV1 = 96, RandV2 = 97,
    SwitchF = 98, SwitchV = 99, SwitchS = 100, SwitchE = 101, SwitchFnc = 102, Case = 103, CaseRange = 104,
    StoreI = 113, StoreIf = 114, StoreFi = 115, AddI = 116, AddFi = 117, AddIf = 118, SubI = 119,
    SubFi = 120, SubIf = 121, ConvItof = 122, ConvFtoi = 123, LoadPItof = 124, LoadPFtoi = 125, LoadI = 126,
    StorePI = 127, StorePIf = 128, StorePFi = 129,
    BitAndI = 130, BitOrI = 131, MulI = 132, DivI = 133, EqI = 134, NeI = 135, IfNotS = 136, IfS = 137,
    NotI = 138, DivVf = 139, BitXorI = 140, RShiftI = 141, LShiftI = 142, GlobalAddress = 143, AddPiw = 144,
    LoadAF = 145, LoadAV = 146, LoadAS = 147, LoadAEnt = 148, LoadAFld = 149, LoadAFnc = 150, LoadAI = 151,
    StoreP = 152, LoadP = 153, LoadPF = 154, LoadPV = 155, LoadPS = 156, LoadPEnt = 157, LoadPFld = 158,
    LoadPFnc = 159, LoadPI = 160,
    LeI = 161, GeI = 162, LtI = 163, GtI = 164, LeIf = 165, GeIf = 166, LtIf = 167, GtIf = 168, LeFi = 169,
    GeFi = 170, LtFi = 171, GtFi = 172, EqIf = 173, EqFi = 174,
    AddSf = 175, SubS = 176, StorePC = 177, LoadPC = 178, MulIf = 179, MulFi = 180, MulVi = 181, MulIv = 182,
    DivIf = 183, DivFi = 184, BitAndIf = 185, BitOrIf = 186, BitAndFi = 187, BitOrFi = 188, AndI = 189,
    OrI = 190, AndIf = 191, OrIf = 192, AndFi = 193, OrFi = 194, NeIf = 195, NeFi = 196,
    IfF = 217, IfNotF = 218,
}

#[cfg(test)]
mod tests {
    use super::Op;

    #[test]
    fn an_instruction_has_the_number_that_it_was_read_from() {
        for number in 0..300 {
            assert_eq!(u32::from(Op::from(number)), number);
        }
    }
}
