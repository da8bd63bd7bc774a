//! How long the engine may take for a move.

use std::time::Duration;

use quadrex_driver::{Go, Hand, Time};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{ClockView, StateView};
use quadrex_rules::{Color, Timestamp};

/// How long it takes where nothing presses, if nobody has said.
const UNPRESSED: Duration = Duration::from_secs(3);

/// No search is shorter: less time is as good as none.
const LEAST: Duration = Duration::from_millis(10);

/// The part of the time for a first move that is taken at most: others wait.
const PART_OF_FIRST: u32 = 3;

/// What the user says about time.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Pace {
    /// Maximum thinking time per move in milliseconds [default: 3000 without a clock, unlimited with one]
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Safety margin in milliseconds, kept on every clock for the network
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u64,
}

/// What the server said about the time for a move, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    told: Told,
    seen: Timestamp,
    think: Option<Duration>,
    margin: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    /// No clock: at most so long, if anything is said at all.
    Free(Option<Duration>),
    /// The first move costs nothing, and must come within so long.
    First(Duration),
    /// Clocks of all who are in, and what is left of the free time before the own one goes down.
    Clocks { hands: Vec<(Color, Hand)>, own: Color, free: Duration },
}

impl Allowance {
    /// Of `own`, who is to move.
    pub(super) fn new(
        state: &StateView,
        time: &TimeSetting,
        own: Color,
        pace: &Pace,
        seen: Timestamp,
    ) -> Self {
        let ms = Duration::from_millis;
        let increment = match *time {
            TimeSetting::Fischer { increment_ms, .. } => Some(increment_ms),
            // What is not used of a delay is lost; for who plans, each move still has as much more.
            TimeSetting::Delay { delay_ms, .. } => Some(delay_ms),
            TimeSetting::None | TimeSetting::Correspondence { .. } => None,
        };
        let told = match (&state.clock, increment) {
            (Some(ClockView { first_move: true, free_ms, .. }), Some(_)) => Told::First(ms(*free_ms)),
            (Some(clock), Some(increment)) => {
                let hand = |color: &Color| {
                    let left = ms(clock.left_ms.get(color).copied().unwrap_or_default());
                    (*color, Hand { left, increment: ms(increment) })
                };
                let hands = state.players_in.iter().map(hand).collect();
                Told::Clocks { hands, own, free: ms(clock.free_ms) }
            }
            (Some(clock), None) => Told::Free(clock.left_ms.get(&own).copied().map(ms)),
            (None, _) => Told::Free(state.limit_ms.map(ms)),
        };
        Self { told, seen, think: pace.think.map(ms), margin: ms(pace.margin) }
    }

    /// What the engine is told at `now`.
    pub(super) fn go(&self, now: Timestamp) -> Go {
        let gone = now.since(self.seen) + self.margin;
        let unpressed = self.think.unwrap_or(UNPRESSED);
        match &self.told {
            Told::Free(limit) => within(unpressed, limit.map(|limit| limit.saturating_sub(gone).max(LEAST))),
            Told::First(limit) => {
                within(unpressed, Some((limit.saturating_sub(gone) / PART_OF_FIRST).max(LEAST)))
            }
            Told::Clocks { hands, own, free } => {
                let mut hands = hands.clone();
                let mut left = LEAST;
                for (_, hand) in hands.iter_mut().filter(|(color, _)| color == own) {
                    hand.left = (hand.left + *free).saturating_sub(gone).max(LEAST);
                    left = hand.left;
                }
                let most = self.think.map_or(left, |think| think.min(left));
                Go { time: Time::Clocks(hands), most }
            }
        }
    }
}

/// So long, never beyond the limit.
fn within(time: Duration, limit: Option<Duration>) -> Go {
    let go = Go::within(limit.map_or(time, |limit| time.min(limit)));
    Go { most: limit.map_or(go.most, |limit| go.most.min(limit)), ..go }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quadrex_protocol::view::Phase;

    use super::*;

    const SEEN: Timestamp = Timestamp::from_millis(1_000_000);
    const FISCHER: TimeSetting = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 2_000 };

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn state(clock: Option<ClockView>, limit_ms: Option<u64>) -> StateView {
        StateView {
            phase: Phase::Running,
            turn: Some(Color::Red),
            players_in: vec![Color::Red, Color::Yellow],
            eliminated: Vec::new(),
            checks: Vec::new(),
            reserves: BTreeMap::new(),
            clock,
            requests: Vec::new(),
            claimable: false,
            limit_ms,
            frozen: None,
            outcome: None,
            aborted: None,
            rematch: None,
            closed: false,
        }
    }

    fn clock(left_ms: u64, free_ms: u64, first_move: bool) -> Option<ClockView> {
        let left_ms = [(Color::Red, left_ms), (Color::Blue, 1), (Color::Yellow, 50_000)].into();
        Some(ClockView { left_ms, running: Some(Color::Red), free_ms, first_move })
    }

    fn go(state: &StateView, time: &TimeSetting, think: Option<u64>, later: u64) -> Go {
        let pace = Pace { think, margin: 100 };
        Allowance::new(state, time, Color::Red, &pace, SEEN).go(SEEN + ms(later))
    }

    #[test]
    fn clocks_are_told_of_all_who_are_in_and_the_own_one_less_what_has_gone() {
        let hands = |own| {
            let hand = |left| Hand { left: ms(left), increment: ms(2_000) };
            Time::Clocks(vec![(Color::Red, hand(own)), (Color::Yellow, hand(50_000))])
        };
        let state = state(clock(40_000, 0, false), None);
        assert_eq!(go(&state, &FISCHER, None, 900), Go { time: hands(39_000), most: ms(39_000) });
        assert_eq!(go(&state, &FISCHER, Some(500), 900), Go { time: hands(39_000), most: ms(500) });
        assert_eq!(go(&state, &FISCHER, None, 100_000), Go { time: hands(10), most: ms(10) });
    }

    #[test]
    fn what_is_free_of_a_delay_can_be_used() {
        let delay = TimeSetting::Delay { base_ms: 60_000, delay_ms: 5_000 };
        let Go { time, most } = go(&state(clock(1_000, 4_000, false), None), &delay, None, 900);
        assert_eq!(most, ms(4_000));
        let Time::Clocks(hands) = time else { panic!("{time:?}") };
        assert_eq!(hands[0].1, Hand { left: ms(4_000), increment: ms(5_000) });
    }

    #[test]
    fn a_first_move_comes_long_before_the_match_is_aborted() {
        let first = |think| go(&state(clock(60_000, 30_000, true), None), &FISCHER, think, 0);
        assert_eq!(first(None).time, Time::Move(ms(3_000)));
        assert!(first(Some(60_000)).most < ms(10_000), "{:?}", first(Some(60_000)));
    }

    #[test]
    fn without_a_clock_it_takes_what_was_said_but_never_beyond_the_limit() {
        let free = |limit, think| go(&state(None, limit), &TimeSetting::None, think, 0);
        assert_eq!(free(None, None), Go::within(ms(3_000)));
        assert_eq!(free(Some(300_000), Some(700)), Go::within(ms(700)));
        assert_eq!(free(Some(10_100), Some(60_000)), Go { time: Time::Move(ms(10_000)), most: ms(10_000) });
        let days = TimeSetting::Correspondence { days: 3 };
        assert_eq!(go(&state(clock(86_400_000, 0, false), None), &days, None, 0), Go::within(ms(3_000)));
    }
}
