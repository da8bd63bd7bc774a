//! Clocks over the wire. The server runs in the process of the test, which moves the clock ahead.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{CreateTable, TableList};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::view::{Phase, StateView};
use quadrex_protocol::{ClientFrame, Event};
use quadrex_rules::{AbortCause, Cause, Color, Reason, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Client, InProcessServer};

pub(crate) const MINUTE: TimeSetting = TimeSetting::Fischer { base_ms: 60_000, increment_ms: 0 };

pub(crate) fn timed(variant: Variant, time: TimeSetting) -> CreateTable {
    CreateTable { time: Some(time), ..plain(variant) }
}

/// Starts a match and makes the first move of every player.
pub(crate) async fn under_way(server: &InProcessServer, table: &CreateTable) -> Result<Contest> {
    let mut contest = server.contest(table).await?;
    let moves = [
        (Color::White, "e2e4"),
        (Color::Black, "e7e5"),
        (Color::Red, "h2h4"),
        (Color::Blue, "b7c7"),
        (Color::Yellow, "g13g11"),
        (Color::Green, "m8l8"),
    ];
    for _ in 0..contest.players.len() {
        let turn = contest.turn()?.context("the match runs")?;
        let (_, mv) =
            moves.into_iter().find(|(color, _)| *color == turn).context("every color has a move")?;
        contest.play(mv.parse()?).await?;
    }
    Ok(contest)
}

/// Waits until every client sees a state for which `holds` is true.
pub(crate) async fn all_see(
    contest: &mut Contest,
    what: &str,
    holds: impl Fn(&StateView) -> bool,
) -> Result<()> {
    let table = contest.table;
    for client in contest.everybody() {
        client.until(what, |client| client.table(table).is_ok_and(|seen| holds(seen.state()))).await?;
    }
    Ok(())
}

/// G12: the server's own timer ends the match of a player who does not move.
#[tokio::test]
async fn a_flag_fall_ends_a_two_player_match() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Classic, MINUTE)).await?;
    server.skip(Duration::from_secs(60));
    all_see(&mut contest, "the end", |state| {
        state
            .outcome
            .as_ref()
            .is_some_and(|outcome| outcome.reason == Reason::Time && outcome.places[&Color::White] == 2)
    })
    .await
}

/// G12, D11: two flags fall one after the other, and the third player still has its whole time.
#[tokio::test]
async fn two_flags_fall_in_succession() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Dilkel, MINUTE)).await?;
    for out in 1..=2 {
        server.skip(Duration::from_secs(60));
        all_see(&mut contest, "a flag", |state| state.eliminated.len() == out).await?;
    }
    let table = contest.table;
    let mover = contest.mover()?;
    let state = mover.table(table)?.state().clone();
    ensure!(state.eliminated.iter().all(|out| out.cause == Cause::Time), "{:?}", state.eliminated);
    let (turn, clock) = (state.turn.context("two play on")?, state.clock.context("there are clocks")?);
    ensure!(clock.running == Some(turn) && clock.left_ms[&turn] > 59_000, "{clock:?}");
    let moves =
        mover.table(table)?.view().legal_moves.clone().context("the player to move has legal moves")?;
    contest.play(moves[0]).await?;
    Ok(())
}

/// A missing first move aborts the match: there are no places, and the lobby removes it.
#[tokio::test]
async fn a_missing_first_move_aborts_the_match() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = server.contest(&timed(Variant::Classic, MINUTE)).await?;
    contest.play("e2e4".parse()?).await?;
    ensure!(listed(&server).await? == 1, "it is listed while it runs");
    server.skip(Duration::from_secs(30));
    all_see(&mut contest, "the abort", |state| {
        state.aborted == Some(AbortCause::FirstMove) && state.phase == Phase::Ended && state.outcome.is_none()
    })
    .await?;
    ensure!(listed(&server).await? == 0, "the match is over");
    let table = contest.table;
    let black = contest.player(Color::Black)?;
    let late = black.mv(table, "e7e5".parse()?)?;
    ensure!(black.refused(&late).await? == quadrex_protocol::RefusalCode::Ended);
    Ok(())
}

