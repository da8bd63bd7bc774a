//! Matches that are played through a load balancer while the nodes of a cluster are restarted, one
//! after the other.

mod balancer;
mod player;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use futures_util::{StreamExt, TryStreamExt};
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::record::MatchRecord;
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{Event, MatchId};
use quadrex_rules::{Color, Variant};
use tokio::sync::watch;
use tokio::task::JoinSet;

pub use balancer::Balancer;
use player::{Player, Seen, Stage};

use crate::contest::plain;
use crate::http::Http;
use crate::nodes::Nodes;
use crate::swarm::now;

/// The number of matches that are started or checked at the same time.
const AT_ONCE: usize = 8;

/// The time of each player, which is longer than a run.
const BASE: Duration = Duration::from_secs(3_600);

/// The longest time that a node takes to stop.
const EXIT_LIMIT: Duration = Duration::from_secs(120);

/// The longest time until the players have received the answers to their last moves.
const END_LIMIT: Duration = Duration::from_secs(60);

/// The size of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of matches. Each has two players, with a connection each.
    pub matches: usize,
    /// The time that a player thinks about a move.
    pub pause: Duration,
}

/// Matches that are played.
pub struct Play {
    stage: watch::Sender<Stage>,
    front: SocketAddr,
    players: JoinSet<Result<(MatchId, Color, Seen)>>,
}

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of accepted moves.
    pub moves: usize,
    /// The refusals of moves, and of tables.
    pub refused: Vec<String>,
    /// The number of temporary refusals, after which a move was sent again.
    pub postponed: u64,
    /// The number of frames in which a player was not connected.
    pub absences: usize,
    /// The number of times that a client could not continue after its last event.
    pub snapshots: usize,
    /// The number of connections that ended before their successors were open.
    pub broken: usize,
    /// The number of connections that were replaced by others without a gap.
    pub moved: usize,
    /// The longest time since the last event of a match that still ran at the end.
    pub longest_idle: Duration,
    /// The longest time between two moves of a match, as its players have received them.
    pub longest_pause: Duration,
    /// The latencies of all accepted moves.
    pub latencies: Vec<Duration>,
    /// The largest time that a move was charged beyond the player's own thinking.
    pub charged: Duration,
    /// The number of acknowledged moves that are not in the records, and of recorded moves that
    /// nobody has made.
    pub different: usize,
    /// The errors of players that could not continue.
    pub errors: Vec<String>,
}

impl Play {
    /// Starts matches whose players are connected through the load balancer `front`.
    ///
    /// # Errors
    /// If a match does not start.
    pub async fn start(front: SocketAddr, plan: Plan) -> Result<Self> {
        let stage = watch::Sender::new(Stage::Seating);
        let starting = (0..plan.matches as u64).map(|seed| seat(front, plan.pause, seed));
        let mut play = Self { stage, front, players: JoinSet::new() };
        let mut seated = futures_util::stream::iter(starting).buffer_unordered(AT_ONCE);
        while let Some((match_id, players)) = seated.try_next().await.context("starting the matches")? {
            for (color, player) in players {
                let stage = play.stage.subscribe();
                play.players.spawn(async move { Ok((match_id, color, player.play(stage).await?)) });
            }
        }
        drop(seated);
        play.stage.send_replace(Stage::Playing);
        Ok(play)
    }

    /// Ends the play, and compares the records of the matches with what the players have seen.
    ///
    /// # Errors
    /// If a record cannot be read, or the players do not end.
    pub async fn finish(mut self) -> Result<Report> {
        self.stage.send_replace(Stage::Ending);
        let mut report = Report::default();
        let mut matches: BTreeMap<MatchId, BTreeMap<Color, Seen>> = BTreeMap::new();
        let ending = async {
            while let Some(ended) = self.players.join_next().await {
                match ended.map_err(anyhow::Error::from).flatten() {
                    Ok((match_id, color, seen)) => {
                        matches.entry(match_id).or_default().insert(color, seen);
                    }
                    Err(error) => report.errors.push(format!("{error:#}")),
                }
            }
        };
        tokio::time::timeout(END_LIMIT, ending).await.context("waiting for the players")?;
        let http = Http::new(self.front);
        let checking = matches.iter().map(|(match_id, players)| check(&http, *match_id, players));
        let mut checked = futures_util::stream::iter(checking).buffer_unordered(AT_ONCE);
        while let Some((charged, different)) = checked.try_next().await? {
            report.charged = report.charged.max(charged);
            report.different += different;
        }
        drop(checked);
        for seen in matches.into_values().flat_map(BTreeMap::into_values) {
            report.add(seen);
        }
        report.latencies.sort_unstable();
        Ok(report)
    }
}

