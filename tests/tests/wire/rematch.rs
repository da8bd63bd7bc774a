//! Rematches over the wire.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::http::Me;
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, MatchId, MatchRecord, RefusalCode, RequestAction, ServerFrame, TableId};
use quadrex_rules::{AbortCause, Color, Request, Variant};
use quadrex_tests::client::{Answer, Client};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::database::Database;
use quadrex_tests::server::{Launch, Server};

fn rematch(client: &mut Client, table: TableId, action: RequestAction) -> ClientFrame {
    ClientFrame::Rematch {
        table,
        cmd: client.next_command_id(),
        action,
        nonce: None,
        seat: None,
        match_id: None,
    }
}

/// Ends the match: all players but the first in turn order resign.
async fn finish(contest: &mut Contest) -> Result<()> {
    let losers: Vec<Color> = contest.players.keys().skip(1).copied().collect();
    for color in losers {
        let table = contest.table;
        let player = contest.player(color)?;
        let resign = player.resign(table);
        let seq = player.accepted(&resign).await?;
        contest.until_seq(seq).await?;
    }
    Ok(())
}

/// A command for the previous match changes nothing after the rematch has begun. A committed
/// command gets its first answer again.
#[tokio::test]
async fn a_command_for_the_previous_match_is_refused() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (table, first) = (contest.table, contest.match_id);
    let [white, black] = [Color::White, Color::Black];
    let player = contest.player(white)?;
    let early = player.mv(table, "e2e4".parse()?)?.for_match(first);
    let seq = player.accepted(&early).await?;
    contest.until_seq(seq).await?;
    finish(&mut contest).await?;
    for (color, action) in [(white, RequestAction::Ask), (black, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let command = rematch(player, table, action).for_match(first);
        let seq = player.accepted(&command).await?;
        if action == RequestAction::Ask {
            contest.until_seq(seq).await?;
        }
    }
    let mut next = first;
    for client in contest.everybody() {
        next = until_match(client, table, first).await?;
    }

    let player = contest.player(white)?;
    let head = player.table(table)?.seq();
    ensure!(player.accepted(&early).await? == seq, "it was committed before");
    let words = player.chat(table, Room::Seated, "well played");
    let late = [
        words.clone().for_match(first),
        player.resign(table).for_match(first),
        player.draw(table, RequestAction::Ask).for_match(first),
        rematch(player, table, RequestAction::Ask).for_match(first),
        player.resign(table).for_match("00000000-0000-7000-8000-000000000000".parse()?),
    ];
    for command in late {
        ensure!(player.refused(&command).await? == RefusalCode::OtherMatch, "{command:?}");
    }
    // The next event belongs to the first command for this match.
    ensure!(player.accepted(&words.for_match(next)).await? == head + 1);
    Ok(())
}

fn seats(client: &Client, table: TableId) -> Result<BTreeMap<Color, UserView>> {
    let seats = &client.table(table)?.view().seats;
    seats.iter().map(|seat| Ok((seat.color, seat.user.clone().context("a seat is open")?))).collect()
}

async fn until_match(client: &mut Client, table: TableId, after: MatchId) -> Result<MatchId> {
    let is_next = |client: &Client| client.table(table).is_ok_and(|watched| watched.match_id() != after);
    client.until("the next match", is_next).await?;
    Ok(client.table(table)?.match_id())
}

/// A rematch at one table, with a restart of the server after the match and another before the last
/// agreement. All players move one seat further, all watchers receive the new match, and both
/// records are valid.
async fn check_rematch(variant: Variant, database: &Database) -> Result<()> {
    let launch = Launch::new(database)?;
    let mut server: Server = launch.start().await?;
    let mut contest = Contest::start(&server, &plain(variant)).await?;
    let (table, first) = (contest.table, contest.match_id);
    finish(&mut contest).await?;
    let mut watcher = server.connect_as_nobody().await?;
    watcher.watch(table).await?;
    contest.watchers.push(watcher);

    server.kill().await?;
    server = launch.clone().bound_to(server.address()).start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    let colors: Vec<Color> = contest.players.keys().copied().collect();
    let (asker, others) = colors.split_first().context("somebody plays")?;
    let before = seats(contest.player(*asker)?, table)?;
    let player = contest.player(*asker)?;
    let ask = rematch(player, table, RequestAction::Ask);
    let asked = player.accepted(&ask).await?;
    contest.until_seq(asked).await?;

    server.kill().await?;
    server = launch.clone().bound_to(server.address()).start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    let mut last = None;
    for color in others {
        let player = contest.player(*color)?;
        let accept = rematch(player, table, RequestAction::Accept);
        let seq = player.accepted(&accept).await?;
        last = Some((*color, accept, seq));
    }
    let (color, accept, seq) = last.context("there are two players at least")?;

    let mut nexts = Vec::new();
    for client in contest.everybody() {
        nexts.push(until_match(client, table, first).await?);
    }
    let next = nexts[0];
    ensure!(nexts.iter().all(|other| *other == next), "{nexts:?}");
    let after = seats(contest.player(*asker)?, table)?;
    for (index, color) in colors.iter().enumerate() {
        let from = colors[(index + colors.len() - 1) % colors.len()];
        ensure!(after[color] == before[&from], "{color} is {:?}, before {before:?}", after[color]);
    }

    // The command that started the rematch may be repeated, although its match is over.
    let again = contest.player(color)?.ask(&accept).await?;
    ensure!(again == Answer::Ack(seq), "{again:?}");

    // Red's player now plays Blue, and in classic the players have swapped colors. The new match is
    // played like any other.
    for client in contest.players.values_mut() {
        client.watch(table).await?;
    }
    let mut turned = BTreeMap::new();
    for (_, client) in std::mem::take(&mut contest.players) {
        let yours = &client.table(table)?.view().your_seats;
        let color = *yours.first().context("a player has a seat")?;
        turned.insert(color, client);
    }
    (contest.players, contest.match_id) = (turned, next);
    let legal = contest
        .mover()?
        .table(table)?
        .view()
        .legal_moves
        .clone()
        .context("the player to move has legal moves")?;
    contest.play(*legal.first().context("there is a move")?).await?;
    server.kill().await?;
    server = launch.clone().bound_to(server.address()).start().await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
    }
    finish(&mut contest).await?;

    for match_id in [first, next] {
        let record: MatchRecord =
            server.http().get(&format!("/api/matches/{match_id}/record")).await?.json(200)?;
        let verified = record.verify().with_context(|| format!("{match_id}"))?;
        ensure!(verified.to_string().contains("resign:"), "{verified}");
    }
    Ok(())
}

