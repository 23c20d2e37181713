//! Globs, matched in time that grows with the length of the name.

use std::iter::Peekable;
use std::str::Chars;

use crate::rules::Case;

/// A glob as steps over the bytes of a name. All ways through the steps are followed at once, so that stars
/// do not multiply the time.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    steps: Vec<Step>,
    case: Case,
}

#[derive(Clone, Debug)]
enum Step {
    Byte(u8),
    NotSlash,
    Any,
    Class(Box<[bool; 256]>),
    /// Continues with the next step and with this one.
    Or(usize),
    Goto(usize),
}

/// A part of a pattern.
enum PatternPart {
    Literal(char),
    Question,
    Star,
    /// `**/` at the start.
    AnyFolder,
    /// `/**/`
    AnyBetween,
    /// `/**` at the end.
    AnyBelow,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Alternates(Vec<Vec<PatternPart>>),
}

const UNOPENED: &str = "unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)";
const UNCLOSED: &str = "unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)";

impl Glob {
    /// Reads a pattern, or returns what is wrong with it.
    pub(crate) fn new(pattern: &str, case: Case) -> Result<Glob, String> {
        let parts = Parser { chars: pattern.chars().peekable(), before: None, depth: 0 }.parts()?;
        let mut glob = Glob { steps: Vec::new(), case };
        match &*parts {
            // the whole pattern is `**`
            [PatternPart::AnyFolder] => glob.add_many(Step::Any),
            parts => glob.add(parts),
        }
        Ok(glob)
    }

    pub(crate) fn is_match(&self, name: &[u8]) -> bool {
        // a bit for each step, and one for the end; the sets of most patterns need no allocation
        let words = self.steps.len() / 64 + 1;
        if words <= 4 {
            self.runs_to_end(name, &mut [0; 4], &mut [0; 4])
        } else {
            self.runs_to_end(name, &mut vec![0; words], &mut vec![0; words])
        }
    }

