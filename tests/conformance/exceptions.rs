//! The answers to hand-made layouts in which quakefs differs from an engine on purpose.

use quakefs::Engine;

/// Differing answers to one layout.
pub(crate) struct Exception {
    /// The direction and the case of the layout.
    pub(crate) layout: &'static str,
    pub(crate) why: Why,
    /// The number of differing answers, by engine; an unreported stop counts as one.
    pub(crate) answers: &'static [(Engine, usize)],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// quakefs refuses names that could leave the base directory.
    Policy,
    /// The engine returns compressed bytes, uninitialised memory or a damaged payload, misses an existing file, or
    /// crashes. quakefs returns the file or an error.
    BetterThanTheEngine,
}

/// All answers of each reason.
pub(crate) const POLICY: usize = 2;
pub(crate) const BETTER: usize = 58;

pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        layout: "game/dotdot",
        why: Why::Policy,
        // the name of the game leaves the base directory
        answers: &[(Engine::WinQuake, 1)],
    },
    Exception {
        layout: "game/absroot",
        why: Why::Policy,
        // the name of the game leaves the base directory
        answers: &[(Engine::WinQuake, 1)],
    },
    Exception {
        layout: "names/zip65",
        why: Why::BetterThanTheEngine,
        // the engine writes past the end of a buffer
        answers: &[(Engine::Qss, 1)],
    },
    Exception {
        layout: "names/zip250",
        why: Why::BetterThanTheEngine,
        // the engine writes past the end of a buffer, and crashes
        answers: &[(Engine::Qss, 1)],
    },
    Exception {
        layout: "damaged/entry_longer",
        why: Why::BetterThanTheEngine,
        // the engine loads the following bytes of the archive, or nothing; quakefs returns an error
        answers: &[
            (Engine::DarkPlaces, 1),
            (Engine::Fte, 1),
            (Engine::GoldSrc, 1),
            (Engine::Mvdsv, 1),
            (Engine::Q2Pro, 1),
            (Engine::Qss, 1),
            (Engine::QuakeSpasm, 1),
            (Engine::VkQuake, 1),
            (Engine::WinQuake, 1),
        ],
    },
    Exception {
        layout: "damaged/entry_partly_past",
        why: Why::BetterThanTheEngine,
        // the engine loads a part of the entry, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 1), (Engine::Q2Pro, 1)],
    },
    Exception {
        layout: "damaged/entry_huge_pos",
        why: Why::BetterThanTheEngine,
        // the engine finds an entry that does not exist, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 1), (Engine::GoldSrc, 1)],
    },
    Exception {
        layout: "zip/bzip2",
        why: Why::BetterThanTheEngine,
        // the engine loads compressed bytes, or nothing; quakefs returns an error
        answers: &[
            (Engine::DarkPlaces, 2),
            (Engine::Fte, 2),
            (Engine::GoldSrc, 2),
            (Engine::Q2Pro, 2),
            (Engine::YQuake2, 2),
        ],
    },
    Exception {
        layout: "zip/method9",
        why: Why::BetterThanTheEngine,
        // the engine loads compressed bytes, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 2), (Engine::Fte, 2), (Engine::GoldSrc, 2), (Engine::Q2Pro, 2)],
    },
    Exception {
        layout: "zip/encrypted",
        why: Why::BetterThanTheEngine,
        // the engine loads encrypted bytes, or nothing; quakefs returns an error
        answers: &[
            (Engine::Fte, 2),
            (Engine::GoldSrc, 2),
            (Engine::IoQuake3, 2),
            (Engine::Q2Pro, 2),
            (Engine::YQuake2, 2),
        ],
    },
    Exception {
        layout: "zip/cd_crc_wrong",
        why: Why::BetterThanTheEngine,
        // the engine loads a payload with a wrong CRC, or nothing; quakefs returns an error
        answers: &[
            (Engine::DarkPlaces, 1),
            (Engine::Fte, 1),
            (Engine::GoldSrc, 1),
            (Engine::Q2Pro, 1),
            (Engine::Qss, 1),
        ],
    },
    Exception {
        layout: "zip/both_crc_wrong",
        why: Why::BetterThanTheEngine,
        // the engine loads a payload with a wrong CRC; quakefs returns an error
        answers: &[
            (Engine::DarkPlaces, 1),
            (Engine::Fte, 1),
            (Engine::GoldSrc, 1),
            (Engine::IoQuake3, 1),
            (Engine::Q2Pro, 1),
            (Engine::Qss, 1),
            (Engine::YQuake2, 1),
        ],
    },
    Exception {
        layout: "zip/offset_past_eof",
        why: Why::BetterThanTheEngine,
        // the engine loads bytes of its memory, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 1), (Engine::Fte, 1), (Engine::Q2Pro, 1)],
    },
];
