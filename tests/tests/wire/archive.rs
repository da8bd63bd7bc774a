//! Matches in the archive: lists, pages and records for users who may watch them, and for nobody
//! else.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::{MatchList, MatchView, UserPage};
use quadrex_protocol::explore::{Exploration, Explore, ExploreSetup};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchId, RefusalCode, RequestAction};
use quadrex_rules::{Color, Variant};
use quadrex_store::Store;
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Guest, Http, Launch, Script, Server};

async fn list(http: &Http, query: &str) -> Result<MatchList> {
    http.get(&format!("/api/matches{query}")).await?.json(200)
}

/// Returns a private match that one guest plays alone, from start to end.
async fn alone(server: &Server, name: &str) -> Result<(Guest, MatchId)> {
    let guest = server.guest(name).await?;
    let wish = CreateTable {
        hotseat: Some(true),
        seat: Some(Color::White),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let made = server.http().as_guest(&guest).create(&wish).await?;
    let mut client = server.connect(&guest).await?;
    client.watch(made.table).await?;
    let sit = client.sit(made.table, Some(Color::Black), None);
    let seq = client.accepted(&sit).await?;
    client.until_seq(made.table, seq).await?;
    let resign = ClientFrame::Resign {
        table: made.table,
        cmd: client.next_command_id(),
        seat: Some(Color::Black),
        match_id: None,
    };
    client.accepted(&resign).await?;
    Ok((guest, made.match_id))
}

#[tokio::test]
async fn an_archived_match_equals_the_table_s_snapshot() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let script = Script::read("dilkel")?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let http = server.http();
    let moves = script.begun_by(contest.turn()?.context("it runs")?);
    let (first, rest) = moves.split_at(6);
    for mv in first {
        contest.play(*mv).await?;
    }
    let [running] = &list(&http, "").await?.matches[..] else { anyhow::bail!("one match runs") };
    ensure!((running.match_id, running.plies) == (contest.match_id, 6), "{running:?}");
    ensure!(running.ended_at_ms.is_none() && running.outcome.is_none());
    for mv in rest {
        contest.play(*mv).await?;
    }
    let player = contest.players.values().next().context("somebody plays")?;
    let seen = player.table(contest.table)?;
    let view: MatchView =
        http.as_guest(player.guest()?).get(&format!("/api/matches/{}", contest.match_id)).await?.json(200)?;
    ensure!((view.table, view.match_id, view.seq) == (contest.table, contest.match_id, seen.seq()));
    ensure!(view.view.history == seen.view().history && view.view.pieces == seen.view().pieces);
    ensure!(view.view.state == *seen.state() && view.view.your_seats == seen.view().your_seats);
    let [over] = &list(&http, "?variant=dilkel").await?.matches[..] else { anyhow::bail!("one match ended") };
    ensure!(over.outcome == seen.state().outcome && over.plies as usize == moves.len(), "{over:?}");

    let user = player.guest()?.user.clone();
    let page: UserPage = http.get(&format!("/api/users/{}", user.id)).await?.json(200)?;
    ensure!(page.user == user && page.created_at_ms > 0);
    let [standing] = page.standings[..] else { anyhow::bail!("{page:?}") };
    ensure!(standing.played == 1 && standing.places.iter().sum::<u32>() == 1, "{standing:?}");
    ensure!(list(&http, &format!("?user={}", user.id)).await?.matches.len() == 1);
    ensure!(list(&http, "?variant=classic").await?.matches.is_empty());

    let written = http.get(&format!("/api/matches/{}/notation", contest.match_id)).await?;
    ensure!(written.status == 200 && written.header("content-type") == Some("text/plain; charset=utf-8"));
    let name = written.header("content-disposition").context("it may be cached")?;
    ensure!(
        name.starts_with("attachment; filename=\"quadrex-dilkel-2") && name.ends_with(".pgn4\""),
        "{name}"
    );
    ensure!(written.body.contains(&format!("/m/{}\"", contest.match_id)), "{}", written.body);
    let setup = ExploreSetup::Text { text: written.body, variant: None, plies: None };
    let again: Exploration = http.post("/api/explore", &Explore { setup, moves: vec![] }).await?.json(200)?;
    ensure!(again.line.len() == moves.len() && again.state.outcome == seen.state().outcome);
    ensure!(again.stopped.is_none() && again.players.len() == 4, "{:?}", again.stopped);
    Ok(())
}

