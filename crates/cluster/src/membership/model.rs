//! A model in memory of the statements about nodes and the owners of matches, for tests. It has the
//! same effects and outcomes as the statements on Postgres.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use quadrex_store::{
    ClaimedMatch, DEAD_AFTER, DEAD_ROW_LIFETIME, Epoch, NODE_LEASE, NodeId, NodeRow, NodeState, Outcome,
    SUCCESSOR_WAIT, Statement, UnownedMatch,
};

/// The contents of the database, as far as they are about nodes and owners.
#[derive(Clone, Debug, Default)]
pub struct Model {
    nodes: BTreeMap<NodeId, ModelNode>,
    matches: BTreeMap<MatchId, ModelMatch>,
    /// The nodes whose session is open.
    sessions: BTreeSet<NodeId>,
}

#[derive(Clone, Debug)]
struct ModelNode {
    row: NodeRow,
    lease_until: Timestamp,
    alive_at: Timestamp,
}

/// An unfinished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelMatch {
    /// The table.
    pub table: TableId,
    /// True if the match is running.
    pub is_running: bool,
    /// The owner, dead or alive.
    pub owner: Option<NodeId>,
    /// The epoch of the last claim.
    pub epoch: Epoch,
    /// The number of the last event.
    pub head: u64,
    /// The time of the release.
    pub released_at: Option<Timestamp>,
    /// The time from which no node ran the match until its owner claimed it. Unlike the database, the
    /// model keeps it after the owner's events.
    pub unowned_since: Option<Timestamp>,
}

impl Model {
    /// Adds a match, with an owner or without.
    pub fn add(&mut self, match_id: MatchId, table: TableId, is_running: bool, owner: Option<NodeId>) {
        let (epoch, head) = (Epoch::FIRST, 2);
        let (released_at, unowned_since) = (None, None);
        let known = ModelMatch { table, is_running, owner, epoch, head, released_at, unowned_since };
        self.matches.insert(match_id, known);
    }

    /// Returns the matches.
    #[must_use]
    pub fn matches(&self) -> &BTreeMap<MatchId, ModelMatch> {
        &self.matches
    }

    /// Returns whether a node has a row and is not dead.
    #[must_use]
    pub fn is_living(&self, node: NodeId) -> bool {
        self.nodes.get(&node).is_some_and(|node| node.row.state != NodeState::Dead)
    }

    /// Returns whether the session of a node is open.
    #[must_use]
    pub fn has_session(&self, node: NodeId) -> bool {
        self.sessions.contains(&node)
    }

    /// Ends the session of a node.
    pub fn end_session(&mut self, node: NodeId) {
        self.sessions.remove(&node);
    }

    /// Appends an event. Returns its number, or `None` if the epoch or the head differs.
    pub fn append(&mut self, match_id: MatchId, epoch: Epoch, head: u64) -> Option<u64> {
        let known = self.matches.get_mut(&match_id)?;
        (known.epoch == epoch && known.head == head).then(|| {
            known.head += 1;
            known.head
        })
    }

    /// Executes a statement at this time of the database.
    pub fn execute(&mut self, statement: &Statement, now: Timestamp) -> Outcome {
        match statement {
            Statement::Register { node, name, engines } => self.register(*node, name, engines, now),
            Statement::Renew { node, alive_at, is_connected, is_draining } => {
                self.sessions.insert(*node);
                let Some(known) = self.living(*node) else { return Outcome::Dead };
                known.row.renewed_at = now;
                known.row.is_connected = *is_connected;
                known.row.state = if *is_draining { NodeState::Draining } else { NodeState::Serving };
                known.lease_until = now + NODE_LEASE;
                known.alive_at = alive_at.map_or(now, |alive_at| alive_at.min(now));
                Outcome::Renewed { at: now }
            }
            Statement::Survey { node, may_mark_dead } => self.survey(*node, *may_mark_dead, now),
            Statement::Unowned { is_complete, limit } => self.unowned(*is_complete, *limit, now),
            Statement::Owned { node } => {
                let owned = self.matches.iter().filter(|(_, known)| known.owner == Some(*node));
                Outcome::Owned(owned.map(|(match_id, _)| *match_id).collect())
            }
            Statement::Claim { node, matches } => self.claim(*node, matches, now),
            Statement::Release { node, matches, since } => {
                self.release(*node, matches, since.map_or(now, |since| since.min(now)))
            }
            // No match of the model hibernates.
            Statement::ReleaseHibernating { .. } => Outcome::Released(Vec::new()),
            Statement::Leave { node } => {
                for known in self.matches.values_mut().filter(|known| known.owner == Some(*node)) {
                    (known.owner, known.released_at) = (None, Some(now));
                }
                self.nodes.remove(node);
                self.sessions.remove(node);
                Outcome::Left
            }
        }
    }

