//! Time management: how long to search for a move.

use std::time::Duration;

use crate::request::Limits;

/// A player's clock at the start of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time left.
    pub left: Duration,
    /// The time added after each own move.
    pub increment: Duration,
    /// Free time at the start of each own turn; what is not used of it is lost.
    pub delay: Duration,
    /// Own moves until the next time control, this one included; `None` if there is none. 0 means
    /// 1.
    pub moves_to_go: Option<u32>,
    /// The number of players left.
    pub players: usize,
    /// The most time that a move costs beyond the search, such as the way to the server and back.
    pub overhead: Duration,
}

/// Own moves that the time is divided by, with two players and no next time control. Each move
/// counts them anew, so that a longer game has less time for each move, never none.
const MOVES_WITH_TWO: u32 = 35;

/// The same with more players, whose games are shorter for each of them.
const MOVES_WITH_MORE: u32 = 25;

/// Own moves whose overhead is reserved without a next time control, so that a game longer than
/// expected is not lost on time.
const RESERVED_MOVES: u32 = 80;

/// The hard limit as a multiple of the average time.
const HARD_FACTOR: u32 = 4;

/// The least time of a search, which has to find a move even without any time left.
const LEAST: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// Returns the time limits of a move: `soft` if all moves take equally long, `hard` such that
    /// enough is left for the others in any case. `soft` is at most `hard`; `hard` and the overhead
    /// together are at most the time there is, if that is at least a millisecond more than the
    /// overhead.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let moves = self.moves();
        let income = self.increment.saturating_add(self.delay);
        let average = (self.left.saturating_add(self.increment.saturating_mul(moves - 1)) / moves)
            .saturating_add(self.delay)
            .saturating_sub(self.overhead);
        // Moves that cost more than their increment, even if played at once, are reserved for
        // first.
        let ahead = self.moves_to_go.map_or(RESERVED_MOVES, |moves| moves.clamp(1, RESERVED_MOVES) - 1);
        let owed = self.overhead.saturating_add(LEAST).saturating_sub(income).saturating_mul(ahead);
        let at_hand = self.left.saturating_add(self.delay).saturating_sub(self.overhead);
        let spare = at_hand.saturating_sub(owed);
        let spare = if moves == 1 { spare - spare / 10 } else { self.delay.min(spare).max(spare / 2) };
        let hard = average.saturating_mul(HARD_FACTOR).min(spare).max(LEAST);
        Limits { soft: Some(average.clamp(LEAST, hard)), hard: Some(hard), ..Limits::default() }
    }

    /// Returns the number of own moves that the time has to suffice for.
    fn moves(&self) -> u32 {
        let expected = if self.players > 2 { MOVES_WITH_MORE } else { MOVES_WITH_TWO };
        self.moves_to_go.map_or(expected, |moves| moves.clamp(1, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(left_ms: u32, increment_ms: u32) -> TimeBudget {
        let (left, increment) = (left_ms * MS, increment_ms * MS);
        TimeBudget {
            left,
            increment,
            delay: Duration::ZERO,
            moves_to_go: None,
            players: 2,
            overhead: 10 * MS,
        }
    }

    fn times(clock: TimeBudget) -> (Duration, Duration) {
        let Limits { depth: None, nodes: None, mate: None, soft: Some(soft), hard: Some(hard) } =
            clock.limits()
        else {
            panic!("times alone limit the search");
        };
        (soft, hard)
    }

    #[test]
    fn the_budget_is_shared_out_among_the_moves_expected() {
        let (soft, hard) = times(clock(350_000, 0));
        assert_eq!((soft, hard), (9_990 * MS, 39_960 * MS));
        let (with_increment, _) = times(clock(350_000, 7_000));
        assert_eq!(with_increment, soft + 6_800 * MS);
        let (of_four, _) = times(TimeBudget { players: 4, ..clock(350_000, 0) });
        assert_eq!(of_four, 13_990 * MS);
        assert_eq!(times(TimeBudget { players: 3, ..clock(350_000, 0) }).0, of_four);
    }

    #[test]
    fn moves_to_go_share_the_budget_and_the_last_keeps_a_tenth() {
        let to_go = |moves| times(TimeBudget { moves_to_go: Some(moves), ..clock(60_000, 0) });
        assert_eq!(to_go(10).0, 5_990 * MS);
        assert_eq!(to_go(1), (53_991 * MS, 53_991 * MS));
        assert_eq!(to_go(0), to_go(1));
        assert_eq!(to_go(1_000), times(clock(60_000, 0)));
    }

    /// A delay is free: it is all used, and it is used even with an empty budget.
    #[test]
    fn a_delay_comes_on_top() {
        let delayed = |left_ms| times(TimeBudget { delay: 5_000 * MS, ..clock(left_ms, 0) });
        assert_eq!(delayed(350_000).0, times(clock(350_000, 0)).0 + 5_000 * MS);
        assert_eq!(delayed(0), (4_990 * MS, 4_990 * MS));
    }

    #[test]
    fn next_to_nothing_is_left_for_next_to_nothing() {
        for left_ms in 0..=10 {
            assert_eq!(times(clock(left_ms, 0)), (MS, MS));
        }
        let (soft, hard) = times(clock(1_000, 10_000));
        assert_eq!((soft, hard), (495 * MS, 495 * MS), "an increment to come is not there yet");
        let endless = TimeBudget { left: Duration::MAX, increment: Duration::MAX, ..clock(0, 0) };
        assert!(times(endless).0 > Duration::from_secs(1_000_000));
    }

    /// Numbers that look random (Steele, Lea, Flood, "Fast splittable pseudorandom number
    /// generators", 2014).
    fn below(state: &mut u64, bound: u32) -> u32 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed >> 33) % u64::from(bound)).unwrap()
    }

    /// Games of 150 own moves, of which every fourth takes all it may, the others up to half as
    /// much again as they have on average, and between nothing and the whole overhead beyond;
    /// clocks of every kind, from five seconds on.
    #[test]
    fn no_game_is_lost_on_time() {
        let mut state = 1;
        for game in 0..20_000 {
            let mut clock = TimeBudget {
                left: (5_000 + below(&mut state, 300_000)) * MS,
                increment: below(&mut state, 4) * below(&mut state, 2_000) * MS,
                delay: below(&mut state, 2) * below(&mut state, 5_000) * MS,
                moves_to_go: None,
                players: 2 + below(&mut state, 3) as usize,
                overhead: below(&mut state, 12) * MS,
            };
            let period = [None, Some(1), Some(12), Some(40)][below(&mut state, 4) as usize];
            let budget = clock.left;
            for number in 0..150 {
                clock.moves_to_go = period.map(|period| period - number % period);
                let (soft, hard) = times(clock);
                assert!(soft <= hard, "{clock:?}");
                let usual = hard.min(soft * below(&mut state, 151) / 100);
                let thought = if below(&mut state, 4) == 0 { hard } else { usual };
                let late = clock.overhead * below(&mut state, 101) / 100;
                let charged = (thought + late).saturating_sub(clock.delay);
                let left = clock.left.checked_sub(charged);
                clock.left = left.unwrap_or_else(|| panic!("game {game}, move {number}: {clock:?}"));
                clock.left += clock.increment;
                if clock.moves_to_go == Some(1) {
                    clock.left += budget;
                }
            }
        }
    }

    /// Every move takes all it may, for as many moves as the budget is made to last.
    #[test]
    fn the_worst_game_lasts_as_long_as_expected() {
        for (left_ms, increment_ms, overhead_ms) in
            [(1_000, 0, 10), (3_000, 0, 30), (500, 20, 30), (60_000, 0, 100)]
        {
            let mut clock = TimeBudget { overhead: overhead_ms * MS, ..clock(left_ms, increment_ms) };
            for number in 0..MOVES_WITH_TWO {
                let (_, hard) = times(clock);
                let left = clock.left.checked_sub(hard + clock.overhead);
                clock.left = left.unwrap_or_else(|| panic!("move {number}: {clock:?}")) + clock.increment;
            }
        }
    }
}
