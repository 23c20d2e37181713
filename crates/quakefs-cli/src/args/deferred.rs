//! Arguments that are declared when their command is asked for.

use std::ops::Deref;

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};

/// The arguments of a subcommand. clap is told of them when that subcommand is read or shown: to declare those of all
/// subcommands takes longer than a short command runs.
#[derive(Debug)]
pub(crate) struct Deferred<A>(A);

impl<A> Deref for Deferred<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.0
    }
}

/// The text of a subcommand stands at its variant, and goes before that of the type of its arguments.
fn under_its_own_text(command: Command, declare: fn(Command) -> Command) -> Command {
    let about = command.get_about().cloned();
    declare(command).about(about.unwrap_or_default())
}

impl<A: Args> Args for Deferred<A> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| under_its_own_text(command, A::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| under_its_own_text(command, A::augment_args_for_update))
    }
}

impl<S: Subcommand> Subcommand for Deferred<S> {
    fn augment_subcommands(command: Command) -> Command {
        command.defer(|command| under_its_own_text(command, S::augment_subcommands))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        command.defer(|command| under_its_own_text(command, S::augment_subcommands_for_update))
    }

    fn has_subcommand(name: &str) -> bool {
        S::has_subcommand(name)
    }
}

impl<A: FromArgMatches> FromArgMatches for Deferred<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        A::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
