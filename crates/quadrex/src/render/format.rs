//! Formats of pictures.

use std::path::Path;

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Vector graphics.
    Svg,
    /// Pixels.
    Png,
    /// A PNG of 1200 by 630 pixels, the shape of link previews.
    Card,
    /// An animation of a whole game.
    Gif,
}

impl Format {
    /// The format that a file's extension names.
    pub(super) fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            "gif" => Some(Self::Gif),
            _ => None,
        }
    }

    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Card => "card",
            Self::Gif => "gif",
        }
    }
}