/// A server that is killed right after it has acknowledged the end of a match has not archived the
/// match. The next server does it before it answers.
#[tokio::test]
async fn a_match_that_ended_right_before_a_kill_is_listed_as_ended() -> Result<()> {
    for database in [Database::Sqlite, Database::postgres().await?] {
        let launch = Launch::new(&database)?;
        let mut server = launch.start().await?;
        let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
        contest.play("e2e4".parse()?).await?;
        ensure!(list(&server.http(), "").await?.matches.len() == 1);
        let (table, match_id) = (contest.table, contest.match_id);
        let black = contest.player(Color::Black)?;
        let resign = black.resign(table);
        black.accepted(&resign).await?;
        let loser = black.guest()?.user.id;
        server.kill().await?;
        let store = Store::connect(&launch.location()?, 1).await?;
        store.load_archive_queue().await?;
        let is_archived = store.archived_match(match_id).await?.context("it runs")?.phase == Phase::Ended;
        ensure!(is_archived || store.take_archive_queue(2) == [match_id], "its end was queued with it");
        store.close().await;

        let server = launch.start().await?;
        let [over] = &list(&server.http(), "").await?.matches[..] else { anyhow::bail!("one match") };
        ensure!((over.match_id, over.plies) == (match_id, 1) && over.outcome.is_some(), "{over:?}");
        let page: UserPage = server.http().get(&format!("/api/users/{loser}")).await?.json(200)?;
        let [standing] = page.standings[..] else { anyhow::bail!("{page:?}") };
        ensure!((standing.played, standing.won) == (1, 0), "{standing:?}");
    }
    Ok(())
}

/// A match with a takeback, whose table has gone on to a rematch.
#[tokio::test]
async fn a_match_stays_readable_after_the_rematch_has_begun() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (table, first) = (contest.table, contest.match_id);
    contest.play("e2e4".parse()?).await?;
    for (color, action) in [(Color::White, RequestAction::Ask), (Color::Black, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let command = player.request(table, quadrex_rules::Request::Takeback, action);
        let seq = player.accepted(&command).await?;
        contest.until_seq(seq).await?;
    }
    contest.play("d2d4".parse()?).await?;
    let black = contest.player(Color::Black)?;
    let resign = black.resign(table);
    let seq = black.accepted(&resign).await?;
    contest.until_seq(seq).await?;
    for (color, action) in [(Color::White, RequestAction::Ask), (Color::Black, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let command = ClientFrame::Rematch {
            table,
            cmd: player.next_command_id(),
            action,
            nonce: None,
            seat: None,
            match_id: None,
        };
        player.accepted(&command).await?;
    }
    let white = contest.player(Color::White)?;
    let is_next = |client: &Client| client.table(table).is_ok_and(|watched| watched.match_id() != first);
    white.until("the next match", is_next).await?;
    let second = white.table(table)?.match_id();

    let view: MatchView = server.http().get(&format!("/api/matches/{first}")).await?.json(200)?;
    ensure!(view.match_id == first && view.view.state.phase == Phase::Ended);
    let view: MatchView = server.http().get(&format!("/api/matches/{second}")).await?.json(200)?;
    ensure!(view.match_id == second && view.view.state.phase == Phase::Running);
    let listed = list(&server.http(), "").await?.matches;
    let order: Vec<_> = listed.iter().map(|listed| (listed.match_id, listed.plies)).collect();
    ensure!(order == [(second, 0), (first, 1)], "{order:?}");
    let written = server.http().get(&format!("/api/matches/{first}/notation")).await?;
    ensure!(written.body.contains("1. d4 1-0"), "{}", written.body);
    Ok(())
}

#[tokio::test]
async fn a_private_match_and_a_missing_match_get_the_same_answer() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (guest, private) = alone(&server, "alone").await?;
    let stranger = server.guest("stranger").await?;
    let (own, others) = (server.http().as_guest(&guest), [server.http(), server.http().as_guest(&stranger)]);
    for what in ["", "/record", "/notation"] {
        ensure!(own.get(&format!("/api/matches/{private}{what}")).await?.status == 200, "{what}");
        for http in &others {
            let hidden = http.get(&format!("/api/matches/{private}{what}")).await?;
            ensure!(hidden.refusal(404)? == RefusalCode::NotFound);
            for missing in ["01890000-0000-7000-8000-000000000000", "nonsense", "%00"] {
                let missing = http.get(&format!("/api/matches/{missing}{what}")).await?;
                ensure!((missing.status, &missing.body) == (hidden.status, &hidden.body), "{missing:?}");
            }
        }
    }
    for http in &others {
        ensure!(list(http, "").await?.matches.is_empty());
        ensure!(list(http, &format!("?user={}", guest.user.id)).await?.matches.is_empty());
        let page: UserPage = http.get(&format!("/api/users/{}", guest.user.id)).await?.json(200)?;
        ensure!(page.standings.is_empty(), "{page:?}");
    }
    ensure!(list(&own, "").await?.matches.len() == 1, "its players see it");
    let page: UserPage = own.get(&format!("/api/users/{}", guest.user.id)).await?.json(200)?;
    ensure!(page.standings.len() == 1);
    for nobody in ["01890000-0000-7000-8000-000000000000", "nonsense"] {
        let answer = server.http().get(&format!("/api/users/{nobody}")).await?;
        ensure!(answer.refusal(404)? == RefusalCode::NotFound);
    }
    Ok(())
}

