//! Analyses over HTTP: their content, the users who may request them, and their limits.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::analysis::{Analyse, Analysis, AnalysisScore};
use quadrex_protocol::explore::ExploreSetup;
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::settings::Privacy;
use quadrex_rules::{AnyPosition, Color, Setup, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::{Guest, Response};
use quadrex_tests::{Database, Launch, Server};
use serde_json::json;

use crate::bots::{with_bots, with_fast_bots};

/// Returns a quick request for the start position of a variant.
fn start(variant: Variant) -> Analyse {
    Analyse { setup: ExploreSetup::Start { variant }, moves: Vec::new(), lines: None, nodes: Some(500) }
}

/// Returns a request for the start position that runs as long as the server allows.
fn endless() -> Analyse {
    Analyse { nodes: None, ..start(Variant::Classic) }
}

async fn ask(server: &Server, guest: &Guest, wish: &Analyse) -> Result<Response> {
    server.http().as_guest(guest).post("/api/analyse", wish).await
}

/// Returns a server with one search thread and analyses of up to ten minutes.
fn with_long_analyses(places: u32) -> Result<Launch> {
    let launch = with_fast_bots(&Database::Sqlite)?;
    let settings = [
        ("QUADREX_ANALYSIS__THINK_MS", 600_000),
        ("QUADREX_ANALYSIS__NODES", 4_000_000_000),
        ("QUADREX_ANALYSIS__PLACES", places),
        ("QUADREX_LIMITS__ANALYSES_BURST", 1_000_000),
    ];
    Ok(settings.into_iter().fold(launch, |launch, (name, value)| launch.with_env(name, value)))
}

#[tokio::test]
async fn the_best_moves_of_a_position_have_scores_chances_and_lines() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let ada = server.guest("Ada").await?;
    for variant in Variant::ALL {
        let wish = Analyse { lines: Some(3), ..start(variant) };
        let analysis: Analysis = ask(&server, &ada, &wish).await?.json(200)?;
        let position = AnyPosition::new(&Setup::start(variant))?;
        ensure!((analysis.variant, analysis.turn) == (variant, position.turn()), "{analysis:?}");
        ensure!(analysis.lines.len() == 3 && analysis.depth >= 1 && analysis.nodes > 0, "{analysis:?}");
        for line in &analysis.lines {
            let first = line.moves.first().context("a line has a move")?;
            ensure!(position.is_legal(first.mv) && first.color == position.turn(), "{first:?}");
            ensure!(line.chances.keys().eq(line.scores.keys()), "{line:?}");
            ensure!(line.chances.len() == variant.colors().len(), "{line:?}");
            ensure!(line.chances.values().sum::<u32>() == 1_000, "{line:?}");
        }
    }
    Ok(())
}

/// The analyzed position follows from a text, some of its moves, and further moves.
#[tokio::test]
async fn a_position_is_named_as_it_is_explored() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let ada = server.guest("Ada").await?;
    // After 1. f3 e5 Black mates on h4 if White plays g4.
    let text = "1. f3 e5 2. a3 a6".to_owned();
    let setup = ExploreSetup::Text { text, variant: None, plies: Some(2) };
    let moves = vec!["g2g4".parse()?];
    let wish = Analyse { setup, moves, lines: None, nodes: Some(3_000) };
    let analysis: Analysis = ask(&server, &ada, &wish).await?.json(200)?;
    let line = analysis.lines.first().context("there is a line")?;
    ensure!(analysis.turn == Color::Black && line.moves[0].notation == "Qh4#", "{line:?}");
    ensure!(line.scores[&Color::Black] == AnalysisScore::Mates { moves: 1 }, "{line:?}");
    ensure!(line.scores[&Color::White] == AnalysisScore::Mated { moves: 1 }, "{line:?}");
    ensure!(line.chances[&Color::Black] == 1_000, "{line:?}");
    let over = Analyse { moves: vec!["g2g4".parse()?, "d8h4".parse()?], ..wish };
    ensure!(ask(&server, &ada, &over).await?.refusal(409)? == RefusalCode::Ended);
    Ok(())
}

