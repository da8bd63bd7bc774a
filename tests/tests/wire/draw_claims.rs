//! Draw claims (RULES G11): before a move, with a move, and wrong ones.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RefusalCode};
use quadrex_rules::{Reason, Variant};
use quadrex_tests::contest::{Contest, plain, without_rate_limits};
use quadrex_tests::{Database, Launch, Server};

/// The moves of knights out and back. Every four moves repeat the start position.
const OUT_AND_BACK: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

async fn begin() -> Result<(Server, Contest)> {
    let server = without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    Ok((server, contest))
}

/// Returns the next move with a claim.
fn claiming(contest: &mut Contest, mv: &str) -> Result<ClientFrame> {
    let table = contest.table;
    match contest.mover()?.mv(table, mv.parse()?)? {
        ClientFrame::Move { table, cmd, after: at, mv, seat, .. } => {
            Ok(ClientFrame::Move { table, cmd, after: at, mv, claim_draw: true, seat, match_id: None })
        }
        other => anyhow::bail!("{other:?} is not a move"),
    }
}

/// Checks that every client sees the draw by repetition.
async fn is_drawn(contest: &mut Contest, seq: u64) -> Result<()> {
    contest.until_seq(seq).await?;
    let table = contest.table;
    for client in contest.everybody() {
        let state = client.table(table)?.state();
        let outcome = state.outcome.as_ref().context("it has ended")?;
        ensure!(state.phase == Phase::Ended && outcome.reason == Reason::Repetition, "{state:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_third_repetition_is_claimed_before_a_move() -> Result<()> {
    let (_server, mut contest) = begin().await?;
    let table = contest.table;
    for mv in OUT_AND_BACK.iter().chain(&OUT_AND_BACK[..3]) {
        contest.play(mv.parse()?).await?;
    }
    // The position has occurred twice.
    let mover = contest.mover()?;
    let too_early = mover.claim_draw(table);
    ensure!(mover.refused(&too_early).await? == RefusalCode::NoDrawToClaim);
    contest.play(OUT_AND_BACK[3].parse()?).await?;
    let mover = contest.mover()?;
    ensure!(mover.table(table)?.state().can_claim_draw, "it may be claimed");
    let claim = mover.claim_draw(table);
    let seq = mover.accepted(&claim).await?;
    is_drawn(&mut contest, seq).await
}

#[tokio::test]
async fn a_third_repetition_is_claimed_with_the_move_that_brings_it_about() -> Result<()> {
    let (_server, mut contest) = begin().await?;
    for mv in OUT_AND_BACK.iter().chain(&OUT_AND_BACK[..3]) {
        contest.play(mv.parse()?).await?;
    }
    let claim = claiming(&mut contest, OUT_AND_BACK[3])?;
    let seq = contest.mover()?.accepted(&claim).await?;
    is_drawn(&mut contest, seq).await
}

/// A wrong claim is refused, and its move is not made.
#[tokio::test]
async fn a_move_with_a_wrong_draw_claim_is_refused() -> Result<()> {
    let (_server, mut contest) = begin().await?;
    let table = contest.table;
    let claim = claiming(&mut contest, "e2e4")?;
    let mover = contest.mover()?;
    let before = mover.table(table)?.seq();
    ensure!(mover.refused(&claim).await? == RefusalCode::NoDrawToClaim);
    ensure!(mover.table(table)?.seq() == before, "nothing happened");
    ensure!(contest.play("e2e4".parse()?).await? == before + 1, "the move without a claim is made");
    Ok(())
}