#[tokio::test]
async fn an_invalid_query_of_the_match_list_is_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    for (query, code) in [
        ("?limit=0", RefusalCode::BadSetting),
        ("?limit=101", RefusalCode::BadSetting),
        ("?limit=-1", RefusalCode::Malformed),
        ("?limit=many", RefusalCode::Malformed),
        ("?variant=checkers", RefusalCode::Malformed),
        ("?user=somebody", RefusalCode::Malformed),
        ("?player=", RefusalCode::BadSetting),
        ("?player=%20%20", RefusalCode::BadSetting),
        ("?player=a%00", RefusalCode::BadSetting),
        ("?player=1234567890123456789012345", RefusalCode::BadSetting),
        ("?before=yesterday", RefusalCode::Malformed),
        ("?before=99999999999999999.01890000-0000-7000-8000-000000000000", RefusalCode::Malformed),
        ("?page=2", RefusalCode::Malformed),
        ("?limit=1&limit=2", RefusalCode::Malformed),
        ("?%ff=%ff", RefusalCode::Malformed),
    ] {
        let answer = server.http().get(&format!("/api/matches{query}")).await?;
        ensure!(answer.refusal(400).context(query)? == code, "{query}: {}", answer.body);
    }
    ensure!(list(&server.http(), "").await?.matches.is_empty());
    Ok(())
}

#[tokio::test]
async fn matches_are_found_by_a_players_name() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (ben, private) = alone(&server, "Ben & Jo").await?;
    let found = async |http: &Http, query: &str| -> Result<Vec<MatchId>> {
        Ok(list(http, query).await?.matches.iter().map(|listed| listed.match_id).collect())
    };
    let anybody = server.http();
    ensure!(found(&anybody, "?player=WHITE%20pl").await? == [contest.match_id]);
    ensure!(found(&anybody, "?player=black+player&variant=classic").await? == [contest.match_id]);
    ensure!(found(&anybody, "?player=white&variant=dilkel").await?.is_empty());
    ensure!(found(&anybody, "?player=hite").await?.is_empty());
    ensure!(found(&anybody, "?player=ben").await?.is_empty(), "the match is hidden from others");
    ensure!(found(&anybody.as_guest(&ben), "?player=ben%20%26%20jo").await? == [private]);
    Ok(())
}

/// Requests for lists, matches and players have their own limit for each address. The pages
/// themselves are still served, without a preview.
#[tokio::test]
async fn the_rate_of_archive_requests_of_an_address_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1")
        .with_env("QUADREX_LIMITS__ARCHIVE_BURST", "6")
        .with_env("QUADREX_LIMITS__ARCHIVE_PER_MINUTE", "1");
    let server = launch.start().await?;
    let played = Contest::start(&server, &plain(Variant::Classic)).await?.match_id;
    let user = server.guest("Ada").await?.user.id;
    let from = |address: &str| server.http().with_header("X-Forwarded-For", address);
    let paths = [
        "/api/tables".to_owned(),
        "/api/matches".to_owned(),
        format!("/api/matches/{played}"),
        format!("/api/matches/{played}/record"),
        format!("/api/matches/{played}/notation"),
        format!("/api/users/{user}"),
    ];
    for (number, path) in paths.iter().enumerate() {
        let address = format!("192.0.2.{number}");
        for _ in 0..6 {
            let answer = from(&address).get(path).await?;
            ensure!(answer.status == 200, "{path}: {answer:?}");
        }
        let refused = from(&address).get(path).await?.refusal(429)?;
        ensure!(refused == RefusalCode::RateLimited, "{path}: {refused:?}");
        let page = from(&address).get(&format!("/m/{played}")).await?;
        ensure!(page.status == 200, "{page:?}");
    }
    Ok(())
}
