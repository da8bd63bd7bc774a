//! The thinking time of a move.

use std::time::Duration;

use quadrex_driver::{Go, PlayerClock, Time};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{ClockView, StateView};
use quadrex_rules::{Color, Timestamp};

/// The default time for a move without a clock.
const DEFAULT_THINK_TIME: Duration = Duration::from_secs(3);

/// The shortest search; less time is as good as none.
const MIN_TIME: Duration = Duration::from_millis(10);

/// The part of the time for a first move that is used at most, because the others wait.
const FIRST_MOVE_DIVISOR: u32 = 3;

/// The settings of the thinking time.
#[derive(Clone, Copy, Debug)]
pub struct ThinkTimeSettings {
    /// The maximum thinking time per move; by default three seconds without a clock, and unlimited
    /// with one.
    pub max: Option<Duration>,
    /// The safety margin for the network, subtracted from every clock.
    pub margin: Duration,
}

/// The time for a move as last reported by the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ThinkTime {
    server_time: ServerTime,
    received_at: Timestamp,
    max: Option<Duration>,
    margin: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ServerTime {
    /// No clock: the time limit, if there is one.
    Free(Option<Duration>),
    /// The first move, which costs no time but must be made within this limit.
    First(Duration),
    /// The clocks of all players still in, and the free time left before the own clock runs.
    Clocks { clocks: Vec<(Color, PlayerClock)>, own: Color, free: Duration },
}

impl ThinkTime {
    /// Returns the time for a move of `own`, who is to move.
    pub(crate) fn new(
        state: &StateView,
        time: &TimeSetting,
        own: Color,
        settings: &ThinkTimeSettings,
        received_at: Timestamp,
    ) -> Self {
        let ms = Duration::from_millis;
        let increment = match *time {
            TimeSetting::Fischer { increment_ms, .. } => Some(increment_ms),
            // Unused delay is lost, but for planning each later move still adds as much.
            TimeSetting::Delay { delay_ms, .. } => Some(delay_ms),
            TimeSetting::None | TimeSetting::Correspondence { .. } => None,
        };
        let server_time = match (&state.clock, increment) {
            (Some(ClockView { first_move: true, delay_left_ms, .. }), Some(_)) => {
                ServerTime::First(ms(*delay_left_ms))
            }
            (Some(clock), Some(increment)) => {
                let player_clock = |color: &Color| {
                    let left = ms(clock.left_ms.get(color).copied().unwrap_or_default());
                    (*color, PlayerClock { left, increment: ms(increment) })
                };
                let clocks = state.active_players.iter().map(player_clock).collect();
                ServerTime::Clocks { clocks, own, free: ms(clock.delay_left_ms) }
            }
            (Some(clock), None) => ServerTime::Free(clock.left_ms.get(&own).copied().map(ms)),
            (None, _) => ServerTime::Free(state.move_left_ms.map(ms)),
        };
        Self { server_time, received_at, max: settings.max, margin: settings.margin }
    }

    /// Returns the limits of a search that starts at `now`.
    pub(crate) fn go(&self, now: Timestamp) -> Go {
        let elapsed = now.since(self.received_at) + self.margin;
        let default_time = self.max.unwrap_or(DEFAULT_THINK_TIME);
        match &self.server_time {
            ServerTime::Free(limit) => {
                within(default_time, limit.map(|limit| limit.saturating_sub(elapsed).max(MIN_TIME)))
            }
            ServerTime::First(limit) => {
                within(default_time, Some((limit.saturating_sub(elapsed) / FIRST_MOVE_DIVISOR).max(MIN_TIME)))
            }
            ServerTime::Clocks { clocks, own, free } => {
                let mut clocks = clocks.clone();
                let mut left = MIN_TIME;
                for (_, player_clock) in clocks.iter_mut().filter(|(color, _)| color == own) {
                    player_clock.left = (player_clock.left + *free).saturating_sub(elapsed).max(MIN_TIME);
                    left = player_clock.left;
                }
                let timeout = self.max.map_or(left, |max| max.min(left));
                Go { time: Time::Clocks(clocks), timeout }
            }
        }
    }
}

/// Returns the limits of a fixed time, capped by `limit`.
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
            reserves: BTreeMap::new(),
            clock,
            requests: Vec::new(),
            can_claim_draw: false,
            move_left_ms,
            suspension: None,
            outcome: None,
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
        let clocks = |own| {
            let player_clock = |left| PlayerClock { left: ms(left), increment: ms(2_000) };
            Time::Clocks(vec![(Color::Red, player_clock(own)), (Color::Yellow, player_clock(50_000))])
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
        let free = |limit, max| go(&state(None, limit), &TimeSetting::None, max, 0);
        assert_eq!(free(None, None), Go::within(ms(3_000)));
        assert_eq!(free(Some(300_000), Some(700)), Go::within(ms(700)));
        assert_eq!(
            free(Some(10_100), Some(60_000)),
            Go { time: Time::Move(ms(10_000)), timeout: ms(10_000) }
        );
        let days = TimeSetting::Correspondence { days: 3 };
        assert_eq!(go(&state(clock(86_400_000, 0, false), None), &days, None, 0), Go::within(ms(3_000)));
    }
}
