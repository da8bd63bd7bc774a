//! The task that manages the membership of a node: it executes the statements about nodes and
//! owners, and starts and stops the actors of the matches that the node claims and releases.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use quadrex_clock::{Clock, TimeSample};
use quadrex_cluster::membership::{Action, Membership, POLL_INTERVAL};
use quadrex_cluster::message::{TableTakeOver, TakeOver, TakenFollower};
use quadrex_cluster::{Correlation, NodeId};
use quadrex_protocol::MatchId;
use quadrex_store::error_chain::chain;
use quadrex_store::{ClaimedMatch, ListedHibernation, NodeSession, NodeState, Outcome, Statement, Store};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::task::JoinSet;

use super::{NodeStatus, Wish, set_lease};
use crate::actor::NodeMessage;
use crate::archive::Archive;
use crate::cluster::{ClusterLink, OwnMatch, OwnershipRequest};
use crate::lease::Lease;
use crate::lobby::{HandedOver, Lobby};
use crate::telemetry::metrics::METRICS;

/// The number of matches that are read at the same time after they were claimed.
const READ_AT_ONCE: usize = 8;

/// The parts of a [`Driver`].
pub(super) struct Parts {
    pub(super) link: ClusterLink,
    pub(super) lobby: Lobby,
    pub(super) archive: Archive,
    pub(super) clock: Clock,
    pub(super) membership: Membership,
    pub(super) session: Arc<NodeSession>,
    pub(super) requests: mpsc::UnboundedReceiver<OwnershipRequest>,
    pub(super) lease: Lease,
    pub(super) store: Store,
    pub(super) status: watch::Sender<NodeStatus>,
    pub(super) wishes: watch::Receiver<Wish>,
}

/// The task that manages the membership of a node.
pub(super) struct Driver {
    parts: Parts,
    statements: JoinSet<Executed>,
    /// The tables that were handed over, for the requests to take them over.
    handed_over: HashMap<MatchId, HandedOver>,
    /// The actors that are about to end.
    ending: Option<oneshot::Receiver<Vec<HandedOver>>>,
    /// The senders of the answers to claims.
    claimants: HashMap<MatchId, Vec<oneshot::Sender<Option<OwnMatch>>>>,
    /// The nodes that follow tables which this node was requested to take over.
    followers: HashMap<MatchId, Vec<TakenFollower>>,
    reading: Arc<Semaphore>,
    /// The number of living nodes, this one included.
    alive: usize,
}

/// A statement that was executed.
struct Executed {
    number: u64,
    statement: Statement,
    /// The outcome; `None` if the database failed.
    outcome: Option<Outcome>,
    sample: Option<TimeSample>,
    handed_over: Vec<HandedOver>,
}

impl Driver {
    pub(super) fn new(parts: Parts) -> Self {
        Self {
            parts,
            statements: JoinSet::new(),
            handed_over: HashMap::new(),
            ending: None,
            claimants: HashMap::new(),
            followers: HashMap::new(),
            reading: Arc::new(Semaphore::new(READ_AT_ONCE)),
            alive: 0,
        }
    }

