//! Whole games of two players and PGN.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::clock::{clock_comment, clock_of, time_control_text};
use super::playback::{BadEvent, Playback};
use super::replay::{Cursor, Replay, ReplayError, Rounds, Stop, StopReason, is_null_move, warnings};
use super::tags::Tags;
use super::warning::{Warning, WarningKind};
use super::written_game::{Line, MoveNumber, WrittenGame, WrittenPly};
use super::{Location, san};
use crate::color::Color;
use crate::elimination::Cause;
use crate::game::{DrawPolicy, Game, GameConfig, GameEvent, Outcome, Reason};
use crate::setup::{Setup, SetupWarning};
use crate::timestamp::Timestamp;
use crate::variant::{Notation, Variant};

/// Replays a written game: every move, and then the end according to its result.
///
/// If the moves have not brought about the result, the game has ended by the cause in the tag
/// `Termination` (`time`, `absence`, `repetition`, `moves`). Without this tag, it has ended by
/// resignation or by an agreed draw.
///
/// # Errors
/// Returns an error if the game's variant is unknown or has another notation, or its set-up is not
/// a valid position.
pub fn replay(game: &WrittenGame) -> Result<Replay, ReplayError> {
    let (setup, of_setup) = setup_of(game)?;
    let mut warnings = warnings(game, of_setup);
    warnings.extend(contradiction(game).map(|kind| Warning::new(game.location, kind)));
    let mut playback =
        Playback::new(setup, DrawPolicy::Claim).map_err(|error| ReplayError::setup(game, error))?;
    let mut cursor = Cursor::new(game, &playback);
    let stopped =
        replay_moves(game, &mut playback, &mut cursor).and_then(|()| conclude(game, &mut playback, &cursor));
    Ok(Replay { playback, stopped: stopped.err(), warnings })
}

fn setup_of(game: &WrittenGame) -> Result<(Setup, Vec<SetupWarning>), ReplayError> {
    let name = game.tags.get("Variant").unwrap_or("standard");
    let variant = match name.to_ascii_lowercase().as_str() {
        "" | "standard" | "chess" | "normal" | "from position" => Some(Notation::Pgn.default_variant()),
        name => name.parse().ok().filter(|variant: &Variant| variant.notation() == Notation::Pgn),
    };
    let variant = variant.ok_or_else(|| ReplayError::unknown_variant(game, name))?;
    match game.tags.get("FEN") {
        Some(fen) => Setup::parse_lenient(variant, fen).map_err(|error| ReplayError::setup(game, error)),
        None if game.tags.get("SetUp") == Some("1") => Err(ReplayError::no_fen(game)),
        None => Ok((Setup::start(variant), Vec::new())),
    }
}

fn replay_moves(game: &WrittenGame, playback: &mut Playback, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    for ply in &game.line.plies {
        let position = playback.game().position();
        cursor.enter(ply, position.turn());
        if is_null_move(&ply.text) {
            return Err(cursor.stop(ply, playback, StopReason::NullMove));
        }
        if let Some(&Outcome { reason: by @ (Reason::Moves | Reason::Repetition), .. }) =
            playback.game().outcome()
        {
            return Err(cursor.stop(ply, playback, StopReason::Drawn { by }));
        }
        let mv = san::parse(position, &ply.text).map_err(|error| cursor.stop(ply, playback, error))?;
        let left_ms = ply.comments.iter().find_map(|comment| clock_of(comment));
        playback.play(mv, left_ms).map_err(|error| cursor.stop(ply, playback, error))?;
    }
    Ok(())
}

/// Returns a warning if the tag `Result` differs from the result after the moves. The two must be
/// the same (PGN standard, 8.1.1.7).
fn contradiction(game: &WrittenGame) -> Option<WarningKind> {
    let (tag, text) = (game.tags.get("Result")?, game.result.as_deref()?);
    let normalized = match tag.trim() {
        "" | "?" => text,
        "1/2" | "½-½" | "½" => "1/2-1/2",
        other => other,
    };
    (normalized != text).then(|| WarningKind::Result { tag: tag.to_string(), text: text.to_string() })
}

/// Ends the game according to its result.
fn conclude(game: &WrittenGame, playback: &mut Playback, cursor: &Cursor<'_>) -> Result<(), Stop> {
    let result = game.result.as_deref().or_else(|| game.tags.get("Result")).unwrap_or("*");
    let stop =
        |playback: &Playback, reason: StopReason| cursor.stop_at(game.location, result, playback, reason);
    if playback.game().outcome().is_none() {
        let end_result = match result {
            "1-0" => lose(game, playback, Color::Black),
            "0-1" => lose(game, playback, Color::White),
            "1/2-1/2" => draw(game, playback),
            _ => return Ok(()),
        };
        end_result.map_err(|error| stop(playback, error.into()))?;
    }
    let outcome = String::from(result_text(playback.game().outcome()));
    if result == "*" || result == outcome {
        return Ok(());
    }
    Err(stop(playback, StopReason::OtherResult { outcome }))
}

