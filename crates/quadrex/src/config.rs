//! `quadrex config`: the settings that a server would start with, and the origin of each.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use quadrex_server::config::{EffectiveSetting, Origin};

use crate::convert::printable;
use crate::output::Output;
use crate::settings::Settings;

/// The column in which the comments with the origins begin.
const ORIGIN_COLUMN: usize = 40;

/// The flags and files of the server.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Address and port to listen on, as for `quadrex serve`.
    #[arg(long, value_name = "ADDR")]
    bind: Option<String>,
    #[command(flatten)]
    settings: Settings,
}

/// Checks the settings and prints them as a settings file, with the origin of each in a comment.
///
/// # Errors
/// Returns an error if a setting is invalid.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let settings = arguments.settings.effective(arguments.bind.as_deref())?;
    Output::create(Path::new("-"))?.write(text(&settings).as_bytes()).map(drop)
}

fn text(settings: &[EffectiveSetting]) -> String {
    let mut text = String::new();
    let mut section = "";
    for setting in settings {
        if setting.section != section {
            let separator = if section.is_empty() { "" } else { "\n" };
            section = &setting.section;
            let _ = writeln!(text, "{separator}[{section}]");
        }
        let assignment = format!("{} = {}", setting.key, setting.value);
        let origin = match &setting.origin {
            Origin::Default => "default".to_owned(),
            Origin::File(file) => format!("file {}", printable(&file.display().to_string())),
            Origin::Environment(variable) => format!("environment variable {}", printable(variable)),
            Origin::Flag(flag) => format!("flag {flag}"),
        };
        let _ = writeln!(text, "{assignment:<ORIGIN_COLUMN$}  # {origin}");
    }
    text
}
