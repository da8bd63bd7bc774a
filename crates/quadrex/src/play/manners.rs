//! What the bot says when it is asked for something.

use clap::ValueEnum;
use quadrex_driver::takes_draw;
use quadrex_protocol::RequestAct;
use quadrex_rules::{Game, Request};

/// The bot's answers to requests.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Manners {
    /// Answer to draw offers.
    #[arg(long, value_enum, default_value_t = Draws::Judge, value_name = "ANSWER")]
    draws: Draws,
    /// Answer to takeback requests.
    #[arg(long, value_enum, default_value_t = Takebacks::Accept, value_name = "ANSWER")]
    takebacks: Takebacks,
    /// Action after a match, and answer to rematch requests.
    #[arg(long, value_enum, default_value_t = Rematches::Accept, value_name = "ANSWER")]
    pub(super) rematches: Rematches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Draws {
    /// Accepts when the engine is losing, or is no better after twenty moves of each player.
    Judge,
    /// Accepts every offer.
    Accept,
    /// Declines every offer.
    Decline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Takebacks {
    /// Accepts every request.
    Accept,
    /// Declines every request.
    Decline,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rematches {
    /// Accepts a rematch that an opponent asks for.
    Accept,
    /// Leaves the table.
    Decline,
    /// Asks for a rematch itself.
    Ask,
}

impl Manners {
    /// The answer to a request, when the engine last thought that it stood like this.
    pub(super) fn answer(&self, request: Request, game: &Game, worth: Option<i32>) -> RequestAct {
        let players = game.config().setup.variant.colors().len();
        let is_given = match request {
            Request::Pause => true,
            Request::Takeback => self.takebacks == Takebacks::Accept,
            Request::Abort => game.moves().len() < players && game.eliminated().is_empty(),
            Request::Draw => match self.draws {
                Draws::Accept => true,
                Draws::Decline => false,
                Draws::Judge => takes_draw(game, worth),
            },
        };
        if is_given { RequestAct::Accept } else { RequestAct::Decline }
    }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    #[test]
    fn a_draw_is_a_matter_of_judgement_or_of_what_was_said() {
        let setup = Setup::start(Variant::Dilkel);
        let config = GameConfig { setup, draws: Default::default(), time: TimeControl::None };
        let game = Game::new(config, Timestamp::from_millis(0)).unwrap();
        let says = |draws, worth| {
            let manners = Manners { draws, takebacks: Takebacks::Decline, rematches: Rematches::Accept };
            manners.answer(Request::Draw, &game, worth) == RequestAct::Accept
        };
        assert!(says(Draws::Accept, Some(900)) && !says(Draws::Decline, Some(-900)));
        assert!(says(Draws::Judge, Some(-300)), "it is lost");
        assert!(!says(Draws::Judge, Some(-100)) && !says(Draws::Judge, None), "it is early");
        let manners =
            Manners { draws: Draws::Judge, takebacks: Takebacks::Decline, rematches: Rematches::Accept };
        assert_eq!(manners.answer(Request::Takeback, &game, None), RequestAct::Decline);
        assert_eq!(manners.answer(Request::Pause, &game, None), RequestAct::Accept);
        assert_eq!(manners.answer(Request::Abort, &game, None), RequestAct::Accept);
    }
}
