//! Reviews of past matches over HTTP: their content, the users who may see them, and a restart of
//! the server.

use anyhow::{Result, bail, ensure};
use quadrex_protocol::analysis::{Analyse, Analysis};
use quadrex_protocol::explore::ExploreSetup;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::review::{Review, ReviewStatus, SwingKind};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, MatchId, RefusalCode};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Database, Http, Launch, Server};

use crate::bots::with_fast_bots;

/// Returns a server that searches few nodes for each position of a review.
fn quick(database: &Database) -> Result<Launch> {
    Ok(with_fast_bots(database)?.with_env("QUADREX_REVIEWS__NODES", 2_000))
}

/// Returns a server whose reviews never finish a position.
fn endless(database: &Database) -> Result<Launch> {
    Ok(with_fast_bots(database)?.with_env("QUADREX_REVIEWS__NODES", 1_000_000_000))
}

fn path(match_id: MatchId) -> String {
    format!("/api/matches/{match_id}/review")
}

async fn status(http: &Http, match_id: MatchId) -> Result<ReviewStatus> {
    http.get(&path(match_id)).await?.json(200)
}

async fn request(http: &Http, match_id: MatchId) -> Result<ReviewStatus> {
    http.request("POST", &path(match_id), None).await?.json(202)
}

/// Waits until the review of a match is done.
async fn reviewed(http: &Http, match_id: MatchId) -> Result<Review> {
    for _ in 0..2_000 {
        match status(http, match_id).await? {
            ReviewStatus::Done { review } => return Ok(review),
            ReviewStatus::Waiting { .. } => {}
            ReviewStatus::Running { done, of } => ensure!(done <= of, "{done} of {of}"),
            other => bail!("{other:?}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    bail!("the review was not made")
}

/// Plays the shortest possible game, which White loses by its second move.
async fn fools_mate(server: &Server) -> Result<Contest> {
    let mut contest = Contest::start(server, &plain(Variant::Classic)).await?;
    for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        contest.play(mv.parse()?).await?;
    }
    Ok(contest)
}

#[tokio::test]
async fn a_review_has_the_chances_after_every_move_and_the_costliest_moves() -> Result<()> {
    let server = quick(&Database::Sqlite)?.start().await?;
    let contest = fools_mate(&server).await?;
    let (http, match_id) = (server.http().as_guest(&server.guest("Eve").await?), contest.match_id);
    ensure!(status(&server.http(), match_id).await? == ReviewStatus::None {});
    let nobody = server.http().request("POST", &path(match_id), None).await?;
    ensure!(nobody.refusal(401)? == RefusalCode::Unauthenticated);
    request(&http, match_id).await?;
    let review = reviewed(&server.http(), match_id).await?;
    ensure!(review.nodes == 2_000 && review.chances.len() == 5, "{review:?}");
    for chances in &review.chances {
        ensure!(chances.len() == 2 && chances.values().sum::<u32>() == 1_000, "{chances:?}");
    }
    ensure!(review.chances[3][&Color::Black] == 1_000, "mate in one: {:?}", review.chances);
    ensure!(review.chances[4][&Color::Black] == 1_000, "{:?}", review.chances);
    let blunder = review.swings.iter().find(|swing| swing.ply == 3);
    let Some(blunder) = blunder else { bail!("{:?}", review.swings) };
    ensure!((blunder.color, blunder.kind) == (Color::White, SwingKind::Blunder), "{blunder:?}");
    let best = &blunder.best[0];
    ensure!(best.mv != "g2g4".parse()? && best.color == Color::White && blunder.loss >= 150, "{blunder:?}");
    ensure!(review.swings.iter().all(|swing| swing.ply != 4), "mate is no mistake: {:?}", review.swings);
    // The review is stored, so everybody gets it without waiting.
    let again = http.request("POST", &path(match_id), None).await?;
    ensure!(again.json::<ReviewStatus>(200)? == ReviewStatus::Done { review });
    Ok(())
}

/// Matches of four players, in each of which a player resigns.
#[tokio::test]
async fn a_review_of_a_match_of_four_includes_eliminations() -> Result<()> {
    let server = quick(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    for color in [Color::Blue, Color::Yellow, Color::Green] {
        let table = contest.table;
        let legal = contest.mover()?.table(table)?.view().legal_moves.clone().unwrap_or_default();
        contest.play(legal[0]).await?;
        let player = contest.player(color)?;
        let resign = player.resign(table);
        let seq = player.accepted(&resign).await?;
        contest.until_seq(seq).await?;
    }
    let http = server.http().as_guest(&server.guest("Eve").await?);
    request(&http, contest.match_id).await?;
    let review = reviewed(&http, contest.match_id).await?;
    ensure!(review.chances.len() == 4, "{review:?}");
    ensure!(review.chances.iter().all(|chances| chances.len() == 4), "{review:?}");
    ensure!(review.chances[0][&Color::Blue] > 0 && review.chances[1][&Color::Blue] == 0, "{review:?}");
    ensure!(review.chances[3][&Color::Red] == 1_000, "{review:?}");
    Ok(())
}

#[tokio::test]
async fn a_review_that_is_impossible_is_refused_with_the_reason() -> Result<()> {
    let server = quick(&Database::Sqlite)?.with_env("QUADREX_REVIEWS__PLIES", 3).start().await?;
    let http = server.http().as_guest(&server.guest("Eve").await?);
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    contest.play("f2f3".parse()?).await?;
    let refused = async |match_id, words: &str| {
        ensure!(status(&http, match_id).await? == ReviewStatus::Unavailable {}, "{words}");
        let answer = http.request("POST", &path(match_id), None).await?;
        ensure!(
            answer.refusal(403)? == RefusalCode::Forbidden && answer.body.contains(words),
            "{}",
            answer.body
        );
        Ok(())
    };
    refused(contest.match_id, "once it has ended").await?;
    for mv in ["e7e5", "g2g4", "d8h4"] {
        contest.play(mv.parse()?).await?;
    }
    refused(contest.match_id, "4 moves, reviews are made of at most 3").await?;
    let off = quick(&Database::Sqlite)?.with_env("QUADREX_REVIEWS__WAITING", 0).start().await?;
    let contest = fools_mate(&off).await?;
    let http = off.http().as_guest(&off.guest("Eve").await?);
    ensure!(status(&http, contest.match_id).await? == ReviewStatus::Unavailable {});
    let answer = http.request("POST", &path(contest.match_id), None).await?;
    ensure!(answer.refusal(403)? == RefusalCode::Forbidden && answer.body.contains("makes no reviews"));
    Ok(())
}

#[tokio::test]
async fn a_review_of_a_private_match_is_visible_to_its_players_only() -> Result<()> {
    let server = quick(&Database::Sqlite)?.start().await?;
    let (ada, eve) = (server.guest("Ada").await?, server.guest("Eve").await?);
    let hotseat = CreateTable {
        hotseat: Some(true),
        seat: Some(Color::White),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let made = server.http().as_guest(&ada).create(&hotseat).await?;
    let mut client = server.connect(&ada).await?;
    client.watch(made.table).await?;
    let sit = client.sit(made.table, Some(Color::Black), None);
    let mut seq = client.accepted(&sit).await?;
    for mv in ["f2f3", "e7e5"] {
        client.until_seq(made.table, seq).await?;
        let command = client.mv(made.table, mv.parse()?)?;
        seq = client.accepted(&command).await?;
    }
    client.until_seq(made.table, seq).await?;
    let seat = Some(Color::Black);
    let resign =
        ClientFrame::Resign { table: made.table, cmd: client.next_command_id(), seat, match_id: None };
    client.accepted(&resign).await?;
    for http in [server.http(), server.http().as_guest(&eve)] {
        for method in ["GET", "POST"] {
            let hidden = http.request(method, &path(made.match_id), None).await?;
            let missing = http.request(method, &path(MatchId(uuid::Uuid::from_u128(7))), None).await?;
            ensure!(hidden.refusal(404)? == RefusalCode::NotFound, "{method}: {}", hidden.body);
            ensure!(hidden.body == missing.body);
        }
    }
    let http = server.http().as_guest(&ada);
    request(&http, made.match_id).await?;
    reviewed(&http, made.match_id).await?;
    Ok(())
}

/// The engine's only thread is busy with a review. Analyses come first, one more review waits, and
/// a third is refused.
#[tokio::test]
async fn reviews_are_limited_and_yield_to_analyses() -> Result<()> {
    let server = endless(&Database::Sqlite)?.with_env("QUADREX_REVIEWS__WAITING", 2).start().await?;
    let http = server.http().as_guest(&server.guest("Eve").await?);
    let mut matches = Vec::new();
    for _ in 0..3 {
        matches.push(fools_mate(&server).await?.match_id);
    }
    request(&http, matches[0]).await?;
    while !matches!(status(&http, matches[0]).await?, ReviewStatus::Running { .. }) {}
    ensure!(request(&http, matches[1]).await? == ReviewStatus::Waiting { ahead: 1 });
    let full = http.request("POST", &path(matches[2]), None).await?;
    ensure!(full.refusal(503)? == RefusalCode::Busy, "{}", full.body);
    ensure!(
        request(&http, matches[1]).await? == ReviewStatus::Waiting { ahead: 1 },
        "asking again is harmless"
    );
    let setup = ExploreSetup::Start { variant: Variant::Dilkel };
    let position = Analyse { setup, moves: Vec::new(), lines: None, nodes: Some(500) };
    let _: Analysis = http.post("/api/analyse", &position).await?.json(200)?;
    ensure!(matches!(status(&http, matches[0]).await?, ReviewStatus::Running { .. }), "it continues");
    Ok(())
}

/// A server is killed during a review. The next server on the database makes that review, and then
/// the waiting one.
async fn check_review_after_kill(database: &Database) -> Result<()> {
    let launch = endless(database)?;
    let mut server = launch.start().await?;
    let http = server.http().as_guest(&server.guest("Eve").await?);
    let (first, second) = (fools_mate(&server).await?.match_id, fools_mate(&server).await?.match_id);
    request(&http, first).await?;
    request(&http, second).await?;
    while !matches!(status(&http, first).await?, ReviewStatus::Running { .. }) {}
    let standby = launch.clone().with_env("QUADREX_REVIEWS__NODES", 2_000).with_argument("--standby");
    let standby = standby.start().await?;
    server.kill().await?;
    standby.http().until_status("/readyz", 200).await?;
    for match_id in [first, second] {
        ensure!(reviewed(&standby.http(), match_id).await?.nodes == 2_000);
    }
    Ok(())
}

/// Returns the launch of a server that reviews matches of at least four moves without a request.
fn automatic(database: &Database, nodes: u32) -> Result<Launch> {
    let launch = with_fast_bots(database)?.with_env("QUADREX_REVIEWS__NODES", nodes);
    Ok(launch.with_env("QUADREX_REVIEWS__AUTOMATIC", true).with_env("QUADREX_REVIEWS__AUTOMATIC_PLIES", 4))
}

/// Waits until a match is in the queue or reviewed.
async fn queued(http: &Http, match_id: MatchId) -> Result<ReviewStatus> {
    for _ in 0..2_000 {
        match status(http, match_id).await? {
            ReviewStatus::None {} => tokio::time::sleep(std::time::Duration::from_millis(25)).await,
            other => return Ok(other),
        }
    }
    bail!("the match was not queued")
}

/// The review is made although nobody requests it, unless the match was too short.
#[tokio::test]
async fn a_match_of_people_is_reviewed_when_it_ends() -> Result<()> {
    let server = automatic(&Database::Sqlite, 500)?.start().await?;
    let mut short = Contest::start(&server, &plain(Variant::Classic)).await?;
    short.play("e2e4".parse()?).await?;
    let table = short.table;
    let mover = short.mover()?;
    let resign = mover.resign(table);
    mover.accepted(&resign).await?;
    let http = server.http();
    let played = fools_mate(&server).await?.match_id;
    queued(&http, played).await?;
    ensure!(reviewed(&http, played).await?.nodes == 500);
    ensure!(status(&http, short.match_id).await? == ReviewStatus::None {}, "it has one move");
    Ok(())
}

/// A requested review comes before automatic ones. All of them are still in the queue when the
/// server starts again.
async fn requests_come_first(database: &Database) -> Result<()> {
    let launch = automatic(database, 1_000_000_000)?.with_env("QUADREX_REVIEWS__WAITING", 2);
    let mut server = launch.start().await?;
    let http = server.http().as_guest(&server.guest("Eve").await?);
    let mut matches = Vec::new();
    for _ in 0..3 {
        let match_id = fools_mate(&server).await?.match_id;
        if matches.len() < 2 {
            queued(&http, match_id).await?;
        }
        matches.push(match_id);
    }
    let [first, second, third] = matches[..] else { bail!("three were played") };
    while !matches!(status(&http, first).await?, ReviewStatus::Running { .. }) {}
    ensure!(status(&http, second).await? == ReviewStatus::Waiting { ahead: 1 });
    ensure!(status(&http, third).await? == ReviewStatus::None {}, "the queue is full");
    ensure!(request(&http, third).await? == ReviewStatus::Waiting { ahead: 0 });
    ensure!(request(&http, second).await? == ReviewStatus::Waiting { ahead: 1 }, "it is requested now");
    let next = launch.clone().with_env("QUADREX_REVIEWS__NODES", 2_000).with_argument("--standby");
    let next = next.start().await?;
    server.kill().await?;
    next.http().until_status("/readyz", 200).await?;
    for match_id in [third, second, first] {
        ensure!(reviewed(&next.http(), match_id).await?.nodes == 2_000);
    }
    Ok(())
}

#[tokio::test]
async fn requested_reviews_come_before_automatic_ones_in_sqlite() -> Result<()> {
    requests_come_first(&Database::Sqlite).await
}

#[tokio::test]
async fn requested_reviews_come_before_automatic_ones_in_postgres() -> Result<()> {
    requests_come_first(&Database::postgres().await?).await
}

#[tokio::test]
async fn an_interrupted_review_is_made_again_on_sqlite() -> Result<()> {
    check_review_after_kill(&Database::Sqlite).await
}

#[tokio::test]
async fn an_interrupted_review_is_made_again_on_postgres() -> Result<()> {
    check_review_after_kill(&Database::postgres().await?).await
}
