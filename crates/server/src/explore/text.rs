//! Reading what somebody pasted: a position or a game, as people and sites write them.

use quadrex_protocol::explore::ExploreStop;
use quadrex_rules::notation::{Notation, Playback, Reader, Stop, Tags, WrittenGame, pgn4};
use quadrex_rules::{Setup, Variant};

use super::ExploreError;

/// Characters of a word that a refusal names at most.
const LONGEST_NAMED: usize = 80;

/// What a text tells.
#[derive(Debug)]
pub(super) struct Source {
    /// The start and the moves.
    pub(super) playback: Playback,
    /// What stands at its head.
    pub(super) tags: Tags,
    /// The result as it stands there.
    pub(super) result: Option<String>,
    /// What was dropped.
    pub(super) warnings: Vec<String>,
    /// Where the moves cannot be followed.
    pub(super) stopped: Option<ExploreStop>,
    /// How many more games there are.
    pub(super) more_games: u32,
}

/// What a text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// FEN, or FEN4 of this variant.
    Position(Variant),
    /// PGN or PGN4.
    Game,
}

/// Reads a text, by the rules of `variant` where it does not tell which, and the first `plies` of its moves; of a game
/// that has more than `most` moves nothing.
pub(super) fn read(
    text: &str,
    variant: Option<Variant>,
    plies: Option<u32>,
    most: usize,
) -> Result<Source, ExploreError> {
    let trimmed = trimmed(text);
    if trimmed.is_empty() {
        return Err(ExploreError::Unreadable("the text is empty: paste a FEN, FEN4, PGN or PGN4".to_owned()));
    }
    if let Some(setup) = pgn4::site_setup(trimmed) {
        return Ok(Source::of(setup)?);
    }
    match form(trimmed, variant) {
        Form::Position(variant) => {
            let (setup, warnings) = Setup::parse_lenient(variant, trimmed)?;
            let warnings = warnings.iter().map(ToString::to_string).collect();
            Ok(Source { warnings, ..Source::of(setup)? })
        }
        Form::Game => read_game(text, variant, plies, most),
    }
}

/// Whether a text looks like a position, and not like a game.
#[must_use]
pub fn is_position(text: &str, variant: Option<Variant>) -> bool {
    let text = trimmed(text);
    pgn4::site_setup(text).is_some() || matches!(form(text, variant), Form::Position(_))
}

/// Reads a position by the rules of `variant` where it does not tell which.
///
/// # Errors
/// When it is a game, or nothing sensible.
pub fn read_position(text: &str, variant: Option<Variant>) -> Result<Setup, ExploreError> {
    let text = trimmed(text);
    if let Some(setup) = pgn4::site_setup(text) {
        return Ok(setup);
    }
    match form(text, variant) {
        Form::Position(variant) => Ok(Setup::parse_lenient(variant, text)?.0),
        Form::Game => {
            Err(ExploreError::Unreadable("the text is no position: it must be a FEN or FEN4".to_owned()))
        }
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|sign: char| sign.is_whitespace() || matches!(sign, '\u{feff}' | '\u{1a}'))
}

/// The beginning of a word that a refusal names.
fn shortened(word: &str) -> String {
    let mut signs = word.chars();
    let mut short: String = signs.by_ref().take(LONGEST_NAMED).collect();
    if signs.next().is_some() {
        short.push('\u{2026}');
    }
    short
}

fn form(text: &str, variant: Option<Variant>) -> Form {
    if text.starts_with('[') {
        return Form::Game;
    }
    let ranks = |board: &str| board.matches('/').count() + 1;
    // A FEN4 begins with whose turn it is and who is out, and its ranks are the only place for so many commas and strokes.
    let begins = text.starts_with('{') || text.find('-').is_some_and(|end| text[..end].trim().len() == 1);
    let is_fen4 = begins && text.contains(',') && ranks(text) > 8;
    if is_fen4 {
        let board = text.rsplit('-').next().unwrap_or(text);
        let told = if ranks(board) == usize::from(Variant::DilkelCompact.board().ranks) {
            Variant::DilkelCompact
        } else {
            Variant::Dilkel
        };
        return Form::Position(variant.filter(|variant| *variant != Variant::Classic).unwrap_or(told));
    }
    let is_fen = text.split_whitespace().next().is_some_and(|board| ranks(board) == 8);
    if is_fen { Form::Position(Variant::Classic) } else { Form::Game }
}

fn read_game(
    text: &str,
    variant: Option<Variant>,
    plies: Option<u32>,
    most: usize,
) -> Result<Source, ExploreError> {
    let unreadable = |error: &dyn ToString| ExploreError::Unreadable(error.to_string());
    let mut games = Reader::new(text.as_bytes());
    let game = games.next().ok_or_else(|| unreadable(&"there is no game in the text"))?;
    let mut game = game.map_err(|error| unreadable(&error))?;
    let is_bare = game.tags.is_empty();
    let moves = game.line.plies.iter().filter(|ply| !is_exit(&ply.text)).count();
    if moves > most {
        return Err(ExploreError::TooLong { plies: moves, most });
    }
    let notation = Notation::of_tags(&game.tags).unwrap_or_else(|| untagged(&game, variant));
    if let Some(variant) = variant.filter(|variant| variant.notation() == notation)
        && game.tags.get("Variant").is_none()
    {
        game.tags.set("Variant", variant.name());
    }
    let result = told_result(&game);
    if let Some(plies) = plies {
        cut(&mut game, plies);
    }
    let replay = notation.replay(&game).map_err(|error| unreadable(&error))?;
    let is_empty = replay.playback.plies().next().is_none();
    match &replay.stopped {
        Some(stop) if is_bare && is_empty => {
            let message = format!(
                "the text is neither a position nor a game: {:?}: {}",
                shortened(&stop.text),
                stop.reason
            );
            return Err(ExploreError::Unreadable(message));
        }
        _ => {}
    }
    Ok(Source {
        playback: replay.playback,
        result,
        warnings: replay.warnings.iter().map(ToString::to_string).collect(),
        stopped: replay.stopped.map(|stop| place(text, stop)),
        more_games: u32::try_from(games.count()).unwrap_or(u32::MAX),
        tags: game.tags,
    })
}

/// The notation of a game whose tags do not tell: a long move names two squares of which the first may be on a file
/// beyond `h`, and stands behind `..` or with a stroke.
fn untagged(game: &WrittenGame, variant: Option<Variant>) -> Notation {
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

/// Whether a word of PGN4 tells that somebody went out, and is no move.
fn is_exit(word: &str) -> bool {
    ["#", "S", "R", "R#", "T", "T#"].contains(&word)
}

/// The result that a game tells; nothing for one that goes on.
fn told_result(game: &WrittenGame) -> Option<String> {
    let result = game.result.as_deref().or_else(|| game.tags.get("Result"))?;
    (!matches!(result, "" | "*" | "?")).then(|| result.to_owned())
}

/// Leaves of a game its first moves, and who went out after the last of these. One that is cut goes on.
fn cut(game: &mut WrittenGame, plies: u32) {
    let mut moves = 0_u32;
    let past = game.line.plies.iter().position(|ply| {
        moves += u32::from(!is_exit(&ply.text));
        moves > plies
    });
    let Some(past) = past else { return };
    game.line.plies.truncate(past);
    game.result = None;
    game.tags.set("Result", "*");
    game.tags.set("Termination", "");
}

fn place(text: &str, stop: Stop) -> ExploreStop {
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
