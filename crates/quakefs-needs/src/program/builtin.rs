//! The functions that are simulated, by their numbers.
//!
//! Numbers up to 78 are Quake's (`pr_cmds.c`); those after it come from DarkPlaces and FTE
//! (`dpextensions.qc`, `fteextensions.qc`).

/// Declares the functions with their numbers.
macro_rules! builtins {
    ($($Name:ident = $number:literal),* $(,)?) => {
        /// A function that is simulated here, with its name in QuakeC.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Builtin { $($Name = $number),* }

        impl Builtin {
            /// The function with this number. Functions that are not simulated do nothing and return 0.
            pub(super) fn numbered(number: u32) -> Option<Self> {
                match number {
                    $($number => Some(Builtin::$Name),)*
                    _ => None,
                }
            }
        }
    };
}

builtins! {
    MakeVectors = 1, SetOrigin = 2, SetModel = 3, SetSize = 4, Random = 7, Normalize = 9,
    Error = 10, ObjError = 11, VLen = 12, VecToYaw = 13, Spawn = 14, Remove = 15, TraceLine = 16,
    Find = 18, PrecacheSound = 19, PrecacheModel = 20, FindRadius = 22, FToS = 26, VToS = 27,
    WalkMove = 32, DropToFloor = 34, RInt = 36, Floor = 37, Ceil = 38, CheckBottom = 40,
    PointContents = 41, FAbs = 43, Aim = 44, Cvar = 45, NextEnt = 47, VecToAngles = 51, Sin = 60,
    Cos = 61, Sqrt = 62, TraceToss = 64, EToS = 65, PrecacheFile = 68, MakeStatic = 69,
    ChangeLevel = 70, CvarSet = 72, PrecacheModel2 = 75, PrecacheSound2 = 76, PrecacheFile2 = 77,
    SToF = 81, TraceBox = 90, Min = 94, Max = 95, Bound = 96, Pow = 97, FindFloat = 98,
    CheckExtension = 99, FOpen = 110, FClose = 111, FGets = 112, StrLen = 114, StrCat = 115,
    SubString = 116, SToV = 117, StrZone = 118, BitShift = 218, StrStrOfs = 221, Str2Chr = 222,
    Chr2Str = 223, StrNCmp = 228, StrCaseCmp = 229, StrNCaseCmp = 230, FindChain = 402,
    FindChainFloat = 403, Tokenize = 441, ArgV = 442, CvarString = 448, FindFlags = 449,
    FindChainFlags = 450, StrToLower = 480, StrToUpper = 481, StrReplace = 484,
}
