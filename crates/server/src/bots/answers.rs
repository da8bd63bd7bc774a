//! A bot's answers to requests of other players.

use quadrex_driver::{MATE, accepts_draw};
use quadrex_engine::{Line, Score};
use quadrex_protocol::RequestAction;
use quadrex_rules::{Color, Game, Request};

/// Returns the evaluation of a position for `color`, in centipawns. `line` is the best line of a
/// search for the move of this player. A draw is worth zero.
///
/// With four players, the score of a line measures one player against the three others together,
/// and cannot be compared with a draw. The evaluation is therefore the line's value for the
/// player's own seat.
pub(super) fn evaluation(line: &Line, color: Color) -> i32 {
    let own_seat = line.seats.iter().find(|(seat, _)| *seat == color);
    match line.score {
        Score::Centipawns(points) => own_seat.map_or(points, |(_, value)| *value),
        Score::Mate(moves) if moves > 0 => MATE - moves,
        Score::Mate(moves) => -MATE - moves,
    }
}

/// Returns the answer of a bot to a request. `evaluation` is the bot's latest evaluation, in
/// centipawns.
pub(super) fn answer(request: Request, game: &Game, evaluation: Option<i32>) -> RequestAction {
    let players = game.config().setup.variant.player_count();
    let has_begun = game.moves().len() >= players;
    let is_accepted = match request {
        Request::Pause | Request::Takeback => true,
        Request::Abort => !has_begun && game.eliminated().is_empty(),
        Request::Draw => accepts_draw(game, evaluation),
    };
    if is_accepted { RequestAction::Accept } else { RequestAction::Decline }
}

#[cfg(test)]
mod tests {
    use quadrex_rules::{GameCommand, GameConfig, Setup, TimeControl, Timestamp, Variant};

    use super::*;

    /// Returns a game in which knights have moved out and back for some plies.
    fn game(plies: usize) -> Game {
        let config = GameConfig {
            setup: Setup::start(Variant::Classic),
            draws: Default::default(),
            time: TimeControl::None,
        };
        let at = Timestamp::from_millis(0);
        let mut game = Game::new(config, at).unwrap();
        let lines = ["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1", "c6b8", "a2a3", "a7a6"];
        for ply in 0..plies {
            let mut next_moves = lines.iter().cycle().skip(ply).map(|text| text.parse().unwrap());
            let mv = next_moves.find(|mv| game.position().is_legal(*mv)).unwrap();
            let command = GameCommand::Move { color: game.position().turn(), mv, claim_draw: false };
            let events = game.decide(&command, at).unwrap();
            events.iter().for_each(|event| game.apply(event, at));
        }
        game
    }

    #[test]
    fn a_bot_accepts_pauses_and_takebacks() {
        for request in [Request::Pause, Request::Takeback] {
            assert_eq!(answer(request, &game(3), Some(500)), RequestAction::Accept);
        }
    }

    #[test]
    fn a_bot_accepts_an_abort_before_everybody_has_moved() {
        assert_eq!(answer(Request::Abort, &game(1), None), RequestAction::Accept);
        assert_eq!(answer(Request::Abort, &game(2), None), RequestAction::Decline);
    }

    #[test]
    fn a_bot_accepts_a_draw_by_its_evaluation() {
        let draw = |worth| answer(Request::Draw, &game(4), worth) == RequestAction::Accept;
        assert!(draw(Some(-400)) && !draw(Some(-50)) && !draw(None));
    }

    #[test]
    fn a_mate_outweighs_all_points_and_a_near_mate_a_distant_one() {
        let of_score =
            |score| evaluation(&Line { score, seats: Vec::new(), moves: Vec::new() }, Color::White);
        assert!(of_score(Score::Mate(1)) > of_score(Score::Mate(5)));
        assert!(of_score(Score::Mate(5)) > of_score(Score::Centipawns(9_000)));
        assert!(of_score(Score::Mate(0)) < of_score(Score::Mate(-3)));
        assert!(of_score(Score::Mate(-3)) < of_score(Score::Centipawns(-9_000)));
    }

    #[test]
    fn with_four_players_a_bot_compares_itself_with_an_equal_position() {
        let seats = [(Color::Red, 384), (Color::Blue, 0), (Color::Yellow, 0), (Color::Green, -636)];
        let line = Line { score: Score::Centipawns(-900), seats: seats.to_vec(), moves: Vec::new() };
        assert!(evaluation(&line, Color::Red) > 300);
        assert_eq!(evaluation(&line, Color::Blue), 0);
        assert!(evaluation(&line, Color::Green) < -300);
        let line = Line { seats: vec![(Color::Red, 0), (Color::Blue, 0)], ..line };
        assert_eq!(evaluation(&line, Color::Red), 0);
    }
}
