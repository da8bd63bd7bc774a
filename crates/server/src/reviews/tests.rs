use std::collections::BTreeMap;

use quadrex_protocol::analysis::{AnalysisLine, AnalysisMove};
use quadrex_protocol::archive::MatchSummary;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::review::SwingKind;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::SeatView;
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::{
    Color, DrawPolicy, Game, GameConfig, GameEvent, Move, Setup, TimeControl, Timestamp, Variant,
};

use uuid::Uuid;

use super::is_automatic;
use super::match_review::{Judge, MatchReview, Played};
use crate::config::ReviewsConfig;

const NO_TIME: Timestamp = Timestamp::from_millis(0);

/// A fake engine. It gives the mover one chance for the best move of every position, and another
/// chance for all other moves.
struct Scripted {
    best: Move,
    /// White's chances before each move, in thousandths.
    white: Vec<u32>,
    /// The mover's chance after a move other than the best.
    other: u32,
}

impl Judge for Scripted {
    async fn line(&self, game: &Game, only: Option<Move>, _nodes: u32) -> Option<AnalysisLine> {
        let turn = game.position().turn();
        let white = match only {
            Some(mv) if mv != self.best && turn == Color::White => self.other,
            Some(mv) if mv != self.best => 1_000 - self.other,
            _ => self.white[game.moves().len()],
        };
        let mv = only.unwrap_or(self.best);
        Some(AnalysisLine {
            scores: BTreeMap::new(),
            chances: BTreeMap::from([(Color::White, white), (Color::Black, 1_000 - white)]),
            moves: vec![AnalysisMove { color: turn, mv, notation: mv.to_string() }],
        })
    }
}

fn played(moves: &[&str], places: Option<[u8; 2]>) -> MatchReview {
    let setup = Setup::start(Variant::Classic);
    let config = GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None };
    let mut game = Game::new(config, NO_TIME).unwrap();
    let mut all = Vec::new();
    for mv in moves {
        let (before, mv): (Game, Move) = (game.clone(), mv.parse().unwrap());
        let color = game.position().turn();
        game.apply(&GameEvent::Moved { color, mv, left_ms: None }, NO_TIME);
        all.push(Played { before, mv });
    }
    let places = places.map(|[white, black]| BTreeMap::from([(Color::White, white), (Color::Black, black)]));
    MatchReview { moves: all, end: Some(game), places }
}

async fn swings(white: &[u32], other: u32, match_review: &MatchReview) -> Vec<(u32, SwingKind, u32)> {
    let judge = Scripted { best: "e2e4".parse().unwrap(), white: white.to_vec(), other };
    let review = match_review.review(9, &judge, |_| ()).await.unwrap();
    assert_eq!(review.chances.len(), match_review.len() + 1);
    assert!(review.chances.iter().all(|chances| chances.values().sum::<u32>() == 1_000), "{review:?}");
    review.swings.iter().map(|swing| (swing.ply, swing.kind, swing.loss)).collect()
}

#[tokio::test]
async fn a_move_that_loses_much_is_a_swing() {
    let moves = played(&["a2a3", "a7a6"], None);
    assert_eq!(swings(&[500, 401, 401], 100, &moves).await, [], "99 thousandths are little");
    assert_eq!(swings(&[500, 400, 400], 100, &moves).await, [(1, SwingKind::Mistake, 100)]);
    assert_eq!(swings(&[500, 350, 350], 100, &moves).await, [(1, SwingKind::Blunder, 150)]);
    assert_eq!(swings(&[500, 500, 800], 100, &moves).await, [(2, SwingKind::Blunder, 300)], "Black's");
}

#[tokio::test]
async fn neither_the_best_move_nor_a_resignation_after_a_good_move_is_a_swing() {
    assert_eq!(swings(&[500, 100, 100], 0, &played(&["e2e4", "a7a6"], None)).await, []);
    // White resigns after a move that is nearly as good as the best.
    let resigned = played(&["a2a3"], Some([2, 1]));
    assert_eq!(swings(&[500, 0], 480, &resigned).await, []);
    assert_eq!(swings(&[500, 0], 340, &resigned).await, [(1, SwingKind::Blunder, 160)]);
}

#[tokio::test]
async fn the_last_chances_equal_the_result() {
    let judge = Scripted { best: "e2e4".parse().unwrap(), white: vec![700, 600], other: 0 };
    for (places, white) in [(Some([1, 2]), 1_000), (Some([2, 1]), 0), (Some([1, 1]), 500), (None, 600)] {
        let review = played(&["e2e4"], places).review(9, &judge, |_| ()).await.unwrap();
        let line: Vec<u32> = review.chances.iter().map(|chances| chances[&Color::White]).collect();
        assert_eq!(line, [700, white], "{places:?}");
    }
}

/// Returns the summary of an ended match with a number of moves. `are_bots` contains for each
/// player whether it is a bot.
fn summary(plies: u32, are_bots: [bool; 2]) -> MatchSummary {
    let seat = |(color, is_bot): (Color, bool)| {
        let bot = is_bot.then_some(BotView::Account {});
        let user = UserView {
            id: UserId(Uuid::from_u128(1)),
            name: "Ada".to_owned(),
            account: false,
            bot,
            anonymous: false,
        };
        SeatView { color, side: color.side().into(), user: Some(user), substitute: None }
    };
    MatchSummary {
        match_id: MatchId(Uuid::from_u128(2)),
        table: TableId(Uuid::from_u128(3)),
        variant: Variant::Classic,
        time: TimeSetting::None,
        move_limit_ms: None,
        rated: false,
        seats: [Color::White, Color::Black].into_iter().zip(are_bots).map(seat).collect(),
        started_at_ms: 1,
        ended_at_ms: Some(2),
        plies,
        outcome: None,
        aborted: None,
    }
}

#[test]
fn a_match_of_a_person_that_was_not_short_is_reviewed_without_a_request() {
    let config = ReviewsConfig { waiting: 1, nodes: 1, plies: 9, automatic: true, automatic_plies: 4 };
    assert!(is_automatic(&config, &summary(4, [false, false])));
    assert!(is_automatic(&config, &summary(4, [true, false])), "one person is enough");
    assert!(!is_automatic(&config, &summary(4, [true, true])), "only bots played");
    assert!(!is_automatic(&config, &summary(3, [false, false])), "it was short");
    assert!(!is_automatic(&ReviewsConfig { automatic: false, ..config }, &summary(4, [false, false])));
}
