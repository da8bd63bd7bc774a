//! The latency of moves at the owner of a match and at another node, without other load.

use std::time::Duration;

use anyhow::Result;
use quadrex_tests::Nodes;

use super::load::Place;
use super::played::PlayedMatch;
use super::{OWNER, Times};
use crate::figures::Figures;

/// The moves of each match that are not measured.
const WARM_UP: usize = 10;

/// The moves after which a match is replaced, because its history grows.
const LENGTH: usize = 60;

/// Measures the moves of two matches of the same owner, in turn.
///
/// # Errors
/// If a move is refused, or a match does not start.
pub(super) async fn measure(nodes: &Nodes, moves: usize, figures: &mut Figures) -> Result<()> {
    let owner = nodes.server(OWNER)?.address();
    let other = nodes.server(OWNER + 1)?.address();
    let place = |players| Place { name: "", owner, players: vec![players], refuges: vec![owner] };
    let mut at_owner = Line::start(place(owner), 1).await?;
    let mut elsewhere = Line::start(place(other), 2).await?;
    for _ in 0..moves {
        at_owner.measure_move().await?;
        elsewhere.measure_move().await?;
    }
    let (at_owner, elsewhere) = (Times::new(at_owner.latencies), Times::new(elsewhere.latencies));
    at_owner.report("move to acknowledgement, at the owner", figures);
    elsewhere.report("move to acknowledgement, at another node", figures);
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        let difference = elsewhere.quantile_ms(share) - at_owner.quantile_ms(share);
        figures.add(&format!("difference of both, {name}"), difference, "ms");
    }
    Ok(())
}

/// Matches that follow each other, with players at the same node.
struct Line {
    place: Place,
    seed: u64,
    current: PlayedMatch,
    latencies: Vec<Duration>,
}

impl Line {
    async fn start(place: Place, seed: u64) -> Result<Self> {
        let current = started(&place, seed).await?;
        Ok(Self { place, seed, current, latencies: Vec::new() })
    }

    async fn measure_move(&mut self) -> Result<()> {
        if self.current.moves.len() >= LENGTH || self.current.is_over()? {
            self.seed += 2;
            let next = started(&self.place, self.seed).await?;
            std::mem::replace(&mut self.current, next).end().await?;
        }
        self.latencies.push(self.current.make_move().await?.latency());
        Ok(())
    }
}

/// Starts a match, and makes the moves that are not measured.
async fn started(place: &Place, seed: u64) -> Result<PlayedMatch> {
    let mut started = PlayedMatch::start(place, seed).await?;
    for _ in 0..WARM_UP {
        started.make_move().await?;
    }
    Ok(started)
}
