//! Why a name is not found, and what may have been meant.

use quakefs::{EntryName, Hit};

use super::advice::request;
use super::{Reader, Said, Say, findings, one_of};
use crate::{Missing, MissingBecause};

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
                // where names are in lower case, as most games ask for them, they are right in all engines
                if asked.as_bytes().iter().any(|byte| byte.is_ascii_uppercase() || *byte == b'\\') {
                    ask_for(file)
                } else {
                    format!("rename it to {asked}, or ask for {}", file.name())
                },
            )
        }
        MissingBecause::Shallower { file } => {
            let (layer, stored) = there(file);
            (format!("{layer} has it as {stored}: names begin below the game directory"), ask_for(file))
        }
        MissingBecause::Deeper { file } => {
            let (layer, stored) = there(file);
            let above = file.layer().game_directory().map_or("", |directory| &directory.name);
            let begins = |folder: &str| stored.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
            let help = match file.entry() {
                Some(_) if begins(above) => {
                    format!("it is packed one folder too deep: pack what is in {above}, without that folder")
                }
                None if begins(above) => format!("move what is in {above}/{above} to {above}"),
                _ => ask_for(file),
            };
            (format!("{layer} has it as {stored}"), help)
        }
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