    pub(super) async fn run(mut self) {
        loop {
            let now = self.parts.lease.elapsed();
            self.follow_wish();
            for action in self.parts.membership.poll(now) {
                if self.carry_out(action).is_break() {
                    return;
                }
            }
            set_lease(&self.parts.lease, &self.parts.membership);
            self.parts.lease.set_isolated(self.parts.membership.stands_aside(now));
            if self.parts.membership.is_drained() {
                self.set_status(NodeStatus::Drained);
            }
            tokio::select! {
                biased;
                Some(executed) = self.statements.join_next() => match executed {
                    Ok(executed) => self.record(executed),
                    Err(error) => tracing::error!("a statement of the node has panicked: {error}"),
                },
                Some(request) = self.parts.requests.recv() => self.handle(request),
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    fn follow_wish(&mut self) {
        let wish = *self.parts.wishes.borrow();
        let now = self.parts.lease.elapsed();
        match wish {
            Wish::Serve => return,
            Wish::Drain => {}
            Wish::Leave => self.parts.membership.set_has_clients(false),
        }
        self.parts.membership.drain(now);
    }

    fn set_status(&self, status: NodeStatus) {
        self.parts.status.send_if_modified(|known| std::mem::replace(known, status) != status);
    }

    fn carry_out(&mut self, action: Action) -> ControlFlow<()> {
        match action {
            Action::Execute { number, statement } => self.execute(number, statement),
            Action::ResetSession => self.parts.session.reset(),
            Action::Start(claimed) => self.start(claimed),
            Action::List(hibernating) => {
                let listed = hibernating.into_iter().filter_map(|claimed| {
                    Some(ListedHibernation { table: claimed.table, players: claimed.listed_players? })
                });
                let (lobby, listed) = (self.parts.lobby.clone(), listed.collect());
                quadrex_runtime::spawn(async move { lobby.list_hibernating(listed).await });
            }
            Action::Stop(matches) => {
                let (lobby, (sender, ended)) = (self.parts.lobby.clone(), oneshot::channel());
                self.ending = Some(ended);
                quadrex_runtime::spawn(async move { sender.send(lobby.hand_over(&matches).await).ok() });
            }
            Action::RequestTakeOver { to, matches } => self.request_take_over(to, &matches),
            Action::ReportRefusal => {
                tracing::error!("a server without a cluster uses the database of this node");
            }
            Action::Restart => {
                tracing::error!("other nodes have declared this node dead");
                self.parts.lease.end();
                self.set_status(NodeStatus::Dead);
                return ControlFlow::Break(());
            }
            Action::Exit => {
                self.set_status(NodeStatus::Left);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Starts to execute a statement. A release waits until the actors of its matches have ended.
    fn execute(&mut self, number: u64, statement: Statement) {
        let (session, clock) = (Arc::clone(&self.parts.session), self.parts.clock.clone());
        let ending = match &statement {
            Statement::Release { .. } => self.ending.take(),
            _ => None,
        };
        quadrex_runtime::spawn_in(&mut self.statements, async move {
            let handed_over = match ending {
                Some(ending) => ending.await.unwrap_or_default(),
                None => Vec::new(),
            };
            let sent = clock.elapsed();
            let outcome = match session.execute(&statement).await {
                Ok(outcome) => Some(outcome),
                Err(error) => {
                    tracing::warn!("{}", chain(&error));
                    None
                }
            };
            let sample = match &outcome {
                Some(Outcome::Renewed { at }) => {
                    Some(TimeSample { sent, received: clock.elapsed(), time: *at })
                }
                _ => None,
            };
            Executed { number, statement, outcome, sample, handed_over }
        });
    }

    fn record(&mut self, executed: Executed) {
        let Executed { number, statement, outcome, sample, handed_over } = executed;
        if let Some(sample) = sample {
            self.parts.clock.record_sample(sample);
        }
        self.handed_over.extend(handed_over.into_iter().map(|table| (table.match_id, table)));
        let refused = match (&statement, &outcome) {
            (Statement::Claim { matches, .. }, Some(Outcome::Claimed { claimed, busy, .. })) => {
                self.count_claims(claimed);
                let is_refused = |match_id: &&MatchId| {
                    !busy.contains(match_id) && !claimed.iter().any(|claimed| claimed.match_id == **match_id)
                };
                matches.iter().filter(is_refused).copied().collect()
            }
            _ => Vec::new(),
        };
        let has_nodes = matches!(outcome, Some(Outcome::Nodes(_)));
        if outcome.is_none() {
            self.parts.lease.record_failure();
        }
        self.parts.membership.handle_outcome(number, outcome, self.parts.lease.elapsed());
        for match_id in refused {
            METRICS.cluster.claims.inc("refused");
            self.followers.remove(&match_id);
            self.answer_claims(match_id, None);
        }
        if has_nodes {
            self.update_nodes();
        }
    }

    /// Counts claims that have succeeded, and the times for which their matches had no owner.
    fn count_claims(&self, claimed: &[ClaimedMatch]) {
        let now = self.parts.clock.now();
        METRICS.cluster.claims.inc_by("claimed", claimed.len() as u64);
        for since in claimed.iter().filter_map(|claimed| claimed.unowned_since) {
            METRICS.cluster.takeover_pause.observe(now.since(since));
        }
    }

    /// Passes the nodes on, and reports those that have died.
    fn update_nodes(&mut self) {
        let Parts { link, lobby, archive, membership, .. } = &self.parts;
        let alive = membership.nodes().iter().filter(|node| node.state != NodeState::Dead).count();
        if std::mem::replace(&mut self.alive, alive) != alive {
            tracing::info!(nodes = alive, "the number of nodes in the cluster has changed");
        }
        for (node, tables) in link.set_nodes(membership.nodes()) {
            METRICS.cluster.nodes_lost.inc();
            tracing::warn!(%node, "a node has left or died");
            for table in tables {
                // A table without an endpoint has no follows.
                let _ = lobby.deliver(table, NodeMessage::Gone { node, is_dead: true });
            }
            let (lobby, archive) = (lobby.clone(), archive.clone());
            quadrex_runtime::spawn(async move {
                lobby.record_death(node).await;
                archive.take_over_queue().await;
            });
        }
    }

    fn answer_claims(&mut self, match_id: MatchId, own: Option<&OwnMatch>) -> bool {
        let mut is_taken = false;
        for claimant in self.claimants.remove(&match_id).unwrap_or_default() {
            is_taken |= claimant.send(own.cloned()).is_ok();
        }
        is_taken
    }

    /// Starts the actor of a match that was claimed, unless somebody has requested the claim.
    fn start(&mut self, claim: ClaimedMatch) {
        let match_id = claim.match_id;
        let followers = self.followers.remove(&match_id).unwrap_or_default();
        let own = OwnMatch { claim, followers };
        if self.answer_claims(match_id, Some(&own)) {
            return;
        }
        let (lobby, store, reading) =
            (self.parts.lobby.clone(), self.parts.store.clone(), Arc::clone(&self.reading));
        quadrex_runtime::spawn(async move {
            let _permit = reading.acquire().await;
            let table = match store.table_of(match_id).await {
                Ok(Some(table)) => table,
                Ok(None) => return,
                Err(error) => {
                    // The reconciler finds the match.
                    tracing::error!(match.id = %match_id, "a claimed match cannot be read: {}", chain(&error));
                    return;
                }
            };
            // An error was logged, and the reconciler finds the match.
            lobby.start_claimed(table, &own).await.ok();
        });
    }

    fn request_take_over(&mut self, to: NodeId, matches: &[MatchId]) {
        let released_at = self.parts.clock.now();
        let tables = matches.iter().filter_map(|match_id| {
            let HandedOver { table, match_id, followers } = self.handed_over.remove(match_id)?;
            Some(TableTakeOver { table, match_id, released_at, followers })
        });
        let tables = tables.collect();
        self.parts.link.send_to(to, Correlation::default(), TakeOver { tables }.into());
    }

    fn handle(&mut self, request: OwnershipRequest) {
        let membership = &mut self.parts.membership;
        match request {
            OwnershipRequest::Claim { answer, .. } if !membership.is_serving() => {
                answer.send(None).ok();
            }
            OwnershipRequest::Claim { match_id, is_lost: false, answer }
                if let Some(claim) = membership.claim(match_id) =>
            {
                // The match may not have been resumed yet, so the claim says since when it had no owner.
                let claim = match quadrex_runtime::has_planted!(ForgottenTakeOver) {
                    true => ClaimedMatch { unowned_since: None, ..claim },
                    false => claim,
                };
                answer.send(Some(OwnMatch { claim, followers: Vec::new() })).ok();
            }
            OwnershipRequest::Claim { match_id, answer, .. } => {
                self.claimants.entry(match_id).or_default().push(answer);
                membership.want(match_id);
                membership.want_again(match_id);
            }
            OwnershipRequest::Created(match_id) => membership.add(match_id),
            OwnershipRequest::Closed(match_id) => membership.remove(match_id),
            OwnershipRequest::FindOwner { table, answer } => {
                let (lobby, link) = (self.parts.lobby.clone(), self.parts.link.clone());
                quadrex_runtime::spawn(async move {
                    let owner = lobby.find_owner(&link, table).await;
                    answer.send(owner.ok().flatten()).ok();
                });
            }
            OwnershipRequest::Owns { match_id, answer } => {
                answer.send(membership.owns(match_id)).ok();
            }
            OwnershipRequest::Owned { answer } => {
                answer.send(membership.owned().collect()).ok();
            }
            OwnershipRequest::TakeOver { tables } => {
                for TableTakeOver { match_id, followers, .. } in tables {
                    // A match that a search has found before is claimed already.
                    if !membership.owns(match_id) {
                        self.followers.insert(match_id, followers);
                        membership.want(match_id);
                    }
                }
            }
            OwnershipRequest::SetConnected => membership.set_connected(),
            OwnershipRequest::SetDisconnected { silent_for } => {
                let now = self.parts.lease.elapsed();
                membership.set_disconnected(now.saturating_sub(silent_for), now);
            }
        }
    }
}
