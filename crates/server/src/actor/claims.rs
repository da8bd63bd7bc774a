//! Claims of matches: how an actor gets the right to append to a log.

use std::sync::Arc;

use quadrex_protocol::MatchId;
use quadrex_store::{Epoch, Store, StoreError};

use super::outages::OutageRecord;
use super::table_actor::TableDeps;
use crate::cluster::ClusterLink;
use crate::fair_play::FairPlay;

/// The access of an actor to the logs of its table's matches. A server without a cluster is the
/// only one on its database, so its claims always succeed. A node of a cluster claims a match only
/// if no other living node owns it.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    store: Store,
    cluster: Option<ClusterLink>,
    outages: Arc<OutageRecord>,
    fair_play: FairPlay,
}

impl Claims {
    pub(super) fn new(deps: &TableDeps) -> Self {
        let TableDeps { store, cluster, outages, fair_play, .. } = deps;
        Self {
            store: store.clone(),
            cluster: cluster.clone(),
            outages: Arc::clone(outages),
            fair_play: fair_play.clone(),
        }
    }

    /// Returns the rules of fair play.
    pub(super) fn fair_play(&self) -> &FairPlay {
        &self.fair_play
    }

    /// Returns the record of the outages.
    pub(super) fn outages(&self) -> &OutageRecord {
        &self.outages
    }

    /// Returns the store with the logs.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Claims a match. Returns `None` if there is no such match, or if another node owns it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails.
    pub(super) async fn claim(&self, match_id: MatchId) -> Result<Option<Epoch>, StoreError> {
        match &self.cluster {
            None => self.store.claim(match_id).await,
            Some(cluster) => Ok(cluster.claim_again(match_id).await.map(|own| own.claim.epoch)),
        }
    }

    /// Records that this server has created a match.
    pub(super) fn record_created(&self, match_id: MatchId) {
        if let Some(cluster) = &self.cluster {
            cluster.record_created(match_id);
        }
    }

    /// Records that a match is over or hibernates, and that this actor writes its log no more.
    pub(super) fn record_closed(&self, match_id: MatchId) {
        if let Some(cluster) = &self.cluster {
            cluster.record_closed(match_id);
        }
    }
}
