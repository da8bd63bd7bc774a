//! The start of a PGN4 game, and the rules it was played by.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::color::Color;
use crate::notation::WrittenGame;
use crate::notation::replay::ReplayError;
use crate::setup::{Setup, SetupWarning};
use crate::variant::{Notation, Variant};

/// The rules a written game was played by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Ours,
    /// The rules of a site's variant: the pieces of an eliminated player stay on the board, and
    /// points decide the game.
    Other {
        /// The name of these rules in the tags.
        name: String,
    },
}

/// The named set-ups of four-player sites, each with the colors whose king and queen are exchanged
/// compared to Dilkel's set-up. The board and the turn order are the same.
///
/// Names and squares are taken from public parsers of the sites' files. `4PC` is the standard
/// set-up since 2022, and `4PCo` is the standard before. `4PCb`, `4PCn` and `4PCrg` are `4PCo` with
/// king and queen of some players exchanged ("BY", "BYG" and "RG").
const SITE_SETUPS: [(&str, &[Color]); 5] = [
    ("4PC", &[Color::Red, Color::Blue, Color::Yellow, Color::Green]),
    ("4PCo", &[Color::Red, Color::Yellow]),
    ("4PCb", &[Color::Red, Color::Blue]),
    ("4PCn", &[Color::Red, Color::Blue, Color::Green]),
    ("4PCrg", &[Color::Yellow, Color::Green]),
];

/// Returns the set-up of a name used by four-player sites, such as `4PCo`; `None` for an unknown
/// name.
#[must_use]
pub fn site_setup(name: &str) -> Option<Setup> {
    let (_, exchanged) = SITE_SETUPS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    let mut setup = Setup::start(Notation::Pgn4.default_variant());
    for &color in *exchanged {
        let row: Vec<_> = setup.variant.board().row(color.side(), 0).collect();
        // The king is the fourth and the queen the fifth from the owner's left (rule D1).
        let (king, queen) = (row[3], row[4]);
        let (left, right) = (setup.pieces.remove(&king), setup.pieces.remove(&queen));
        setup.pieces.extend(left.map(|piece| (queen, piece)));
        setup.pieces.extend(right.map(|piece| (king, piece)));
    }
    Some(setup)
}

/// Returns the set-up of a game, the rules it was played by, and the warnings of reading it.
///
/// A value of `Variant` that does not name one of our variants is a site's variant. Such a game
/// must contain its set-up, because the default set-ups of sites change over the years.
pub(super) fn read(game: &WrittenGame) -> Result<(Setup, Rules, Vec<SetupWarning>), ReplayError> {
    let default = Notation::Pgn4.default_variant();
    let name = game.tags.get("Variant").unwrap_or(default.name());
    let known_variant = name.to_ascii_lowercase().parse::<Variant>().ok();
    if known_variant.is_some_and(|variant| variant.notation() == Notation::Pgn) {
        return Err(ReplayError::unknown_variant(game, name));
    }
    let variant = known_variant.unwrap_or(default);
    let rules =
        if known_variant.is_some() { Rules::Ours } else { Rules::Other { name: rules_name(game, name) } };
    let (setup, warnings) = match game.tags.get("StartFen4").map(str::trim) {
        Some(preset) if !preset.contains('-') => match site_setup(preset).filter(|_| variant == default) {
            Some(setup) => (setup, Vec::new()),
            None => return Err(ReplayError::unknown_start(game, preset)),
        },
        Some(text) => Setup::parse_lenient(variant, text).map_err(|error| ReplayError::setup(game, error))?,
        None if rules == Rules::Ours => (Setup::start(variant), Vec::new()),
        None => return Err(ReplayError::no_start(game, name)),
    };
    Ok((setup, rules, warnings))
}

/// Returns the content of the tags `Variant` and `RuleVariants`: `FFA, PromoteTo=D`.
fn rules_name(game: &WrittenGame, variant: &str) -> String {
    match game.tags.get("RuleVariants").map(str::trim) {
        Some(rules) if !rules.is_empty() => format!("{variant}, {rules}"),
        _ => variant.to_string(),
    }
}