    /// Follows all ways through the steps. The sets hold the steps that wait for this byte and for the next
    /// one.
    fn runs_to_end<'w>(&self, name: &[u8], mut now: &'w mut [u64], mut next: &'w mut [u64]) -> bool {
        self.wait(now, 0);
        for byte in name {
            let byte = if self.case == Case::Ignored { byte.to_ascii_lowercase() } else { *byte };
            next.fill(0);
            let mut goes_on = false;
            for (index, word) in now.iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    let at = index * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    let takes = match self.steps.get(at) {
                        Some(Step::Byte(own)) => *own == byte,
                        Some(Step::NotSlash) => byte != b'/',
                        Some(Step::Any) => true,
                        Some(Step::Class(class)) => class.get(usize::from(byte)) == Some(&true),
                        Some(Step::Or(_) | Step::Goto(_)) | None => false,
                    };
                    if takes {
                        self.wait(next, at + 1);
                        goes_on = true;
                    }
                }
            }
            if !goes_on {
                return false;
            }
            std::mem::swap(&mut now, &mut next);
        }
        // the end is new unless a way has reached it
        !is_new(now, self.steps.len())
    }

    fn wait(&self, waiting: &mut [u64], mut at: usize) {
        while is_new(waiting, at) {
            match self.steps.get(at) {
                Some(Step::Or(other)) => {
                    self.wait(waiting, *other);
                    at += 1;
                }
                Some(Step::Goto(other)) => at = *other,
                _ => return,
            }
        }
    }

    fn add(&mut self, parts: &[PatternPart]) {
        let mut before = None;
        for part in parts {
            // several stars are one, and cost as much
            if let (PatternPart::Star, Some(PatternPart::Star)) = (part, before.replace(part)) {
                continue;
            }
            match part {
                PatternPart::Literal(letter) => {
                    let mut bytes = [0; 4];
                    let bytes = letter.encode_utf8(&mut bytes).bytes();
                    let folds = self.case == Case::Ignored;
                    self.steps.extend(
                        bytes.map(|byte| Step::Byte(if folds { byte.to_ascii_lowercase() } else { byte })),
                    );
                }
                PatternPart::Question => self.steps.push(Step::NotSlash),
                PatternPart::Star => self.add_many(Step::NotSlash),
                PatternPart::AnyFolder => self.add_folders(),
                PatternPart::AnyBetween => {
                    self.steps.push(Step::Byte(b'/'));
                    self.add_folders();
                }
                PatternPart::AnyBelow => {
                    self.steps.push(Step::Byte(b'/'));
                    self.add_many(Step::Any);
                }
                PatternPart::Class { negated, ranges } => self.steps.push(self.class(*negated, ranges)),
                PatternPart::Alternates(alternates) => self.add_alternates(alternates),
            }
        }
    }

    /// Any number of bytes.
    fn add_many(&mut self, step: Step) {
        let start = self.steps.len();
        self.steps.extend([Step::Or(start + 3), step, Step::Goto(start)]);
    }

    /// Nothing, or anything up to a slash.
    fn add_folders(&mut self) {
        self.steps.push(Step::Or(self.steps.len() + 5));
        self.add_many(Step::Any);
        self.steps.push(Step::Byte(b'/'));
    }

    fn add_alternates(&mut self, alternates: &[Vec<PatternPart>]) {
        let mut ends = Vec::new();
        // as in globset, an empty one does not count
        let mut alternates = alternates.iter().filter(|parts| !is_empty(parts)).peekable();
        while let Some(parts) = alternates.next() {
            if alternates.peek().is_none() {
                self.add(parts);
                break;
            }
            let fork = self.steps.len();
            self.steps.push(Step::Or(0));
            self.add(parts);
            ends.push(self.steps.len());
            self.steps.push(Step::Goto(0));
            let after = self.steps.len();
            if let Some(step) = self.steps.get_mut(fork) {
                *step = Step::Or(after);
            }
        }
        let after = self.steps.len();
        for end in ends {
            if let Some(step) = self.steps.get_mut(end) {
                *step = Step::Goto(after);
            }
        }
    }

    /// A class of bytes. A letter beyond ASCII counts as each of its bytes, and a range of such letters as
    /// the bytes between the last of the one and the first of the other.
    fn class(&self, negated: bool, ranges: &[(char, char)]) -> Step {
        let mut class = [false; 256];
        let mut set = |from: u8, to: u8| {
            for byte in from..=to {
                let cases = [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
                let cases = if self.case == Case::Ignored { cases } else { [byte; 2] };
                for byte in cases {
                    if let Some(has) = class.get_mut(usize::from(byte)) {
                        *has = true;
                    }
                }
            }
        };
        for (from, to) in ranges {
            let (mut one, mut other) = ([0; 4], [0; 4]);
            let (one, other) = (from.encode_utf8(&mut one).as_bytes(), to.encode_utf8(&mut other).as_bytes());
            if from == to {
                for byte in one {
                    set(*byte, *byte);
                }
                continue;
            }
            let ([before @ .., last], [first, after @ ..]) = (one, other) else { continue };
            set(*last, *first);
            for byte in before.iter().chain(after) {
                set(*byte, *byte);
            }
        }
        Step::Class(Box::new(class.map(|has| has != negated)))
    }
}

fn is_empty(parts: &[PatternPart]) -> bool {
    let is_empty_part = |part: &PatternPart| match part {
        PatternPart::Alternates(alternates) => alternates.iter().all(|parts| is_empty(parts)),
        _ => false,
    };
    parts.iter().all(is_empty_part)
}

/// Puts a step into a set, and tells whether it was not in it.
fn is_new(steps: &mut [u64], step: usize) -> bool {
    let Some(word) = steps.get_mut(step / 64) else { return false };
    let bit = 1 << (step % 64);
    let is_new = *word & bit == 0;
    *word |= bit;
    is_new
}

struct Parser<'p> {
    chars: Peekable<Chars<'p>>,
    /// The letter before the next one.
    before: Option<char>,
    /// The number of open braces.
    depth: usize,
}

