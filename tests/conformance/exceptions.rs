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
    /// The engine returns compressed bytes, uninitialised memory or a damaged payload, misses an existing
    /// file, or crashes. quakefs returns the file or an error.
    BetterThanTheEngine,
    /// No rule describes it, and it is rare: `docs/exact.md` lists it.
    NoRule,
}

/// All answers of each reason.
pub(crate) const POLICY: usize = 18;
pub(crate) const BETTER: usize = 73;
pub(crate) const NO_RULE: usize = 23;

pub(crate) const EXCEPTIONS: &[Exception] = &[
    Exception {
        layout: "chaos/seed31",
        why: Why::Policy,
        // a name with a `..`
        answers: &[(Engine::GoldSrc2023, 1)],
    },
    Exception { layout: "chaos/seed34", why: Why::Policy, answers: &[(Engine::GoldSrc2023, 1)] },
    Exception { layout: "chaos/seed41", why: Why::Policy, answers: &[(Engine::GoldSrc2023, 1)] },
    Exception {
        layout: "chaos/seed13",
        why: Why::BetterThanTheEngine,
        // there is no id1: the tool finds nothing, and quakefs tells why
        answers: &[(Engine::EricwTools, 1)],
    },
    Exception {
        layout: "chaos/seed5",
        why: Why::NoRule,
        // of names in one folder that differ only in case, the order in which the disk lists them decides
        answers: &[(Engine::TrenchBroom, 1)],
    },
    Exception { layout: "chaos/seed6", why: Why::NoRule, answers: &[(Engine::TrenchBroom, 1)] },
    Exception { layout: "chaos/seed10", why: Why::NoRule, answers: &[(Engine::TrenchBroom, 2)] },
    Exception { layout: "chaos/seed27", why: Why::NoRule, answers: &[(Engine::TrenchBroom, 3)] },
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
            (Engine::QuakeSpasm095, 1),
            (Engine::VkQuake, 1),
            (Engine::VkQuake134, 1),
            (Engine::WinQuake, 1),
            (Engine::Q2Rtx, 1),
        ],
    },
    Exception {
        layout: "damaged/entry_partly_past",
        why: Why::BetterThanTheEngine,
        // the engine loads a part of the entry, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 1), (Engine::Q2Pro, 1), (Engine::Q2Rtx, 1)],
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
            (Engine::KmQuake2, 2),
            (Engine::Q2Rtx, 2),
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
            (Engine::Q2Rtx, 1),
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
            (Engine::KmQuake2, 1),
        ],
    },
    Exception {
        layout: "zip/offset_past_eof",
        why: Why::BetterThanTheEngine,
        // the engine loads bytes of its memory, or nothing; quakefs returns an error
        answers: &[(Engine::DarkPlaces, 1), (Engine::Fte, 1), (Engine::Q2Pro, 1), (Engine::Q2Rtx, 1)],
    },
    Exception {
        layout: "zip/bad_local_sig",
        why: Why::BetterThanTheEngine,
        // the engine finds nothing; quakefs returns an error
        answers: &[(Engine::Q2Rtx, 1)],
    },
    Exception {
        layout: "zip/cd_size_small",
        why: Why::BetterThanTheEngine,
        // the engine finds nothing; quakefs returns an error
        answers: &[(Engine::Q2Rtx, 1)],
    },
    Exception {
        layout: "zip/dotdot",
        why: Why::Policy,
        // the engine cleans the names and the request
        answers: &[(Engine::Q2Rtx, 2)],
    },
    Exception {
        layout: "hostile/seed1025",
        why: Why::Policy,
        // the request leaves the game directory
        answers: &[(Engine::QuakeSpasm095, 1)],
    },
    Exception {
        layout: "damaged/noread_moddir",
        why: Why::NoRule,
        // the engine opens numbered archives in a folder that cannot be listed
        answers: &[(Engine::Ironwail, 2), (Engine::VkQuake, 2), (Engine::VkQuake134, 2)],
    },
    Exception {
        layout: "damaged/entry_neg_len",
        why: Why::NoRule,
        // the engine stops when it reads an entry of negative length
        answers: &[(Engine::VkQuake, 1), (Engine::VkQuake134, 1), (Engine::VkQuake132, 1)],
    },
    Exception {
        layout: "game/dp_games18",
        why: Why::NoRule,
        // the engine stops at 18 games
        answers: &[(Engine::VkQuake, 1), (Engine::VkQuake132, 1)],
    },
    Exception {
        layout: "damaged/dev_null",
        why: Why::NoRule,
        // the engine stops at a link to /dev/null
        answers: &[(Engine::QuakeSpasm, 1)],
    },
    Exception {
        layout: "names/slashes",
        why: Why::Policy,
        // requests that leave a folder
        answers: &[(Engine::VkQuake, 3), (Engine::VkQuake134, 3), (Engine::VkQuake132, 3)],
    },
    Exception {
        layout: "hostile/seed52043",
        why: Why::Policy,
        // the request leaves the game directory
        answers: &[(Engine::QuakeSpasm, 1)],
    },
    Exception {
        layout: "loose/unreadable",
        why: Why::BetterThanTheEngine,
        // the engine finds nothing, and quakefs tells that the file cannot be opened
        answers: &[(Engine::QuakeSpasm, 1), (Engine::VkQuake134, 1)],
    },
    Exception {
        layout: "kpf/seed512097",
        why: Why::NoRule,
        // a loose file hides an entry whose name is the file's and a slash
        answers: &[(Engine::Q2Rtx, 1)],
    },
    Exception {
        layout: "hostile/seed1020",
        why: Why::NoRule,
        // the engine stops at a folder although no file has its name, because the name was requested
        answers: &[(Engine::DarkPlaces, 1)],
    },
    Exception {
        layout: "hostile/seed1032",
        why: Why::NoRule,
        // the engine mounts a pak of 6 bytes with a directory from its memory, so the numbered run goes on
        answers: &[(Engine::Mvdsv, 2)],
    },
];
