//! Exploring moves over HTTP gives the same positions as a match, and invalid requests get an
//! answer.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::explore::{Exploration, Explore, ExploreSetup};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::{Color, Move, Setup, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Database, Launch, Script};
use serde_json::json;

fn from_start(variant: Variant, moves: Vec<Move>) -> Explore {
    Explore { setup: ExploreSetup::Start { variant }, moves }
}

/// Plays a match of four at a table, and explores its moves: the board is the same at every ply.
#[tokio::test]
async fn exploring_a_match_reproduces_its_positions() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let script = Script::read("dilkel")?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let beginner = contest.turn()?.context("it runs")?;
    let moves = script.begun_by(beginner);
    for mv in &moves {
        contest.play(*mv).await?;
    }
    let seen = contest.players.values().next().context("somebody plays")?.table(contest.table)?;
    let text = Setup::start(Variant::Dilkel).with_turn(beginner).to_string();
    let wish = Explore { setup: ExploreSetup::Text { text, variant: None, plies: None }, moves };
    let explored: Exploration = server.http().post("/api/explore", &wish).await?.json(200)?;
    let mut plies = explored.line.iter();
    let mut board = explored.start.clone();
    let mut expected = seen.view().start.clone();
    ensure!(board == expected, "both start with the same board");
    let mut history = seen.view().history.iter().peekable();
    while let Some(entry) = history.next() {
        let Event::Moved { color, mv, .. } = entry.event else { continue };
        let ply = plies.next().context("a ply for each move")?;
        ensure!((ply.color, ply.mv, Some(&ply.notation)) == (color, mv, entry.notation.as_ref()), "{ply:?}");
        change(&mut expected, &entry.squares);
        let mut out = Vec::new();
        while let Some(next) = history.next_if(|next| !matches!(next.event, Event::Moved { .. })) {
            change(&mut expected, &next.squares);
            if let Event::Eliminated { color, cause, by } = &next.event {
                out.push((*color, *cause, by.clone()));
            }
        }
        change(&mut board, &ply.squares);
        ensure!(board == expected, "after {} the boards differ", ply.notation);
        let exits: Vec<_> =
            ply.eliminated.iter().map(|exit| (exit.color, exit.cause, exit.by.clone())).collect();
        ensure!(exits == out, "after {}", ply.notation);
    }
    ensure!(plies.next().is_none());
    ensure!(explored.state.outcome == seen.state().outcome && explored.state.phase == Phase::Ended);
    Ok(())
}

fn change<K: Ord + Copy, V: Copy>(
    board: &mut std::collections::BTreeMap<K, V>,
    squares: &std::collections::BTreeMap<K, Option<V>>,
) {
    for (square, piece) in squares {
        match piece {
            Some(piece) => board.insert(*square, *piece),
            None => board.remove(square),
        };
    }
}

#[tokio::test]
async fn a_move_that_is_not_legal_is_refused_with_its_number() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let moves = vec!["h2h4".parse()?, "a1a2".parse()?];
    let answer = server.http().post("/api/explore", &from_start(Variant::Dilkel, moves)).await?;
    ensure!(answer.refusal(409)? == RefusalCode::IllegalMove);
    ensure!(answer.body.contains("ply 2, blue a1a2"), "{}", answer.body);
    let first =
        server.http().post("/api/explore", &from_start(Variant::Dilkel, vec!["h2h4".parse()?])).await?;
    let first: Exploration = first.json(200)?;
    ensure!(first.state.turn == Some(Color::Blue) && !first.legal_moves.is_empty());
    Ok(())
}

#[tokio::test]
async fn invalid_requests_are_refused_and_the_server_keeps_running() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let http = server.http();
    let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let many: Vec<&str> = there_and_back.into_iter().cycle().take(10_000).collect();
    let text = |text: &str| json!({"setup": {"kind": "text", "text": text}}).to_string();
    for (body, status, code) in [
        (String::new(), 400, RefusalCode::Malformed),
        ("{".to_owned(), 400, RefusalCode::Malformed),
        ("[]".to_owned(), 400, RefusalCode::Malformed),
        (json!({"setup": {"kind": "start", "variant": "checkers"}}).to_string(), 400, RefusalCode::Malformed),
        (
            json!({"setup": {"kind": "start", "variant": "classic"}, "x": 1}).to_string(),
            400,
            RefusalCode::Malformed,
        ),
        (
            json!({"setup": {"kind": "start", "variant": "classic"}, "moves": ["z9z9"]}).to_string(),
            400,
            RefusalCode::Malformed,
        ),
        (
            json!({"setup": {"kind": "start", "variant": "classic"}, "moves": many}).to_string(),
            413,
            RefusalCode::TooLarge,
        ),
        (text(&"Nf3 Nf6 Ng1 Ng8 ".repeat(5_000)), 413, RefusalCode::TooLarge),
        (text(&"x".repeat(300_000)), 413, RefusalCode::TooLarge),
        (text(""), 400, RefusalCode::BadText),
        (text("what is this"), 400, RefusalCode::BadText),
        (text(&"(".repeat(100_000)), 400, RefusalCode::BadText),
        (text(&"/,-".repeat(50_000)), 400, RefusalCode::BadText),
        (text("8/8/8/8/8/8/8/8 w - - 0 1"), 400, RefusalCode::BadSetup),
    ] {
        let answer = http.request("POST", "/api/explore", Some(&body)).await?;
        let head: String = body.chars().take(60).collect();
        ensure!(answer.refusal(status).with_context(|| head.clone())? == code, "{head}: {}", answer.body);
        ensure!(answer.body.len() < 1_000, "{head}: a refusal of {} bytes", answer.body.len());
    }
    let after: Exploration =
        http.post("/api/explore", &from_start(Variant::Classic, vec![])).await?.json(200)?;
    ensure!(after.legal_moves.len() == 20);
    Ok(())
}

#[tokio::test]
async fn the_rate_of_explorations_of_an_address_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1")
        .with_env("QUADREX_LIMITS__EXPLORE_BURST", "3");
    let server = launch.start().await?;
    let elsewhere = server.http().with_header("X-Forwarded-For", "192.0.2.7");
    let wish = from_start(Variant::Classic, vec![]);
    for _ in 0..3 {
        let _: Exploration = elsewhere.post("/api/explore", &wish).await?.json(200)?;
    }
    let mut refused = false;
    for _ in 0..5 {
        let answer = elsewhere.post("/api/explore", &wish).await?;
        if answer.status != 200 {
            ensure!(answer.refusal(429)? == RefusalCode::RateLimited);
            refused = true;
        }
    }
    ensure!(refused, "the limit was not reached");
    let _: Exploration = server.http().post("/api/explore", &wish).await?.json(200)?;
    // The limit does not apply to tables.
    let _ = Contest::start(&server, &plain(Variant::Classic)).await?;
    Ok(())
}
