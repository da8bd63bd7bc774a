//! The texts of previews in the languages of the client.

use axum::http::{HeaderMap, header};
use quadrex_rules::Variant;

mod de;
mod en;
mod es;

/// All languages of the client. The first is the default.
static LANGUAGES: [&Language; 3] = [&en::ENGLISH, &de::GERMAN, &es::SPANISH];

/// A language of the client, with the texts of previews.
#[derive(Debug)]
pub(crate) struct Language {
    /// The tag (BCP 47), which is also the name of the client's folder of texts.
    pub(crate) tag: &'static str,
    /// The description for pages without a description of their own.
    pub(crate) description: &'static str,
    archive: &'static str,
    ratings: &'static str,
    analysis: &'static str,
    rules: &'static str,
    friends: &'static str,
    groups: &'static str,
    own_games: &'static str,
    settings: &'static str,
    sign_in: &'static str,
    sign_up: &'static str,
    password_reset: &'static str,
    mail: &'static str,
    /// The title of a table's page without a title of its own.
    pub(crate) table: &'static str,
    /// The title of a match's page without a title of its own.
    pub(crate) a_match: &'static str,
    /// The title of a match whose names are hidden.
    pub(crate) anonymous_match: &'static str,
    /// The title of a player's page without a title of its own.
    pub(crate) player: &'static str,
    /// The title of a group's page without a title of its own.
    pub(crate) group: &'static str,
    /// The title of a page that does not exist.
    pub(crate) not_found: &'static str,
    /// The names of games, each after the name of its variant.
    games: &'static [(&'static str, &'static str)],
    /// Returns a text for a number of moves, in the form that the sentences need.
    moves: fn(u32) -> String,
    /// Returns a title from a game and the numbers of free and of all seats.
    seats_free: fn(&str, usize, usize) -> String,
    /// Returns a sentence from a game and the name of a host.
    waits: fn(&str, &str) -> String,
    waits_anonymously: fn(&str) -> String,
    /// Returns a sentence from a game and a text of moves.
    live: fn(&str, &str) -> String,
    /// Returns a sentence from a game and a text of moves.
    over: fn(&str, &str) -> String,
    /// Returns a sentence from a game, the name of a winner and a text of moves.
    won: fn(&str, &str, &str) -> String,
    /// Returns a sentence from a game and a text of moves.
    drawn: fn(&str, &str) -> String,
    /// Returns a sentence from the name of a player.
    about_player: fn(&str) -> String,
}

/// A page with fixed content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FixedPage {
    /// The list of matches.
    Archive,
    /// The leaderboards.
    Ratings,
    /// The analysis board.
    Analysis,
    /// The rules.
    Rules,
    /// The followed players and recent opponents.
    Friends,
    /// The user's unfinished matches.
    Games,
    /// The groups of the user.
    Groups,
    /// The settings of the browser.
    Settings,
    /// The page for signing in.
    SignIn,
    /// The page for creating an account.
    SignUp,
    /// The page for a forgotten password.
    PasswordReset,
    /// The pages that links in mails open.
    Mail,
}

