//! What a bot does about draws by what its engine thinks of its position: as worth, hundredths of a pawn.

use quadrex_rules::Game;

/// What a mate is worth beside points.
pub const MATE: i32 = 100_000;

/// Moves of its own after which a bot lets itself be talked into a draw that is fair.
const EARLY: usize = 20;

/// What its position must be worth to it for a draw at any time.
const LOST: i32 = -300;

/// Whether a bot takes an offered draw: when it is lost, or after twenty moves each if it stands no better. Who has not
/// looked yet does not.
#[must_use]
pub fn takes_draw(game: &Game, worth: Option<i32>) -> bool {
    let is_late = game.moves().len() >= EARLY * game.config().setup.variant.colors().len();
    worth.is_some_and(|worth| worth <= LOST || is_late && worth <= 0)
}

/// Whether a bot claims a draw that is there: unless it stands better, and then too if bots alone would play on for ever.
#[must_use]
pub fn claims_draw(is_among_bots: bool, worth: Option<i32>) -> bool {
    is_among_bots || worth.is_none_or(|worth| worth <= 0)
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameCommand, GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    /// A game of so many plies, each the first of the moves that do not end it.
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
    fn a_draw_is_taken_by_who_is_lost_and_after_twenty_moves_each_by_who_stands_no_better() {
        for (variant, late) in [(Variant::Classic, 40), (Variant::Dilkel, 80)] {
            let (early, late) = (game(variant, late - 1), game(variant, late));
            assert!(takes_draw(&early, Some(-300)) && takes_draw(&late, Some(-300)), "{variant}: it is lost");
            assert!(!takes_draw(&early, Some(-299)), "{variant}: it is early");
            assert!(takes_draw(&late, Some(0)) && !takes_draw(&late, Some(1)), "{variant}");
            assert!(!takes_draw(&early, None) && !takes_draw(&late, None), "{variant}: it has not looked");
        }
    }

    #[test]
    fn a_draw_that_is_there_is_claimed_unless_one_stands_better_than_people() {
        assert!(claims_draw(false, Some(0)) && claims_draw(false, None) && !claims_draw(false, Some(1)));
        assert!(claims_draw(true, Some(900)));
    }
}
