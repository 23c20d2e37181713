//! The command line of a reader, and lists of words.

/// The command line that a reader typed, for advice that repeats its options.
pub trait Shell {
    /// A command line that runs another command on the same game, or on the `other` one that an option and
    /// its value choose in the same base directory. For `ls` and `("--game", "ad")` it is `quakefs --game ad
    /// ls`.
    fn command(&self, name: &str, other: Option<(&str, &str)>) -> String;

    /// The command that asks about a name, for advice with another name or another game.
    fn asking(&self, name: &str) -> &'static str {
        let _ = name;
        "which"
    }

    /// Words quoted for the reader's shell.
    fn quoted(&self, words: &[&str]) -> String;
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn one_of(items: &[String]) -> String {
    listed(items, "or")
}

/// `a`, `a and b`, `a, b and c`, with `and` as the `last` word.
#[must_use]
pub fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => {
            let first: Vec<&str> = first.iter().map(String::as_str).collect();
            format!("{} {last} {end}", first.join(", "))
        }
    }
}
