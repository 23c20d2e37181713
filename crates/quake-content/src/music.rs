//! `ext_data/dms.dat` of Jedi Knight: the sets of music that follow what happens in a level.

use std::sync::Arc;

use crate::lexer::Tokens;

/// A piece of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The name of its file.
    pub name: Vec<u8>,
    /// The line that names it, from 1; 0 for the piece that each set has.
    pub line: usize,
}

/// The pieces of a set, by its name or that of its level in any case. The engine plays none of them if one is
/// missing. `None` if the text has no such set, or it lacks calm music or music for fights.
///
/// Pieces of one name come as often as the text names them. Each name is made when it is asked for, because
/// all of them repeat the folder, which may be long.
///
/// Source: `OpenJK`, `code/client/snd_music.cpp`, `Music_ParseLeveldata`, `Music_ParseMusic` and
/// `Music_BuildFileName`; `code/game/genericparser2.cpp`, `CGPGroup::Parse`.
///
/// ```
/// let text = b"musicfiles { }\nlevelmusic { }";
/// assert!(quake_content::music::set(text, b"yavin1").is_none());
/// ```
#[must_use]
pub fn set(text: &[u8], name: &[u8]) -> Option<impl Iterator<Item = Piece> + use<>> {
    /// As many levels may refer to one another.
    const STEPS: usize = 10;
    let text = parse(text);
    let (files, levels) = (text.group(b"musicfiles")?, text.group(b"levelmusic")?);
    let mut folder = name.to_ascii_lowercase();
    let mut steps = 0;
    let level = loop {
        let level = levels.group(&folder)?;
        let Some((uses, _)) = level.value(b"uses") else { break level };
        steps += 1;
        if steps == STEPS {
            return None;
        }
        folder = uses.to_vec();
    };
    let folder: Arc<[u8]> = folder.into();
    let wanted =
        |key: &[u8]| level.value(key).filter(|(value, _)| !value.eq_ignore_ascii_case(b"placeholder"));
    let boss = match wanted(b"useboss") {
        Some((other, _)) => Some((levels.group(other)?.value(b"boss")?, other.into())),
        None => wanted(b"boss").map(|boss| (boss, Arc::clone(&folder))),
    };
    let pieces = [wanted(b"explore")?, wanted(b"action")?].map(|piece| (piece, Arc::clone(&folder)));
    let mut found = Vec::new();
    for (number, ((piece, line), folder)) in pieces.into_iter().chain(boss).enumerate() {
        found.push((Arc::clone(&folder), piece.to_vec(), line));
        let file = files.group(piece)?;
        let exits = file.groups.iter().filter(|group| group.is(b"exit"));
        // of equal keys the last counts
        let next = exits.filter_map(|exit| exit.values.iter().rfind(|(key, ..)| &**key == b"nextfile"));
        let next: Vec<_> = next.collect();
        let has_entry = file.group(b"entry").is_some_and(|entry| !entry.values.is_empty());
        // music for a boss goes on to its end
        if number < 2 && (next.is_empty() || !has_entry) {
            return None;
        }
        found.extend(next.into_iter().map(|(_, next, line)| (Arc::clone(&folder), next.clone(), *line)));
    }
    let of_set = found.into_iter().map(|(folder, piece, line)| Piece {
        name: [b"music/", &*folder, b"/", &piece, b".mp3"].concat(),
        line,
    });
    let of_all = Piece { name: b"music/death_music.mp3".to_vec(), line: 0 };
    Some(of_set.chain([of_all]))
}

/// A group of values and other groups.
#[derive(Default)]
struct Group {
    name: Vec<u8>,
    /// Keys and values, with their lines.
    values: Vec<(Vec<u8>, Vec<u8>, usize)>,
    groups: Vec<Group>,
}

impl Group {
    fn is(&self, name: &[u8]) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn group(&self, name: &[u8]) -> Option<&Group> {
        self.groups.iter().find(|group| group.is(name))
    }

