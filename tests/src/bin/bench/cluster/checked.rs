//! The comparison of a match that was played under a fault with its record and its log.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::Event;
use quadrex_protocol::record::MatchRecord;
use quadrex_store::Store;
use quadrex_tests::checker;
use quadrex_tests::http::Http;
use tokio::time::Instant;

use super::played::PlayedMatch;
use super::{BASE, Times};
use crate::figures::Figures;

/// The number of records that are read at the same time.
const READ_AT_ONCE: usize = 8;

/// The number of errors that are printed.
const PRINTED_ERRORS: usize = 3;

/// The result of a match.
pub(super) struct Checked {
    /// The longest time that a move has waited for its acknowledgement after the fault; `None` if
    /// the match had ended before.
    pause: Option<Duration>,
    /// The largest time charged for a move after the fault, beyond the player's own thinking.
    charged: Duration,
    /// The number of acknowledged moves that the record does not have at their place.
    missing: usize,
    /// The number of recorded moves that nobody has made.
    unexpected: usize,
    refusals: usize,
    reconnections: usize,
    is_ended_by_absence: bool,
    is_over: bool,
    /// The violations that the checker of logs has found.
    violations: Vec<String>,
}

/// Compares all matches with their records and logs.
///
/// # Errors
/// If a record or a log cannot be read.
pub(super) async fn check_all(
    http: &Http,
    store: &Store,
    played: &[PlayedMatch],
    fault_at: Instant,
) -> Result<Vec<Checked>> {
    futures_util::stream::iter(played)
        .map(|played| check(http, store, played, fault_at))
        .buffer_unordered(READ_AT_ONCE)
        .try_collect()
        .await
}

async fn check(http: &Http, store: &Store, played: &PlayedMatch, fault_at: Instant) -> Result<Checked> {
    let match_id = played.contest.match_id;
    let log = store.events(match_id, 0).await.with_context(|| format!("reading the log of {match_id}"))?;
    let entries = played.ledger();
    let (_, violations) = checker::check(&log, Some(&entries), None);
    let record = http.get(&format!("/api/matches/{match_id}/record")).await?;
    let parsed: MatchRecord = record.json(200)?;
    let mut recorded = Vec::new();
    let mut left = BTreeMap::new();
    for event in parsed.events {
        if let Event::Moved { color, mv, left_ms, .. } = event.event {
            let left_now = Duration::from_millis(left_ms.unwrap_or_default());
            let left_before = left.insert(color, left_now).unwrap_or(BASE);
            recorded.push((mv, left_before.saturating_sub(left_now)));
        }
    }
    let pairs = played.moves.iter().zip(&recorded);
    let same = pairs.clone().take_while(|(made, (mv, _))| made.mv == *mv).count();
    let after = played.moves.iter().filter(|made| made.accepted >= fault_at);
    let pause = after.map(|made| made.accepted.saturating_duration_since(made.sent.max(fault_at))).max();
    let charged = pairs
        .filter(|(made, _)| made.accepted >= fault_at)
        .map(|(made, (_, charged))| charged.saturating_sub(made.thought))
        .max();
    Ok(Checked {
        pause,
        charged: charged.unwrap_or_default(),
        missing: played.moves.len() - same,
        unexpected: recorded.len().saturating_sub(same),
        refusals: played.refusals.len(),
        reconnections: played.reconnections,
        is_ended_by_absence: record.body.contains("\"cause\":\"absence\""),
        is_over: played.is_over()?,
        violations: violations.iter().map(|violation| format!("{match_id}: {violation}")).collect(),
    })
}

/// Prints the first errors of matches that failed.
pub(super) fn print_errors(errors: &[anyhow::Error]) {
    for error in errors.iter().take(PRINTED_ERRORS) {
        println!("  a match failed: {error:#}");
    }
}

/// Reports the results of matches.
pub(super) fn report(name: &str, checked: &[Checked], failed: usize, figures: &mut Figures) {
    let pauses = Times::new(checked.iter().filter_map(|checked| checked.pause).collect());
    pauses.report(&format!("{name}: time until moves are accepted"), figures);
    let charged = Times::new(checked.iter().map(|checked| checked.charged).collect());
    figures.add(&format!("{name}: time charged to a player, max"), charged.quantile_ms(1.0), "ms");
    for violation in checked.iter().flat_map(|checked| &checked.violations).take(PRINTED_ERRORS) {
        println!("  a violation: {violation}");
    }
    let sum = |value: fn(&Checked) -> usize| checked.iter().map(value).sum::<usize>();
    let mut count = |what: &str, value: usize| figures.add(&format!("{name}: {what}"), value as f64, "");
    count("refused moves, repeated", sum(|checked| checked.refusals));
    count("reconnections", sum(|checked| checked.reconnections));
    count("matches ended on the board", sum(|checked| usize::from(checked.is_over)));
    count("acknowledged moves lost", sum(|checked| checked.missing));
    count("recorded moves without an acknowledgement", sum(|checked| checked.unexpected));
    count("violations in logs", sum(|checked| checked.violations.len()));
    count("matches ended by absence", sum(|checked| usize::from(checked.is_ended_by_absence)));
    count("matches that failed", failed);
}

/// Returns the number of violated guarantees.
pub(super) fn findings(checked: &[Checked]) -> usize {
    let of_match = |checked: &Checked| {
        checked.missing
            + checked.unexpected
            + checked.violations.len()
            + usize::from(checked.is_ended_by_absence)
    };
    checked.iter().map(of_match).sum()
}