fn lose(game: &WrittenGame, playback: &mut Playback, loser: Color) -> Result<(), crate::Rejection> {
    match termination(game) {
        Some(Reason::Time) => playback.flag(loser),
        Some(Reason::Absence) => playback.remove(loser),
        _ => playback.resign(loser),
    }
}

fn draw(game: &WrittenGame, playback: &mut Playback) -> Result<(), crate::Rejection> {
    match termination(game) {
        Some(Reason::Repetition | Reason::Moves) => playback.claim_draw().or_else(|_| playback.agree_draw()),
        Some(Reason::Time) => playback.draw_on_time(Cause::Time),
        Some(Reason::Absence) => playback.draw_on_time(Cause::Absence),
        _ => playback.agree_draw(),
    }
}

/// Parses the tag `Termination`. Its value is one of this project's words, or one of the words of
/// the PGN standard.
pub(in crate::notation) fn termination(game: &WrittenGame) -> Option<Reason> {
    let text = game.tags.get("Termination")?.to_ascii_lowercase();
    match text.as_str() {
        "time forfeit" => Some(Reason::Time),
        "abandoned" => Some(Reason::Absence),
        _ => text.parse().ok(),
    }
}

/// Returns `1-0`, `0-1`, `1/2-1/2`, or `*` for an unfinished game.
#[must_use]
pub fn result_text(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        None => "*",
        Some(outcome) if outcome.places.is_draw() => "1/2-1/2",
        Some(outcome) if outcome.places.get(Color::White) == Some(1) => "1-0",
        Some(_) => "0-1",
    }
}

/// The tags that every PGN game has, in their order, each with the text for an unknown value (PGN
/// standard, 8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes a game of `classic`: tags, moves with the known clock times, result.
///
/// `tags` contains the tags that the caller knows (`White`, `Date`, ...). The tags that follow from
/// the game itself (`Result`, `FEN`, `TimeControl`, `Termination`) are set by this function.
///
/// # Errors
/// Returns a [`BadEvent`] with the first event that cannot have happened.
pub fn write(config: &GameConfig, events: &[GameEvent], tags: &Tags) -> Result<WrittenGame, BadEvent> {
    let unplayable = BadEvent { index: 0 };
    let mut game = Game::load(config.clone(), Timestamp::from_millis(0)).map_err(|_| unplayable)?;
    let mut rounds = Rounds::of(&game);
    let mut plies = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match event {
            GameEvent::Moved { color, mv, left_ms } => {
                let position = game.position();
                if game.outcome().is_some() || position.turn() != *color || !position.is_legal(*mv) {
                    return Err(BadEvent { index });
                }
                let mut ply = WrittenPly::new(None, san::text(position, *mv));
                ply.comments.extend(left_ms.map(clock_comment));
                plies.push((*color, ply));
            }
            GameEvent::TakenBack { plies: count, .. } => {
                let kept_count =
                    usize::try_from(*count).ok().and_then(|count| plies.len().checked_sub(count));
                plies.truncate(kept_count.ok_or(BadEvent { index })?);
            }
            _ => {}
        }
        game.apply(event, Timestamp::from_millis(0));
    }
    let line = Line { comments: Vec::new(), plies: numbered(plies, &mut rounds) };
    let result = result_text(game.outcome());
    let tags = tags_of(config, game.outcome(), tags);
    let (result, warnings) = (Some(result.to_string()), Vec::new());
    Ok(WrittenGame { number: 1, location: Location::START, tags, line, result, warnings })
}

/// Returns the moves with numbers before White's moves. A move of Black has a number if nothing
/// else shows that it is Black's move.
fn numbered(plies: Vec<(Color, WrittenPly)>, rounds: &mut Rounds) -> Vec<WrittenPly> {
    let mut number = 0;
    let mut follows_comment = true;
    let number_ply = |(color, mut ply): (Color, WrittenPly)| {
        number = rounds.enter(color).unwrap_or(number);
        let dots = if color == Color::White { 1 } else { 3 };
        ply.number = (dots == 1 || follows_comment).then_some(MoveNumber { number, dots });
        follows_comment = !ply.comments.is_empty();
        ply
    };
    plies.into_iter().map(number_ply).collect()
}

fn tags_of(config: &GameConfig, outcome: Option<&Outcome>, given: &Tags) -> Tags {
    let mut tags = Tags::new();
    for (name, unknown) in ROSTER {
        tags.set(name, given.get(name).unwrap_or(unknown));
    }
    // An unfinished game has no `Termination`, even if the caller's tags contain one.
    for (name, value) in given.iter().filter(|(name, _)| *name != "Termination") {
        tags.set(name, value);
    }
    tags.set("Result", result_text(outcome));
    let variant = config.setup.variant;
    if variant != Notation::Pgn.default_variant() {
        tags.set("Variant", variant.tag());
    }
    if config.setup != Setup::start(variant) {
        tags.set("SetUp", "1");
        tags.set("FEN", &config.setup.to_string());
    }
    tags.set("TimeControl", &time_control_text(config.time));
    if let Some(outcome) = outcome {
        tags.set("Termination", outcome.reason.name());
    }
    tags
}