/// Returns the number of tables that the lobby lists.
async fn listed(server: &InProcessServer) -> Result<usize> {
    Ok(server.http().get("/api/tables").await?.json::<TableList>(200)?.tables.len())
}

/// The player to move is charged for the time before the outage, and for nothing else. The match
/// continues after a grace period.
#[tokio::test]
async fn the_time_of_an_outage_is_not_charged() -> Result<()> {
    let mut server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Classic, MINUTE)).await?;
    let table = contest.table;
    server.skip(Duration::from_secs(20));
    server.simulate_outage(Duration::from_secs(3_600)).await?;
    for client in contest.everybody() {
        client.reconnect(server.address()).await?;
        let is_sent = |client: &Client| {
            client.table(table).is_ok_and(|seen| {
                let last = seen.view().history.last();
                last.is_some_and(|entry| matches!(entry.event, Event::Interrupted { .. }))
            })
        };
        client.until("the interruption", is_sent).await?;
        let clock = client.table(table)?.state().clock.clone().context("there are clocks")?;
        ensure!(clock.running == Some(Color::White), "{clock:?}");
        ensure!((30_000..=40_000).contains(&clock.left_ms[&Color::White]), "{clock:?}");
    }
    contest.play("g1f3".parse()?).await?;
    Ok(())
}

/// Nobody could move during a stall. All clients are notified, and clocks continue with the time
/// before the stall.
#[tokio::test]
async fn the_time_of_a_stall_is_not_charged() -> Result<()> {
    let server = InProcessServer::start().await?;
    let mut contest = under_way(&server, &timed(Variant::Classic, MINUTE)).await?;
    let table = contest.table;
    let seen = contest.player(Color::White)?.table(table)?.seq();
    server.skip(Duration::from_secs(20));
    server.freeze(Duration::from_secs(3_600));
    all_see(&mut contest, "the interruption", |state| {
        state.clock.as_ref().is_some_and(|clock| clock.left_ms[&Color::White] <= 40_000)
    })
    .await?;
    for client in contest.everybody() {
        let view = client.table(table)?.view();
        let last = view.history.last().context("there are events")?;
        let Event::Interrupted { until_ms, resumes_ms, .. } = last.event else { bail!("{last:?}") };
        ensure!(resumes_ms - until_ms >= 3_603_000, "with a grace: {last:?}");
        let clock = client.table(table)?.state().clock.clone().context("there are clocks")?;
        ensure!(clock.running == Some(Color::White), "{clock:?}");
        ensure!((30_000..=40_000).contains(&clock.left_ms[&Color::White]), "{clock:?}");
    }
    let mover = contest.player(Color::White)?;
    let thought_before = ClientFrame::Move {
        table,
        cmd: "before".parse()?,
        after: seen,
        mv: "g1f3".parse()?,
        claim_draw: false,
        seat: None,
        match_id: None,
    };
    mover.accepted(&thought_before).await?;
    Ok(())
}

/// A turn in correspondence lasts for its days, whether or not anybody watches.
#[tokio::test]
async fn a_correspondence_turn_lasts_the_configured_days() -> Result<()> {
    let server = InProcessServer::start().await?;
    let day = Duration::from_secs(86_400);
    let mut contest =
        under_way(&server, &timed(Variant::Classic, TimeSetting::Correspondence { days: 3 })).await?;
    server.skip(3 * day - Duration::from_secs(60));
    contest.play("g1f3".parse()?).await?;
    server.skip(3 * day);
    all_see(&mut contest, "the end", |state| {
        state.outcome.as_ref().is_some_and(|outcome| outcome.places[&Color::Black] == 2)
    })
    .await
}
