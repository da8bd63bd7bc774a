//! Playing a PGN4 game over.

use alloc::collections::VecDeque;
use alloc::string::ToString as _;

use super::result_text;
use super::start::{self, Rules};
use crate::color::Color;
use crate::game::{Cause, DrawPolicy, GameEvent, Outcome, Reason, Rejection};
use crate::notation::clock::clock_of;
use crate::notation::long;
use crate::notation::pgn::termination;
use crate::notation::replay::{Cursor, Replay, ReplayError, Stop, Unfollowed, is_null_move, warnings};
use crate::notation::{Location, Playback, WrittenGame, WrittenPly};

/// Plays a written game over: every move and going-out, then what its tags tell of the end.
///
/// A game of a site's own variant (`FFA`, `Teams`, ...) is followed up to the first word that our rules do not
/// share: a promotion or capture that is not legal here, or the first word after somebody has gone out.
///
/// # Errors
/// When the set-up is no position, or none that we know (the sites' set-ups by name: [`site_setup`](super::site_setup)).
pub fn replay(game: &WrittenGame) -> Result<Replay, ReplayError> {
    let (setup, rules, of_setup) = start::read(game)?;
    let playback =
        Playback::new(setup, DrawPolicy::Claim).map_err(|error| ReplayError::setup(game, error))?;
    let cursor = Cursor::new(game, &playback);
    let mut replayer = Replayer { playback, cursor, is_ours: rules == Rules::Ours, mated: VecDeque::new() };
    let mut stopped = replayer.follow(game).and_then(|()| replayer.conclude(game)).err();
    if let (Some(stop), Rules::Other { name }) = (&mut stopped, rules) {
        stop.rules = Some(name);
    }
    Ok(Replay { playback: replayer.playback, stopped, warnings: warnings(game, of_setup) })
}

/// A game in the course of being followed.
struct Replayer<'a> {
    playback: Playback,
    cursor: Cursor<'a>,
    /// Whether it was played by our rules.
    is_ours: bool,
    /// Players whom the rules have found mated and whose `#` has not been read yet.
    mated: VecDeque<Color>,
}

impl Replayer<'_> {
    fn follow(&mut self, game: &WrittenGame) -> Result<(), Stop> {
        for comment in &game.line.comments {
            self.go_out_of_turn(comment, game.location)?;
        }
        for ply in &game.line.plies {
            let seat = self.mated.front().copied().filter(|_| ply.text == "#");
            self.cursor.enter(ply, seat.unwrap_or(self.playback.game().position().turn()));
            if !self.is_ours && !self.playback.game().eliminated().is_empty() {
                return Err(self.cursor.stop(ply, &self.playback, Unfollowed::OtherRulesOnGoingOut));
            }
            self.take(ply).map_err(|why| self.cursor.stop(ply, &self.playback, why))?;
            for comment in &ply.comments {
                self.go_out_of_turn(comment, ply.location)?;
            }
        }
        Ok(())
    }

    /// Does what a word says.
    fn take(&mut self, ply: &WrittenPly) -> Result<(), Unfollowed> {
        let color = self.playback.game().position().turn();
        match (ply.text.as_str(), self.is_ours) {
            ("#", true) => self.mated.pop_front().map(drop).ok_or(Unfollowed::NotMated),
            ("S", true) => match self.playback.game().outcome() {
                Some(Outcome { reason: Reason::Stalemate, .. }) => Ok(()),
                _ => Err(Unfollowed::NotStalemated),
            },
            ("R" | "R#", true) => self.run(|playback| playback.resign(color)),
            ("T" | "T#", true) if is_absence(ply) => self.run(|playback| playback.remove(color)),
            ("T" | "T#", true) => self.run(|playback| playback.flag(color)),
            ("#" | "S" | "R" | "R#" | "T" | "T#", false) => Err(Unfollowed::OtherRulesOnGoingOut),
            (text, _) if is_null_move(text) => Err(Unfollowed::NullMove),
            (text, is_ours) if long::has_exit(text) => {
                Err(if is_ours { Unfollowed::ExitAtMove } else { Unfollowed::OtherRulesOnGoingOut })
            }
            (text, _) => {
                if let Some(outcome) = self.playback.game().outcome() {
                    return Err(Unfollowed::OtherResult { outcome: outcome.reason.to_string() });
                }
                let mv = long::parse(self.playback.game().position(), text)?;
                let left_ms = ply.comments.iter().find_map(|comment| clock_of(comment));
                self.run(|playback| playback.play(mv, left_ms))
            }
        }
    }

    /// Follows the exits on another's turn that a comment tells: `[%out blue:resign]`.
    fn go_out_of_turn(&mut self, comment: &str, location: Location) -> Result<(), Stop> {
        let mut rest = comment;
        while let Some((_, tail)) = rest.split_once("[%out ") {
            let (text, tail) = tail.split_once(']').unwrap_or((tail, ""));
            rest = tail;
            let Some((color, cause)) = read_exit(text) else {
                continue;
            };
            let done = self.run(|playback| match cause {
                Cause::Resign => playback.resign(color),
                Cause::Time => playback.flag(color),
                Cause::Absence => playback.remove(color),
                // A mate is the rules' to find.
                Cause::Mate => Ok(()),
            });
            done.map_err(|why| self.cursor.stop_at(location, text, &self.playback, why))?;
        }
        Ok(())
    }

    /// Does something and notes whom the rules then found mated.
    fn run(&mut self, act: impl FnOnce(&mut Playback) -> Result<(), Rejection>) -> Result<(), Unfollowed> {
        let before = self.playback.events().len();
        act(&mut self.playback)?;
        self.mated.clear();
        self.mated.extend(self.playback.events()[before..].iter().filter_map(|event| match event {
            GameEvent::Eliminated { color, cause: Cause::Mate, .. } => Some(*color),
            _ => None,
        }));
        Ok(())
    }

    /// Ends the game as its tags say and compares the places.
    fn conclude(&mut self, game: &WrittenGame) -> Result<(), Stop> {
        let is_told = |result: &&str| self.is_ours && *result != "*";
        let Some(result) = game.tags.get("Result").filter(is_told) else {
            return Ok(());
        };
        if self.playback.game().outcome().is_none() {
            let ended = match termination(game) {
                Some(Reason::Agreement) => self.playback.agree_draw(),
                Some(Reason::Repetition | Reason::Moves) => self.playback.claim_draw(),
                Some(Reason::Time) => self.playback.draw_on_time(Cause::Time),
                Some(Reason::Absence) => self.playback.draw_on_time(Cause::Absence),
                _ => Ok(()),
            };
            ended.map_err(|why| self.cursor.stop_at(game.location, result, &self.playback, why))?;
        }
        let outcome = result_text(self.playback.game().outcome());
        if result == outcome {
            return Ok(());
        }
        let why = Unfollowed::OtherResult { outcome };
        Err(self.cursor.stop_at(game.location, result, &self.playback, why))
    }
}

/// Whether a `T` was a removal for absence, which a comment behind it tells.
fn is_absence(ply: &WrittenPly) -> bool {
    ply.comments.iter().any(|comment| comment == Cause::Absence.name())
}

fn read_exit(text: &str) -> Option<(Color, Cause)> {
    let (color, cause) = text.trim().split_once(':')?;
    Some((color.parse().ok()?, cause.parse().ok()?))
}