    fn value(&self, name: &[u8]) -> Option<(&[u8], usize)> {
        let found = self.values.iter().find(|(key, ..)| key.eq_ignore_ascii_case(name))?;
        Some((&found.1, found.2))
    }
}

/// Reads a text to its end, or to the mark that closes or opens too much.
fn parse(text: &[u8]) -> Group {
    const DEEPEST: usize = 8;
    let mut tokens = Tokens::of_words(text);
    let mut group = Group::default();
    // the groups around this one
    let mut around = Vec::new();
    while let Some(key) = tokens.next() {
        if key.is(b"}") {
            let Some(outer) = around.pop() else { break };
            let inner = std::mem::replace(&mut group, outer);
            group.groups.push(inner);
            continue;
        }
        // a value without quotes ends with its line
        let Some(first) = tokens.next() else { break };
        let mut value = first.text.to_vec();
        while let Some(more) = (!first.is_quoted).then(|| tokens.on_this_line()).flatten() {
            value.push(b' ');
            value.extend(more.text);
        }
        match &*value {
            b"{" if around.len() == DEEPEST => break,
            b"{" => around
                .push(std::mem::replace(&mut group, Group { name: key.text.to_vec(), ..Group::default() })),
            b"[" => tokens.by_ref().take_while(|token| !token.is(b"]")).for_each(drop),
            _ => group.values.push((key.text.to_vec(), value, key.line)),
        }
    }
    while let Some(outer) = around.pop() {
        let inner = std::mem::replace(&mut group, outer);
        group.groups.push(inner);
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"// sets of music
        musicfiles
        {
            calm
            {
                entry
                {
                    marker1 0
                }
                exit
                {
                    nextfile calm_tr0
                    time0 12.5
                }
                exit
                {
                    nextfile \"calm_tr1\"
                }
            }
            fight
            {
                entry
                {
                    marker1 0
                }
                exit
                {
                    nextfile calm_tr0
                }
            }
            big
            {
            }
        }
        levelmusic
        {
            yavin1
            {
                explore calm
                action Fight // as loud as it gets
                boss placeholder
            }
            yavin2
            {
                uses yavin1
            }
            hoth2
            {
                explore calm
                action fight
                useboss t3_rift
            }
            t3_rift
            {
                boss big
            }
            round
            {
                uses round
            }
            cut
            {
                explore calm
                action big
            }
        }";

    fn names(text: &[u8], of: &str) -> Option<Vec<String>> {
        let name = |piece: Piece| String::from_utf8(piece.name).unwrap();
        Some(set(text, of.as_bytes())?.map(name).collect())
    }

    #[test]
    fn a_set_has_the_pieces_of_its_level_and_those_between_them() {
        let of_yavin = [
            "music/yavin1/calm.mp3",
            "music/yavin1/calm_tr0.mp3",
            "music/yavin1/calm_tr1.mp3",
            "music/yavin1/Fight.mp3",
            "music/yavin1/calm_tr0.mp3",
            "music/death_music.mp3",
        ];
        for set in ["yavin1", "YAVIN1", "yavin2"] {
            assert_eq!(names(TEXT, set).unwrap(), of_yavin, "{set}");
        }
        let of_hoth = names(TEXT, "hoth2").unwrap();
        assert_eq!(
            of_hoth[3..],
            [
                "music/hoth2/fight.mp3",
                "music/hoth2/calm_tr0.mp3",
                "music/t3_rift/big.mp3",
                "music/death_music.mp3"
            ]
        );
        assert_eq!(set(TEXT, b"yavin1").unwrap().nth(1).unwrap().line, 12);
        for none in ["t3_rift", "round", "cut", "nowhere", ""] {
            assert_eq!(names(TEXT, none), None, "{none}");
        }
    }

    #[test]
    fn no_text_makes_the_reader_of_sets_fail() {
        for end in 0..TEXT.len() {
            let _ = set(&TEXT[..end], b"yavin1");
        }
        assert!(set(&b"a {\n".repeat(100_000), b"a").is_none());
        assert!(set(b"} } {", b"").is_none());
    }
}
