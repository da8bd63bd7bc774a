//! A bot's draw policy. It depends on the engine's score of the position, in hundredths of a pawn.

use quadrex_rules::Game;

/// The score of a mate.
pub const MATE: i32 = 100_000;

/// The number of moves of each player after which a bot accepts a draw in an even position.
const EVEN_DRAW_AFTER_MOVES: usize = 20;

/// The score at or below which a bot accepts a draw at any time.
const LOST: i32 = -300;

/// Returns true if a bot accepts a draw offer. The bot accepts if it is losing, or if it has no
/// advantage after twenty moves of each player. A bot that has not searched yet (`score` is `None`)
/// declines.
#[must_use]
pub fn accepts_draw(game: &Game, score: Option<i32>) -> bool {
    let is_late = game.moves().len() >= EVEN_DRAW_AFTER_MOVES * game.config().setup.variant.player_count();
    score.is_some_and(|score| score <= LOST || is_late && score <= 0)
}

/// Returns true if a bot claims an available draw. A bot with an advantage does not claim the draw.
/// If only bots are left in the match, it claims the draw in any case, because such a match might
/// never end.
#[must_use]
pub fn claims_draw(only_bots_play: bool, score: Option<i32>) -> bool {
    only_bots_play || score.is_none_or(|score| score <= 0)
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameCommand, GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    /// Returns a game of `plies` plies. Each ply is the first legal move that does not end the
    /// game.
    fn game(variant: Variant, plies: usize) -> Game {
        let config =
            GameConfig { setup: Setup::start(variant), draws: Default::default(), time: TimeControl::None };
        let at = Timestamp::from_millis(0);
        let mut game = Game::new(config, at).unwrap();
        while game.moves().len() < plies {
            let color = game.position().turn();
            let next = game.position().legal_moves().into_iter().find_map(|mv| {
                let mut next = game.clone();
                let command = GameCommand::Move { color, mv, claim_draw: false };
                let events = next.decide(&command, at).unwrap();
                events.iter().for_each(|event| next.apply(event, at));
                (!next.is_over()).then_some(next)
            });
            game = next.unwrap();
        }
        game
    }

    #[test]
    fn a_bot_accepts_a_draw_if_lost_or_late_and_not_better() {
        for (variant, late) in [(Variant::Classic, 40), (Variant::Dilkel, 80)] {
            let (early, late) = (game(variant, late - 1), game(variant, late));
            assert!(
                accepts_draw(&early, Some(-300)) && accepts_draw(&late, Some(-300)),
                "{variant}: it is lost"
            );
            assert!(!accepts_draw(&early, Some(-299)), "{variant}: it is early");
            assert!(accepts_draw(&late, Some(0)) && !accepts_draw(&late, Some(1)), "{variant}");
            assert!(
                !accepts_draw(&early, None) && !accepts_draw(&late, None),
                "{variant}: it has not searched"
            );
        }
    }

    #[test]
    fn a_bot_claims_a_draw_unless_it_is_better_than_people() {
        assert!(claims_draw(false, Some(0)) && claims_draw(false, None) && !claims_draw(false, Some(1)));
        assert!(claims_draw(true, Some(900)));
    }
}
