//! The parser of pasted texts. A text is a position or a game, in one of the forms that people and
//! chess sites use.

use quadrex_protocol::explore::ExploreStop;
use quadrex_rules::notation::{Notation, Playback, Reader, Stop, Tags, WrittenGame, pgn4};
use quadrex_rules::{Setup, Variant};

use super::ExploreError;

/// The largest number of characters of a word in a refusal.
const MAX_WORD: usize = 80;

/// The content of a parsed text.
#[derive(Debug)]
pub(super) struct ParsedText {
    /// The start position and the moves.
    pub(super) playback: Playback,
    /// The tags of the game.
    pub(super) tags: Tags,
    /// The result as the text has it.
    pub(super) result: Option<String>,
    /// The warnings about parts of the text that were ignored.
    pub(super) warnings: Vec<String>,
    /// The place in the text of the first illegal move.
    pub(super) stopped: Option<ExploreStop>,
    /// The number of further games in the text.
    pub(super) more_games: u32,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    /// The text is a FEN or FEN4 of this variant.
    Position(Variant),
    /// The text is a PGN or PGN4.
    Game,
}

/// Parses a text. If the text does not name a variant, it is parsed by the rules of `variant`. If
/// the text is a game, only its first `plies` moves are used.
///
/// # Errors
/// Returns [`ExploreError`] if the text cannot be parsed, or if a game has more than `max_plies`
/// moves.
pub(super) fn parse(
    text: &str,
    variant: Option<Variant>,
    plies: Option<u32>,
    max_plies: usize,
) -> Result<ParsedText, ExploreError> {
    let trimmed = trimmed(text);
    if trimmed.is_empty() {
        return Err(ExploreError::Unreadable("the text is empty: paste a FEN, FEN4, PGN or PGN4".to_owned()));
    }
    if let Some(setup) = pgn4::site_setup(trimmed) {
        return Ok(ParsedText::of(setup)?);
    }
    match kind_of(trimmed, variant) {
        TextKind::Position(variant) => {
            let (setup, warnings) = Setup::parse_lenient(variant, trimmed)?;
            let warnings = warnings.iter().map(ToString::to_string).collect();
            Ok(ParsedText { warnings, ..ParsedText::of(setup)? })
        }
        TextKind::Game => read_game(text, variant, plies, max_plies),
    }
}

/// Returns whether a text looks like a position and not like a game.
#[must_use]
pub fn is_position(text: &str, variant: Option<Variant>) -> bool {
    let text = trimmed(text);
    pgn4::site_setup(text).is_some() || matches!(kind_of(text, variant), TextKind::Position(_))
}

/// Parses a position. If the text does not name a variant, it is parsed by the rules of `variant`.
///
/// # Errors
/// Returns [`ExploreError`] if the text is a game or an invalid position.
pub fn read_position(text: &str, variant: Option<Variant>) -> Result<Setup, ExploreError> {
    let text = trimmed(text);
    if let Some(setup) = pgn4::site_setup(text) {
        return Ok(setup);
    }
    match kind_of(text, variant) {
        TextKind::Position(variant) => Ok(Setup::parse_lenient(variant, text)?.0),
        TextKind::Game => {
            Err(ExploreError::Unreadable("the text is no position: it must be a FEN or FEN4".to_owned()))
        }
    }
}

fn trimmed(text: &str) -> &str {
    let is_trimmed =
        |character: char| character.is_whitespace() || matches!(character, '\u{feff}' | '\u{1a}');
    text.trim_matches(is_trimmed)
}

/// Returns a word that is short enough for a refusal. A long word is cut.
fn shorten(word: &str) -> String {
    let mut characters = word.chars();
    let mut short: String = characters.by_ref().take(MAX_WORD).collect();
    if characters.next().is_some() {
        short.push('\u{2026}');
    }
    short
}

fn kind_of(text: &str, variant: Option<Variant>) -> TextKind {
    if text.starts_with('[') {
        return TextKind::Game;
    }
    let ranks = |board: &str| board.matches('/').count() + 1;
    // A FEN4 begins with the player to move and the eliminated players. No other kind of text has
    // as many commas, and as many slashes as a FEN4 has ranks.
    let begins = text.starts_with('{') || text.find('-').is_some_and(|end| text[..end].trim().len() == 1);
    let is_fen4 = begins && text.contains(',') && ranks(text) > 8;
    if is_fen4 {
        let board = text.rsplit('-').next().unwrap_or(text);
        let requested_variant = variant.filter(|variant| variant.notation() == Notation::Pgn4);
        return TextKind::Position(
            requested_variant.unwrap_or_else(|| variant_of(Notation::Pgn4, ranks(board))),
        );
    }
    let is_fen = text.split_whitespace().next().is_some_and(|board| ranks(board) == 8);
    if is_fen { TextKind::Position(variant_of(Notation::Pgn, 8)) } else { TextKind::Game }
}

