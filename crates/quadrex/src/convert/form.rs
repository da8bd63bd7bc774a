//! What a file of games may be.

use std::path::Path;

use quadrex_rules::notation::Notation;

/// A form of games.
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
    /// What the ending of a file's name says.
    pub(crate) fn of_ending(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "pgn" => Self::Pgn,
            "pgn4" => Self::Pgn4,
            "json" | "jsonl" | "ndjson" => Self::Json,
            _ => return None,
        })
    }

    /// What the beginning of a file looks like. It may be cut anywhere.
    pub(crate) fn of_content(head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let opens_object = text.strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"'));
        if opens_object {
            return Self::Json;
        }
        let signs = ["[StartFen4 ", "[Red ", "[Green ", " .. "];
        if signs.iter().any(|sign| text.contains(sign)) { Self::Pgn4 } else { Self::Pgn }
    }

    /// The form of games in a notation.
    pub(crate) fn of_notation(notation: Notation) -> Self {
        match notation {
            Notation::Pgn => Self::Pgn,
            Notation::Pgn4 => Self::Pgn4,
        }
    }

    /// As people call it.
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
    fn content_tells_its_form() {
        for (head, form) in [
            ("", Form::Pgn),
            ("[Event \"?\"]\n", Form::Pgn),
            ("{a comment} 1. e4", Form::Pgn),
            ("1. e4 e5", Form::Pgn),
            ("\u{feff}\n[Variant \"FFA\"]\n[StartFen4 \"4PC\"]", Form::Pgn4),
            ("1. h2-h4 .. b7-c7", Form::Pgn4),
            (" {\"format\":", Form::Json),
            ("\u{feff}{ \"variant\"", Form::Json),
        ] {
            assert_eq!(Form::of_content(head.as_bytes()), form, "{head:?}");
        }
        assert_eq!(Form::of_content(b"[White \"R\xe9ti\"]"), Form::Pgn);
    }
}
