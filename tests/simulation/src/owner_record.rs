//! The record of the owners of matches, and of the nodes that act for them.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_protocol::MatchId;
use quadrex_rules::Timestamp;
use quadrex_store::{Appended, ClaimedBy, Epoch, NodeId};

/// The time after the last renewal of its lease for which a node may act.
const ACTS_FOR: Duration = Duration::from_millis(1_900);

/// A time before all others.
const BEGIN: Timestamp = Timestamp::from_millis(0);

/// An interval of time.
pub(crate) type Interval = (Timestamp, Timestamp);

/// The record of the owners of matches in the database, and of the times at which nodes worked.
#[derive(Debug, Default)]
pub(crate) struct OwnerRecord {
    nodes: BTreeMap<NodeId, NodeLife>,
    /// The owners of each match, with the times from which they owned it. The first one created the
    /// match, so it owned the match from the beginning.
    owners: BTreeMap<MatchId, Vec<(Timestamp, Option<NodeId>)>>,
    /// The highest epoch of an append to each match.
    epochs: BTreeMap<MatchId, Epoch>,
}

/// The life of a node.
#[derive(Debug)]
struct NodeLife {
    server: String,
    /// The intervals in which the node worked.
    works: Vec<Interval>,
    works_since: Option<Timestamp>,
    /// The time from which it has claimed no more matches, because it was asked to end.
    leaves_at: Option<Timestamp>,
}

impl OwnerRecord {
    /// Adds the node of a new process.
    pub(crate) fn add_node(&mut self, node: NodeId, server: &str) {
        let server = server.to_owned();
        let life = NodeLife { server, works: Vec::new(), works_since: None, leaves_at: None };
        self.nodes.insert(node, life);
    }

    /// Records whether a node works from now on.
    pub(crate) fn set_works(&mut self, node: NodeId, works: bool, now: Timestamp) {
        let Some(life) = self.nodes.get_mut(&node) else { return };
        if works {
            life.works_since.get_or_insert(now);
        } else if let Some(since) = life.works_since.take() {
            life.works.push((since, now));
        }
    }

    /// Records that a node was asked to end. It works on, but claims no more matches.
    pub(crate) fn set_leaving(&mut self, node: NodeId, now: Timestamp) {
        if let Some(life) = self.nodes.get_mut(&node) {
            life.leaves_at.get_or_insert(now);
        }
    }

    /// Records an append. Returns what is wrong: only the owner may append, and epochs never decrease.
    pub(crate) fn append(&mut self, appended: &Appended<'_>, now: Timestamp) -> Option<String> {
        let Appended { match_id, last_seq, epoch, server, owner, owner_epoch, .. } = *appended;
        let owners = self.owners.entry(match_id).or_insert_with(|| vec![(BEGIN, owner)]);
        let highest = self.epochs.entry(match_id).or_insert(epoch);
        let before = std::mem::replace(highest, epoch.max(*highest));
        let event = format!("event {last_seq} of {match_id}");
        if epoch < before || epoch != owner_epoch {
            let expected = before.0.max(owner_epoch.0);
            return Some(format!("{event} is appended with the epoch {}, and not {expected}", epoch.0));
        }
        if owners.last().is_none_or(|(_, last)| *last != owner) {
            owners.push((now, owner));
        }
        let owner = &self.nodes.get(&owner?)?.server;
        (Some(owner.as_str()) != server)
            .then(|| format!("{} appends {event}, which {owner} owns", server.unwrap_or_default()))
    }

    /// Records a claim. Returns what is wrong: no node claims a match while its owner may act.
    pub(crate) fn claim(&mut self, claimed: &ClaimedBy, now: Timestamp) -> Option<String> {
        let ClaimedBy { match_id, node, before, .. } = *claimed;
        let first = before.map(|(owner, _)| (BEGIN, Some(owner)));
        let owners = self.owners.entry(match_id).or_insert_with(|| first.into_iter().collect());
        owners.push((now, Some(node)));
        let (owner, renewed_at) = before.filter(|(owner, _)| *owner != node)?;
        let (name, owner) = (self.name(node), self.name(owner));
        (now < renewed_at + ACTS_FOR).then(|| {
            let age = now.since(renewed_at);
            format!("{name} claims {match_id} from {owner}, which has renewed its lease {age:?} ago")
        })
    }

    /// Records the release of a match by its owner.
    pub(crate) fn release(&mut self, match_id: MatchId, node: NodeId, now: Timestamp) {
        self.owners.entry(match_id).or_insert_with(|| vec![(BEGIN, Some(node))]).push((now, None));
    }

    /// Returns the name of the server of a match's owner.
    pub(crate) fn owner_name(&self, match_id: MatchId) -> Option<String> {
        let (_, owner) = self.owners.get(&match_id)?.last()?;
        owner.map(|owner| self.name(owner))
    }

    /// Returns the time since which a match has its owner, or has none; `None` if it always had the same
    /// one.
    pub(crate) fn owned_since(&self, match_id: MatchId) -> Option<Timestamp> {
        self.owners.get(&match_id)?.last().map(|(since, _)| *since)
    }

