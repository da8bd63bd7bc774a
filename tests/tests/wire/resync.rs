//! Broken connections, lost answers, and clients that are behind.

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::view::Presence;
use quadrex_protocol::{ClientFrame, RefusalCode, ServerFrame};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Database, Launch, Server};

const OPENING: [&str; 6] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];

async fn classic(server: &Server) -> Result<Contest> {
    Contest::start(server, &plain(Variant::Classic)).await
}

/// Returns the frames about tables up to the next `pong`, in order.
async fn frames_until_pong(client: &mut Client) -> Result<Vec<ServerFrame>> {
    client.send(&ClientFrame::Ping {}).await?;
    let mut frames = Vec::new();
    loop {
        match client.next().await? {
            ServerFrame::Pong { .. } => return Ok(frames),
            ServerFrame::Presence { .. } => {}
            frame => frames.push(frame),
        }
    }
}

#[tokio::test]
async fn a_reconnected_spectator_gets_only_the_missed_events() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let mut watcher = server.connect(&server.guest("watcher").await?).await?;
    watcher.watch(contest.table).await?;
    let before = watcher.table(contest.table)?.seq();
    watcher.cut().await?;
    for mv in OPENING {
        contest.play(mv.parse()?).await?;
    }
    watcher.reconnect(server.address()).await?;
    let mut missed = Vec::new();
    let mut frames = frames_until_pong(&mut watcher).await?.into_iter();
    let first = frames.next().context("the answer to watch")?;
    let ServerFrame::Watching { match_id, seq, .. } = first else { bail!("{first:?} is not an answer") };
    ensure!((match_id, seq) == (contest.match_id, before + 6), "the answer is of {match_id}, {seq}");
    for frame in frames {
        let ServerFrame::Event { entry, .. } = frame else { bail!("{frame:?} is not a missed event") };
        missed.push(entry.seq);
    }
    let expected: Vec<u64> = (before + 1..=before + 6).collect();
    ensure!(missed == expected, "{missed:?} came, {expected:?} were missed");
    contest.play("b5a4".parse()?).await?;
    watcher.until_seq(contest.table, before + 7).await?;
    Ok(())
}

#[tokio::test]
async fn a_reconnected_player_continues_to_play() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let table = contest.table;
    contest.play("e2e4".parse()?).await?;
    let mut white = contest.players.remove(&Color::White).context("white plays")?;
    white.cut().await?;
    let black = contest.player(Color::Black)?;
    black.until("white's absence", |_| true).await?;
    let mv = black.mv(table, "e7e5".parse()?)?;
    let seq = black.accepted(&mv).await?;
    white.reconnect(server.address()).await?;
    let legal = white.until_seq(table, seq).await?.view().legal_moves.clone();
    ensure!(legal.is_some_and(|moves| moves.len() == 29), "White has legal moves again");
    contest.players.insert(Color::White, white);
    contest.play("g1f3".parse()?).await?;
    Ok(())
}

/// The other players see that a player disconnects and returns.
#[tokio::test]
async fn the_other_players_see_a_disconnection_and_the_return() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let table = contest.table;
    let mut white = contest.players.remove(&Color::White).context("white plays")?;
    white.cut().await?;
    drop(white.receive().await?);
    let black = contest.player(Color::Black)?;
    let there = |color: Color, is_there: bool| {
        move |frame| match frame {
            ServerFrame::Presence { table: of, players, .. } if of == table => {
                let player = players.iter().find(|player| player.color == color)?;
                ((player.presence == Presence::Connected) == is_there).then_some(())
            }
            _ => None,
        }
    };
    black.find("white's going", there(Color::White, false)).await?;
    white.reconnect(server.address()).await?;
    black.find("white's coming", there(Color::White, true)).await
}

/// A client that is more than 200 events behind gets a snapshot instead of the events.
#[tokio::test]
async fn a_client_that_is_far_behind_gets_a_snapshot() -> Result<()> {
    let server = quadrex_tests::contest::without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let host = server.guest("host").await?;
    let made = server.http().as_guest(&host).create(&plain(Variant::Dilkel)).await?;
    let table = made.table;
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(table).await?;
    let mut restless = server.connect(&host).await?;
    watcher.cut().await?;
    let mut head = 0;
    for _ in 0..101 {
        let sit = restless.sit(table, Some(Color::Blue), None);
        restless.accepted(&sit).await?;
        let leave = ClientFrame::Leave { table, cmd: restless.next_command_id(), seat: None, match_id: None };
        head = restless.accepted(&leave).await?;
    }
    watcher.reconnect(server.address()).await?;
    let frames = frames_until_pong(&mut watcher).await?;
    match frames.as_slice() {
        [ServerFrame::Snapshot { seq, .. }] => {
            ensure!(*seq == head, "the snapshot is of {seq}, the head {head}");
        }
        other => bail!("{} frames instead of one snapshot: {:?}", other.len(), other.first()),
    }
    let mut all = vec!["watching"];
    all.extend(["event"; 200]);
    for (behind, kinds) in [(200, all), (201, vec!["snapshot"])] {
        let mut other = server.connect_as_nobody().await?;
        let (match_id, after) = (Some(made.match_id), Some(head - behind));
        other.send(&ClientFrame::Watch { table, match_id, after, secret: None, preview: false }).await?;
        let got = kinds_until_pong(&mut other).await?;
        ensure!(got == kinds, "{behind} behind: {} frames, the first {:?}", got.len(), got.first());
    }
    Ok(())
}