/// Returns the variant of a notation whose board has this number of ranks. If there is no such
/// variant, returns the first variant of the notation.
fn variant_of(notation: Notation, ranks: usize) -> Variant {
    let variants = || Variant::ALL.into_iter().filter(|variant| variant.notation() == notation);
    let by_ranks = variants().find(|variant| usize::from(variant.board().ranks) == ranks);
    by_ranks.or_else(|| variants().next()).unwrap_or(Variant::DEFAULT)
}

fn read_game(
    text: &str,
    variant: Option<Variant>,
    plies: Option<u32>,
    max_plies: usize,
) -> Result<ParsedText, ExploreError> {
    let unreadable = |error: &dyn ToString| ExploreError::Unreadable(error.to_string());
    let mut games = Reader::new(text.as_bytes());
    let game = games.next().ok_or_else(|| unreadable(&"there is no game in the text"))?;
    let mut game = game.map_err(|error| unreadable(&error))?;
    let is_bare = game.tags.is_empty();
    let moves = game.line.plies.iter().filter(|ply| !is_elimination(&ply.text)).count();
    if moves > max_plies {
        return Err(ExploreError::TooLong { plies: moves, max: max_plies });
    }
    let notation = Notation::of_tags(&game.tags).unwrap_or_else(|| notation_without_tags(&game, variant));
    if let Some(variant) = variant.filter(|variant| variant.notation() == notation)
        && game.tags.get("Variant").is_none()
    {
        game.tags.set("Variant", variant.name());
    }
    let result = result_of(&game);
    if let Some(plies) = plies {
        truncate(&mut game, plies);
    }
    let replay = notation.replay(&game).map_err(|error| unreadable(&error))?;
    let is_empty = replay.playback.plies().next().is_none();
    match &replay.stopped {
        Some(stop) if is_bare && is_empty => {
            let message = format!(
                "the text is neither a position nor a game: {:?}: {}",
                shorten(&stop.text),
                stop.reason
            );
            return Err(ExploreError::Unreadable(message));
        }
        _ => {}
    }
    Ok(ParsedText {
        playback: replay.playback,
        result,
        warnings: replay.warnings.iter().map(ToString::to_string).collect(),
        stopped: replay.stopped.map(|stop| stop_in_text(text, stop)),
        more_games: u32::try_from(games.count()).unwrap_or(u32::MAX),
        tags: game.tags,
    })
}

/// Returns the notation of a game whose tags do not show the notation. It is PGN4 if the first move
/// names two squares, because moves in PGN4 do. Otherwise it is the notation of `variant`.
fn notation_without_tags(game: &WrittenGame, variant: Option<Variant>) -> Notation {
    let is_long = |text: &str| {
        let squares = text.trim_start_matches(['N', 'B', 'R', 'Q', 'K']).split_once(['-', 'x']);
        squares.is_some_and(|(from, _)| {
            from.len() >= 2
                && from.starts_with(|file: char| file.is_ascii_lowercase())
                && from[1..].bytes().all(|digit| digit.is_ascii_digit())
        })
    };
    let first = game.line.plies.first().map(|ply| ply.text.as_str());
    if first.is_some_and(is_long) {
        return Notation::Pgn4;
    }
    variant.map_or(Notation::Pgn, Variant::notation)
}

/// Returns whether a word of PGN4 marks an elimination and is not a move.
fn is_elimination(word: &str) -> bool {
    ["#", "S", "R", "R#", "T", "T#"].contains(&word)
}

/// Returns the result of a game, or `None` if the game is not finished.
fn result_of(game: &WrittenGame) -> Option<String> {
    let result = game.result.as_deref().or_else(|| game.tags.get("Result"))?;
    (!matches!(result, "" | "*" | "?")).then(|| result.to_owned())
}

/// Cuts a game after its first `plies` moves. Eliminations directly after the last remaining move
/// stay. A game that was cut has no result.
fn truncate(game: &mut WrittenGame, plies: u32) {
    let mut moves = 0_u32;
    let first_excess = game.line.plies.iter().position(|ply| {
        moves += u32::from(!is_elimination(&ply.text));
        moves > plies
    });
    let Some(first_excess) = first_excess else { return };
    game.line.plies.truncate(first_excess);
    game.result = None;
    game.tags.set("Result", "*");
    game.tags.set("Termination", "");
}

fn stop_in_text(text: &str, stop: Stop) -> ExploreStop {
    let offset = usize::try_from(stop.location.offset).unwrap_or(usize::MAX).min(text.len());
    let before = &text.as_bytes()[..offset];
    let line_start = before.iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let reason = match &stop.rules {
        Some(rules) => format!("{} (the game was played by other rules: {rules})", stop.reason),
        None => stop.reason.to_string(),
    };
    ExploreStop {
        line: stop.location.line,
        column: column as u64,
        round: stop.round,
        color: stop.seat,
        text: stop.text,
        reason,
    }
}
