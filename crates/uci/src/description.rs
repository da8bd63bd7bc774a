//! The answer to `d`.

use quadrex_rules::notation::{Notation, pgn};
use quadrex_rules::{AnyPosition, Cause, Color, Game, Piece, Reason, Role, Square, Variant};

/// Returns the lines of the answer: the board as text, then each fact as `Key: value`.
pub(super) fn describe(game: &Game) -> Vec<String> {
    let position = game.position();
    let variant = position.variant();
    let eliminated = eliminated(game);
    let is_playing = |color: &Color| eliminated.iter().all(|(other, _)| other != color);
    let turn = match game.outcome() {
        None => position.turn().to_string(),
        Some(_) => "-".to_owned(),
    };
    let reserves = match variant.notation() {
        Notation::Pgn => "-".to_owned(),
        Notation::Pgn4 => {
            listed(variant.colors().iter().map(|&color| format!("{color}={}", reserve(position, color))))
        }
    };
    let facts = [
        ("Fen", game.setup().to_string()),
        ("Turn", turn),
        ("In", listed(position.active_players().filter(is_playing).map(|color| color.to_string()))),
        ("Out", listed(eliminated.iter().map(|(color, cause)| format!("{color}={cause}")))),
        ("Check", listed(position.checks().map(|color| color.to_string()))),
        ("Reserve", reserves),
        ("Clock", game.halfmove_clock().to_string()),
        ("Repeat", game.repetition().to_string()),
        ("Result", result(game)),
        ("Reason", game.outcome().map_or("-", |outcome| reason(outcome.reason)).to_owned()),
    ];
    let mut lines = board(position);
    lines.extend(facts.map(|(key, value)| format!("{key}: {value}")));
    lines
}

/// Returns the words separated by single blanks, or `-` if there are none.
fn listed(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}

/// Returns the eliminated players with their causes, in order. In `classic` the list contains only
/// the player who lost by resignation or on time (rule G12).
fn eliminated(game: &Game) -> Vec<(Color, &'static str)> {
    let mut eliminated: Vec<(Color, &'static str)> =
        game.eliminated().iter().map(|player| (player.color, cause(player.cause))).collect();
    if let (Notation::Pgn, Some(outcome)) = (game.position().variant().notation(), game.outcome()) {
        let is_elimination = matches!(outcome.reason, Reason::Resign | Reason::Time | Reason::Absence);
        let losers = outcome.places.iter().filter(|&(_, place)| is_elimination && place > 1);
        eliminated.extend(losers.map(|(color, _)| (color, reason(outcome.reason))));
    }
    eliminated
}

/// Returns the word for a cause. Absence counts as time (rule D11).
fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Absence => Cause::Time.name(),
        Cause::Mate | Cause::Resign | Cause::Time => cause.name(),
    }
}

/// Returns the word for a reason. Absence counts as time (rule D11).
fn reason(reason: Reason) -> &'static str {
    if reason == Reason::Absence { Reason::Time.name() } else { reason.name() }
}

/// Returns a letter for each piece of a reserve, bishops first (rule D5).
fn reserve(position: &AnyPosition, color: Color) -> String {
    let reserve = position.reserve(color);
    let letters: String = [Role::Bishop, Role::Knight, Role::Rook]
        .into_iter()
        .map(|role| role.letter().to_string().repeat(usize::from(reserve.count(role))))
        .collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

fn result(game: &Game) -> String {
    match (game.position().variant().notation(), game.outcome()) {
        (Notation::Pgn, outcome) => pgn::result_text(outcome).to_owned(),
        (Notation::Pgn4, None) => "*".to_owned(),
        (Notation::Pgn4, Some(outcome)) => {
            listed(outcome.places.iter().map(|(color, place)| format!("{color}={place}")))
        }
    }
}

/// Returns the ranks from the last to the first, and the letters of the files below them. Cut-out
/// squares are blank.
fn board(position: &AnyPosition) -> Vec<String> {
    let shape = position.variant().board();
    let mut lines = vec![String::new()];
    for rank in (0..shape.ranks).rev() {
        let mut line = format!("{:>3} ", rank + 1);
        for file in 0..shape.files {
            let square = Square::new(file, rank).filter(|&square| shape.contains(square));
            let sign = square.map_or_else(String::new, |square| match position.piece_at(square) {
                Some(piece) => piece_sign(position.variant(), piece),
                None => ".".to_owned(),
            });
            line.push_str(&format!("{sign:>3}"));
        }
        lines.push(line.trim_end().to_owned());
    }
    let letters: String = (0..shape.files).map(|file| format!("{:>3}", char::from(b'a' + file))).collect();
    lines.extend([format!("    {letters}"), String::new()]);
    lines
}

/// Returns the letters of a piece: `K` and `k` for two colors, `rK` for four.
fn piece_sign(variant: Variant, piece: Piece) -> String {
    match (variant.notation(), piece.color) {
        (Notation::Pgn, Color::Black) => piece.role.letter().to_ascii_lowercase().to_string(),
        (Notation::Pgn, _) => piece.role.letter().to_string(),
        (Notation::Pgn4, _) => piece.to_string(),
    }
}
