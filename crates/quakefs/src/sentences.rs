//! One row for each kind: its stable name, its sentence and its advice.

use std::borrow::Cow;
use std::fmt;

use pak_format::{EntryName, Severity};

use crate::advice::Advice;
pub(crate) use crate::shell::one_of;
pub use crate::shell::{Shell, listed};

/// Something with a sentence and an advice. `Display` prints the sentence.
pub trait Help: fmt::Display {
    /// What to do about it, as data, in order; empty if nothing is known or only a person can do it.
    fn advice(&self) -> Vec<Advice> {
        Vec::new()
    }

    /// What to do about it, if anything is known. With the `shell` of somebody who runs `quakefs`, the advice
    /// names options and commands. With `None` it is for a page, a window or an engine's console.
    fn help(&self, shell: Option<&dyn Shell>) -> Option<String>;
}

/// A row of a table of sentences. Values are in braces.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct SentenceRow {
    /// Its name and severity.
    pub label: Label,
    /// The sentence.
    pub sentence: &'static str,
    /// The advice.
    pub help: Option<&'static str>,
    /// The advice in a shell, if it is different.
    pub help_in_shell: Option<&'static str>,
    /// The advice as data.
    pub advice: Option<Advice>,
}

/// The part of a row that programs need: no texts.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// The name of the kind. If several rows share it, a second word tells them apart.
    pub name: &'static str,
    /// Its severity, if it is a finding.
    pub severity: Option<Severity>,
    /// Whether it is a reason why the engine skips an archive.
    pub skips: bool,
}

impl Label {
    /// The name of the kind.
    pub(crate) fn kind(&self) -> &'static str {
        self.name.split_once(' ').map_or(self.name, |(kind, _)| kind)
    }
}

/// A table of sentences: a module with the rows of an enum.
///
/// A text is a literal that names bindings of the pattern, or a literal and arguments in parentheses. An
/// advice may also be a block that returns an `Option<String>`. An enum whose sentences need no other values
/// gets `Display` too.
macro_rules! sentences {
    ($module:ident($kind:ident: $Kind:ty; $shell:ident) $($rows:tt)*) => {
        $crate::sentences::sentences! { $module($kind: &$Kind,; $shell) $($rows)* }

        impl std::fmt::Display for $Kind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&$module::sentence(self))
            }
        }
    };
    (
        $module:ident($kind:ident: $Kind:ty, $($arg:ident: $Arg:ty),*; $shell:ident)
        $($name:literal $($severity:ident $($skips:ident)?)?: $pattern:pat $(if $guard:expr)? => $sentence:tt
            $(, help $help:tt)? $(, shell $in_shell:tt)? $(, advice [$($advice:tt)*])?;)*
    ) => {
        #[allow(
            dead_code,
            unused_variables,
            clippy::wildcard_imports,
            clippy::enum_glob_use,
            clippy::match_same_arms,
            clippy::too_many_lines,
            clippy::useless_format,
            clippy::unnecessary_wraps,
            reason = "a table: each row stands by itself"
        )]
        pub(crate) mod $module {
            use super::*;
            use $crate::findings::Advice;
            use $crate::findings::Location;
            use $crate::sentences::{Label, SentenceRow, Shell, text};

            pub(crate) fn rows(at: &Location) -> Vec<SentenceRow> {
                vec![$(SentenceRow {
                    label: Label {
                        name: $name,
                        severity: text!(severity $($severity)?),
                        skips: text!(skips $($($skips)?)?),
                    },
                    sentence: text!(template $sentence),
                    help: text!(option $($help)?),
                    help_in_shell: text!(option $($in_shell)?),
                    advice: text!(advice raw at $($($advice)*)?),
                }),*]
            }

            pub(crate) fn advice($kind: $Kind $(, $arg: $Arg)*, at: &Location) -> Option<Advice> {
                match $kind {
                    $($pattern $(if $guard)? => text!(advice format at $($($advice)*)?),)*
                }
            }

            pub(crate) fn label($kind: $Kind $(, $arg: $Arg)*) -> &'static Label {
                match $kind {
                    $($pattern $(if $guard)? => &Label {
                        name: $name,
                        severity: text!(severity $($severity)?),
                        skips: text!(skips $($($skips)?)?),
                    },)*
                }
            }

            pub(crate) fn sentence($kind: $Kind $(, $arg: $Arg)*) -> String {
                match $kind {
                    $($pattern $(if $guard)? => text!(format $sentence),)*
                }
            }

            pub(crate) fn help($kind: $Kind $(, $arg: $Arg)*, $shell: Option<&dyn Shell>) -> Option<String> {
                match $kind {
                    $($pattern $(if $guard)? => {
                        $(if let Some($shell) = $shell {
                            return text!(help $in_shell);
                        })?
                        text!(help $($help)?)
                    })*
                }
            }
        }
    };
}

/// Expands a text of [`sentences!`] to each form that the table needs.
macro_rules! text {
    (advice $mode:ident $at:ident) => { None };
    (advice raw $at:ident {$($block:tt)*}) => { Some(Advice::Tell("{help}".into())) };
    (advice format $at:ident {$($block:tt)*}) => { Option::<Advice>::from({$($block)*}) };
    (advice $mode:ident $at:ident $($advice:tt)+) => {
        Some($crate::advice::advise!($mode $at; $($advice)+))
    };
    (severity) => { None };
    (severity $severity:ident) => { Some(pak_format::Severity::$severity) };
    (skips) => { false };
    (skips skips) => { true };
    (template $text:literal) => { $text };
    (template ($text:literal $($rest:tt)*)) => { $text };
    (template {$($rest:tt)*}) => { "{help}" };
    (option) => { None };
    (option $text:tt) => { Some($crate::sentences::text!(template $text)) };
    (format $text:literal) => { format!($text) };
    (format ($text:literal $($rest:tt)*)) => { format!($text $($rest)*) };
    (help) => { None };
    (help {$($rest:tt)*}) => { {$($rest)*} };
    (help $text:tt) => { Some($crate::sentences::text!(format $text)) };
}

pub(crate) use {sentences, text};

/// An error and its causes, in one line.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// `1 byte`, `1 234 bytes`: a number with spaces between thousands, and its noun.
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(number)) }
}

/// Names in a sentence: `pak1.pk3, pak2.pk3 and pak3.pk3`, and of many the first and the last.
pub(crate) fn many(names: &[String]) -> String {
    match names {
        [first, _, _, .., last] => format!("{} others from {first} to {last}", names.len()),
        _ => listed(names, "and"),
    }
}

/// A number with spaces between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A text without characters that control a terminal or reorder the text around them: each of their bytes
/// becomes `\xNN`, as in the names of files. Sentences that quote a folder or an author need it.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if EntryName::from(text).is_printable() {
        return Cow::Borrowed(text);
    }
    // one character at a time, so that backslashes stay
    let mut bytes = [0; 4];
    text.chars().map(|letter| EntryName::from(&*letter.encode_utf8(&mut bytes)).to_string()).collect()
}
