//! Replaying a PGN4 game.

use alloc::collections::VecDeque;
use alloc::string::ToString as _;

use super::result_text;
use super::start::{self, Rules};
use crate::color::Color;
use crate::elimination::Cause;
use crate::game::{DrawPolicy, GameEvent, Outcome, Reason, Rejection};
use crate::notation::clock::clock_of;
use crate::notation::long;
use crate::notation::pgn::termination;
use crate::notation::replay::{Cursor, Replay, ReplayError, Stop, StopReason, is_null_move, warnings};
use crate::notation::{Location, Playback, WrittenGame, WrittenPly};

/// Replays a written game: every move and elimination, and then the end according to its tags.
///
/// A game of a variant that only a certain site has (`FFA`, `Teams`, ...) is replayed up to the
/// first word for which the site's rules differ from ours: a promotion or capture that is illegal
/// here, or the first word after an elimination.
///
/// # Errors
/// Returns an error if the set-up is not a valid position, or if its name is unknown
/// ([`site_setup`](super::site_setup) contains the known names).
pub fn replay(game: &WrittenGame) -> Result<Replay, ReplayError> {
    let (setup, rules, of_setup) = start::read(game)?;
    let playback =
        Playback::new(setup, DrawPolicy::Claim).map_err(|error| ReplayError::setup(game, error))?;
    let cursor = Cursor::new(game, &playback);
    let mut replayer = Replayer { playback, cursor, is_ours: rules == Rules::Ours, mated: VecDeque::new() };
    let mut stopped = replayer.replay_moves(game).and_then(|()| replayer.conclude(game)).err();
    if let (Some(stop), Rules::Other { name }) = (&mut stopped, rules) {
        stop.rules = Some(name);
    }
    Ok(Replay { playback: replayer.playback, stopped, warnings: warnings(game, of_setup) })
}

/// A replay in progress.
struct Replayer<'a> {
    playback: Playback,
    cursor: Cursor<'a>,
    /// True if the game was played by our rules.
    is_ours: bool,
    /// Players whom the rules have found checkmated and whose `#` has not been read yet.
    mated: VecDeque<Color>,
}

impl Replayer<'_> {
    fn replay_moves(&mut self, game: &WrittenGame) -> Result<(), Stop> {
        for comment in &game.line.comments {
            self.play_exits(comment, game.location)?;
        }
        for ply in &game.line.plies {
            let seat = self.mated.front().copied().filter(|_| ply.text == "#");
            self.cursor.enter(ply, seat.unwrap_or(self.playback.game().position().turn()));
            if !self.is_ours && !self.playback.game().eliminated().is_empty() {
                return Err(self.cursor.stop(ply, &self.playback, StopReason::OtherRulesOnElimination));
            }
            self.play_word(ply).map_err(|reason| self.cursor.stop(ply, &self.playback, reason))?;
            for comment in &ply.comments {
                self.play_exits(comment, ply.location)?;
            }
        }
        Ok(())
    }

    /// Plays a word.
    fn play_word(&mut self, ply: &WrittenPly) -> Result<(), StopReason> {
        let color = self.playback.game().position().turn();
        match (ply.text.as_str(), self.is_ours) {
            ("#", true) => self.mated.pop_front().map(drop).ok_or(StopReason::NotMated),
            ("S", true) => match self.playback.game().outcome() {
                Some(Outcome { reason: Reason::Stalemate, .. }) => Ok(()),
                _ => Err(StopReason::NotStalemated),
            },
            ("R" | "R#", true) => self.run(|playback| playback.resign(color)),
            ("T" | "T#", true) if is_absence(ply) => self.run(|playback| playback.remove(color)),
            ("T" | "T#", true) => self.run(|playback| playback.flag(color)),
            ("#" | "S" | "R" | "R#" | "T" | "T#", false) => Err(StopReason::OtherRulesOnElimination),
            (text, _) if is_null_move(text) => Err(StopReason::NullMove),
            (text, is_ours) if long::has_exit(text) => {
                Err(if is_ours { StopReason::ExitAtMove } else { StopReason::OtherRulesOnElimination })
            }
            (text, _) => {
                if let Some(outcome) = self.playback.game().outcome() {
                    return Err(StopReason::OtherResult { outcome: outcome.reason.to_string() });
                }
                let mv = long::parse(self.playback.game().position(), text)?;
                let left_ms = ply.comments.iter().find_map(|comment| clock_of(comment));
                self.run(|playback| playback.play(mv, left_ms))
            }
        }
    }

    /// Plays the exits (eliminations) that a comment contains: `[%out blue:resign]`. Such an
    /// elimination happened on another player's turn.
    fn play_exits(&mut self, comment: &str, location: Location) -> Result<(), Stop> {
        let mut rest = comment;
        while let Some((_, tail)) = rest.split_once("[%out ") {
            let (text, tail) = tail.split_once(']').unwrap_or((tail, ""));
            rest = tail;
            let Some((color, cause)) = read_exit(text) else {
                continue;
            };
            let exit_result = self.run(|playback| match cause {
                Cause::Resign => playback.resign(color),
                Cause::Time => playback.flag(color),
                Cause::Absence => playback.remove(color),
                // The rules find checkmates themselves.
                Cause::Mate => Ok(()),
            });
            exit_result.map_err(|reason| self.cursor.stop_at(location, text, &self.playback, reason))?;
        }
        Ok(())
    }

    /// Runs an action and records the players whom the rules then found checkmated.
    fn run(&mut self, act: impl FnOnce(&mut Playback) -> Result<(), Rejection>) -> Result<(), StopReason> {
        let before = self.playback.events().len();
        act(&mut self.playback)?;
        self.mated.clear();
        self.mated.extend(self.playback.events()[before..].iter().filter_map(|event| match event {
            GameEvent::Eliminated { color, cause: Cause::Mate, .. } => Some(*color),
            _ => None,
        }));
        Ok(())
    }

    /// Ends the game according to its tags, and compares the final places with the tag `Result`.
    fn conclude(&mut self, game: &WrittenGame) -> Result<(), Stop> {
        let is_known = |result: &&str| self.is_ours && *result != "*";
        let Some(result) = game.tags.get("Result").filter(is_known) else {
            return Ok(());
        };
        if self.playback.game().outcome().is_none() {
            let end_result = match termination(game) {
                Some(Reason::Agreement) => self.playback.agree_draw(),
                Some(Reason::Repetition | Reason::Moves) => self.playback.claim_draw(),
                Some(Reason::Time) => self.playback.draw_on_time(Cause::Time),
                Some(Reason::Absence) => self.playback.draw_on_time(Cause::Absence),
                _ => Ok(()),
            };
            end_result
                .map_err(|reason| self.cursor.stop_at(game.location, result, &self.playback, reason))?;
        }
        let outcome = result_text(self.playback.game().outcome());
        if result == outcome {
            return Ok(());
        }
        let reason = StopReason::OtherResult { outcome };
        Err(self.cursor.stop_at(game.location, result, &self.playback, reason))
    }
}

/// Returns whether a `T` stands for a removal for absence. A comment after the `T` shows this.
fn is_absence(ply: &WrittenPly) -> bool {
    ply.comments.iter().any(|comment| comment == Cause::Absence.name())
}

fn read_exit(text: &str) -> Option<(Color, Cause)> {
    let (color, cause) = text.trim().split_once(':')?;
    Some((color.parse().ok()?, cause.parse().ok()?))
}