#[tokio::test]
async fn four_players_play_a_rematch() -> Result<()> {
    check_rematch(Variant::Dilkel, &Database::Sqlite).await
}

#[tokio::test]
async fn two_players_play_a_rematch_on_sqlite() -> Result<()> {
    check_rematch(Variant::Classic, &Database::Sqlite).await
}

#[tokio::test]
async fn two_players_play_a_rematch_on_postgres() -> Result<()> {
    check_rematch(Variant::Classic, &Database::postgres().await?).await
}

/// An aborted match can have a rematch too, and its record stays valid.
#[tokio::test]
async fn an_aborted_match_can_be_followed_by_a_rematch() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let (table, first) = (contest.table, contest.match_id);
    for (color, action) in [(Color::White, RequestAction::Ask), (Color::Black, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let abort = player.request(table, Request::Abort, action);
        let seq = player.accepted(&abort).await?;
        contest.until_seq(seq).await?;
    }
    let state = &contest.player(Color::White)?.table(table)?.view().state;
    ensure!(state.aborted == Some(AbortCause::Agreement), "{state:?}");
    let before = seats(contest.player(Color::White)?, table)?;
    for (color, action) in [(Color::Black, RequestAction::Ask), (Color::White, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let again = rematch(player, table, action);
        player.accepted(&again).await?;
    }
    for client in contest.everybody() {
        let next = until_match(client, table, first).await?;
        let view = client.table(table)?.view();
        ensure!(view.state.phase == Phase::Running && view.state.aborted.is_none(), "{next}: {view:?}");
        let after = seats(client, table)?;
        ensure!(
            after[&Color::White] == before[&Color::Black] && after[&Color::Black] == before[&Color::White]
        );
    }
    let record: MatchRecord = server.http().get(&format!("/api/matches/{first}/record")).await?.json(200)?;
    record.verify().context("the record of the aborted match")?;
    Ok(())
}

/// Leaving after the end declines the rematch. The others are notified, and the table keeps the
/// match as its last.
#[tokio::test]
async fn leaving_the_table_declines_the_rematch() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let running = rematch(contest.player(Color::White)?, table, RequestAction::Ask);
    ensure!(contest.player(Color::White)?.refused(&running).await? == RefusalCode::AlreadyStarted);
    finish(&mut contest).await?;
    let ask = rematch(contest.player(Color::White)?, table, RequestAction::Ask);
    contest.player(Color::White)?.accepted(&ask).await?;
    let black = contest.player(Color::Black)?;
    let leave = ClientFrame::Leave { table, cmd: black.next_command_id(), seat: None, match_id: None };
    let seq = black.accepted(&leave).await?;
    let white = contest.player(Color::White)?;
    let declined = |frame| match frame {
        ServerFrame::Event { entry, .. } if entry.seq == seq => Some(entry),
        _ => None,
    };
    let entry = white.find("the answer", declined).await?;
    ensure!(serde_json::to_value(&entry.event)?["type"] == "rematch_declined");
    let state = white.table(table)?.state();
    ensure!(state.phase == Phase::Ended && state.rematch.is_none());
    let again = rematch(white, table, RequestAction::Ask);
    ensure!(white.refused(&again).await? == RefusalCode::RequestRefused);
    let guest = white.guest()?.clone();
    let me: Me = server.http().as_guest(&guest).get("/api/me").await?.json(200)?;
    ensure!(me.tables.is_empty(), "the user has no running match");
    Ok(())
}
