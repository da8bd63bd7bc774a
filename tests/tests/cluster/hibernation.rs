//! Hibernating matches of a cluster: no node has them in its memory, and nobody notices anything of it.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{CreateTable, TableList};
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{Event, MatchId};
use quadrex_rules::{Reason, Variant};
use quadrex_store::{Location, LoggedEvent, NodeId, Store, TableOwner};
use quadrex_tests::contest::{Contest, without_rate_limits};
use quadrex_tests::{Database, Nodes, PATIENCE};
use tokio::time::{sleep, timeout};

/// The pause between two queries. It only limits their number.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A correspondence match of two players at the nodes 1 and 2, which hibernates at node 0.
struct Hibernating {
    nodes: Nodes,
    contest: Contest,
    store: Store,
    /// The node that owned the match when it began to hibernate.
    owner: NodeId,
    /// The events of the match.
    log: Vec<LoggedEvent>,
}

impl Hibernating {
    async fn start() -> Result<Self> {
        let settings = |launch| without_rate_limits(launch).with_env("QUADREX_TABLES__HIBERNATE_SECONDS", 1);
        let nodes = Nodes::start_with(3, settings).await?;
        let addresses = nodes.addresses();
        let table = CreateTable {
            time: Some(TimeSetting::Correspondence { days: 1 }),
            ..CreateTable::plain(Variant::Classic, Privacy::Public)
        };
        let mut contest = Contest::start_from(addresses[0], &addresses[1..], &table).await?;
        contest.play("e2e4".parse()?).await?;
        contest.play("e7e5".parse()?).await?;
        for client in contest.everybody() {
            client.cut().await?;
        }
        let url = nodes.database.url().context("a cluster uses Postgres")?;
        let store = Store::connect(&Location::parse(&url, "unused".as_ref())?, 1).await?;
        let until_hibernating = async {
            while !store.is_hibernating(contest.match_id).await? {
                sleep(POLL_INTERVAL).await;
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, until_hibernating).await.context("waiting for the hibernation")??;
        let log = store.events(contest.match_id, 0).await?;
        let mut hibernating = Self { nodes, contest, store, owner: NodeId(uuid::Uuid::nil()), log };
        hibernating.owner = hibernating.owner().await?.context("a living node owns the match")?;
        Ok(hibernating)
    }

    async fn is_hibernating(&self) -> Result<bool> {
        Ok(self.store.is_hibernating(self.contest.match_id).await?)
    }

    /// Returns the living owner of the match.
    async fn owner(&self) -> Result<Option<NodeId>> {
        let owner = self.store.table_owner(self.contest.table).await?;
        let TableOwner { owner, .. } = owner.context("the table exists")?;
        Ok(owner)
    }

    /// Waits until another living node than the first owner owns the match.
    async fn until_taken_over(&self) -> Result<()> {
        let taken = async {
            while self.owner().await?.is_none_or(|owner| owner == self.owner) {
                sleep(POLL_INTERVAL).await;
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, taken).await.context("waiting for the next owner")?
    }

    /// Waits until a node lists the match as running, with its players.
    async fn until_listed(&self, index: usize) -> Result<()> {
        let http = self.nodes.server(index)?.http();
        let listed = async {
            loop {
                let list: TableList = http.get("/api/tables").await?.json(200)?;
                let is_match = |table: &quadrex_protocol::http::TableSummary| {
                    (table.table, table.phase, table.plies) == (self.contest.table, Phase::Running, 2)
                };
                if list.tables.iter().any(is_match) && (list.counts.running, list.counts.players) == (1, 2) {
                    return anyhow::Ok(());
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        timeout(PATIENCE, listed).await.with_context(|| format!("waiting for the list of node {index}"))?
    }

    /// Reconnects both players to a node, and makes a move.
    async fn play_at(&mut self, index: usize) -> Result<()> {
        let address = self.nodes.server(index)?.address();
        for client in self.contest.everybody() {
            client.reconnect(address).await?;
        }
        self.contest.play("g1f3".parse()?).await.map(drop)
    }

    async fn interruptions(&self) -> Result<Vec<(u64, u64)>> {
        let log = self.store.events(self.contest.match_id, 0).await?;
        let interruption = |logged: LoggedEvent| match logged.event {
            Event::Interrupted { until_ms, resumes_ms, .. } => Some((until_ms, resumes_ms)),
            _ => None,
        };
        Ok(log.into_iter().filter_map(interruption).collect())
    }

    /// Returns how often a node has started to play on a match after an outage.
    fn woken(&self, index: usize) -> usize {
        self.nodes.log(index).matches("the match was resumed after an interruption").count()
    }
}

/// Moves the whole match, with its next deadline, a day and an hour into the past.
fn age(database: &Database, match_id: MatchId) -> Result<()> {
    let Database::Postgres(postgres) = database else { bail!("a cluster uses Postgres") };
    let sql = format!(
        "set session_replication_role = replica;
         update match_event set at = at - interval '25 hours' where match_id = '{match_id}';
         update matches set hibernated_at = hibernated_at - interval '25 hours',
                            wake_at = wake_at - interval '25 hours' where id = '{match_id}'"
    );
    postgres.sql("postgres", &sql).map(drop)
}

/// A match that nobody watches at any node hibernates. All nodes list it, a look at it from another
/// node writes nothing, and it goes on with the next move, at the same owner.
#[tokio::test]
async fn a_match_hibernates_until_somebody_at_another_node_moves() -> Result<()> {
    let mut hibernating = Hibernating::start().await?;
    for index in 0..3 {
        hibernating.until_listed(index).await?;
    }
    for index in 1..3 {
        let mut watcher = hibernating.nodes.server(index)?.connect_as_nobody().await?;
        let seen = watcher.watch(hibernating.contest.table).await?;
        ensure!(seen.state().outcome.is_none(), "{:?}", seen.state());
    }
    ensure!(hibernating.is_hibernating().await?, "a look does not wake it");

    hibernating.play_at(1).await?;
    ensure!(!hibernating.is_hibernating().await?);
    ensure!(hibernating.owner().await? == Some(hibernating.owner), "it has the same owner");
    ensure!(hibernating.interruptions().await?.is_empty(), "its owner ran all the time");
    Ok(())
}

/// A match that a spectator at another node watches does not hibernate.
#[tokio::test]
async fn a_match_that_is_watched_at_another_node_does_not_hibernate() -> Result<()> {
    let mut hibernating = Hibernating::start().await?;
    let mut watcher = hibernating.nodes.server(2)?.connect_as_nobody().await?;
    hibernating.play_at(1).await?;
    watcher.watch(hibernating.contest.table).await?;
    for client in hibernating.contest.everybody() {
        client.cut().await?;
    }
    // The quiet time of a later match is over meanwhile.
    let addresses = hibernating.nodes.addresses();
    let table = CreateTable {
        time: Some(TimeSetting::Correspondence { days: 1 }),
        ..CreateTable::plain(Variant::Classic, Privacy::Public)
    };
    for _ in 0..2 {
        let mut later = Contest::start_from(addresses[0], &addresses[1..], &table).await?;
        for client in later.everybody() {
            client.cut().await?;
        }
        let until_hibernating = async {
            while !hibernating.store.is_hibernating(later.match_id).await? {
                sleep(POLL_INTERVAL).await;
            }
            anyhow::Ok(())
        };
        timeout(PATIENCE, until_hibernating).await.context("waiting for a later match")??;
    }
    ensure!(!hibernating.is_hibernating().await?);
    Ok(())
}

/// After the death of its owner a match continues to hibernate at another node, which keeps its
/// deadline.
#[tokio::test]
async fn the_next_owner_of_a_hibernating_match_keeps_its_deadline() -> Result<()> {
    let mut hibernating = Hibernating::start().await?;
    hibernating.nodes.kill(0).await?;
    hibernating.until_taken_over().await?;
    ensure!(hibernating.is_hibernating().await?, "it is claimed without an actor");
    age(&hibernating.nodes.database, hibernating.contest.match_id)?;
    let ended = async {
        loop {
            let log = hibernating.store.events(hibernating.contest.match_id, 0).await?;
            let reason = log.into_iter().find_map(|logged| match logged.event {
                Event::Ended { reason, .. } => Some(reason),
                _ => None,
            });
            if let Some(reason) = reason {
                return anyhow::Ok(reason);
            }
            sleep(POLL_INTERVAL).await;
        }
    };
    let reason = timeout(PATIENCE, ended).await.context("waiting for the end of the match")??;
    ensure!(reason == Reason::Time, "{reason:?}");
    Ok(())
}

/// Players are not charged for the time without an owner, and the match goes on at the next owner.
#[tokio::test]
async fn a_hibernating_match_of_a_killed_node_goes_on_at_another_one() -> Result<()> {
    let mut hibernating = Hibernating::start().await?;
    hibernating.nodes.kill(0).await?;
    hibernating.until_taken_over().await?;
    for index in 1..3 {
        hibernating.until_listed(index).await?;
    }
    ensure!(hibernating.is_hibernating().await?, "lists do not claim it");
    hibernating.play_at(2).await?;
    let interruptions = hibernating.interruptions().await?;
    let [(until, resumes)] = interruptions[..] else { bail!("{interruptions:?}") };
    ensure!(resumes > until, "{interruptions:?}");
    Ok(())
}

/// A node that stops leaves its hibernating matches to other nodes, and wakes none of them.
#[tokio::test]
async fn a_stopped_node_leaves_its_matches_hibernating() -> Result<()> {
    let mut hibernating = Hibernating::start().await?;
    let mut stopped = hibernating.nodes.take(0)?;
    stopped.terminate().await?;
    let ended = stopped.ended().await?;
    ensure!(ended.status.success(), "{ended:?}");
    hibernating.until_taken_over().await?;
    ensure!(hibernating.is_hibernating().await?, "it was handed over asleep");
    let log = hibernating.store.events(hibernating.contest.match_id, 0).await?;
    ensure!(log == hibernating.log, "nothing was written to its log: {log:?}");
    for index in 1..3 {
        ensure!(hibernating.woken(index) == 0, "node {index}: {}", hibernating.nodes.log(index));
        hibernating.until_listed(index).await?;
    }
    hibernating.play_at(1).await?;
    Ok(())
}