impl Language {
    /// Returns the supported language that a request prefers (RFC 9110, section 12.5.4). If several
    /// languages are preferred equally, returns the first of them.
    pub(crate) fn of(headers: &HeaderMap) -> &'static Self {
        let accepted_languages =
            headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let mut best = (LANGUAGES[0], 0.0);
        for range in accepted_languages.split(',') {
            let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
            let weight: f32 =
                weight.trim().strip_prefix("q=").and_then(|weight| weight.parse().ok()).unwrap_or(0.0);
            let primary = tag.trim().split('-').next().unwrap_or("");
            let language = match LANGUAGES.iter().find(|language| primary.eq_ignore_ascii_case(language.tag))
            {
                Some(language) => *language,
                None if primary == "*" => LANGUAGES[0],
                None => continue,
            };
            if weight > best.1 {
                best = (language, weight);
            }
        }
        best.0
    }

    /// Returns the title of a page with fixed content.
    pub(crate) const fn page(&self, page: FixedPage) -> &'static str {
        match page {
            FixedPage::Archive => self.archive,
            FixedPage::Ratings => self.ratings,
            FixedPage::Analysis => self.analysis,
            FixedPage::Rules => self.rules,
            FixedPage::Friends => self.friends,
            FixedPage::Groups => self.groups,
            FixedPage::Games => self.own_games,
            FixedPage::Settings => self.settings,
            FixedPage::SignIn => self.sign_in,
            FixedPage::SignUp => self.sign_up,
            FixedPage::PasswordReset => self.password_reset,
            FixedPage::Mail => self.mail,
        }
    }

    /// Returns the name of a variant in this language. Returns the variant's title if this language
    /// has no name for the variant.
    fn game(&self, variant: Variant) -> &'static str {
        let name_and_game = self.games.iter().find(|(name, _)| *name == variant.name());
        name_and_game.map_or_else(|| variant.title(), |(_, game)| game)
    }

    /// Returns the title of a table that waits for players.
    pub(crate) fn seats_free(&self, variant: Variant, free: usize, of: usize) -> String {
        (self.seats_free)(self.game(variant), free, of)
    }

    /// Returns the description of a table that waits for players.
    pub(crate) fn waits(&self, host: &str, variant: Variant) -> String {
        (self.waits)(self.game(variant), host)
    }

    /// Returns the description of a table that waits for players and hides names.
    pub(crate) fn waits_anonymously(&self, variant: Variant) -> String {
        (self.waits_anonymously)(self.game(variant))
    }

    /// Returns the description of a running match.
    pub(crate) fn live(&self, variant: Variant, plies: u32) -> String {
        (self.live)(self.game(variant), &(self.moves)(plies))
    }

    /// Returns the description of a match that has ended without a result.
    pub(crate) fn over(&self, variant: Variant, plies: u32) -> String {
        (self.over)(self.game(variant), &(self.moves)(plies))
    }

    /// Returns the description of a match with a winner.
    pub(crate) fn won(&self, variant: Variant, winner: &str, plies: u32) -> String {
        (self.won)(self.game(variant), winner, &(self.moves)(plies))
    }

    /// Returns the description of a drawn match.
    pub(crate) fn drawn(&self, variant: Variant, plies: u32) -> String {
        (self.drawn)(self.game(variant), &(self.moves)(plies))
    }

    /// Returns the description of a player's page.
    pub(crate) fn about_player(&self, name: &str) -> String {
        (self.about_player)(name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_preferred_language_of_the_supported_ones_is_used() {
        let of = |accepted: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            Language::of(&headers).tag
        };
        assert_eq!(Language::of(&HeaderMap::new()).tag, "en");
        for german in
            ["de", "DE-at", "de-CH, en;q=0.9", "fr, de;q=0.8, en;q=0.7", "en;q=0.3,de;q=0.4", "*;q=0.1, de"]
        {
            assert_eq!(of(german), "de", "{german}");
        }
        for spanish in ["es", "es-MX, en;q=0.9", "ca, es-ES;q=0.9, de;q=0.8"] {
            assert_eq!(of(spanish), "es", "{spanish}");
        }
        for english in ["", "en, de", "fr", "de;q=0", "de;q=x, en;q=0.1", "den", "*, de;q=0.5", ";;,,q=1"] {
            assert_eq!(of(english), "en", "{english}");
        }
    }

    #[test]
    fn every_language_of_the_client_has_previews() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/text");
        let folders: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.join("index.ts").is_file())
            .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
            .collect();
        let supported: BTreeSet<String> = LANGUAGES.iter().map(|language| language.tag.to_owned()).collect();
        assert_eq!(supported, folders);
    }

    /// Returns all texts of a language, with one and with several moves.
    fn texts(language: &Language) -> Vec<String> {
        let mut texts = vec![
            language.description.to_owned(),
            language.table.to_owned(),
            language.a_match.to_owned(),
            language.anonymous_match.to_owned(),
            language.player.to_owned(),
            language.not_found.to_owned(),
            language.about_player("Ada"),
        ];
        for page in [
            FixedPage::Archive,
            FixedPage::Ratings,
            FixedPage::Analysis,
            FixedPage::Rules,
            FixedPage::Friends,
            FixedPage::Settings,
            FixedPage::SignIn,
            FixedPage::SignUp,
        ] {
            texts.push(language.page(page).to_owned());
        }
        for variant in Variant::ALL {
            texts.push(language.seats_free(variant, 1, 4));
            texts.push(language.waits("Ada", variant));
            texts.push(language.waits_anonymously(variant));
            for plies in [1, 5] {
                texts.push(language.live(variant, plies));
                texts.push(language.over(variant, plies));
                texts.push(language.won(variant, "Ada", plies));
                texts.push(language.drawn(variant, plies));
            }
        }
        texts
    }

    #[test]
    fn every_text_is_translated() {
        let english: BTreeSet<String> = texts(LANGUAGES[0]).into_iter().collect();
        for language in LANGUAGES {
            let texts = texts(language);
            assert!(texts.iter().all(|text| !text.trim().is_empty()), "{texts:?}");
            let same: Vec<&String> = texts.iter().filter(|text| english.contains(*text)).collect();
            let expected = if language.tag == "en" { texts.len() } else { 0 };
            assert_eq!(same.len(), expected, "{}: {same:?}", language.tag);
        }
    }

    /// A variant without a name in a language has its title.
    #[test]
    fn every_game_of_a_language_is_a_variant() {
        for language in LANGUAGES {
            let named: BTreeSet<&str> = language.games.iter().map(|(name, _)| *name).collect();
            let variants: BTreeSet<&str> = Variant::ALL.iter().map(|variant| variant.name()).collect();
            assert!(named.is_subset(&variants), "{}: {named:?}", language.tag);
        }
    }
}