    /// Returns the intervals until `end` in which a match had no owner that worked, in order. A match
    /// of which nothing is recorded has none.
    pub(crate) fn unserved(&self, match_id: MatchId, end: Timestamp) -> Vec<Interval> {
        let owners = self.owners.get(&match_id).map(Vec::as_slice).unwrap_or_default();
        let mut served: Vec<Interval> = Vec::new();
        for (index, (from, owner)) in owners.iter().enumerate() {
            let until = owners.get(index + 1).map_or(end, |(next, _)| *next);
            let Some(life) = owner.and_then(|owner| self.nodes.get(&owner)) else { continue };
            let present = life.works_since.map(|since| (since, end));
            for (begin, end) in life.works.iter().copied().chain(present) {
                let (begin, end) = (begin.max(*from), end.min(until));
                if begin < end {
                    served.push((begin, end));
                }
            }
        }
        let Some((first, _)) = owners.first() else { return Vec::new() };
        let (mut unserved, mut from) = (Vec::new(), *first);
        for (begin, until) in served {
            if from < begin {
                unserved.push((from, begin));
            }
            from = from.max(until);
        }
        if from < end {
            unserved.push((from, end));
        }
        unserved
    }

    /// Returns whether a node worked during a whole interval, and claimed matches.
    pub(crate) fn some_node_claims(&self, (since, until): Interval) -> bool {
        self.nodes.values().any(|life| {
            let works = |(begin, end): &Interval| *begin <= since && until <= *end;
            let works_all_the_time =
                life.works_since.is_some_and(|begin| begin <= since) || life.works.iter().any(works);
            works_all_the_time && life.leaves_at.is_none_or(|leaves| until <= leaves)
        })
    }

    /// Returns the name of a node's server.
    fn name(&self, node: NodeId) -> String {
        self.nodes.get(&node).map_or_else(|| node.0.to_string(), |life| life.server.clone())
    }
}

#[cfg(test)]
mod tests {
    use quadrex_store::Epoch;
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::from_u128(7));
    const FIRST: NodeId = NodeId(Uuid::from_u128(1));
    const SECOND: NodeId = NodeId(Uuid::from_u128(2));

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_millis(1_000_000 + 1_000 * seconds)
    }

    /// Returns the record of two nodes. The first one works from 0 to 10, and the second one from 5 on.
    fn record() -> OwnerRecord {
        let mut record = OwnerRecord::default();
        record.add_node(FIRST, "server 1");
        record.add_node(SECOND, "server 2");
        record.set_works(FIRST, true, at(0));
        record.set_works(SECOND, true, at(5));
        record.set_works(FIRST, false, at(10));
        record
    }

    /// Returns a claim by the second node. `renewed` is the time at which the first one, the owner before,
    /// has renewed its lease.
    fn claim(renewed: u64) -> ClaimedBy {
        let before = Some((FIRST, at(renewed)));
        let (epoch, unowned_since) = (Epoch(2), None);
        ClaimedBy { match_id: MATCH, node: SECOND, epoch, before, unowned_since, hibernates: false }
    }

    fn append(server: &str, epoch: u64) -> Appended<'_> {
        let (server, owner) = (Some(server), Some(SECOND));
        let (last_seq, epoch, owner_epoch) = (9, Epoch(epoch), Epoch(2));
        Appended { match_id: MATCH, last_seq, events: &[], epoch, server, owner, owner_epoch }
    }

    #[test]
    fn a_match_is_unserved_while_its_owner_does_not_work() {
        let mut record = record();
        assert_eq!(record.unserved(MATCH, at(30)), []);
        assert_eq!(record.claim(&claim(9), at(20)), None);
        let expected = [(BEGIN, at(0)), (at(10), at(20))];
        assert_eq!(record.unserved(MATCH, at(30)), expected, "the first node has created it");
        record.release(MATCH, SECOND, at(25));
        assert_eq!(record.unserved(MATCH, at(30))[2..], [(at(25), at(30))]);
    }

    #[test]
    fn a_match_that_was_only_released_was_served_before() {
        let mut record = record();
        record.release(MATCH, FIRST, at(8));
        assert_eq!(record.unserved(MATCH, at(9)), [(BEGIN, at(0)), (at(8), at(9))]);
    }

    #[test]
    fn no_match_is_claimed_from_a_node_that_may_act() {
        let wrong = record().claim(&claim(10), at(11)).unwrap();
        assert!(wrong.contains("claims") && wrong.contains("from server 1"), "{wrong}");
        assert_eq!(record().claim(&claim(9), at(11)), None);
        let own = ClaimedBy { before: Some((SECOND, at(10))), ..claim(0) };
        assert_eq!(record().claim(&own, at(11)), None, "it owns the match already");
    }

    #[test]
    fn only_the_owner_appends_and_with_its_epoch() {
        assert_eq!(record().append(&append("server 2", 2), at(20)), None);
        let other = record().append(&append("server 1", 2), at(20)).unwrap();
        assert!(other.starts_with("server 1 appends event 9"), "{other}");
        let old = record().append(&append("server 1", 1), at(20)).unwrap();
        assert!(old.contains("with the epoch 1, and not 2"), "{old}");
    }

    #[test]
    fn a_node_claims_during_an_interval_only_if_it_works_all_the_time() {
        let record = record();
        assert!(record.some_node_claims((at(0), at(10))) && record.some_node_claims((at(6), at(99))));
        assert!(!record.some_node_claims((at(4), at(11))));
    }

    #[test]
    fn a_node_that_was_asked_to_end_claims_nothing_and_works_on() {
        let mut record = record();
        assert_eq!(record.claim(&claim(9), at(20)), None);
        record.set_leaving(SECOND, at(30));
        record.set_leaving(SECOND, at(40));
        assert!(record.some_node_claims((at(20), at(30))));
        assert!(!record.some_node_claims((at(20), at(31))));
        assert!(record.unserved(MATCH, at(50)).iter().all(|(_, until)| *until <= at(20)));
    }
}
