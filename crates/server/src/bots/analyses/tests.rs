use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Waker};

use quadrex_clock::Clock;
use quadrex_rules::{DrawPolicy, GameCommand, GameConfig, Setup, TimeControl, Timestamp, Variant};

use super::*;
use crate::config::{BotsConfig, Config, Flags};

fn default_config() -> Config {
    Config::load(None, [], &Flags::default()).unwrap()
}

fn pool() -> Pool {
    Pool::start(&BotsConfig { threads: 1, table_mib: 1, ..default_config().bots }, &Clock::system())
}

/// Returns a pool without threads, which answers nothing.
fn idle() -> Pool {
    Pool::idle()
}

fn game(variant: Variant, fen: &str) -> Game {
    let setup = if fen.is_empty() { Setup::start(variant) } else { Setup::parse(variant, fen).unwrap() };
    let config = GameConfig { setup, draws: DrawPolicy::Claim, time: TimeControl::None };
    Game::new(config, Timestamp::from_millis(0)).unwrap()
}

fn few(lines: u32) -> Effort {
    Effort { lines: Some(lines), nodes: Some(3_000) }
}

/// Starts a request that cannot be answered yet.
fn begin<F: Future>(asking: &mut Pin<Box<F>>) {
    assert!(asking.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
}

fn user(number: u128) -> UserId {
    UserId(uuid::Uuid::from_u128(number))
}

#[tokio::test]
async fn with_two_players_the_scores_are_opposite() {
    let analyses = Analyses::new(default_config().analysis);
    let start = game(Variant::Classic, "");
    let found = analyses.of(&pool(), &start, few(3), user(1)).await.unwrap();
    assert_eq!((found.variant, found.turn, found.lines.len()), (Variant::Classic, Color::White, 3));
    for line in &found.lines {
        let [AnalysisScore::Points { centipawns: white }, AnalysisScore::Points { centipawns: black }] =
            [Color::White, Color::Black].map(|color| line.scores[&color])
        else {
            panic!("no mate expected: {line:?}");
        };
        assert_eq!(white, -black);
        assert_eq!(line.chances.values().sum::<u32>(), 1_000);
        assert_eq!(line.moves[0].color, Color::White);
        assert_eq!(line.moves[0].notation, move_text(start.position(), line.moves[0].mv));
        assert!(line.moves.len() <= MAX_LINE_MOVES);
    }
}

#[tokio::test]
async fn a_mate_is_reported_for_both_sides() {
    let analyses = Analyses::new(default_config().analysis);
    for (fen, winner, loser) in [
        ("6k1/5ppp/8/8/8/8/q7/R2QK3 w - - 0 1", Color::White, Color::Black),
        ("r2qk3/8/8/8/8/8/5PPP/6K1 b - - 0 1", Color::Black, Color::White),
    ] {
        let found = analyses.of(&pool(), &game(Variant::Classic, fen), few(1), user(1)).await.unwrap();
        let line = &found.lines[0];
        assert_eq!(line.scores[&winner], AnalysisScore::Mates { moves: 1 }, "{line:?}");
        assert_eq!(line.scores[&loser], AnalysisScore::Mated { moves: 1 });
        assert_eq!(line.chances, BTreeMap::from([(winner, 1_000), (loser, 0)]));
    }
}

#[tokio::test]
async fn with_four_players_each_has_a_score_and_a_chance() {
    let analyses = Analyses::new(default_config().analysis);
    let found = analyses.of(&pool(), &game(Variant::Dilkel, ""), few(2), user(1)).await.unwrap();
    let line = &found.lines[0];
    assert_eq!(line.scores.len(), 4, "{line:?}");
    assert_eq!(line.chances.values().sum::<u32>(), 1_000);
    assert!(line.chances.values().all(|chance| (100..500).contains(chance)), "{line:?}");
}

#[tokio::test]
async fn the_refusal_of_a_number_out_of_range_names_the_number() {
    let analyses = Analyses::new(default_config().analysis);
    let most = default_config().analysis.lines;
    let start = game(Variant::Classic, "");
    let ask =
        async |closeness| analyses.of(&pool(), &start, closeness, user(1)).await.unwrap_err().to_string();
    let lines = |lines| Effort { lines: Some(lines), nodes: None };
    assert_eq!(ask(lines(0)).await, format!("lines must be 1 to {most}, not 0"));
    assert_eq!(ask(lines(most + 1)).await, format!("lines must be 1 to {most}, not {}", most + 1));
    assert!(ask(Effort { lines: None, nodes: Some(u32::MAX) }).await.starts_with("nodes must be 1 to "));
    let mut mated = game(Variant::Classic, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let mv = GameCommand::Move { color: Color::White, mv: "a1a8".parse().unwrap(), claim_draw: false };
    let now = Timestamp::from_millis(0);
    for event in mated.decide(&mv, now).unwrap() {
        mated.apply(&event, now);
    }
    assert_eq!(analyses.of(&pool(), &mated, few(1), user(1)).await, Err(AnalysisError::Over));
}

#[tokio::test]
async fn analyses_can_be_disabled() {
    let analyses = Analyses::new(AnalysisConfig { places: 0, ..default_config().analysis });
    assert_eq!(
        analyses.of(&pool(), &game(Variant::Classic, ""), few(1), user(1)).await,
        Err(AnalysisError::Off)
    );
}

/// Many requests for the same position share one search, even while it runs and with a single
/// permit.
#[tokio::test]
async fn equal_requests_share_one_search() {
    let analyses = Analyses::new(AnalysisConfig { places: 1, ..default_config().analysis });
    let (pool, start) = (pool(), game(Variant::Classic, ""));
    let asks = (0..10).map(|number| analyses.of(&pool, &start, few(1), user(number)));
    let answers = futures_util::future::join_all(asks).await;
    let first = answers[0].clone().unwrap();
    assert!(answers.iter().all(|answer| answer.as_ref().is_ok_and(|same| Arc::ptr_eq(same, &first))));
    // The cached answer needs no thread.
    let again = analyses.of(&idle(), &start, few(1), user(99)).await.unwrap();
    assert!(Arc::ptr_eq(&again, &first));
}

/// If the first request is dropped, the next waiting request searches instead.
#[tokio::test]
async fn a_cancelled_request_does_not_cancel_others() {
    let analyses = Analyses::new(default_config().analysis);
    let (idle, pool, start) = (idle(), pool(), game(Variant::Classic, ""));
    let mut begun = Box::pin(analyses.of(&idle, &start, few(1), user(1)));
    let mut waits = Box::pin(analyses.of(&pool, &start, few(1), user(2)));
    begin(&mut begun);
    begin(&mut waits);
    drop(begun);
    assert!(waits.await.is_ok());
}

#[tokio::test]
async fn a_request_without_a_permit_is_refused() {
    let analyses = Analyses::new(AnalysisConfig { places: 2, ..default_config().analysis });
    let (idle, start) = (idle(), game(Variant::Classic, ""));
    let mut begun = Box::pin(analyses.of(&idle, &start, few(1), user(1)));
    let mut more = Box::pin(analyses.of(&idle, &start, few(2), user(1)));
    begin(&mut begun);
    begin(&mut more);
    assert_eq!(analyses.of(&idle, &start, few(3), user(1)).await, Err(AnalysisError::UserLimit));
    assert_eq!(analyses.of(&idle, &start, few(3), user(2)).await, Err(AnalysisError::Busy));
    drop(begun);
    drop(more);
    assert!(analyses.of(&pool(), &start, few(1), user(2)).await.is_ok());
}