#[tokio::test]
async fn an_invalid_request_is_refused_with_the_reason() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let ada = server.guest("Ada").await?;
    let wish = |more: serde_json::Value| {
        let mut wish = json!({"setup": {"kind": "start", "variant": "classic"}});
        if let (Some(wish), Some(more)) = (wish.as_object_mut(), more.as_object()) {
            wish.extend(more.clone());
        }
        wish.to_string()
    };
    for (body, status, code, part) in [
        (String::new(), 400, RefusalCode::Malformed, "setup"),
        (wish(json!({"x": 1})), 400, RefusalCode::Malformed, "x"),
        (wish(json!({"lines": -1})), 400, RefusalCode::Malformed, "-1"),
        (wish(json!({"lines": 0})), 400, RefusalCode::BadSetting, "lines must be 1 to 5, not 0"),
        (wish(json!({"lines": 6})), 400, RefusalCode::BadSetting, "lines must be 1 to 5, not 6"),
        (wish(json!({"nodes": 0})), 400, RefusalCode::BadSetting, "nodes must be 1 to "),
        (wish(json!({"nodes": 4_294_967_295_u32})), 400, RefusalCode::BadSetting, "nodes must be 1 to "),
        (wish(json!({"moves": ["e2e5"]})), 409, RefusalCode::IllegalMove, "ply 1, white e2e5"),
        (wish(json!({"setup": {"kind": "text", "text": "what"}})), 400, RefusalCode::BadText, "what"),
        (
            wish(json!({"setup": {"kind": "text", "text": "8/8/8/8/8/8/8/8 w - - 0 1"}})),
            400,
            RefusalCode::BadSetup,
            "king",
        ),
    ] {
        let http = server.http().as_guest(&ada);
        let answer = http.request("POST", "/api/analyse", Some(&body)).await?;
        ensure!(answer.refusal(status).with_context(|| body.clone())? == code, "{body}: {}", answer.body);
        ensure!(answer.body.contains(part), "{body}: {}", answer.body);
    }
    let nobody = server.http().post("/api/analyse", &start(Variant::Classic)).await?;
    ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated);
    let _: Analysis = ask(&server, &ada, &start(Variant::Classic)).await?.json(200)?;
    Ok(())
}

/// A user who plays classic chess may not analyze any classic position until the match is over.
/// This holds for public and private matches, against people and bots. Other users may analyze.
#[tokio::test]
async fn analysis_is_refused_while_the_user_plays_a_match_of_the_variant() -> Result<()> {
    let server = with_fast_bots(&Database::Sqlite)?.start().await?;
    let stranger = server.guest("Eve").await?;
    for privacy in [Privacy::Public, Privacy::Private] {
        let host = server.guest("Ada").await?;
        let seat = Some(Color::White);
        let table = CreateTable { seat, privacy, ..with_bots(Variant::Classic, 1, 1)? };
        let _: Analysis = ask(&server, &host, &start(Variant::Classic)).await?.json(200)?;
        let TableCreated { table, .. } = server.http().as_guest(&host).create(&table).await?;
        let refused = ask(&server, &host, &start(Variant::Classic)).await?;
        ensure!(refused.refusal(403)? == RefusalCode::Playing, "{}", refused.body);
        ensure!(refused.body.contains("classic"), "{}", refused.body);
        let other = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned();
        let setup = ExploreSetup::Text { text: other, variant: None, plies: None };
        let other = Analyse { setup, ..start(Variant::Classic) };
        ensure!(ask(&server, &host, &other).await?.refusal(403)? == RefusalCode::Playing);
        let _: Analysis = ask(&server, &host, &start(Variant::Dilkel)).await?.json(200)?;
        let _: Analysis = ask(&server, &stranger, &start(Variant::Classic)).await?.json(200)?;
        let mut client = server.connect(&host).await?;
        client.watch(table).await?;
        let resign = client.resign(table);
        client.accepted(&resign).await?;
        let _: Analysis = ask(&server, &host, &start(Variant::Classic)).await?.json(200)?;
    }
    Ok(())
}

/// A player who was eliminated from a match of four may analyze it; a remaining player may not.
#[tokio::test]
async fn an_eliminated_player_may_analyse_during_the_match() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    for (color, player) in &contest.players {
        let guest = player.guest()?;
        let refused = ask(&server, guest, &start(Variant::Dilkel)).await?;
        ensure!(refused.refusal(403)? == RefusalCode::Playing, "{color}: {}", refused.body);
    }
    let out = contest.player(Color::Blue)?;
    let resign = out.resign(table);
    let seq = out.accepted(&resign).await?;
    contest.until_seq(seq).await?;
    for (color, player) in &contest.players {
        let guest = player.guest()?;
        let answer = ask(&server, guest, &start(Variant::Dilkel)).await?;
        ensure!(answer.status == if *color == Color::Blue { 200 } else { 403 }, "{color}: {}", answer.body);
    }
    Ok(())
}

