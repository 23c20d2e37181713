//! Tokens of the engines' text formats.

/// Splits a text into tokens as an engine does.
///
/// White space is every byte up to 32. `//` starts a comment that ends with the line, and `/*` one that ends
/// at `*/`. The first of the two counts: `//***` is a comment of one line. A quoted token ends at the next
/// quote or at the end of the text.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    rest: &'a [u8],
    line: usize,
    single: &'static [u8],
}

/// One token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// Its bytes, without quotes.
    pub(crate) text: &'a [u8],
    /// Whether it was quoted.
    pub(crate) is_quoted: bool,
    /// The line on which it starts, from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Whether this is an unquoted mark such as `{`.
    pub(crate) fn is(&self, mark: &[u8]) -> bool {
        !self.is_quoted && self.text == mark
    }
}

impl<'a> Tokens<'a> {
    /// Quake's rules: each of `{}()':` is a token (`COM_Parse` in Quake's `common.c`; comments follow
    /// QuakeSpasm).
    pub(crate) fn of_quake(text: &'a [u8]) -> Self {
        Tokens { rest: text, line: 1, single: b"{}()':" }
    }

    /// The rules of Quake II and Quake III: only white space separates tokens (`COM_Parse` in `q_shared.c`).
    pub(crate) fn of_words(text: &'a [u8]) -> Self {
        Tokens { rest: text, line: 1, single: b"" }
    }

    /// The rules of Quake III's lists: a comma is a token too (`CommaParse` in `tr_image.c`).
    pub(crate) fn of_list(text: &'a [u8]) -> Self {
        Tokens { rest: text, line: 1, single: b"," }
    }

    /// The next token, if it is on the line on which the last one ended.
    pub(crate) fn on_this_line(&mut self) -> Option<Token<'a>> {
        let mut ahead = self.clone();
        let token = ahead.next()?;
        (token.line == self.line).then(|| {
            *self = ahead;
            token
        })
    }

    fn skip(&mut self, count: usize) {
        let (skipped, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
        self.line += skipped.split(|byte| *byte == b'\n').count() - 1;
        self.rest = rest;
    }

    fn skip_space_and_comments(&mut self) {
        loop {
            let rest = self.rest;
            let until = |mark: &[u8]| rest.windows(mark.len()).position(|window| window == mark);
            if rest.starts_with(b"//") {
                self.skip(until(b"\n").unwrap_or(rest.len()));
            } else if let Some(comment) = rest.strip_prefix(b"/*") {
                let end = comment.windows(2).position(|window| window == b"*/");
                self.skip(end.map_or(rest.len(), |end| end + 4));
            } else {
                match rest.iter().position(|&byte| byte > b' ') {
                    Some(0) => return,
                    Some(count) => self.skip(count),
                    None => return self.skip(rest.len()),
                }
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_space_and_comments();
        let (line, rest) = (self.line, self.rest);
        let first = *rest.first()?;
        if let Some(quoted) = rest.strip_prefix(b"\"") {
            let end = quoted.iter().position(|&byte| byte == b'"');
            self.skip(end.map_or(rest.len(), |end| end + 2));
            return Some(Token { text: quoted.get(..end.unwrap_or(quoted.len()))?, is_quoted: true, line });
        }
        let ends = |byte: &u8| *byte <= b' ' || self.single.contains(byte);
        let length =
            if self.single.contains(&first) { 1 } else { rest.iter().position(ends).unwrap_or(rest.len()) };
        self.skip(length);
        Some(Token { text: rest.get(..length)?, is_quoted: false, line })
    }
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    fn tokens(text: &str) -> Vec<(String, usize)> {
        let tokens = Tokens::of_quake(text.as_bytes());
        tokens.map(|token| (String::from_utf8_lossy(token.text).into_owned(), token.line)).collect()
    }

    #[test]
    fn a_comment_of_two_slashes_ends_with_its_line_whatever_follows_them() {
        let text = "a //*** no block\nb /* a\nblock */ c // end";
        assert_eq!(tokens(text), [("a".into(), 1), ("b".into(), 2), ("c".into(), 3)]);
    }

    #[test]
    fn marks_are_tokens_of_their_own_and_quotes_hold_anything() {
        let texts = tokens("{\"a // b\" c}\"open\nto the end");
        let texts: Vec<_> = texts.iter().map(|(text, line)| (&**text, *line)).collect();
        assert_eq!(texts, [("{", 1), ("a // b", 1), ("c", 1), ("}", 1), ("open\nto the end", 1)]);
    }

    #[test]
    fn words_of_later_engines_end_only_at_white_space() {
        let words: Vec<_> = Tokens::of_words(b"textures/a:b{ }").map(|token| token.text).collect();
        assert_eq!(words, [&b"textures/a:b{"[..], b"}"]);
    }
}
