//! The time that an engine may think about a move.

use std::time::Duration;

use quadrex_driver::{Go, PlayerClock, Time};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{ClockView, StateView};
use quadrex_rules::{Color, Timestamp};

/// The default time for a move without a clock.
const DEFAULT_THINK_TIME: Duration = Duration::from_secs(3);

/// The time of the shortest search. In less time an engine finds no move.
const MIN_TIME: Duration = Duration::from_millis(10);

/// The divisor of the time for a first move. The engine uses only this fraction of the time,
/// because the other players wait.
const FIRST_MOVE_DIVISOR: u32 = 3;

/// The limits of the thinking time.
#[derive(Clone, Copy, Debug)]
pub struct ThinkTimeSettings {
    /// The maximum thinking time per move. `None` means three seconds without a clock, and no limit
    /// with a clock.
    pub max: Option<Duration>,
    /// The time that is subtracted from every clock, because a move needs time on the network.
    pub margin: Duration,
}

/// The time for a move, computed from the last report of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThinkTime {
    server_time: ServerTime,
    /// The time at which the report of the server arrived.
    received_at: Timestamp,
    max: Option<Duration>,
    margin: Duration,
}

/// The time that the player to move has, as the server reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ServerTime {
    /// The engine plans without clocks: the match has none, or it is a correspondence match. There
    /// may be a time limit for the move.
    WithoutClock(Option<Duration>),
    /// It is the player's first move. The move costs no time on the clock, but must be made within
    /// this limit.
    FirstMove(Duration),
    /// The clocks of the remaining players run in turn. `time_before_clock_runs` is the time
    /// left before the clock of the player to move starts to run.
    Clocks { clocks: Vec<(Color, PlayerClock)>, own_color: Color, time_before_clock_runs: Duration },
}

impl ThinkTime {
    /// Returns the time for the move of the player with `own_color`, who is to move.
    pub(crate) fn new(
        state: &StateView,
        time: &TimeSetting,
        own_color: Color,
        settings: &ThinkTimeSettings,
        received_at: Timestamp,
    ) -> Self {
        let from_ms = Duration::from_millis;
        let increment = match *time {
            TimeSetting::Fischer { increment_ms, .. } => Some(increment_ms),
            // An unused delay is lost. The engine still plans with it like with an increment,
            // because each later move has the delay too.
            TimeSetting::Delay { delay_ms, .. } => Some(delay_ms),
            TimeSetting::None | TimeSetting::Correspondence { .. } => None,
        };
        let server_time = match (&state.clock, increment) {
            (Some(ClockView { first_move: true, delay_left_ms, .. }), Some(_)) => {
                ServerTime::FirstMove(from_ms(*delay_left_ms))
            }
            (Some(clock), Some(increment)) => {
                let player_clock = |color: &Color| {
                    let left = from_ms(clock.left_ms.get(color).copied().unwrap_or_default());
                    (*color, PlayerClock { left, increment: from_ms(increment) })
                };
                let clocks = state.active_players.iter().map(player_clock).collect();
                let time_before_clock_runs = from_ms(clock.delay_left_ms);
                ServerTime::Clocks { clocks, own_color, time_before_clock_runs }
            }
            (Some(clock), None) => {
                ServerTime::WithoutClock(clock.left_ms.get(&own_color).copied().map(from_ms))
            }
            (None, _) => ServerTime::WithoutClock(state.move_left_ms.map(from_ms)),
        };
        Self { server_time, received_at, max: settings.max, margin: settings.margin }
    }

    /// Returns the time limits of a search that starts at `now`.
    pub(crate) fn go(&self, now: Timestamp) -> Go {
        let elapsed = now.since(self.received_at) + self.margin;
        let default_time = self.max.unwrap_or(DEFAULT_THINK_TIME);
        match &self.server_time {
            ServerTime::WithoutClock(limit) => {
                within(default_time, limit.map(|limit| limit.saturating_sub(elapsed).max(MIN_TIME)))
            }
            ServerTime::FirstMove(limit) => {
                within(default_time, Some((limit.saturating_sub(elapsed) / FIRST_MOVE_DIVISOR).max(MIN_TIME)))
            }
            ServerTime::Clocks { clocks, own_color, time_before_clock_runs } => {
                let mut clocks = clocks.clone();
                let mut left = MIN_TIME;
                for (_, player_clock) in clocks.iter_mut().filter(|(color, _)| color == own_color) {
                    let usable = player_clock.left + *time_before_clock_runs;
                    player_clock.left = usable.saturating_sub(elapsed).max(MIN_TIME);
                    left = player_clock.left;
                }
                let timeout = self.max.map_or(left, |max| max.min(left));
                Go { time: Time::Clocks(clocks), timeout }
            }
        }
    }
}