impl Parser<'_> {
    fn bump(&mut self) -> Option<char> {
        let next = self.chars.next();
        self.before = next.or(self.before);
        next
    }

    /// Reads up to the end of the pattern; in braces, up to the next comma or brace, which it leaves.
    fn parts(&mut self) -> Result<Vec<PatternPart>, String> {
        let mut parts = Vec::new();
        while let Some(next) = self.chars.peek() {
            if self.depth > 0 && matches!(next, ',' | '}') {
                break;
            }
            let before = self.before;
            match self.bump() {
                Some('?') => parts.push(PatternPart::Question),
                Some('*') => self.star(before, &mut parts),
                Some('[') => parts.push(self.class()?),
                Some('{') => parts.push(self.alternates()?),
                Some('}') => return Err(UNOPENED.to_owned()),
                Some(letter) => parts.push(PatternPart::Literal(letter)),
                None => break,
            }
        }
        Ok(parts)
    }

    fn star(&mut self, before: Option<char>, parts: &mut Vec<PatternPart>) {
        if self.chars.peek() != Some(&'*') {
            return parts.push(PatternPart::Star);
        }
        self.bump();
        let next = self.chars.peek().copied();
        let ends = next.is_none() || (self.depth > 0 && matches!(next, Some(',' | '}')));
        if parts.is_empty() {
            if !matches!(next, None | Some('/')) {
                return parts.push(PatternPart::Star);
            }
            self.bump();
            return parts.push(PatternPart::AnyFolder);
        }
        if before != Some('/') || !(ends || next == Some('/')) {
            return parts.push(PatternPart::Star);
        }
        if !ends {
            self.bump();
        }
        // the slash before
        let part = match parts.pop() {
            Some(part @ (PatternPart::AnyFolder | PatternPart::AnyBelow)) => part,
            _ if ends => PatternPart::AnyBelow,
            _ => PatternPart::AnyBetween,
        };
        parts.push(part);
    }

    fn alternates(&mut self) -> Result<PatternPart, String> {
        self.depth += 1;
        let mut alternates = vec![self.parts()?];
        loop {
            match self.bump() {
                Some(',') => alternates.push(self.parts()?),
                Some(_) => break,
                None => return Err(UNCLOSED.to_owned()),
            }
        }
        self.depth -= 1;
        Ok(PatternPart::Alternates(alternates))
    }

    fn class(&mut self) -> Result<PatternPart, String> {
        let negated = matches!(self.chars.peek(), Some('!' | '^'));
        if negated {
            self.bump();
        }
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut in_range = false;
        loop {
            let letter = self.bump().ok_or("unclosed character class; missing ']'")?;
            match (letter, ranges.last_mut()) {
                (']', Some(_)) => break,
                ('-', Some(_)) if !in_range => in_range = true,
                (letter, Some(range)) if in_range => {
                    in_range = false;
                    range.1 = letter;
                    if letter < range.0 {
                        return Err(format!("invalid range; '{}' > '{letter}'", range.0));
                    }
                }
                (letter, _) => ranges.push((letter, letter)),
            }
        }
        if in_range {
            ranges.push(('-', '-'));
        }
        Ok(PatternPart::Class { negated, ranges })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(pattern: &str, name: &str, case: Case) {
        let theirs = globset::GlobBuilder::new(pattern)
            .literal_separator(true)
            .backslash_escape(false)
            .case_insensitive(case == Case::Ignored)
            .build();
        let theirs = theirs.map(|glob| glob.compile_matcher().is_match(name)).ok();
        let ours = Glob::new(pattern, case).map(|glob| glob.is_match(name.as_bytes())).ok();
        assert_eq!(ours, theirs, "{pattern:?} {name:?} {case:?}");
    }

    #[test]
    fn patterns_match_as_in_globset() {
        let patterns = [
            "maps/*.bsp",
            "**/*.wav",
            "**",
            "a/**",
            "a/**/b",
            "{a,b}/*",
            "{a,**/b}",
            "[a-c]",
            "[!a-c]",
            "[]a]",
            "[a-]",
            "[^/]",
            "a**",
            "**a",
            "a/**b",
            "{,a}",
            "{}",
            "{a,{b,c}}d",
            "a,b",
            "}",
            "{",
            "[",
            "[b-a]",
            "**/**/a",
            "a/**/**",
            "[\u{e9}]",
            "\u{e9}?",
            "a/{**,b}",
            "{a/,b}**",
            "x{**/a,b}",
            "[--a]",
        ];
        let names = [
            "",
            "a",
            "b",
            "c",
            "A",
            "a/b",
            "a/x/b",
            "maps/start.bsp",
            "x/y.wav",
            "y.wav",
            "bd",
            "cd",
            "ad",
            "]",
            "-",
            "a,b",
            "/a",
            "a/",
            "\u{e9}",
            "\u{e9}a",
            "xa",
            "x/a",
            "b/b",
        ];
        for pattern in patterns {
            for name in names {
                check(pattern, name, Case::Exact);
                check(pattern, name, Case::Ignored);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn random_patterns_match_as_in_globset(pattern in "[ab/*?{},!A\\[\\]-]{0,9}", name in "[abAB/,-]{0,7}") {
            check(&pattern, &name, Case::Exact);
            check(&pattern, &name, Case::Ignored);
        }
    }
}