/// An open table has no match yet, so its users may analyze.
#[tokio::test]
async fn a_player_may_analyse_before_the_match_starts() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let ada = server.guest("Ada").await?;
    let table = CreateTable { seat: Some(Color::White), ..plain(Variant::Classic) };
    server.http().as_guest(&ada).create(&table).await?;
    let _: Analysis = ask(&server, &ada, &start(Variant::Classic)).await?.json(200)?;
    Ok(())
}

#[tokio::test]
async fn the_rate_of_analyses_of_a_user_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?.with_env("QUADREX_LIMITS__ANALYSES_BURST", 3);
    let server = launch.with_env("QUADREX_LIMITS__ANALYSES_PER_MINUTE", 1).start().await?;
    let [ada, ben] = [server.guest("Ada").await?, server.guest("Ben").await?];
    for _ in 0..3 {
        let _: Analysis = ask(&server, &ada, &start(Variant::Classic)).await?.json(200)?;
    }
    ensure!(ask(&server, &ada, &start(Variant::Classic)).await?.refusal(429)? == RefusalCode::RateLimited);
    let _: Analysis = ask(&server, &ben, &start(Variant::Classic)).await?.json(200)?;
    Ok(())
}

#[tokio::test]
async fn analysis_can_be_disabled() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.with_env("QUADREX_ANALYSIS__PLACES", 0).start().await?;
    let ada = server.guest("Ada").await?;
    ensure!(ask(&server, &ada, &start(Variant::Classic)).await?.refusal(403)? == RefusalCode::Forbidden);
    Ok(())
}

/// While the only permit is in use, cached positions are still answered, other requests are
/// refused, and bots still play. If the client that holds the permit disconnects, its search ends,
/// and other requests are answered again.
#[tokio::test]
async fn a_busy_engine_answers_from_the_cache_and_drops_abandoned_requests() -> Result<()> {
    let server = with_long_analyses(1)?.start().await?;
    let [ada, ben] = [server.guest("Ada").await?, server.guest("Ben").await?];
    let known: Analysis = ask(&server, &ben, &start(Variant::Dilkel)).await?.json(200)?;
    let asking = tokio::spawn({
        let (http, wish) = (server.http().as_guest(&ada), endless());
        async move {
            // One of the short requests below may hold the permit.
            loop {
                let answer = http.post("/api/analyse", &wish).await?;
                if answer.status != 503 {
                    return anyhow::Ok(answer);
                }
            }
        }
    });
    // Each request is for another search, until the permit is in use.
    let mut nodes = 500;
    loop {
        nodes += 1;
        let wish = Analyse { nodes: Some(nodes), ..start(Variant::Classic) };
        let answer = ask(&server, &ben, &wish).await?;
        if answer.status != 200 {
            ensure!(answer.refusal(503)? == RefusalCode::Busy, "{}", answer.body);
            break;
        }
    }
    let again: Analysis = ask(&server, &ben, &start(Variant::Dilkel)).await?.json(200)?;
    ensure!(again == known);

    // The only thread runs the analysis, which yields to a bot's move.
    let table = CreateTable { seat: Some(Color::Black), ..with_bots(Variant::Classic, 1, 1)? };
    let TableCreated { table, .. } = server.http().as_guest(&ben).create(&table).await?;
    let mut client = server.connect(&ben).await?;
    client.watch(table).await?;
    client
        .until("the bot's move", |client| {
            client.table(table).is_ok_and(|seen| seen.view().legal_moves.is_some())
        })
        .await?;
    ensure!(!asking.is_finished(), "the analysis continues");

    asking.abort();
    loop {
        nodes += 1;
        let wish = Analyse { nodes: Some(nodes), ..start(Variant::Dilkel) };
        let answer = ask(&server, &ben, &wish).await?;
        if answer.status == 200 {
            return Ok(());
        }
        ensure!(answer.refusal(503)? == RefusalCode::Busy, "{}", answer.body);
    }
}
