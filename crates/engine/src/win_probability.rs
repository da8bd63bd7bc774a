//! Win probabilities from scores.

use quadrex_rules::{AnyPosition, Color};

use crate::evaluation::{ODDS_SCALE, even_score};
use crate::result::{Line, Score};

/// The sum of all probabilities.
const PER_MILLE: u32 = 1_000;

impl Line {
    /// Returns each player's probability of finishing first along this line of `position`, per
    /// mille. The sum is 1000. With two players a draw counts as half a win. Eliminated players
    /// have 0.
    ///
    /// With two players the probabilities follow from the score. With more players they follow from
    /// [`Line::seats`], since the score assumes that all opponents play against one player. The
    /// probabilities are most accurate after
    /// [`score_lines_max_n`](crate::Engine::score_lines_max_n).
    #[must_use]
    pub fn win_probabilities(&self, position: &AnyPosition) -> Vec<(Color, u32)> {
        let turn = position.turn();
        let has_two_players = position.active_players().count() == 2;
        let share = |color: Color| match self.score {
            _ if !position.is_playing(color) => 0.0,
            Score::Mate(moves) if moves > 0 => f64::from(u8::from(color == turn)),
            Score::Mate(_) if has_two_players => f64::from(u8::from(color != turn)),
            Score::Centipawns(points) if has_two_players => {
                from_log_odds(if color == turn { points } else { -points })
            }
            Score::Centipawns(_) | Score::Mate(_) => self.log_odds(color).map_or(0.0, from_log_odds),
        };
        let colors = position.variant().colors();
        let shares: Vec<f64> = colors.iter().map(|&color| share(color)).collect();
        colors.iter().copied().zip(per_mille(&shares)).collect()
    }

    /// Returns the logarithm of a player's odds against all other players, in centipawns, if there
    /// are more than two players.
    fn log_odds(&self, color: Color) -> Option<i32> {
        let even = even_score(self.seats.len());
        self.seats.iter().find(|(seat, _)| *seat == color).map(|(_, standing)| standing + even)
    }
}

/// Returns the probability for logarithmic odds in centipawns.
fn from_log_odds(points: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(points) / f64::from(ODDS_SCALE)).exp())
}

/// Scales shares to integers with a sum of 1000. The rest after rounding down goes to the shares
/// with the largest remainders.
fn per_mille(shares: &[f64]) -> Vec<u32> {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| share / sum * f64::from(PER_MILLE)).collect();
    let mut parts: Vec<u32> = exact.iter().map(|part| part.floor() as u32).collect();
    let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
    by_remainder.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let undistributed = PER_MILLE.saturating_sub(parts.iter().sum());
    by_remainder.into_iter().take(undistributed as usize).for_each(|index| parts[index] += 1);
    parts
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Setup, Variant};

    use super::*;

    const EVEN: [(Color, i32); 4] =
        [(Color::Red, 0), (Color::Blue, 0), (Color::Yellow, 0), (Color::Green, 0)];

    fn probabilities(variant: Variant, score: Score, seats: &[(Color, i32)]) -> Vec<u32> {
        let position = AnyPosition::new(&Setup::start(variant)).unwrap();
        let line = Line { score, seats: seats.to_vec(), moves: Vec::new() };
        let probabilities = line.win_probabilities(&position);
        assert_eq!(probabilities.iter().map(|(_, part)| part).sum::<u32>(), PER_MILLE, "{probabilities:?}");
        assert!(probabilities.iter().map(|(color, _)| color).eq(variant.colors()), "{probabilities:?}");
        probabilities.into_iter().map(|(_, part)| part).collect()
    }

    #[test]
    fn with_two_players_the_score_decides() {
        assert_eq!(probabilities(Variant::Classic, Score::Centipawns(0), &[]), [500, 500]);
        assert_eq!(probabilities(Variant::Classic, Score::Mate(3), &[]), [1000, 0]);
        assert_eq!(probabilities(Variant::Classic, Score::Mate(-3), &[]), [0, 1000]);
        let better = probabilities(Variant::Classic, Score::Centipawns(ODDS_SCALE), &[]);
        assert_eq!(better, [731, 269], "odds of e to one");
    }

    #[test]
    fn with_four_players_the_standings_decide() {
        // Against three equal players the odds are one to three.
        assert_eq!(probabilities(Variant::Dilkel, Score::Centipawns(-264), &EVEN), [250, 250, 250, 250]);
        let seats = [(Color::Red, 100), (Color::Yellow, -100)];
        let [red, blue, yellow, green] = probabilities(Variant::Dilkel, Score::Centipawns(-900), &seats)[..]
        else {
            panic!("four play");
        };
        assert!(red > 500 && yellow < 500 && blue == 0 && green == 0, "{red} {yellow}");
    }

    #[test]
    fn with_four_players_only_a_mate_by_the_mover_is_certain() {
        assert_eq!(probabilities(Variant::Dilkel, Score::Mate(2), &[(Color::Red, 5)]), [1000, 0, 0, 0]);
        assert_eq!(probabilities(Variant::Dilkel, Score::Mate(-2), &EVEN), [250, 250, 250, 250]);
        assert_eq!(probabilities(Variant::Dilkel, Score::Mate(-2), &EVEN[1..])[0], 0);
    }
}
