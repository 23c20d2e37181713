//! Makes text from outside (names, paths, messages with them) safe to print.

use std::borrow::Cow;
use std::io;

use pak_format::name::{escape, steers};
use quakefs::EntryName;
use quakefs::findings::Severity;
use quakefs::sentences::Shell;
use serde::Serializer;
use serde_json::ser::Formatter;

pub(crate) use quakefs::sentences::printable;

/// Prints a message as a workflow command of GitHub. It is escaped as in `src/Runner.Common/ActionCommand.cs`
/// of GitHub's runner, so that no name in it becomes a command.
pub(crate) fn annotation(
    out: &mut dyn io::Write,
    severity: Severity,
    properties: &[(&str, Option<&str>)],
    text: &str,
    help: &str,
) -> io::Result<()> {
    let word = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    // line ends are control characters, which are escaped already
    let escaped = |text: &str| printable(text).replace('%', "%25");
    let property = |(name, value): &(&str, Option<&str>)| {
        Some(format!("{name}={}", escaped((*value)?).replace(':', "%3A").replace(',', "%2C")))
    };
    let properties: Vec<_> = properties.iter().filter_map(property).collect();
    let space = if properties.is_empty() { "" } else { " " };
    let help = if help.is_empty() { String::new() } else { format!("%0Ahelp: {}", escaped(help)) };
    writeln!(out, "::{word}{space}{}::{}{help}", properties.join(","), escaped(text))
}

/// Prints a name without loss: like [`printable`], with `\xNN` for each byte that is not UTF-8.
pub(crate) fn print_name(out: &mut Vec<u8>, name: EntryName<'_>) -> io::Result<()> {
    // most names need no escapes
    if name.is_printable() {
        out.extend_from_slice(name.as_bytes());
        return Ok(());
    }
    io::Write::write_fmt(out, format_args!("{name}"))
}

/// A name for JSON: `\xNN` for each byte that is not UTF-8.
pub(crate) fn escaped(name: EntryName<'_>) -> String {
    escape(name.as_bytes()).into_owned()
}

/// A path for JSON, with `/` on every system.
pub(crate) fn with_slashes(path: &str) -> Cow<'_, str> {
    if cfg!(windows) { path.replace('\\', "/").into() } else { path.into() }
}

/// Serializes a path [`with_slashes`].
pub(crate) fn slashed<S: Serializer>(path: &impl AsRef<str>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&with_slashes(path.as_ref()))
}

/// JSON that writes each character that controls a terminal or reorders a line as `\uNNNN`.
pub(crate) struct PrintableJson;

impl Formatter for PrintableJson {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return writer.write_all(fragment.as_bytes());
        }
        for part in fragment.split_inclusive(steers) {
            match part.chars().next_back().filter(|last| steers(*last)) {
                Some(last) => {
                    let before = part.strip_suffix(last).unwrap_or_default();
                    write!(writer, "{before}\\u{:04x}", u32::from(last))?;
                }
                None => writer.write_all(part.as_bytes())?,
            }
        }
        Ok(())
    }
}

/// A shell for help that is not about a game.
pub(crate) struct Plain;

impl Shell for Plain {
    fn command(&self, name: &str, other: Option<(&str, &str)>) -> String {
        let other = other.map_or_else(String::new, |(option, game)| format!("{option} {game} "));
        format!("quakefs {other}{name}")
    }

    fn quoted(&self, words: &[&str]) -> String {
        command_line(words.iter().copied())
    }
}

/// A reader at a shell, for help that is not about a game.
pub(crate) const SHELL: Option<&dyn Shell> = Some(&Plain);

/// Quotes words for a shell.
#[cfg(not(windows))]
pub(crate) fn command_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    // only a NUL cannot be quoted, and no argument contains one
    shlex::try_join(words).unwrap_or_default()
}

/// Quotes words for the shells of Windows.
#[cfg(windows)]
pub(crate) fn command_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for both shells of Windows with double quotes, unless PowerShell would expand it. Such a
/// word gets single quotes, which `cmd` does not understand.
#[cfg(any(windows, test))]
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_alphanumeric() || r"_-./\:+~".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    if word.contains(['$', '`', '"']) {
        return format!("'{}'", word.replace('\'', "''")).into();
    }
    // a backslash would escape the quote after it
    let end = word.len() - word.trim_end_matches('\\').len();
    format!("\"{word}{}\"", "\\".repeat(end)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_for_the_shells_of_windows() {
        for (word, expected) in [
            (r"C:\games\quake", r"C:\games\quake"),
            (r"C:\my games\quake", r#""C:\my games\quake""#),
            (r"D:\my games\", r#""D:\my games\\""#),
            ("it's", r#""it's""#),
            ("maps/*.bsp", r#""maps/*.bsp""#),
            ("100%", r#""100%""#),
            ("$mod's", "'$mod''s'"),
            ("", r#""""#),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }

    #[test]
    fn text_that_controls_a_terminal_is_escaped_once() {
        let text = "caf\u{e9}\u{1b}[2J\u{9b}1m\u{202e}\u{7f} \\x41";
        let printed = printable(text);
        assert_eq!(printed, "caf\u{e9}\\x1B[2J\\xC2\\x9B1m\\xE2\\x80\\xAE\\x7F \\x41");
        assert_eq!(printable(&printed), printed);
    }
}
