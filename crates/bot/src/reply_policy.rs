//! The bot's replies to requests of other players.

use clap::ValueEnum;
use quadrex_driver::accepts_draw;
use quadrex_protocol::RequestAction;
use quadrex_rules::{Game, Request};

/// The policy by which the bot answers requests.
#[derive(Clone, Copy, Debug)]
pub struct ReplyPolicy {
    /// The policy for draw offers.
    pub draws: Draws,
    /// The policy for takeback requests.
    pub takebacks: Takebacks,
    /// The policy for rematches.
    pub rematches: Rematches,
}

/// The answers to draw offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Draws {
    /// Accepts if the engine is losing, or if it has no advantage after twenty moves of each
    /// player.
    Judge,
    /// Accepts every offer.
    Accept,
    /// Declines every offer.
    Decline,
}

/// The answers to takeback requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Takebacks {
    /// Accepts every request.
    Accept,
    /// Declines every request.
    Decline,
}

/// The actions after a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Rematches {
    /// Accepts a rematch that an opponent requests.
    Accept,
    /// Leaves the table.
    Decline,
    /// Asks for a rematch itself.
    Ask,
}

impl ReplyPolicy {
    /// Returns the answer to a request. `score` is the engine's last score, in centipawns.
    pub(crate) fn reply(&self, request: Request, game: &Game, score: Option<i32>) -> RequestAction {
        let players = game.config().setup.variant.player_count();
        let accepts = match request {
            Request::Pause => true,
            Request::Takeback => self.takebacks == Takebacks::Accept,
            Request::Abort => game.moves().len() < players && game.eliminated().is_empty(),
            Request::Draw => match self.draws {
                Draws::Accept => true,
                Draws::Decline => false,
                Draws::Judge => accepts_draw(game, score),
            },
        };
        if accepts { RequestAction::Accept } else { RequestAction::Decline }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    #[test]
    fn a_draw_is_judged_by_score_unless_the_policy_decides() {
        let setup = Setup::start(Variant::Dilkel);
        let config = GameConfig { setup, draws: Default::default(), time: TimeControl::None };
        let game = Game::new(config, Timestamp::from_millis(0)).unwrap();
        let accepts = |draws, score| {
            let policy = ReplyPolicy { draws, takebacks: Takebacks::Decline, rematches: Rematches::Accept };
            policy.reply(Request::Draw, &game, score) == RequestAction::Accept
        };
        assert!(accepts(Draws::Accept, Some(900)) && !accepts(Draws::Decline, Some(-900)));
        assert!(accepts(Draws::Judge, Some(-300)), "it is lost");
        assert!(!accepts(Draws::Judge, Some(-100)) && !accepts(Draws::Judge, None), "it is early");
        let policy =
            ReplyPolicy { draws: Draws::Judge, takebacks: Takebacks::Decline, rematches: Rematches::Accept };
        assert_eq!(policy.reply(Request::Takeback, &game, None), RequestAction::Decline);
        assert_eq!(policy.reply(Request::Pause, &game, None), RequestAction::Accept);
        assert_eq!(policy.reply(Request::Abort, &game, None), RequestAction::Accept);
    }
}