/// Returns the types of the frames up to the next `pong`, for a client without a mirror of the
/// table.
async fn kinds_until_pong(client: &mut Client) -> Result<Vec<String>> {
    client.send(&ClientFrame::Ping {}).await?;
    let mut kinds = Vec::new();
    loop {
        let Ok(text) = client.receive_text().await? else { bail!("the connection ended") };
        let frame: serde_json::Value = serde_json::from_str(&text)?;
        match frame["t"].as_str().context("a frame has a t")? {
            "pong" => return Ok(kinds),
            "presence" => {}
            kind => kinds.push(kind.to_owned()),
        }
    }
}

/// A number of another match or a number that does not exist yet is useless, so the client gets a
/// snapshot.
#[tokio::test]
async fn a_client_with_an_impossible_sequence_number_gets_a_snapshot() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let contest = classic(&server).await?;
    let other = classic(&server).await?;
    let table = contest.table;
    for (match_id, after) in [(contest.match_id, 1_000), (other.match_id, 1)] {
        let mut watcher = server.connect_as_nobody().await?;
        watcher
            .send(&ClientFrame::Watch {
                table,
                match_id: Some(match_id),
                after: Some(after),
                secret: None,
                preview: false,
            })
            .await?;
        let frames = frames_until_pong(&mut watcher).await?;
        ensure!(matches!(frames.as_slice(), [ServerFrame::Snapshot { .. }]), "{frames:?}");
    }
    Ok(())
}

/// The same `cmd` is the same command: on the same connection, on a new one, and after further
/// events.
#[tokio::test]
async fn a_repeated_command_gets_the_same_answer() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let table = contest.table;
    let white = contest.player(Color::White)?;
    let (at, cmd) = (white.table(table)?.seq(), "once".parse()?);
    let mv = ClientFrame::Move {
        table,
        cmd,
        after: at,
        mv: "e2e4".parse()?,
        claim_draw: false,
        seat: None,
        match_id: None,
    };
    let seq = white.accepted(&mv).await?;
    ensure!(white.accepted(&mv).await? == seq);
    contest.until_seq(seq).await?;
    let head = contest.play("e7e5".parse()?).await?;
    let white = contest.player(Color::White)?;
    ensure!(white.accepted(&mv).await? == seq, "after the answer to it");
    white.cut().await?;
    white.reconnect(server.address()).await?;
    ensure!(white.accepted(&mv).await? == seq, "on a new connection");
    frames_until_pong(white).await?;
    ensure!(white.table(table)?.seq() == head, "nothing was repeated");
    // The same id from another player is another command.
    contest.play("g1f3".parse()?).await?;
    let black = contest.player(Color::Black)?;
    let (at, cmd) = (black.table(table)?.seq(), "once".parse()?);
    let reply = ClientFrame::Move {
        table,
        cmd,
        after: at,
        mv: "b8c6".parse()?,
        claim_draw: false,
        seat: None,
        match_id: None,
    };
    ensure!(black.accepted(&reply).await? == head + 2, "the move was mistaken for the other player's");
    Ok(())
}

/// A move is refused if the board has changed since, and accepted if only a request was made since.
#[tokio::test]
async fn a_move_on_an_old_board_is_stale() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let table = contest.table;
    let start = contest.player(Color::White)?.table(table)?.seq();
    contest.play("e2e4".parse()?).await?;
    contest.play("e7e5".parse()?).await?;
    let white = contest.player(Color::White)?;
    let head = white.table(table)?.seq();
    for at in [start, head - 1] {
        let cmd = white.next_command_id();
        let stale = ClientFrame::Move {
            table,
            cmd,
            after: at,
            mv: "g1f3".parse()?,
            claim_draw: false,
            seat: None,
            match_id: None,
        };
        ensure!(white.refused(&stale).await? == RefusalCode::Stale, "made at {at}, the head is {head}");
    }
    let black = contest.player(Color::Black)?;
    let offer = black.draw(table, quadrex_protocol::RequestAction::Ask);
    let offered = black.accepted(&offer).await?;
    contest.until_seq(offered).await?;
    let white = contest.player(Color::White)?;
    let cmd = white.next_command_id();
    let fresh = ClientFrame::Move {
        table,
        cmd,
        after: head,
        mv: "g1f3".parse()?,
        claim_draw: false,
        seat: None,
        match_id: None,
    };
    ensure!(white.accepted(&fresh).await? == offered + 1, "the board has not changed");
    Ok(())
}

/// A `pong` contains the heads of all watched tables, and of no others.
#[tokio::test]
async fn a_pong_has_the_head_of_each_watched_table() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = classic(&server).await?;
    let other = classic(&server).await?;
    contest.play("e2e4".parse()?).await?;
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(contest.table).await?;
    watcher.watch(other.table).await?;
    watcher.send(&ClientFrame::Unwatch { table: other.table }).await?;
    watcher.send(&ClientFrame::Ping {}).await?;
    let heads = watcher.find("the pong", |frame| match frame {
        ServerFrame::Pong { heads } => Some(heads),
        _ => None,
    });
    let heads: Vec<_> = heads.await?.into_iter().collect();
    let expected = watcher.table(contest.table)?.seq();
    ensure!(heads.len() == 1 && heads[0].0 == contest.table, "{heads:?}");
    ensure!(heads[0].1.seq == expected && heads[0].1.match_id == contest.match_id, "{heads:?}");
    Ok(())
}
