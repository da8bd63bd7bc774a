//! `quadrex man`: manual pages of the program and its commands, in roff.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command};

use crate::output::Output;

/// The destination of the pages.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  quadrex man | man -l -\n  \
    quadrex man --out /usr/local/share/man/man1")]
pub(crate) struct Arguments {
    /// Writes a page for the program and for each command into this folder, and creates it if it is
    /// missing.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the program's page, or writes all pages.
///
/// # Errors
/// Returns an error if a page cannot be written.
pub(crate) fn run(arguments: &Arguments, program: Command) -> Result<()> {
    if let Some(folder) = &arguments.out {
        let context = || folder.display().to_string();
        std::fs::create_dir_all(folder).with_context(context)?;
        return clap_mangen::generate_to(program, folder).with_context(context);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(program).render(&mut page)?;
    Output::create(Path::new("-"))?.write(&page).map(drop)
}
