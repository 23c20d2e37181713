//! The game's code, and the engine's interface to it.

use super::names::Case;
use crate::documented::documented;
use crate::fact::Fact;
use crate::fault::Faults;
use crate::{List, Text};

documented! {
    /// The game's code. It decides which files a level needs.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Program {
        /// The program plays no game, like an editor or a compiler: no code runs, and none is missing.
        None,
        /// Native code, which may load any file.
        Native,
        /// A QuakeC program.
        QuakeC(QuakeC),
        /// Not known.
        Unknown,
    }
}

documented! {
    /// The QuakeC program of a game, and the engine's interface to it.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub struct QuakeC {
        /// The name of the interface: the game that it was made for.
        pub interface: Text,
        /// The file.
        pub file: Text,
        /// Whether no level loads without it. A client of `QuakeWorld` leaves it to the server.
        pub required: bool,
        /// The checksums of the programs that the engine loads. Empty if it loads any.
        pub checksums: List<u32>,
        /// The configs that the engine executes when it starts: the first, or else all others.
        pub configs: List<Text>,
        /// How the name in the command `exec` compares with the names of files.
        #[cfg_attr(feature = "serde", serde(default))]
        pub exec_case: Case,
        /// The defaults of the console variables that programs read, as a config would set them. All others
        /// are 0.
        pub cvars: List<Text>,
        /// The extensions that `checkextension` confirms.
        pub extensions: Fact<List<Text>>,
        /// The numbers of the built-in functions, from the first to the last of each range. A program that
        /// calls another number ends the level.
        pub builtins: Fact<List<[u16; 2]>>,
        /// Whether `setmodel` loads a model that was not precached. In other engines this ends the level.
        pub loads_late: bool,
        /// Whether a model called `null` needs no file (`DP_NULL_MODEL`).
        pub has_null_model: bool,
        /// Whether `objerror` ends the level. In other engines it removes the entity.
        pub ends_at_objerror: bool,
    }
}

impl Program {
    /// The QuakeC program, if the game has one.
    #[must_use]
    pub const fn quake_c(&self) -> Option<&QuakeC> {
        match self {
            Program::QuakeC(program) => Some(program),
            Program::None | Program::Native | Program::Unknown => None,
        }
    }

    pub(crate) fn validate(&self, faults: &mut Faults) {
        let Some(program) = self.quake_c() else { return };
        faults.twice("program.quake-c.checksums", &program.checksums);
        faults.twice("program.quake-c.extensions", program.extensions.items());
        for (index, cvar) in program.cvars.iter().enumerate() {
            let is_number = cvar.split_once(' ').is_some_and(|(_, value)| value.parse::<f32>().is_ok());
            if !is_number {
                faults.add(format!("program.quake-c.cvars[{index}]"), "expected a name and a number");
            }
        }
        for (index, [first, last]) in program.builtins.items().iter().enumerate() {
            if first > last {
                faults.no_effect(format!("program.quake-c.builtins[{index}]"), "it ends before it begins");
            }
        }
    }
}

impl QuakeC {
    /// The engine's default of a console variable.
    #[must_use]
    pub fn cvar(&self, name: &[u8]) -> Option<f32> {
        let mut cvars = self.cvars.iter().filter_map(|cvar| cvar.split_once(' '));
        cvars.find(|(known, _)| known.as_bytes() == name)?.1.parse().ok()
    }

    /// Whether the engine has the built-in function of this number. If its functions are not known, it has
    /// all numbers that any engine gives to one.
    #[must_use]
    pub fn has_builtin(&self, number: u32) -> bool {
        const ANY: &[[u16; 2]] = &[[1, 1023]];
        let ranges = self.builtins.known().map_or(ANY, |ranges| ranges);
        ranges.iter().any(|[first, last]| (u32::from(*first)..=u32::from(*last)).contains(&number))
    }

    /// Whether `checkextension` confirms an extension. If the extensions are not known, it confirms each.
    #[must_use]
    pub fn has_extension(&self, name: &[u8]) -> bool {
        self.extensions.known().is_none_or(|known| known.iter().any(|known| known.as_bytes() == name))
    }
}

#[cfg(test)]
mod tests {
    use super::Program;
    use crate::fault::tests::check;
    use crate::{Engine, Fact};

    #[test]
    fn an_engine_has_the_functions_and_extensions_of_its_row() {
        let of = |engine: Engine| engine.rules().program.quake_c().unwrap();
        assert!(of(Engine::WinQuake).has_builtin(1) && !of(Engine::WinQuake).has_builtin(5));
        assert!(
            of(Engine::VkQuake).has_extension(b"DP_ENT_ALPHA")
                && !of(Engine::QuakeSpasm).has_extension(b"DP_ENT_ALPHA")
        );
        assert_eq!(of(Engine::Fte).builtins, Fact::Unknown);
        assert!(of(Engine::Fte).has_builtin(1023) && !of(Engine::Fte).has_builtin(1024));
        assert_eq!(of(Engine::DarkPlaces).cvar(b"sv_aim"), Some(2.0));
        assert_eq!(of(Engine::WinQuake).cvar(b"sv_aim"), Some(0.93));
    }

    #[test]
    fn a_variable_without_a_number_and_a_range_that_ends_early_are_faults() {
        let change = |rules: &mut crate::Rules| {
            let Program::QuakeC(program) = &mut rules.program else { panic!("WinQuake has a program") };
            program.cvars = vec!["skill".into(), "sv_aim x".into(), "sv_gravity 800".into()].into();
            program.builtins = vec![[7, 3]].into();
        };
        check(
            change,
            &[
                "program.quake-c.cvars[0]: expected a name and a number",
                "program.quake-c.cvars[1]: expected a name and a number",
                "program.quake-c.builtins[0]: no effect, because it ends before it begins",
            ],
        );
    }
}
