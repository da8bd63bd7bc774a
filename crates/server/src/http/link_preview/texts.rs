//! The texts of previews in the languages of the client.

use axum::http::{HeaderMap, header};
use quadrex_rules::Variant;

/// A language of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// English, the default.
    English,
    /// German.
    German,
}

/// A page with fixed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FixedPage {
    /// The list of matches.
    Archive,
    /// The analysis board.
    Analysis,
    /// The rules.
    Rules,
    /// The settings of the browser.
    Settings,
}

impl Language {
    /// Returns the supported language that a request prefers (RFC 9110, section 12.5.4). If several
    /// languages are preferred equally, returns the first of them.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let accepted =
            headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let mut best = (Self::English, 0.0);
        for range in accepted.split(',') {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight: f32 =
                weight.trim().strip_prefix("q=").and_then(|weight| weight.parse().ok()).unwrap_or(0.0);
            let language = match tag.trim().split('-').next().map(str::to_ascii_lowercase).as_deref() {
                Some("en" | "*") => Self::English,
                Some("de") => Self::German,
                _ => continue,
            };
            if weight > best.1 {
                best = (language, weight);
            }
        }
        best.0
    }

    /// Returns the tag of the language (BCP 47).
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
        }
    }

    /// Returns the description for pages without a description of their own.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::English => "Four-player and classic chess for people and programs",
            Self::German => "Schach zu viert und klassisch, für Menschen und Programme",
        }
    }

    pub(crate) const fn page(self, page: FixedPage) -> &'static str {
        match (self, page) {
            (Self::English, FixedPage::Archive) => "Archive",
            (Self::German, FixedPage::Archive) => "Archiv",
            (Self::English, FixedPage::Analysis) => "Analysis",
            (Self::German, FixedPage::Analysis) => "Analyse",
            (Self::English, FixedPage::Rules) => "Rules",
            (Self::German, FixedPage::Rules) => "Regeln",
            (Self::English, FixedPage::Settings) => "Settings",
            (Self::German, FixedPage::Settings) => "Einstellungen",
        }
    }

    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::English => "Table",
            Self::German => "Tisch",
        }
    }

    pub(crate) const fn a_match(self) -> &'static str {
        match self {
            Self::English => "Match",
            Self::German => "Partie",
        }
    }

    pub(crate) const fn player(self) -> &'static str {
        match self {
            Self::English => "Player",
            Self::German => "Spielerseite",
        }
    }

    pub(crate) const fn not_found(self) -> &'static str {
        match self {
            Self::English => "Not here",
            Self::German => "Nicht hier",
        }
    }

    /// Returns the name of a variant in this language. Returns the variant's title if this language
    /// has no name for the variant.
    pub(crate) fn game(self, variant: Variant) -> &'static str {
        match (self, variant.name()) {
            (Self::English, "classic") => "Classic chess",
            (Self::German, "classic") => "Klassisches Schach",
            (_, "dilkel") => "Dilkel Checkmates",
            (Self::English, "dilkel-compact") => "Dilkel Checkmates on the small board",
            (Self::German, "dilkel-compact") => "Dilkel Checkmates auf dem kleinen Brett",
            _ => variant.title(),
        }
    }

    pub(crate) fn seats_free(self, variant: Variant, free: usize, of: usize) -> String {
        let game = self.game(variant);
        match self {
            Self::English => format!("{game}: {free} of {of} seats free"),
            Self::German => format!("{game}: {free} von {of} Plätzen frei"),
        }
    }

    pub(crate) fn waits(self, host: &str, variant: Variant) -> String {
        let game = self.game(variant);
        match self {
            Self::English => format!("{host} waits for players at a table of {game}."),
            Self::German => format!("{host} wartet an einem Tisch auf Mitspieler: {game}."),
        }
    }

    pub(crate) fn live(self, variant: Variant, plies: u32) -> String {
        let (game, moves) = (self.game(variant), self.moves(plies));
        match self {
            Self::English => format!("{game}, live: {moves} so far."),
            Self::German => format!("{game}, live: bisher {moves}."),
        }
    }

    pub(crate) fn over(self, variant: Variant, plies: u32) -> String {
        let (game, moves) = (self.game(variant), self.moves(plies));
        match self {
            Self::English => format!("{game}: over after {moves}."),
            Self::German => format!("{game}: zu Ende nach {moves}."),
        }
    }

    pub(crate) fn won(self, variant: Variant, winner: &str, plies: u32) -> String {
        let (game, moves) = (self.game(variant), self.moves(plies));
        match self {
            Self::English => format!("{game}: {winner} won after {moves}. Play it over."),
            Self::German => format!("{game}: {winner} hat nach {moves} gewonnen. Zum Nachspielen."),
        }
    }

    pub(crate) fn drawn(self, variant: Variant, plies: u32) -> String {
        let (game, moves) = (self.game(variant), self.moves(plies));
        match self {
            Self::English => format!("{game}: a draw after {moves}. Play it over."),
            Self::German => format!("{game}: unentschieden nach {moves}. Zum Nachspielen."),
        }
    }

    pub(crate) fn about_player(self, name: &str) -> String {
        match self {
            Self::English => format!("Matches and standings of {name}."),
            Self::German => format!("Partien und Ergebnisse von {name}."),
        }
    }

    /// Returns the text for a number of moves. The German text is also correct in the dative case.
    fn moves(self, count: u32) -> String {
        match (self, count) {
            (Self::English, 1) => "1 move".to_owned(),
            (Self::English, _) => format!("{count} moves"),
            (Self::German, 1) => "1 Zug".to_owned(),
            (Self::German, _) => format!("{count} Zügen"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_supported_language_is_used() {
        let of = |accepted: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            Language::of(&headers)
        };
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
        for german in
            ["de", "DE-at", "de-CH, en;q=0.9", "fr, de;q=0.8, en;q=0.7", "en;q=0.3,de;q=0.4", "*;q=0.1, de"]
        {
            assert_eq!(of(german), Language::German, "{german}");
        }
        for english in ["", "en, de", "fr", "de;q=0", "de;q=x, en;q=0.1", "den", "*, de;q=0.5", ";;,,q=1"] {
            assert_eq!(of(english), Language::English, "{english}");
        }
    }
}
