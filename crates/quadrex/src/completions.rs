//! `quadrex completions SHELL`: a script that completes commands, flags and values.

use std::path::Path;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::output::Output;

/// The shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    quadrex completions bash > ~/.local/share/bash-completion/completions/quadrex\n  \
    quadrex completions fish > ~/.config/fish/completions/quadrex.fish\n  \
    quadrex completions zsh > /usr/local/share/zsh/site-functions/_quadrex")]
pub(crate) struct Arguments {
    /// Shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// Returns an error if standard output cannot be written.
pub(crate) fn run(arguments: &Arguments, program: &mut Command) -> Result<()> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, program, name, &mut script);
    Output::create(Path::new("-"))?.write(&script).map(drop)
}
