//! Players who are away, over the wire. The server runs in the test's own process: its clock is made to jump.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{CreateTable, NewInvite, Privacy, Uses};
use quadrex_protocol::settings::Absence;
use quadrex_protocol::view::{FrozenKind, PlayerView, Presence};
use quadrex_protocol::{ClientFrame, Event, RefusalCode, ServerFrame, TableId};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, Inner};

use crate::times::under_way;

/// The player to move leaves without a word; the others are told.
async fn mover_leaves(contest: &mut Contest) -> Result<(Color, Client)> {
    let color = contest.turn()?.context("the match runs")?;
    let mut mover = contest.players.remove(&color).context("the mover plays")?;
    mover.cut().await?;
    drop(mover.receive().await?);
    let table = contest.table;
    for client in contest.everybody() {
        let player = told(client, table, color, Presence::Reconnecting).await?;
        ensure!(player.counting && player.left_ms.is_some_and(|left| left <= 180_000), "{player:?}");
    }
    Ok((color, mover))
}

/// Waits until a client is told that a player is there in this way.
pub(crate) async fn told(
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

/// A line that breaks for two seconds loses nothing: neither the seat nor a command, and little of the bank.
#[tokio::test]
async fn a_short_absence_loses_nothing() -> Result<()> {
    let server = Inner::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let (color, mut mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(2));
    mover.reconnect(server.address()).await?;
    for client in contest.everybody() {
        told(client, table, color, Presence::Connected).await?;
    }
    contest.players.insert(color, mover);
    let seq = contest.mover()?.table(table)?.seq();
    contest.until_seq(seq).await?;
    let moves = contest.mover()?.table(table)?.view().legal.clone().context("it is still its turn")?;
    contest.play(moves[0]).await?;
    let seen = contest.player(color)?.table(table)?;
    ensure!(seen.state().eliminated.is_empty(), "{:?}", seen.state());
    let last = seen.view().history.last().context("a move was made")?;
    let Event::Moved { away_ms, .. } = last.event else { anyhow::bail!("{last:?}") };
    ensure!((2_000..60_000).contains(&away_ms), "away for {away_ms} ms");
    Ok(())
}

/// `eliminate`: connected, reconnecting with the seconds left, gone; the others play on, and who comes back watches.
#[tokio::test]
async fn who_stays_away_is_eliminated() -> Result<()> {
    let server = Inner::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let (color, mut mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(180));
    for client in contest.everybody() {
        told(client, table, color, Presence::Gone).await?;
        let out = client.table(table)?.state().eliminated.clone();
        ensure!(out.len() == 1 && (out[0].color, out[0].cause) == (color, Cause::Absence), "{out:?}");
    }
    let moves = contest.mover()?.table(table)?.view().legal.clone().context("the next one is to move")?;
    contest.play(moves[0]).await?;
    mover.reconnect(server.address()).await?;
    let first = contest.players.keys().next().copied().context("three play")?;
    let there = told(contest.player(first)?, table, color, Presence::Connected).await?;
    ensure!(there.left_ms.is_none());
    let resign = mover.resign(table);
    ensure!(mover.refused(&resign).await? == RefusalCode::Eliminated);
    Ok(())
}

/// Absence counts as time: with two players it ends the match.
#[tokio::test]
async fn a_match_of_two_ends_when_one_stays_away() -> Result<()> {
    let server = Inner::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Classic)).await?;
    let table = contest.table;
    let (color, _mover) = mover_leaves(&mut contest).await?;
    server.skip(Duration::from_secs(180));
    let other = contest.everybody().next().context("one is left")?;
    let is_over = |client: &Client| client.table(table).is_ok_and(|seen| seen.state().outcome.is_some());
    other.until("the end", is_over).await?;
    let outcome = other.table(table)?.state().outcome.clone().context("it is over")?;
    ensure!(outcome.reason == Reason::Absence && outcome.places[&color] == 2, "{outcome:?}");
    Ok(())
}

/// There is nothing to resume in a match that is not paused.
#[tokio::test]
async fn only_a_pause_can_be_ended() -> Result<()> {
    let server = Inner::start().await?;
    let mut contest = server.contest(&plain(Variant::Classic)).await?;
    let table = contest.table;
    let white = contest.player(Color::White)?;
    let resume = ClientFrame::Resume { table, cmd: white.cmd(), seat: None };
    ensure!(white.refused(&resume).await? == RefusalCode::NotPaused);
    Ok(())
}

/// `wait`: at a private table the match stands still until the player is back, and goes on where it stood.
#[tokio::test]
async fn a_private_match_waits_for_who_is_gone() -> Result<()> {
    let server = Inner::start().await?;
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
    black.done(&sit).await?;
    white.watch(table).await?;
    black.watch(table).await?;
    let mv = white.mv(table, "e2e4".parse()?)?;
    let seq = white.done(&mv).await?;
    black.until_seq(table, seq).await?;
    let mv = black.mv(table, "e7e5".parse()?)?;
    black.done(&mv).await?;
    white.cut().await?;
    drop(white.receive().await?);
    told(&mut black, table, Color::White, Presence::Reconnecting).await?;
    server.skip(Duration::from_secs(180));
    let frozen = |client: &Client| client.table(table).ok().and_then(|seen| seen.state().frozen.clone());
    let waits = |client: &Client| frozen(client).is_some_and(|frozen| frozen.kind == FrozenKind::Waiting);
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
    white.done(&mv).await?;
    black.cut().await?;
    told(&mut white, table, Color::Black, Presence::Reconnecting).await?;
    server.skip(Duration::from_secs(180));
    white.until("the next wait", waits).await?;
    server.skip(Duration::from_secs(24 * 3_600));
    let is_aborted = |client: &Client| {
        client.table(table).is_ok_and(|seen| seen.state().aborted == Some(AbortCause::Absence))
    };
    white.until("the abort", is_aborted).await
}

/// Without clocks, one who is there but does nothing for five minutes counts as absent.
#[tokio::test]
async fn an_idle_player_counts_as_absent() -> Result<()> {
    let server = Inner::start().await?;
    let mut contest = under_way(&server, &plain(Variant::Dilkel)).await?;
    let table = contest.table;
    let idle = contest.turn()?.context("the match runs")?;
    let left = contest.mover()?.table(table)?.state().limit_ms;
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
