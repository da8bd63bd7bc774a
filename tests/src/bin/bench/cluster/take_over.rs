//! Matches whose owner is lost while they are played, and which other nodes take over.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use anyhow::{Result, ensure};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::Event;
use quadrex_protocol::record::MatchRecord;
use quadrex_tests::Nodes;
use quadrex_tests::http::Http;
use quadrex_tests::swarm::now;
use tokio::time::Instant;

use super::load::Load;
use super::played::PlayedMatch;
use super::{BASE, OWNER, Times};
use crate::figures::Figures;

/// The time for which the matches are played before the owner is lost.
const WARM_UP: Duration = Duration::from_secs(3);

/// The maximum time of a node until it has stopped.
const EXIT_LIMIT: Duration = Duration::from_secs(90);

/// The number of records that are read at the same time.
const READ_AT_ONCE: usize = 8;

/// The number of errors that are printed.
const PRINTED_ERRORS: usize = 3;

/// The size of a round.
pub(super) struct Plan {
    pub(super) matches: usize,
    pub(super) pause: Duration,
}

/// The way in which the owner is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// The owner is killed with SIGKILL.
    Killed,
    /// The owner is stopped with SIGTERM, and hands its matches over.
    Stopped,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Killed => "death",
            Self::Stopped => "drain",
        })
    }
}

/// Plays matches whose players are connected to the other nodes, and loses their owner.
///
/// # Errors
/// If the matches do not start, or the owner does not stop.
pub(super) async fn measure(
    nodes: &mut Nodes,
    plan: &Plan,
    loss: Loss,
    name: &str,
    figures: &mut Figures,
) -> Result<()> {
    let owner = nodes.server(OWNER)?.address();
    let others: Vec<_> = nodes.addresses().into_iter().filter(|address| *address != owner).collect();
    let load = Load::start(owner, &others, plan.matches, plan.pause).await?;
    tokio::time::sleep(WARM_UP.max(plan.pause * 2)).await;
    let lost_at = load.lose_owner();
    match loss {
        Loss::Killed => nodes.kill(OWNER).await?,
        Loss::Stopped => {
            let mut stopped = nodes.take(OWNER)?;
            stopped.terminate().await?;
            let ended = stopped.ended_within(EXIT_LIMIT).await?;
            ensure!(ended.status.success(), "the node failed: {}", ended.stderr);
            figures.add(&format!("{name}: exit of the node"), lost_at.elapsed().as_secs_f64(), "s");
        }
    }
    let lost_after = now();
    // All matches are played for a while without their former owner.
    tokio::time::sleep(plan.pause * 2).await;
    let (played, errors) = load.finish().await;
    for error in errors.iter().take(PRINTED_ERRORS) {
        println!("  a match failed: {error:#}");
    }
    let http = Http::new(others[0]);
    let checked: Vec<Checked> = futures_util::stream::iter(&played)
        .map(|played| check(&http, played, lost_at))
        .buffer_unordered(READ_AT_ONCE)
        .try_collect()
        .await?;
    report(name, &checked, errors.len(), figures);
    let moves = played.iter().flat_map(|played| &played.moves);
    let before = moves.filter(|mv| mv.accepted < lost_at).map(|mv| mv.latency()).collect();
    Times::new(before).report(&format!("{name}: latency before"), figures);
    let moves = played.iter().flat_map(|played| &played.moves).filter(|mv| mv.accepted >= lost_at);
    let deliveries = moves.map(|mv| mv.received.saturating_duration_since(mv.accepted)).collect();
    Times::new(deliveries).report(&format!("{name}: acknowledgement to the next player"), figures);
    let after = played.iter().flat_map(|played| &played.moves).filter(|mv| mv.sent > lost_after);
    figures.add(&format!("{name}: moves after the exit"), after.count() as f64, "");
    let ending = played.into_iter().map(PlayedMatch::end);
    futures_util::stream::iter(ending).buffer_unordered(READ_AT_ONCE).try_collect::<()>().await
}

/// The result of a match.
struct Checked {
    /// The longest time that a move has waited for its acknowledgement after the loss; `None` if
    /// the match had ended before.
    pause: Option<Duration>,
    /// The largest time charged for a move after the loss, beyond the player's own thinking.
    charged: Duration,
    /// The number of acknowledged moves that the record does not have at their place.
    missing: usize,
    /// The number of recorded moves that nobody has made.
    unexpected: usize,
    refusals: usize,
    is_ended_by_absence: bool,
    is_over: bool,
}

/// Compares a match with its record.
async fn check(http: &Http, played: &PlayedMatch, lost_at: Instant) -> Result<Checked> {
    let record = http.get(&format!("/api/matches/{}/record", played.contest.match_id)).await?;
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
    let after = played.moves.iter().filter(|made| made.accepted >= lost_at);
    let pause = after.map(|made| made.accepted.saturating_duration_since(made.sent.max(lost_at))).max();
    let charged = pairs
        .filter(|(made, _)| made.accepted >= lost_at)
        .map(|(made, (_, charged))| charged.saturating_sub(made.thought))
        .max();
    Ok(Checked {
        pause,
        charged: charged.unwrap_or_default(),
        missing: played.moves.len() - same,
        unexpected: recorded.len().saturating_sub(same),
        refusals: played.refusals.len(),
        is_ended_by_absence: record.body.contains("\"cause\":\"absence\""),
        is_over: played.is_over()?,
    })
}

fn report(name: &str, checked: &[Checked], failed: usize, figures: &mut Figures) {
    let pauses = Times::new(checked.iter().filter_map(|checked| checked.pause).collect());
    pauses.report(&format!("{name}: time until moves are accepted"), figures);
    let charged = Times::new(checked.iter().map(|checked| checked.charged).collect());
    figures.add(&format!("{name}: time charged to a player, max"), charged.quantile_ms(1.0), "ms");
    let sum = |value: fn(&Checked) -> usize| checked.iter().map(value).sum::<usize>() as f64;
    let mut count = |what: &str, value: f64| figures.add(&format!("{name}: {what}"), value, "");
    count("acknowledged moves lost", sum(|checked| checked.missing));
    count("recorded moves without an acknowledgement", sum(|checked| checked.unexpected));
    count("refused moves, repeated", sum(|checked| checked.refusals));
    count("matches ended by absence", sum(|checked| usize::from(checked.is_ended_by_absence)));
    count("matches ended on the board", sum(|checked| usize::from(checked.is_over)));
    count("matches that failed", failed as f64);
}
