//! Absent players. The server runs in the process of the test, which moves the clock ahead.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::MatchList;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::settings::{Absence, Privacy};
use quadrex_protocol::view::{PlayerView, Presence, SuspensionKind};
use quadrex_protocol::{ClientFrame, Event, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, InProcessServer};

use crate::clocks::under_way;

/// Disconnects the player to move without a close frame. The others are notified.
async fn mover_leaves(contest: &mut Contest) -> Result<(Color, Client)> {
    let color = contest.turn()?.context("the match runs")?;
    let mut mover = contest.players.remove(&color).context("the player to move has a connection")?;
    mover.cut().await?;
    drop(mover.receive().await?);
    let table = contest.table;
    for client in contest.everybody() {
        let player = until_presence(client, table, color, Presence::Reconnecting).await?;
        ensure!(player.bank_running && player.bank_left_ms.is_some_and(|left| left <= 180_000), "{player:?}");
    }
    Ok((color, mover))
}

/// Waits until a client sees a player with this presence.
pub(crate) async fn until_presence(
    client: &mut Client,
    table: TableId,
    color: Color,
    presence: Presence,
) -> Result<PlayerView> {
    let pick = |frame| match frame {
        ServerFrame::Presence { table: of, players, .. } if of == table => {
            players.into_iter().find(|player| player.color == color && player.presence == presence)
        }
        _ => None,
    };
    client.find(&format!("{color} to be {presence:?}"), pick).await
}

/// A connection that breaks for two seconds costs no seat, no command, and little of the reconnect
/// bank.
#[tokio::test]
async fn a_short_absence_has_no_consequences() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let (color, mut mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(2));
    mover.reconnect(server.address()).await?;
    for client in contest.everybody() {
        until_presence(client, table, color, Presence::Connected).await?;
    }
    contest.players.insert(color, mover);
    let seq = contest.mover()?.table(table)?.seq();
    contest.until_seq(seq).await?;
    let moves = contest.mover()?.table(table)?.view().legal_moves.clone().context("it is still its turn")?;
    contest.play(moves[0]).await?;
    let seen = contest.player(color)?.table(table)?;
    ensure!(seen.state().eliminated.is_empty(), "{:?}", seen.state());
    let last = seen.view().history.last().context("a move was made")?;
    let Event::Moved { away_ms, .. } = last.event else { anyhow::bail!("{last:?}") };
    ensure!((2_000..60_000).contains(&away_ms), "away for {away_ms} ms");
    Ok(())
}

/// `eliminate`: a player is connected, then reconnecting with a countdown, then gone. The others
/// play on, and the player may return as a spectator.
#[tokio::test]
async fn an_absent_player_is_eliminated() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let (color, mut mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(180));
    for client in contest.everybody() {
        until_presence(client, table, color, Presence::Gone).await?;
        let out = client.table(table)?.state().eliminated.clone();
        ensure!(out.len() == 1 && (out[0].color, out[0].cause) == (color, Cause::Absence), "{out:?}");
    }
    let moves =
        contest.mover()?.table(table)?.view().legal_moves.clone().context("the next player is to move")?;
    contest.play(moves[0]).await?;
    mover.reconnect(server.address()).await?;
    let first = contest.players.keys().next().copied().context("three players remain")?;
    let there = until_presence(contest.player(first)?, table, color, Presence::Connected).await?;
    ensure!(there.bank_left_ms.is_none());
    let resign = mover.resign(table);
    ensure!(mover.refused(&resign).await? == RefusalCode::Eliminated);
    Ok(())
}

/// With two players, an absence ends the match when the bank is empty.
#[tokio::test]
async fn a_two_player_match_ends_when_a_player_is_absent() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let (color, _mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(180));
    let other = contest.everybody().next().context("one player is left")?;
    let is_over = |client: &Client| client.table(table).is_ok_and(|seen| seen.state().outcome.is_some());
    other.until("the end", is_over).await?;
    let outcome = other.table(table)?.state().outcome.clone().context("the match has no outcome")?;
    ensure!(outcome.reason == Reason::Absence && outcome.places[&color] == 2, "{outcome:?}");
    Ok(())
}

