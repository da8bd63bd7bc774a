//! The users who have left a rated match before its end. They are determined from the log.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::Event;
use quadrex_protocol::settings::{TableSettings, TimeSetting};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Timestamp};
use quadrex_store::{Leave, LoggedEvent};

/// The number of own moves before which a player who resigns leaves the match.
const EARLY_MOVES: usize = 5;

/// The shortest turn in which a player lets the clock run out instead of playing.
const SHORTEST_IDLE_TURN: Duration = Duration::from_secs(60);

/// Returns the users who have left a match, each with the time. Nobody leaves a casual match.
///
/// A user leaves a match by staying away until the match goes on or is aborted without the user, by
/// not making the first move, by letting the clock run out in one long turn, or by resigning in the
/// first moves while at least two others play on.
pub(super) fn of(log: &[LoggedEvent]) -> Vec<Leave> {
    let Some(Event::Opened { settings, .. }) = log.first().map(|first| &first.event) else {
        return Vec::new();
    };
    if !settings.rated {
        return Vec::new();
    }
    let mut course = Course::new(settings);
    let mut leaves = Vec::new();
    for LoggedEvent { at, event, .. } in log {
        if let Some(user) = course.leaver(event, *at).and_then(|color| course.holders.get(&color)) {
            leaves.push(Leave { user: *user, at: *at });
        }
        course.apply(event, *at);
    }
    leaves
}

/// The course of a match, as far as it matters for leaving.
struct Course<'a> {
    settings: &'a TableSettings,
    holders: BTreeMap<Color, quadrex_protocol::UserId>,
    /// The players who are still in the match, in the order of their turns from the first player on.
    active: Vec<Color>,
    /// The colors that have moved, without the moves that were taken back.
    moves: Vec<Color>,
    /// The beginning of the present turn.
    turn_since: Timestamp,
}

impl<'a> Course<'a> {
    fn new(settings: &'a TableSettings) -> Self {
        Self {
            settings,
            holders: BTreeMap::new(),
            active: settings.variant.colors().to_vec(),
            moves: Vec::new(),
            turn_since: Timestamp::from_millis(0),
        }
    }

    /// Returns the player who leaves the match with this event.
    fn leaver(&self, event: &Event, at: Timestamp) -> Option<Color> {
        let idled = || at.since(self.turn_since) >= idle_turn(self.settings.time);
        match event {
            Event::Eliminated { color, cause, .. } => {
                let has_left = match cause {
                    Cause::Absence => true,
                    Cause::Time => idled(),
                    Cause::Resign => self.active.len() > 2 && self.own_moves(*color) < EARLY_MOVES,
                    Cause::Mate => false,
                };
                has_left.then_some(*color)
            }
            // Four-player matches have an elimination before the end.
            Event::Ended { reason, places } if self.settings.variant.player_count() == 2 => {
                let has_left = match reason {
                    Reason::Absence => true,
                    Reason::Time => idled(),
                    _ => false,
                };
                places.iter().find(|(_, place)| has_left && **place == 2).map(|(color, _)| *color)
            }
            Event::Aborted { cause: AbortCause::FirstMove } => {
                self.active.iter().find(|color| self.own_moves(**color) == 0).copied()
            }
            _ => None,
        }
    }

    fn own_moves(&self, color: Color) -> usize {
        self.moves.iter().filter(|mover| **mover == color).count()
    }

