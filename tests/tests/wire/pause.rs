//! Pauses: all players agree, any player ends a pause with a countdown, and pauses last ten minutes
//! in total. The server runs in the process of the test, which moves the clock ahead.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::{StateView, SuspensionKind};
use quadrex_protocol::{ClientFrame, Event, RefusalCode, RequestAction};
use quadrex_rules::{Color, Request, Variant};
use quadrex_tests::InProcessServer;
use quadrex_tests::contest::Contest;

use crate::clocks::{MINUTE, all_see, timed, under_way};

const MINUTES: Duration = Duration::from_secs(60);

fn frozen(state: &StateView) -> Option<(SuspensionKind, Option<Color>)> {
    state.suspension.as_ref().map(|frozen| (frozen.kind, frozen.color))
}

/// Pauses the match: `asker` requests it, the other player agrees, and every client sees it.
async fn pause(contest: &mut Contest, asker: Color, other: Color) -> Result<()> {
    let table = contest.table;
    for (color, action) in [(asker, RequestAction::Ask), (other, RequestAction::Accept)] {
        let player = contest.player(color)?;
        let request = player.request(table, Request::Pause, action);
        let seq = player.accepted(&request).await?;
        contest.until_seq(seq).await?;
    }
    all_see(contest, "the pause", |state| frozen(state) == Some((SuspensionKind::Paused, None))).await
}

/// Checks that a move of the player to move is refused.
async fn check_moves_are_refused(contest: &mut Contest, mv: &str) -> Result<()> {
    let table = contest.table;
    let mover = contest.mover()?;
    let command = mover.mv(table, mv.parse()?)?;
    ensure!(mover.refused(&command).await? == RefusalCode::Paused);
    Ok(())
}

fn left_ms(contest: &mut Contest, color: Color) -> Result<u64> {
    let table = contest.table;
    let clock = contest.player(color)?.table(table)?.state().clock.clone();
    clock.context("there are clocks")?.left_ms.get(&color).copied().context("every player has a clock")
}

/// Checks that the match resumes after a countdown of ten seconds.
async fn check_countdown(server: &InProcessServer, contest: &mut Contest, by: Option<Color>) -> Result<()> {
    all_see(contest, "the countdown", |state| frozen(state) == Some((SuspensionKind::Resuming, by))).await?;
    server.skip(Duration::from_secs(10));
    all_see(contest, "going on", |state| state.suspension.is_none()).await?;
    let table = contest.table;
    for client in contest.everybody() {
        let last = client.table(table)?.view().history.last().map(|entry| entry.event.clone());
        ensure!(last == Some(Event::Resumed {}), "{last:?}");
    }
    Ok(())
}

/// A pause costs no time. Any player may end it. Nobody can move during the countdown.
#[tokio::test]
async fn a_pause_costs_no_time_and_ends_with_a_countdown() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Classic, MINUTE)).await?;
    let table = contest.table;
    server.skip(Duration::from_secs(10));
    pause(&mut contest, Color::White, Color::Black).await?;
    let before = left_ms(&mut contest, Color::White)?;
    ensure!((40_000..=50_000).contains(&before), "{before} ms are left");
    server.skip(5 * MINUTES);
    check_moves_are_refused(&mut contest, "g1f3").await?;

    let black = contest.player(Color::Black)?;
    let resume = ClientFrame::Resume { table, cmd: black.next_command_id(), seat: None, match_id: None };
    let seq = black.accepted(&resume).await?;
    contest.until_seq(seq).await?;
    check_moves_are_refused(&mut contest, "g1f3").await?;
    let white = contest.player(Color::White)?;
    let again = ClientFrame::Resume { table, cmd: white.next_command_id(), seat: None, match_id: None };
    ensure!(white.refused(&again).await? == RefusalCode::NotPaused);
    check_countdown(&server, &mut contest, Some(Color::Black)).await?;
    let after = left_ms(&mut contest, Color::White)?;
    ensure!(after <= before && before - after < 10_000, "{before} ms before, {after} ms after");
    contest.play("g1f3".parse()?).await?;
    Ok(())
}

/// After ten minutes of pauses in total, the match resumes by itself and cannot be paused again.
#[tokio::test]
async fn pauses_expire_after_ten_minutes_in_total() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Classic, MINUTE)).await?;
    let table = contest.table;
    pause(&mut contest, Color::White, Color::Black).await?;
    server.skip(4 * MINUTES);
    let white = contest.player(Color::White)?;
    let resume = ClientFrame::Resume { table, cmd: white.next_command_id(), seat: None, match_id: None };
    let seq = white.accepted(&resume).await?;
    contest.until_seq(seq).await?;
    check_countdown(&server, &mut contest, Some(Color::White)).await?;
    contest.play("g1f3".parse()?).await?;

    pause(&mut contest, Color::Black, Color::White).await?;
    server.skip(5 * MINUTES);
    check_moves_are_refused(&mut contest, "b8c6").await?;
    server.skip(MINUTES);
    check_countdown(&server, &mut contest, None).await?;
    contest.play("b8c6".parse()?).await?;
    let white = contest.player(Color::White)?;
    let third = white.request(table, Request::Pause, RequestAction::Ask);
    ensure!(white.refused(&third).await? == RefusalCode::NotPaused);
    Ok(())
}