/// Disconnects the player to move until a bot substitutes for it and has moved.
async fn wait_for_substitute(server: &InProcessServer, contest: &mut Contest) -> Result<(Color, Client)> {
    let (color, mover) = mover_leaves(contest).await?;
    server.skip(Duration::from_secs(180));
    until_bot_moves(contest, color).await?;
    Ok((color, mover))
}

/// Waits until every client sees that a bot has moved for this player and that the next player is
/// to move.
async fn until_bot_moves(contest: &mut Contest, color: Color) -> Result<()> {
    let table = contest.table;
    let substitute = |client: &Client| {
        let seat = client.table(table).ok()?.view().seats.iter().find(|seat| seat.color == color)?;
        Some((seat.user.clone()?, seat.substitute.clone()?))
    };
    for client in contest.everybody() {
        let has_moved = |client: &Client| {
            let seen = client.table(table).map(|seen| seen.state().turn != Some(color));
            substitute(client).is_some() && seen.is_ok_and(|moved| moved)
        };
        client.until("the bot's move", has_moved).await?;
        let (user, bot) = substitute(client).context("a bot plays")?;
        ensure!(user.bot.is_none() && matches!(bot.bot, Some(BotView::BuiltIn { .. })), "{user:?}, {bot:?}");
    }
    Ok(())
}

/// Makes moves of the connected players until it is the turn of this color.
async fn play_until_turn_of(contest: &mut Contest, color: Color) -> Result<()> {
    while contest.turn()?.context("the match runs")? != color {
        let table = contest.table;
        let legal = contest.mover()?.table(table)?.view().legal_moves.clone().context("it is its turn")?;
        contest.play(legal[0]).await?;
    }
    Ok(())
}

/// `bot`: a bot plays for an absent player, turn after turn. A returning player watches, and plays
/// again after taking the seat back. A player who stays away to the end keeps seat and result, and
/// the archive names both player and bot.
#[tokio::test]
async fn a_bot_substitutes_for_an_absent_player_until_the_player_returns() -> Result<()> {
    let server = InProcessServer::start().await?;
    let wanted = CreateTable { absence: Some(Absence::Bot), ..plain(Variant::Dilkel) };
    let mut contest = under_way(&server, &wanted).await?;
    let table = contest.table;
    let (color, mut mover) = wait_for_substitute(&server, &mut contest).await?;
    play_until_turn_of(&mut contest, color).await?;
    until_bot_moves(&mut contest, color).await?;

    mover.reconnect(server.address()).await?;
    let any = contest.players.keys().next().copied().context("three players remain")?;
    until_presence(contest.player(any)?, table, color, Presence::Connected).await?;
    let head = contest.player(any)?.table(table)?.seq();
    mover.until_seq(table, head).await?;
    ensure!(mover.table(table)?.state().eliminated.is_empty());
    let resign = mover.resign(table);
    ensure!(
        mover.refused(&resign).await? == RefusalCode::Substituted,
        "the bot plays on until the player is back"
    );
    let sit = mover.sit(table, None, None);
    let seq = mover.accepted(&sit).await?;
    contest.players.insert(color, mover);
    contest.until_seq(seq).await?;
    for client in contest.everybody() {
        let seen = client.table(table)?.view();
        ensure!(seen.history.iter().any(|entry| entry.event == Event::Returned { color }));
        ensure!(seen.seats.iter().all(|seat| seat.substitute.is_none()), "{:?}", seen.seats);
    }
    // In the next round the player makes its own move, disconnects, and is replaced at once on its
    // next turn.
    play_until_turn_of(&mut contest, color).await?;
    let legal =
        contest.mover()?.table(table)?.view().legal_moves.clone().context("the player has the turn again")?;
    contest.play(legal[0]).await?;
    let mut again = contest.players.remove(&color).context("it plays")?;
    again.cut().await?;
    drop(again.receive().await?);
    // The player's bank is empty.
    until_presence(contest.player(any)?, table, color, Presence::Gone).await?;
    play_until_turn_of(&mut contest, color).await?;
    until_bot_moves(&mut contest, color).await?;

    for (_, mut player) in std::mem::take(&mut contest.players) {
        let resign = player.resign(table);
        player.accepted(&resign).await?;
    }
    let MatchList { matches, .. } = server.http().get("/api/matches").await?.json(200)?;
    let [played] = &matches[..] else { anyhow::bail!("{matches:?}") };
    let places = &played.outcome.as_ref().context("the match has no outcome")?.places;
    ensure!(places[&color] == 1, "the result is the player's: {places:?}");
    for seat in &played.seats {
        let user = seat.user.as_ref().context("all seats were held")?;
        let is_stood_in = matches!(&seat.substitute, Some(bot) if bot.is_server_bot());
        ensure!(user.bot.is_none() && user.name == format!("{} player", seat.color), "{seat:?}");
        ensure!(is_stood_in == (seat.color == color), "{seat:?}");
    }
    Ok(())
}