/// Returns the limits of a search for a fixed time, which is at most `limit`.
fn within(time: Duration, limit: Option<Duration>) -> Go {
    let go = Go::within(limit.map_or(time, |limit| time.min(limit)));
    Go { timeout: limit.map_or(go.timeout, |limit| go.timeout.min(limit)), ..go }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quadrex_protocol::view::Phase;

    use super::*;

    const RECEIVED_AT: Timestamp = Timestamp::from_millis(1_000_000);
    const FISCHER: TimeSetting = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 2_000 };

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn state(clock: Option<ClockView>, move_left_ms: Option<u64>) -> StateView {
        StateView {
            phase: Phase::Running,
            turn: Some(Color::Red),
            active_players: vec![Color::Red, Color::Yellow],
            eliminated: Vec::new(),
            checks: Vec::new(),
            facing_mate: Vec::new(),
            reserves: BTreeMap::new(),
            clock,
            requests: Vec::new(),
            can_claim_draw: false,
            move_left_ms,
            suspension: None,
            vacations: Vec::new(),
            outcome: None,
            stalemated: None,
            aborted: None,
            rematch: None,
            closed: false,
        }
    }

    fn clock(left_ms: u64, delay_left_ms: u64, first_move: bool) -> Option<ClockView> {
        let left_ms = [(Color::Red, left_ms), (Color::Blue, 1), (Color::Yellow, 50_000)].into();
        Some(ClockView { left_ms, running: Some(Color::Red), delay_left_ms, first_move })
    }

    fn go(state: &StateView, time: &TimeSetting, max: Option<u64>, later: u64) -> Go {
        let settings = ThinkTimeSettings { max: max.map(ms), margin: ms(100) };
        ThinkTime::new(state, time, Color::Red, &settings, RECEIVED_AT).go(RECEIVED_AT + ms(later))
    }

    #[test]
    fn the_engine_gets_all_clocks_and_the_own_one_less_elapsed_time() {
        let clocks = |left_ms| {
            let player_clock = |left| PlayerClock { left: ms(left), increment: ms(2_000) };
            Time::Clocks(vec![(Color::Red, player_clock(left_ms)), (Color::Yellow, player_clock(50_000))])
        };
        let state = state(clock(40_000, 0, false), None);
        assert_eq!(go(&state, &FISCHER, None, 900), Go { time: clocks(39_000), timeout: ms(39_000) });
        assert_eq!(go(&state, &FISCHER, Some(500), 900), Go { time: clocks(39_000), timeout: ms(500) });
        assert_eq!(go(&state, &FISCHER, None, 100_000), Go { time: clocks(10), timeout: ms(10) });
    }

    #[test]
    fn the_rest_of_a_delay_can_be_used() {
        let delay = TimeSetting::Delay { base_ms: 60_000, delay_ms: 5_000 };
        let Go { time, timeout } = go(&state(clock(1_000, 4_000, false), None), &delay, None, 900);
        assert_eq!(timeout, ms(4_000));
        let Time::Clocks(clocks) = time else { panic!("{time:?}") };
        assert_eq!(clocks[0].1, PlayerClock { left: ms(4_000), increment: ms(5_000) });
    }

    #[test]
    fn a_first_move_comes_long_before_the_match_is_aborted() {
        let first = |max| go(&state(clock(60_000, 30_000, true), None), &FISCHER, max, 0);
        assert_eq!(first(None).time, Time::Move(ms(3_000)));
        assert!(first(Some(60_000)).timeout < ms(10_000), "{:?}", first(Some(60_000)));
    }

    #[test]
    fn without_a_clock_it_uses_the_think_time_up_to_the_limit() {
        let without_clock = |limit, max| go(&state(None, limit), &TimeSetting::None, max, 0);
        assert_eq!(without_clock(None, None), Go::within(ms(3_000)));
        assert_eq!(without_clock(Some(300_000), Some(700)), Go::within(ms(700)));
        assert_eq!(
            without_clock(Some(10_100), Some(60_000)),
            Go { time: Time::Move(ms(10_000)), timeout: ms(10_000) }
        );
        let days = TimeSetting::Correspondence { days: 3 };
        assert_eq!(go(&state(clock(86_400_000, 0, false), None), &days, None, 0), Go::within(ms(3_000)));
    }
}