    fn living(&mut self, node: NodeId) -> Option<&mut ModelNode> {
        self.nodes.get_mut(&node).filter(|node| node.row.state != NodeState::Dead)
    }

    fn has_lease(&self, node: NodeId, now: Timestamp) -> bool {
        self.is_living(node) && self.nodes[&node].lease_until > now
    }

    fn register(&mut self, node: NodeId, name: &str, engines: &[String], now: Timestamp) -> Outcome {
        self.sessions.insert(node);
        let row = NodeRow {
            id: node,
            name: name.to_owned(),
            state: NodeState::Serving,
            is_connected: false,
            engines: engines.to_vec(),
            renewed_at: now,
        };
        let lease_until = now + NODE_LEASE;
        let known = self.nodes.entry(node).or_insert(ModelNode { row, lease_until, alive_at: now });
        if known.row.state == NodeState::Dead {
            return Outcome::Dead;
        }
        known.row.renewed_at = now;
        (known.lease_until, known.alive_at) = (lease_until, now);
        Outcome::Renewed { at: now }
    }

    fn survey(&mut self, me: NodeId, may_mark_dead: bool, now: Timestamp) -> Outcome {
        let mut removed = Vec::new();
        if may_mark_dead {
            let is_old = |node: &ModelNode| {
                node.row.state == NodeState::Dead && node.row.renewed_at + DEAD_ROW_LIFETIME <= now
            };
            let owns = |id: NodeId| self.matches.values().any(|known| known.owner == Some(id));
            let old = self.nodes.iter().filter(|(id, node)| is_old(node) && !owns(**id));
            removed.extend(old.map(|(id, _)| *id));
        }
        if may_mark_dead && self.has_lease(me, now) {
            for (id, node) in self.nodes.iter_mut().filter(|(id, _)| **id != me) {
                let is_late = |limit: Duration| node.row.renewed_at + limit <= now;
                if node.lease_until <= now || is_late(DEAD_AFTER) && !self.sessions.contains(id) {
                    node.row.state = NodeState::Dead;
                }
            }
        }
        let rows = self.nodes.values().map(|node| node.row.clone()).collect();
        self.nodes.retain(|id, _| !removed.contains(id));
        Outcome::Nodes(rows)
    }

    fn unowned(&self, is_complete: bool, limit: u32, now: Timestamp) -> Outcome {
        let is_unowned = |known: &ModelMatch| match known.owner {
            None => known.released_at.is_none_or(|at| at + SUCCESSOR_WAIT <= now),
            Some(owner) if is_complete => !self.is_living(owner),
            Some(owner) => self.nodes.contains_key(&owner) && !self.is_living(owner),
        };
        let unowned = self.matches.iter().filter(|(_, known)| is_unowned(known));
        let mut unowned: Vec<_> = unowned
            .map(|(match_id, known)| UnownedMatch {
                match_id: *match_id,
                table: known.table,
                is_running: known.is_running,
            })
            .collect();
        unowned.sort_by_key(|unowned| !unowned.is_running);
        unowned.truncate(limit as usize);
        Outcome::Unowned(unowned)
    }

    fn claim(&mut self, me: NodeId, matches: &[MatchId], now: Timestamp) -> Outcome {
        let (mut claimed, mut busy) = (Vec::new(), Vec::new());
        for match_id in matches {
            let Some(known) = self.matches.get(match_id) else {
                busy.push(*match_id);
                continue;
            };
            let is_own = known.owner == Some(me);
            let may_claim = match is_own {
                true => self.is_living(me),
                false => self.has_lease(me, now) && !known.owner.is_some_and(|owner| self.is_living(owner)),
            };
            if !may_claim {
                continue;
            }
            let unowned_since = match known.owner {
                Some(_) if is_own => known.unowned_since,
                Some(owner) => self.nodes.get(&owner).map(|node| node.alive_at),
                None => known.released_at,
            };
            let epoch = Epoch(known.epoch.0 + 1);
            let known = self.matches.get_mut(match_id).expect("it was just looked up");
            (known.owner, known.epoch, known.released_at) = (Some(me), epoch, None);
            known.unowned_since = unowned_since;
            claimed.push(ClaimedMatch { match_id: *match_id, epoch, unowned_since });
        }
        claimed.sort_by_key(|claimed| claimed.match_id);
        Outcome::Claimed { claimed, hibernating: Vec::new(), busy }
    }

    fn release(&mut self, me: NodeId, matches: &[(MatchId, Epoch)], since: Timestamp) -> Outcome {
        let mut released = Vec::new();
        for (match_id, epoch) in matches {
            let known = self.matches.get_mut(match_id);
            if let Some(known) = known.filter(|known| known.owner == Some(me) && known.epoch == *epoch) {
                (known.owner, known.released_at) = (None, Some(since));
                released.push(*match_id);
            }
        }
        released.sort();
        Outcome::Released(released)
    }
}