    fn apply(&mut self, event: &Event, at: Timestamp) {
        match event {
            Event::Seated { color, user, .. } => drop(self.holders.insert(*color, user.id)),
            Event::Vacated { color, .. } => drop(self.holders.remove(color)),
            Event::Started { first_player, seats, .. } => {
                self.holders.extend(seats.iter().map(|(color, user)| (*color, user.id)));
                let first = self.active.iter().position(|color| color == first_player).unwrap_or(0);
                self.active.rotate_left(first);
                self.turn_since = at;
            }
            Event::Moved { color, .. } => {
                self.moves.push(*color);
                self.turn_since = at;
            }
            Event::TakenBack { plies, .. } => {
                self.moves.truncate(self.moves.len().saturating_sub(*plies as usize));
                self.turn_since = at;
            }
            Event::Eliminated { color, .. } => {
                self.active.retain(|active| active != color);
                self.turn_since = at;
            }
            Event::Interrupted { resumes_ms, .. } => self.turn_since = Timestamp::from_millis(*resumes_ms),
            Event::Resumed {} => self.turn_since = at,
            _ => {}
        }
    }
}

/// Returns the length of a turn from which a player has let the clock run out.
fn idle_turn(time: TimeSetting) -> Duration {
    match time {
        // A turn takes days.
        TimeSetting::Correspondence { .. } | TimeSetting::None => Duration::ZERO,
        TimeSetting::Fischer { base_ms, .. } | TimeSetting::Delay { base_ms, .. } => {
            Duration::from_millis(base_ms / 3).max(SHORTEST_IDLE_TURN)
        }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::http::CreateTable;
    use quadrex_protocol::settings::Privacy;
    use quadrex_protocol::user::UserView;
    use quadrex_protocol::{Event, UserId};
    use quadrex_rules::Variant;
    use quadrex_store::Epoch;
    use quadrex_table::validate_settings;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    const BLITZ: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

    /// A log in which each event has a time in seconds.
    struct Log(Vec<LoggedEvent>);

    impl Log {
        fn of(variant: Variant, rated: bool, time: TimeSetting) -> Self {
            let request = CreateTable {
                rated: Some(rated),
                time: Some(time),
                ..CreateTable::plain(variant, Privacy::Public)
            };
            let settings = validate_settings(request).unwrap();
            let (secret, nonce) = ("0".repeat(64), "nonce");
            let host = user(0);
            let mut log = Self(Vec::new())
                .and(0, json!({"type": "opened", "settings": settings, "host": host, "commitment": secret}));
            for (index, color) in (1..).zip(variant.colors()) {
                let seated =
                    json!({"type": "seated", "color": color.name(), "user": user(index), "nonce": nonce});
                log = log.and(0, seated);
            }
            let first = variant.colors()[1].name();
            log.and(0, json!({"type": "started", "first_player": first, "secret": secret}))
        }

        fn and(mut self, seconds: u64, event: serde_json::Value) -> Self {
            let event: Event = serde_json::from_value(event).unwrap();
            let at = Timestamp::from_millis(1_000 * seconds);
            let seq = self.0.len() as u64 + 1;
            self.0.push(LoggedEvent { seq, epoch: Epoch::FIRST, at, by: None, command_id: None, event });
            self
        }

        /// Each of these colors makes this number of moves, one a second.
        fn moves(mut self, colors: &[&str], each: u64) -> Self {
            for round in 0..each {
                for color in colors {
                    let at = round + 1;
                    self = self.and(at, json!({"type": "moved", "color": color, "move": "e2e4"}));
                }
            }
            self
        }

        fn out(self, seconds: u64, color: &str, cause: &str) -> Self {
            self.and(seconds, json!({"type": "eliminated", "color": color, "cause": cause}))
        }

        /// Returns the numbers of the seats of those who have left, in turn order from 1, with the
        /// seconds.
        fn leaves(&self) -> Vec<(u128, u64)> {
            let leaves = of(&self.0).into_iter();
            leaves.map(|leave| (leave.user.0.as_u128(), leave.at.as_millis() / 1_000)).collect()
        }
    }

    fn user(number: u128) -> UserView {
        UserView {
            id: UserId(Uuid::from_u128(number)),
            name: format!("user {number}"),
            account: true,
            bot: None,
            anonymous: false,
        }
    }

    const FOUR: [&str; 4] = ["blue", "yellow", "green", "red"];

    fn four() -> Log {
        Log::of(Variant::Dilkel, true, BLITZ)
    }

    fn two() -> Log {
        Log::of(Variant::Classic, true, BLITZ)
    }

    #[test]
    fn whoever_stays_away_or_resigns_early_has_left() {
        assert_eq!(four().moves(&FOUR, 20).out(90, "yellow", "absence").leaves(), [(3, 90)]);
        assert_eq!(four().moves(&FOUR, 4).out(9, "blue", "resign").leaves(), [(2, 9)]);
        assert_eq!(four().moves(&FOUR, 5).out(9, "blue", "resign").leaves(), []);
        assert_eq!(four().moves(&FOUR, 1).out(9, "blue", "mate").leaves(), []);
        let taken_back = four().moves(&FOUR, 5).and(6, json!({"type": "taken_back", "plies": 4}));
        assert_eq!(taken_back.out(9, "blue", "resign").leaves(), [(2, 9)], "its moves were taken back");
        let last = four().moves(&FOUR, 1).out(2, "red", "mate").out(3, "green", "mate");
        assert_eq!(last.out(4, "blue", "resign").leaves(), [], "the match ends with it");
    }

    #[test]
    fn whoever_lets_the_clock_run_out_in_one_turn_has_left() {
        assert_eq!(four().moves(&FOUR, 1).out(101, "blue", "time").leaves(), [(2, 101)]);
        assert_eq!(four().moves(&FOUR, 1).out(100, "blue", "time").leaves(), [], "that was no third");
        let bullet = TimeSetting::Fischer { base_ms: 90_000, increment_ms: 0 };
        let bullet = || Log::of(Variant::Dilkel, true, bullet).moves(&FOUR, 1);
        assert_eq!(bullet().out(60, "blue", "time").leaves(), []);
        assert_eq!(bullet().out(61, "blue", "time").leaves(), [(2, 61)]);
        let days = Log::of(Variant::Dilkel, true, TimeSetting::Correspondence { days: 1 });
        assert_eq!(days.out(86_400, "blue", "time").leaves(), [(2, 86_400)]);
        let away = json!({"type": "interrupted", "until_ms": 2_000, "resumes_ms": 90_000});
        let away = four().moves(&FOUR, 1).and(90, away);
        assert_eq!(away.out(150, "blue", "time").leaves(), [], "the server was away");
    }

    #[test]
    fn in_a_match_of_two_the_loser_has_left_but_may_resign() {
        let ended =
            |reason: &str| json!({"type": "ended", "reason": reason, "places": {"white": 2, "black": 1}});
        assert_eq!(two().and(30, ended("absence")).leaves(), [(1, 30)]);
        assert_eq!(two().and(30, ended("resign")).leaves(), []);
        assert_eq!(two().and(99, ended("time")).leaves(), []);
        assert_eq!(two().and(100, ended("time")).leaves(), [(1, 100)]);
        let drawn = json!({"type": "ended", "reason": "time", "places": {"white": 1, "black": 1}});
        assert_eq!(two().and(100, drawn).leaves(), []);
    }

    #[test]
    fn whoever_does_not_make_the_first_move_has_left() {
        let aborted = |cause: &str| json!({"type": "aborted", "cause": cause});
        assert_eq!(four().and(30, aborted("first_move")).leaves(), [(2, 30)]);
        let third = four().moves(&FOUR[..2], 1);
        assert_eq!(third.and(30, aborted("first_move")).leaves(), [(4, 30)]);
        assert_eq!(four().and(30, aborted("operator")).leaves(), []);
        assert_eq!(four().and(30, aborted("agreement")).leaves(), []);
    }

    #[test]
    fn nobody_leaves_a_casual_match() {
        let casual = Log::of(Variant::Dilkel, false, BLITZ);
        assert_eq!(casual.out(90, "yellow", "absence").leaves(), []);
    }
}
