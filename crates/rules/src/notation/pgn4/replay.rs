//! Playing a PGN4 game over.

use alloc::collections::VecDeque;
use alloc::string::{String, ToString as _};

use super::result_text;
use crate::color::Color;
use crate::game::{Cause, DrawPolicy, GameEvent, Outcome, Reason, Rejection};
use crate::notation::clock::clock_of;
use crate::notation::long;
use crate::notation::pgn::termination;
use crate::notation::replay::{Cursor, Replay, ReplayError, Stop, Unfollowed};
use crate::notation::{Place, Playback, WrittenGame, WrittenPly};
use crate::setup::Setup;
use crate::variant::Variant;

/// The set-up that four-player sites call `4PCo`: board and turn order as ours, but kings on h1, a8, g14 and n7.
pub const SITE_SETUP: &str = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-3,yR,yN,yB,yK,yQ,yB,yN,yR,3/3,yP,yP,yP,yP,yP,yP,yP,yP,3/14/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bK,bP,10,gP,gQ/bQ,bP,10,gP,gK/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/14/3,rP,rP,rP,rP,rP,rP,rP,rP,3/3,rR,rN,rB,rQ,rK,rB,rN,rR,3";

/// By whose rules a written game was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Ours,
    /// A site's: the pieces of a player who is out stay on the board, and the end is counted in points.
    Other,
}

/// Plays a written game over: every move and going-out, then what its tags tell of the end.
///
/// A game of a site's own variant (`FFA`, `Teams`, ...) is followed up to the first word that our rules do not
/// share: a promotion or capture that is not legal here, or the first word after somebody has gone out.
///
/// # Errors
/// When the set-up is no position, or none that we know.
pub fn replay(game: &WrittenGame) -> Result<Replay, ReplayError> {
    let (setup, rules) = setup_of(game)?;
    let playback =
        Playback::new(setup, DrawPolicy::Claim).map_err(|error| ReplayError::setup(game, error))?;
    let cursor = Cursor::new(game, &playback);
    let mut follower = Follower { playback, cursor, rules, mated: VecDeque::new() };
    let stopped = follower.follow(game).and_then(|()| follower.conclude(game));
    Ok(Replay { playback: follower.playback, stopped: stopped.err() })
}

/// The set-up of a game and by whose rules it goes on. A name that is none of ours is a site's variant, which
/// must tell its set-up, because the sites' own ones change with the years.
fn setup_of(game: &WrittenGame) -> Result<(Setup, Rules), ReplayError> {
    let name = game.tags.get("Variant").unwrap_or(Variant::Dilkel.name());
    let own = name.to_ascii_lowercase().parse::<Variant>().ok();
    if own == Some(Variant::Classic) {
        return Err(ReplayError::unknown_variant(game, name));
    }
    let rules = if own.is_some() { Rules::Ours } else { Rules::Other };
    let variant = own.unwrap_or(Variant::Dilkel);
    let written: Option<String> =
        game.tags.get("StartFen4").map(|text| text.split_ascii_whitespace().collect());
    let setup = match written.as_deref() {
        Some("4PCo") => Setup::parse(Variant::Dilkel, SITE_SETUP),
        Some(text) => Setup::parse(variant, text),
        None if rules == Rules::Ours => Ok(Setup::start(variant)),
        None => return Err(ReplayError::unknown_variant(game, name)),
    };
    Ok((setup.map_err(|error| ReplayError::setup(game, error))?, rules))
}

/// A game in the course of being followed.
struct Follower<'a> {
    playback: Playback,
    cursor: Cursor<'a>,
    rules: Rules,
    /// Players whom the rules have found mated and whose `#` has not been read yet.
    mated: VecDeque<Color>,
}

impl Follower<'_> {
    fn follow(&mut self, game: &WrittenGame) -> Result<(), Stop> {
        for comment in &game.line.comments {
            self.go_out_of_turn(comment, game.place)?;
        }
        for ply in &game.line.plies {
            let seat = self.mated.front().copied().filter(|_| ply.text == "#");
            self.cursor.enter(ply, seat.unwrap_or(self.playback.game().position().turn()));
            if self.rules == Rules::Other && !self.playback.game().eliminated().is_empty() {
                return Err(self.cursor.stop(ply, &self.playback, Unfollowed::OtherRulesOnGoingOut));
            }
            self.take(ply).map_err(|why| self.cursor.stop(ply, &self.playback, why))?;
            for comment in &ply.comments {
                self.go_out_of_turn(comment, ply.place)?;
            }
        }
        Ok(())
    }

    /// Does what a word says.
    fn take(&mut self, ply: &WrittenPly) -> Result<(), Unfollowed> {
        let color = self.playback.game().position().turn();
        match (ply.text.as_str(), self.rules) {
            ("#", Rules::Ours) => self.mated.pop_front().map(drop).ok_or(Unfollowed::NotMated),
            ("S", Rules::Ours) => match self.playback.game().outcome() {
                Some(Outcome { reason: Reason::Stalemate, .. }) => Ok(()),
                _ => Err(Unfollowed::NotStalemated),
            },
            ("R" | "R#", Rules::Ours) => self.run(|playback| playback.resign(color)),
            ("T" | "T#", Rules::Ours) if is_absence(ply) => self.run(|playback| playback.remove(color)),
            ("T" | "T#", Rules::Ours) => self.run(|playback| playback.flag(color)),
            ("#" | "S" | "R" | "R#" | "T" | "T#", Rules::Other) => Err(Unfollowed::OtherRulesOnGoingOut),
            (text, Rules::Ours | Rules::Other) => {
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
    fn go_out_of_turn(&mut self, comment: &str, place: Place) -> Result<(), Stop> {
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
            done.map_err(|why| self.cursor.stop_at(place, text, &self.playback, why))?;
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
        let Some(result) = game.tags.get("Result").filter(|_| self.rules == Rules::Ours) else {
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
            ended.map_err(|why| self.cursor.stop_at(game.place, result, &self.playback, why))?;
        }
        let outcome = result_text(self.playback.game().outcome());
        if result == "*" || result == outcome {
            return Ok(());
        }
        let why = Unfollowed::OtherResult { outcome };
        Err(self.cursor.stop_at(game.place, result, &self.playback, why))
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
