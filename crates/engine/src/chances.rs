//! What a score says about who comes first.

use quadrex_rules::{AnyPosition, Color};

use crate::evaluation::{SCALE, even_odds};
use crate::report::{Line, Score};

/// What all chances together come to.
const WHOLE: u32 = 1_000;

impl Line {
    /// Each player's chance to come first if play goes along this line of `position`, in thousandths that sum up to 1000; of
    /// two players, to win, where a draw is half a win. Who is out has none.
    ///
    /// Between two it follows from the score. Among more it follows from what the line is worth to each, best after
    /// [`weigh`](crate::Engine::weigh): the score is that of one whom all others play against, and no measure of what they will do.
    #[must_use]
    pub fn chances(&self, position: &AnyPosition) -> Vec<(Color, u32)> {
        let turn = position.turn();
        let is_between_two = position.players_in().count() == 2;
        let share = |color: Color| match self.score {
            _ if !position.is_in(color) => 0.0,
            Score::Mate(moves) if moves > 0 => f64::from(u8::from(color == turn)),
            Score::Mate(_) if is_between_two => f64::from(u8::from(color != turn)),
            Score::Points(points) if is_between_two => of_odds(if color == turn { points } else { -points }),
            Score::Points(_) | Score::Mate(_) => self.worth_to(color).map_or(0.0, of_odds),
        };
        let colors = position.variant().colors();
        let shares: Vec<f64> = colors.iter().map(|&color| share(color)).collect();
        colors.iter().copied().zip(in_thousandths(&shares)).collect()
    }

    /// What the line is worth to one of more than two players, as the logarithm of its odds against all others.
    fn worth_to(&self, color: Color) -> Option<i32> {
        let even = even_odds(self.seats.len());
        self.seats.iter().find(|(seat, _)| *seat == color).map(|(_, stands)| stands + even)
    }
}

/// The chance that odds stand for.
fn of_odds(points: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(points) / f64::from(SCALE)).exp())
}

/// Parts of 1000 as the shares are to each other; what rounding leaves over goes to the largest remainders.
fn in_thousandths(shares: &[f64]) -> Vec<u32> {
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| share / sum * f64::from(WHOLE)).collect();
    let mut parts: Vec<u32> = exact.iter().map(|part| part.floor() as u32).collect();
    let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
    by_remainder.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let left = WHOLE.saturating_sub(parts.iter().sum());
    by_remainder.into_iter().take(left as usize).for_each(|index| parts[index] += 1);
    parts
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{Setup, Variant};

    use super::*;

    const EVEN: [(Color, i32); 4] =
        [(Color::Red, 0), (Color::Blue, 0), (Color::Yellow, 0), (Color::Green, 0)];

    fn chances(variant: Variant, score: Score, seats: &[(Color, i32)]) -> Vec<u32> {
        let position = AnyPosition::new(&Setup::start(variant)).unwrap();
        let line = Line { score, seats: seats.to_vec(), moves: Vec::new() };
        let chances = line.chances(&position);
        assert_eq!(chances.iter().map(|(_, chance)| chance).sum::<u32>(), WHOLE, "{chances:?}");
        assert!(chances.iter().map(|(color, _)| color).eq(variant.colors()), "{chances:?}");
        chances.into_iter().map(|(_, chance)| chance).collect()
    }

    #[test]
    fn of_two_players_the_one_to_move_has_what_the_score_says() {
        assert_eq!(chances(Variant::Classic, Score::Points(0), &[]), [500, 500]);
        assert_eq!(chances(Variant::Classic, Score::Mate(3), &[]), [1000, 0]);
        assert_eq!(chances(Variant::Classic, Score::Mate(-3), &[]), [0, 1000]);
        let better = chances(Variant::Classic, Score::Points(SCALE), &[]);
        assert_eq!(better, [731, 269], "odds of e to one");
    }

    #[test]
    fn of_four_players_each_has_what_the_end_of_the_line_is_worth_to_it() {
        // Against three who are as good the odds are one to three.
        assert_eq!(chances(Variant::Dilkel, Score::Points(-264), &EVEN), [250, 250, 250, 250]);
        let seats = [(Color::Red, 100), (Color::Yellow, -100)];
        let [red, blue, yellow, green] = chances(Variant::Dilkel, Score::Points(-900), &seats)[..] else {
            panic!("four play");
        };
        assert!(red > 500 && yellow < 500 && blue == 0 && green == 0, "{red} {yellow}");
    }

    #[test]
    fn of_four_players_a_mate_for_the_mover_is_certain_and_one_that_all_force_on_it_is_not() {
        assert_eq!(chances(Variant::Dilkel, Score::Mate(2), &[(Color::Red, 5)]), [1000, 0, 0, 0]);
        assert_eq!(chances(Variant::Dilkel, Score::Mate(-2), &EVEN), [250, 250, 250, 250]);
        assert_eq!(chances(Variant::Dilkel, Score::Mate(-2), &EVEN[1..])[0], 0);
    }
}