impl Report {
    fn add(&mut self, seen: Seen) {
        self.moves += seen.accepted.len();
        self.latencies.extend(seen.accepted.iter().map(|accepted| accepted.latency));
        self.refused.extend(seen.refused);
        self.postponed += seen.postponed;
        self.absences += seen.absences;
        self.snapshots += seen.snapshots;
        self.broken += seen.broken;
        self.moved += seen.moved;
        self.longest_idle = self.longest_idle.max(seen.idle);
        self.longest_pause = self.longest_pause.max(seen.longest_pause);
    }
}

/// Stops a node as an operator does, and waits until it has exited. Returns the time that it took.
///
/// # Errors
/// If the node fails.
pub async fn stop(nodes: &mut Nodes, index: usize) -> Result<Duration> {
    let asked_at = now();
    let mut stopped = nodes.take(index)?;
    stopped.terminate().await?;
    let ended = stopped.ended_within(EXIT_LIMIT).await?;
    ensure!(ended.status.success(), "the node failed: {}", ended.stderr);
    Ok(asked_at.elapsed())
}

/// Creates a table and seats its players.
async fn seat(front: SocketAddr, pause: Duration, seed: u64) -> Result<(MatchId, Vec<(Color, Player)>)> {
    let base_ms = u64::try_from(BASE.as_millis()).context("an hour is short")?;
    let time = TimeSetting::Fischer { base_ms, increment_ms: 0 };
    let request = CreateTable { time: Some(time), ..plain(Variant::Classic) };
    let http = Http::new(front);
    let mut guests = Vec::new();
    for color in Variant::Classic.colors() {
        guests.push((*color, http.guest(&format!("{color} player")).await?));
    }
    let (_, host) = guests.first().context("a variant has players")?;
    let TableCreated { table, match_id } = http.as_guest(host).create(&request).await?;
    let mut players = Vec::new();
    for (color, guest) in &guests {
        let seed = seed * 2 + players.len() as u64;
        players.push((*color, Player::seat(front, guest, (table, match_id), *color, pause, seed).await?));
    }
    Ok((match_id, players))
}

/// Compares the record of a match with the moves of its players. Returns the largest time that a move
/// was charged beyond the player's own thinking, and the number of differences.
async fn check(http: &Http, match_id: MatchId, players: &BTreeMap<Color, Seen>) -> Result<(Duration, usize)> {
    let record: MatchRecord = http.get(&format!("/api/matches/{match_id}/record")).await?.json(200)?;
    let mut left: BTreeMap<Color, Duration> = BTreeMap::new();
    let mut recorded: BTreeMap<Color, Vec<_>> = BTreeMap::new();
    for event in record.events {
        if let Event::Moved { color, mv, left_ms, .. } = event.event {
            let left_now = Duration::from_millis(left_ms.unwrap_or_default());
            let left_before = left.insert(color, left_now).unwrap_or(BASE);
            recorded.entry(color).or_default().push((mv, left_before.saturating_sub(left_now)));
        }
    }
    let (mut most, mut different) = (Duration::ZERO, 0);
    for (color, seen) in players {
        let recorded = recorded.remove(color).unwrap_or_default();
        let pairs = seen.accepted.iter().zip(&recorded);
        let same = pairs.take_while(|(made, (mv, _))| made.mv == *mv);
        let charged = same.map(|(made, (_, charged))| charged.saturating_sub(made.thought));
        let charged: Vec<Duration> = charged.collect();
        different += seen.accepted.len() + recorded.len() - 2 * charged.len();
        most = charged.into_iter().max().unwrap_or_default().max(most);
    }
    Ok((most, different))
}
