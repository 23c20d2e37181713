//! Why a name is not found, and what may have been meant.

use quakefs::content::ContentType;
use quakefs::{EntryName, Hit};

use super::advice::request;
use super::{Reader, Said, Say, findings, one_of};
use crate::{Missing, MissingBecause};

/// What is said of a file that the engine passes over.
pub const PASSED_OVER: &str = "its name differs in case";

impl Say for Missing<'_> {
    /// The sentence begins with the name that was asked for.
    fn say_to(&self, reader: Reader<'_>) -> Said {
        let asked = self.name();
        let shown = if asked.as_bytes().is_empty() { "\"\"".to_owned() } else { asked.to_string() };
        let Some(because) = self.because.first() else {
            let help = match reader {
                Reader::Shell(shell) => format!("`{}` lists the names", shell.command("ls")),
                Reader::Window => "look at the list of files".to_owned(),
            };
            return Said::new(format!("{shown}: not found"), help);
        };
        let (reason, help) = said(because, asked, &self.engine, reader);
        let sentence = match reason {
            Some(reason) => format!("{shown}: not found: {reason}"),
            None => format!("{shown}: not found"),
        };
        Said::new(sentence, help)
    }
}

fn said(
    because: &MissingBecause<'_>,
    asked: EntryName<'_>,
    engine: &str,
    reader: Reader<'_>,
) -> (Option<String>, String) {
    let there = |file: &Hit<'_>| (file.layer().name().to_owned(), file.stored().to_string());
    let ask_for = |file: &Hit<'_>| format!("ask for {}", file.name());
    let (reason, help) = match because {
        MissingBecause::Refused(reason) => (reason.to_string(), request().to_owned()),
        MissingBecause::LeftOut { entry, finding } => {
            let (layer, cause) = (&entry.layer, findings::cause(finding));
            let help = finding.say_to(reader).help().unwrap_or_default().to_owned();
            (format!("{layer} has it, but {engine} does not load that archive: {cause}"), help)
        }
        MissingBecause::HiddenBySpelling { by: file } => {
            let (layer, stored) = there(file);
            (format!("{layer} has {stored}, which hides other spellings in {engine}"), ask_for(file))
        }
        MissingBecause::OtherSpelling { file } => {
            let (layer, stored) = there(file);
            (
                format!("{layer} has {stored}, and {engine} finds it by this exact spelling alone"),
                if ContentType::of(asked.as_bytes()) == ContentType::Level
                    && file.stored().as_bytes().iter().any(u8::is_ascii_uppercase)
                {
                    let right = file.name().to_string().to_ascii_lowercase();
                    format!("rename it to {right}: a level is asked for in lower case")
                // where names are in lower case, as most games ask for them, they are right in all engines
                } else if asked.as_bytes().iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'\\') {
                    ask_for(file)
                } else {
                    format!("rename it to {asked}, or ask for {}", file.name())
                },
            )
        }
        MissingBecause::Shallower { file } => {
            let (layer, stored) = there(file);
            let first = asked.as_bytes().split(|&byte| byte == b'/').next().unwrap_or_default();
            let first = EntryName::from_bytes(first);
            let directory = file.layer().game_directory().map(|directory| &*directory.name);
            let is_directory = directory
                .and_then(|name| name.rsplit('/').next())
                .is_some_and(|name| first.as_bytes().eq_ignore_ascii_case(name.as_bytes()));
            if is_directory || first.as_bytes().contains(&b':') {
                (format!("{layer} has it as {stored}: names begin below the game directory"), ask_for(file))
            } else if file.entry().is_some() {
                (format!("{layer} has it as {stored}"), format!("pack it in the folder {first}"))
            } else {
                (format!("{layer} has it as {stored}"), format!("move it into {layer}{first}"))
            }
        }
        MissingBecause::Deeper { file } => {
            let (layer, stored) = there(file);
            let above = file.layer().game_directory().map_or("", |directory| &directory.name);
            let begins = |folder: &str| stored.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            let inside = stored.len().checked_sub(asked.as_bytes().len() + 1);
            let inside = inside.and_then(|end| stored.get(..end)).unwrap_or_default();
            let help = match file.entry() {
                // a name without a folder lacks the one that is there
                Some(_) if begins(above) || asked.as_bytes().contains(&b'/') => {
                    format!("it is packed one folder too deep: pack what is in {inside}, without that folder")
                }
                None if begins(above) => format!("move what is in {above}/{above} to {above}"),
                _ => ask_for(file),
            };
            (format!("{layer} has it as {stored}"), help)
        }
        MissingBecause::TooDeep { archive, folder, directory } => (
            format!("{archive} has it, and {engine} looks for archives straight in {directory}"),
            format!("move what is in {folder} to {directory}"),
        ),
        MissingBecause::Folder => {
            let help = match reader {
                Reader::Shell(shell) => {
                    let below = shell.quoted(&[&format!("{asked}/**")]);
                    format!("`{} {below}` lists what is in it", shell.command("ls"))
                }
                Reader::Window => format!("ask for a file in it: {asked}/..."),
            };
            ("it is a folder".to_owned(), help)
        }
        MissingBecause::OtherExtension { file } => {
            let (layer, stored) = there(file);
            (format!("{layer} has {stored}"), ask_for(file))
        }
        MissingBecause::Nearest { files } => {
            let names: Vec<_> = files.iter().map(|file| file.name().to_string()).collect();
            return (None, format!("did you mean {}?", one_of(&names)));
        }
    };
    (Some(reason), help)
}
