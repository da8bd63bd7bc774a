//! The requests to hand tables over to other nodes, which wait until the tables' actors have ended.

use std::collections::HashSet;

use quadrex_cluster::message::TakenFollower;
use quadrex_protocol::{MatchId, TableId};
use tokio::sync::oneshot;

/// A table that was handed over to another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandedOver {
    /// The table.
    pub table: TableId,
    /// The table's current match.
    pub match_id: MatchId,
    /// The nodes that follow the table.
    pub followers: Vec<TakenFollower>,
}

/// The requests that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct HandOvers {
    requests: Vec<Request>,
}

/// A request to hand tables over.
#[derive(Debug)]
struct Request {
    /// The tables whose actors have not ended yet.
    open: HashSet<TableId>,
    ended: Vec<HandedOver>,
    answer: oneshot::Sender<Vec<HandedOver>>,
}

impl HandOvers {
    /// Adds a request that is answered when the actors of all these tables have ended.
    pub(super) fn add(&mut self, open: HashSet<TableId>, answer: oneshot::Sender<Vec<HandedOver>>) {
        self.requests.push(Request { open, ended: Vec::new(), answer });
        self.answer();
    }

    /// Notes that the actor of a table has ended, and answers the requests that have waited for it.
    /// `handed_over` is `None` if the table is not left to another node.
    pub(super) fn record_end(&mut self, table: TableId, handed_over: Option<HandedOver>) {
        for request in &mut self.requests {
            if request.open.remove(&table) {
                request.ended.extend(handed_over.clone());
            }
        }
        self.answer();
    }

    fn answer(&mut self) {
        for request in self.requests.extract_if(.., |request| request.open.is_empty()) {
            // The receiver may not wait any more.
            request.answer.send(request.ended).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn handed_over(number: u128) -> HandedOver {
        let (table, match_id) = (TableId(Uuid::from_u128(number)), MatchId(Uuid::from_u128(number)));
        HandedOver { table, match_id, followers: Vec::new() }
    }

    #[test]
    fn a_request_is_answered_when_all_its_actors_have_ended() {
        let mut hand_overs = HandOvers::default();
        let mut ask = |tables: &[u128]| {
            let (answer, receiver) = oneshot::channel();
            hand_overs.add(tables.iter().map(|number| handed_over(*number).table).collect(), answer);
            receiver
        };
        let (mut none, mut both, mut other) = (ask(&[]), ask(&[1, 2]), ask(&[2]));
        assert_eq!(none.try_recv().unwrap(), []);
        hand_overs.record_end(handed_over(1).table, Some(handed_over(1)));
        assert!(both.try_recv().is_err() && other.try_recv().is_err());
        hand_overs.record_end(handed_over(2).table, None);
        assert_eq!(both.try_recv().unwrap(), [handed_over(1)], "the other table was closed");
        assert_eq!(other.try_recv().unwrap(), []);
    }
}