/// Only a paused match can be resumed.
#[tokio::test]
async fn only_a_pause_can_be_ended() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&plain(Variant::Classic)).await?;
    let table = contest.table;
    let white = contest.player(Color::White)?;
    let resume = ClientFrame::Resume { table, cmd: white.next_command_id(), seat: None, match_id: None };
    ensure!(white.refused(&resume).await? == RefusalCode::NotPaused);
    Ok(())
}

/// `wait`: at a private table the match is suspended until the player returns, and then continues
/// from the same state.
#[tokio::test]
async fn a_private_match_waits_for_an_absent_player() -> Result<()> {
    let server = InProcessServer::start().await?;
    let (ada, ben) = (server.guest("Ada").await?, server.guest("Ben").await?);
    let wanted = CreateTable {
        seat: Some(Color::White),
        absence: Some(Absence::Wait),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let http = server.http().as_guest(&ada);
    let table = http.create(&wanted).await?.table;
    let invite = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let (mut white, mut black) = (server.connect(&ada).await?, server.connect(&ben).await?);
    let sit = black.sit(table, None, Some(&invite));
    black.accepted(&sit).await?;
    white.watch(table).await?;
    black.watch(table).await?;
    let mv = white.mv(table, "e2e4".parse()?)?;
    let seq = white.accepted(&mv).await?;
    black.until_seq(table, seq).await?;
    let mv = black.mv(table, "e7e5".parse()?)?;
    black.accepted(&mv).await?;
    white.cut().await?;
    drop(white.receive().await?);
    until_presence(&mut black, table, Color::White, Presence::Reconnecting).await?;
    server.skip(Duration::from_secs(180));
    let frozen = |client: &Client| client.table(table).ok().and_then(|seen| seen.state().suspension.clone());
    let waits = |client: &Client| frozen(client).is_some_and(|frozen| frozen.kind == SuspensionKind::Waiting);
    black.until("the wait", waits).await?;
    ensure!(frozen(&black).and_then(|frozen| frozen.color) == Some(Color::White));
    server.skip(Duration::from_secs(23 * 3_600));
    white.reconnect(server.address()).await?;
    for client in [&mut black, &mut white] {
        let goes_on = |client: &Client| {
            let last = client.table(table).ok().and_then(|seen| seen.view().history.last());
            last.is_some_and(|entry| entry.event == Event::Resumed {})
        };
        client.until("going on", goes_on).await?;
        ensure!(frozen(client).is_none());
    }
    let mv = white.mv(table, "g1f3".parse()?)?;
    white.accepted(&mv).await?;
    black.cut().await?;
    until_presence(&mut white, table, Color::Black, Presence::Reconnecting).await?;
    server.skip(Duration::from_secs(180));
    white.until("the next wait", waits).await?;
    server.skip(Duration::from_secs(24 * 3_600));
    let is_aborted = |client: &Client| {
        client.table(table).is_ok_and(|seen| seen.state().aborted == Some(AbortCause::Absence))
    };
    white.until("the abort", is_aborted).await
}

/// Without clocks, a connected player who does nothing for five minutes counts as absent.
#[tokio::test]
async fn an_idle_player_counts_as_absent() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let idle = contest.turn()?.context("the match runs")?;
    let left = contest.mover()?.table(table)?.state().move_left_ms;
    ensure!(left.is_some_and(|left| (290_000..=300_000).contains(&left)), "{left:?}");
    server.skip(Duration::from_secs(300));
    for client in contest.everybody() {
        let is_out = |client: &Client| {
            let seen = client.table(table).map(|seen| seen.state().eliminated.clone());
            seen.is_ok_and(|out| out.len() == 1 && (out[0].color, out[0].cause) == (idle, Cause::Absence))
        };
        client.until("the elimination", is_out).await?;
    }
    Ok(())
}
