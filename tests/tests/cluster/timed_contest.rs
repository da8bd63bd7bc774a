//! A match with clocks whose players are connected to other nodes than its owner.

use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_protocol::Event;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::record::MatchRecord;
use quadrex_protocol::settings::TimeSetting;
use quadrex_rules::{Move, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::{Nodes, Script};

/// The time of each player.
pub(super) const MINUTES: TimeSetting = TimeSetting::Fischer { base_ms: 300_000, increment_ms: 0 };

/// Starts a match at node 0 whose players are connected to the other nodes.
pub(super) async fn contest_elsewhere(nodes: &Nodes) -> Result<(Contest, Vec<Move>)> {
    let addresses = nodes.addresses();
    let table = CreateTable { time: Some(MINUTES), ..plain(Variant::Dilkel) };
    // The table is created at the first node, and the players connect to the others.
    let contest = Contest::start_from(addresses[0], &addresses[1..], &table).await?;
    let first = contest.turn()?.context("the match runs")?;
    Ok((contest, Script::read("dilkel")?.begun_by(first)))
}

/// Returns the record of a match, and the largest time that a player has lost on the clock.
pub(super) async fn record(nodes: &Nodes, index: usize, contest: &Contest) -> Result<(String, Duration)> {
    let path = format!("/api/matches/{}/record", contest.match_id);
    let record = nodes.server(index)?.http().get(&path).await?;
    let parsed: MatchRecord = record.json(200)?;
    let left = parsed.events.iter().filter_map(|recorded| match &recorded.event {
        Event::Moved { left_ms, .. } => *left_ms,
        _ => None,
    });
    let least = left.min().context("the match has moves")?;
    Ok((record.body, Duration::from_millis(300_000_u64.saturating_sub(least))))
}
