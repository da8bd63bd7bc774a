//! The formats of a file of games.

use std::path::Path;

use quadrex_rules::notation::Notation;

/// A format of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Games of two players, in Portable Game Notation.
    Pgn,
    /// Games of four players.
    Pgn4,
    /// Match records in JSON.
    Json,
}

impl Form {
    /// Returns the format for the extension of a file.
    pub(crate) fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "pgn" => Self::Pgn,
            "pgn4" => Self::Pgn4,
            "json" | "jsonl" | "ndjson" => Self::Json,
            _ => return None,
        })
    }

    /// Guesses the format from the beginning of a file. `head` may end anywhere in the file.
    pub(crate) fn of_content(head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let opens_object = text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        if opens_object {
            return Self::Json;
        }
        let markers = ["[StartFen4 ", "[Red ", "[Green ", " .. "];
        if markers.iter().any(|marker| text.contains(marker)) { Self::Pgn4 } else { Self::Pgn }
    }

    /// Returns the format of games in a notation.
    pub(crate) fn of_notation(notation: Notation) -> Self {
        match notation {
            Notation::Pgn => Self::Pgn,
            Notation::Pgn4 => Self::Pgn4,
        }
    }

    /// Returns the name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pgn => "PGN",
            Self::Pgn4 => "PGN4",
            Self::Json => "JSON",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_suggests_the_format() {
        for (head, format) in [
            ("", Form::Pgn),
            ("[Event \"?\"]\n", Form::Pgn),
            ("{a comment} 1. e4", Form::Pgn),
            ("1. e4 e5", Form::Pgn),
            ("\u{feff}\n[Variant \"FFA\"]\n[StartFen4 \"4PC\"]", Form::Pgn4),
            ("1. h2-h4 .. b7-c7", Form::Pgn4),
            (" {\"format\":", Form::Json),
            ("\u{feff}{ \"variant\"", Form::Json),
        ] {
            assert_eq!(Form::of_content(head.as_bytes()), format, "{head:?}");
        }
        assert_eq!(Form::of_content(b"[White \"R\xe9ti\"]"), Form::Pgn);
    }
}
