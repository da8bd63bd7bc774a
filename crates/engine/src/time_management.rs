//! Time management: the time limits of a move.

use std::time::Duration;

use crate::request::Limits;

/// A player's clock at the start of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The time left.
    pub left: Duration,
    /// The time added after each own move.
    pub increment: Duration,
    /// The free time at the start of each own turn. The unused rest is lost.
    pub delay: Duration,
    /// The number of own moves until the next time control, including the present move; `None` if
    /// there is no next time control. 0 means 1.
    pub moves_to_go: Option<u32>,
    /// The number of players left.
    pub players: usize,
    /// The greatest time that a move costs beyond the search, such as the way over the network.
    pub overhead: Duration,
}

/// The number of own moves among which the time is divided, with two players and without a next
/// time control. The number is the same at every move. In a long game the time for a move therefore
/// shrinks, but it never runs out.
const MOVES_OF_TWO_PLAYERS: u32 = 35;

/// The number of own moves among which the time is divided with more than two players. It is lower
/// than with two players, because each player makes fewer moves.
const MOVES_OF_MORE_PLAYERS: u32 = 25;

/// The number of own moves for which the overhead is reserved, without a next time control. The
/// reserve prevents a loss on time in a long game.
const RESERVED_MOVES: u32 = 80;

/// The hard limit as a multiple of the average time.
const HARD_FACTOR: u32 = 4;

/// The minimum time of a search. A move has to be found even without any time left.
const MINIMUM_TIME: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// Returns the time limits of a move. `soft` is the share of one move in the remaining time.
    /// `hard` leaves enough time for the later moves.
    ///
    /// `soft` is at most `hard`. `hard` and the overhead together are at most the remaining time,
    /// unless less time remains than the overhead and a millisecond.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let moves = self.expected_moves();
        let gain_per_move = self.increment.saturating_add(self.delay);
        let average = (self.left.saturating_add(self.increment.saturating_mul(moves - 1)) / moves)
            .saturating_add(self.delay)
            .saturating_sub(self.overhead);
        // Even a move without a search may cost more time than its increment. This time is reserved
        // for the later moves.
        let later_moves = self.moves_to_go.map_or(RESERVED_MOVES, |moves| moves.clamp(1, RESERVED_MOVES) - 1);
        let reserved = self
            .overhead
            .saturating_add(MINIMUM_TIME)
            .saturating_sub(gain_per_move)
            .saturating_mul(later_moves);
        let available = self.left.saturating_add(self.delay).saturating_sub(self.overhead);
        let spare_time = available.saturating_sub(reserved);
        let spare_time = if moves == 1 {
            spare_time - spare_time / 10
        } else {
            self.delay.min(spare_time).max(spare_time / 2)
        };
        let hard = average.saturating_mul(HARD_FACTOR).min(spare_time).max(MINIMUM_TIME);
        Limits { soft: Some(average.clamp(MINIMUM_TIME, hard)), hard: Some(hard), ..Limits::default() }
    }

    /// Returns the number of own moves that share the remaining time.
    fn expected_moves(&self) -> u32 {
        let usual = if self.players > 2 { MOVES_OF_MORE_PLAYERS } else { MOVES_OF_TWO_PLAYERS };
        self.moves_to_go.map_or(usual, |moves| moves.clamp(1, usual))
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

    /// The whole delay is used, even with an empty budget, because it costs no time of the budget.
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

    /// Returns a pseudorandom number below `bound` (Steele, Lea, Flood, "Fast splittable
    /// pseudorandom number generators", 2014).
    fn below(state: &mut u64, bound: u32) -> u32 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed >> 33) % u64::from(bound)).unwrap()
    }

    /// Games of 150 own moves with clocks of every kind, from five seconds on. Every fourth move
    /// uses its hard limit, and the others use up to 1.5 times their soft limit. Each move also
    /// costs a random part of the overhead.
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

    /// Every move uses its hard limit, for as many moves as the budget is meant to last.
    #[test]
    fn the_worst_game_lasts_as_long_as_expected() {
        for (left_ms, increment_ms, overhead_ms) in
            [(1_000, 0, 10), (3_000, 0, 30), (500, 20, 30), (60_000, 0, 100)]
        {
            let mut clock = TimeBudget { overhead: overhead_ms * MS, ..clock(left_ms, increment_ms) };
            for number in 0..MOVES_OF_TWO_PLAYERS {
                let (_, hard) = times(clock);
                let left = clock.left.checked_sub(hard + clock.overhead);
                clock.left = left.unwrap_or_else(|| panic!("move {number}: {clock:?}")) + clock.increment;
            }
        }
    }
}
