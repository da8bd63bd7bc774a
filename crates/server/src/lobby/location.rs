//! The nodes at which tables have their actors.

use quadrex_cluster::NodeId;
use quadrex_cluster::membership::outage;
use quadrex_cluster::message::MessageBody;
use quadrex_protocol::{MatchId, TableId};
use quadrex_store::TableOwner;

use super::actor::Message;
use super::endpoints::TableServer;
use super::hand_overs::HandedOver;
use super::{FindError, Lobby};
use crate::actor::{NodeMessage, ProxyServer, TableActor, TableHandle};
use crate::cluster::{ClusterLink, OwnMatch};
use crate::fault::Fault;

/// The largest number of attempts to find or become the owner of a table, before a proxy continues
/// the search.
const ATTEMPTS: u32 = 3;

/// The place of a table's actor.
enum Location {
    /// Another node owns the table or will claim it, if it is known.
    Elsewhere(MatchId, Option<NodeId>),
    /// This node has just claimed the match.
    Here(OwnMatch),
    /// This node owns the match, which hibernates.
    Hibernating(MatchId),
    /// There is no such table.
    Nowhere,
}

impl Lobby {
    /// Returns a handle to a table of a cluster. If nobody owns the table, and this node is the one
    /// to claim it, claims it and starts an actor. Otherwise starts a proxy.
    pub(super) async fn find_in_cluster(
        &self,
        cluster: &ClusterLink,
        table: TableId,
    ) -> Result<Option<TableHandle>, FindError> {
        match self.locate(cluster, table).await? {
            Location::Nowhere => Ok(None),
            Location::Here(own) => self.start_claimed(table, &own).await.map(Some),
            Location::Hibernating(match_id) => {
                if let Some(handle) = self.start_hibernating(cluster, table, match_id).await? {
                    return Ok(Some(handle));
                }
                self.start_proxy(table, match_id, None).await.map(Some)
            }
            Location::Elsewhere(match_id, owner) => self.start_proxy(table, match_id, owner).await.map(Some),
        }
    }

    /// Starts the proxy of a table whose owner is `owner`, as far as known.
    async fn start_proxy(
        &self,
        table: TableId,
        match_id: MatchId,
        owner: Option<NodeId>,
    ) -> Result<TableHandle, FindError> {
        let proxy = ProxyServer::read(self.deps.clone(), table, match_id, owner).await;
        let proxy = proxy.map_err(|error| self.fault("read a table", &error))?;
        Ok(self.spawn(TableServer::Proxy(Box::new(proxy)), false).await?)
    }

    /// Returns the node that owns a table. If this node owns the table or is the one to claim it,
    /// starts its actor, and returns `None`.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn find_owner(
        &self,
        cluster: &ClusterLink,
        table: TableId,
    ) -> Result<Option<NodeId>, FindError> {
        match self.locate(cluster, table).await? {
            Location::Nowhere => Ok(None),
            Location::Elsewhere(_, owner) => Ok(owner),
            Location::Here(own) => {
                self.start_claimed(table, &own).await?;
                Ok(None)
            }
            Location::Hibernating(match_id) => {
                self.start_hibernating(cluster, table, match_id).await?;
                Ok(None)
            }
        }
    }

    /// Starts the actor of a match that this node has claimed, unless the table has an actor already.
    ///
    /// Several requests may have learned of the same claim. A second actor would append to the log
    /// behind the back of the first one.
    ///
    /// # Errors
    /// Returns [`FindError`] if the store failed, or if the server is shutting down.
    pub async fn start_claimed(&self, table: TableId, own: &OwnMatch) -> Result<TableHandle, FindError> {
        let _guard = self.starts.lock(table).await;
        if let Some(handle) = self.endpoints.own_handle(table) {
            return Ok(handle);
        }
        let OwnMatch { claim, followers } = own;
        let outage = outage(claim, self.deps.clock.now(), self.deps.grace);
        let actor = TableActor::resume_claimed(self.deps.clone(), table, *claim, outage, followers).await;
        let actor = actor.map_err(|error| self.fault("take a match over", &error))?;
        let handle = self.spawn(TableServer::Actor(Box::new(actor)), false).await?;
        // If the node has given the match up before the actor was there, nobody has ended the actor.
        if let Some(cluster) = &self.deps.cluster
            && !cluster.owns(claim.match_id).await
        {
            handle.hand_over();
        }
        Ok(handle)
    }

    /// Starts the actor of a hibernating match of this node, unless the table has an actor already. The
    /// actor only reads the match. Returns `None` if the match does not hibernate any more.
    async fn start_hibernating(
        &self,
        cluster: &ClusterLink,
        table: TableId,
        match_id: MatchId,
    ) -> Result<Option<TableHandle>, FindError> {
        let _guard = self.starts.lock(table).await;
        if let Some(handle) = self.endpoints.own_handle(table) {
            return Ok(Some(handle));
        }
        let actor = TableActor::read_hibernating(self.deps.clone(), table, match_id).await;
        let actor = actor.map_err(|error| self.fault("read a hibernating match", &error))?;
        let Some(actor) = actor else { return Ok(None) };
        let handle = self.spawn(TableServer::Actor(Box::new(actor)), false).await?;
        // Only the database knows whether the node has given the match up before the actor was there.
        let owner = self.deps.store.table_owner(table).await.ok().flatten();
        if owner.and_then(|TableOwner { owner, .. }| owner) != Some(cluster.node()) {
            handle.hand_over();
        }
        Ok(Some(handle))
    }

    /// Ends the actors of these matches, which other nodes will take over. Returns their tables when
    /// the actors have ended.
    pub async fn hand_over(&self, matches: &[MatchId]) -> Vec<HandedOver> {
        let matches = matches.iter().copied().collect();
        self.request(|answer| Message::HandOver { matches, answer }).await.unwrap_or_default()
    }

    /// Passes a message about the tables of the nodes to the lobby.
    pub async fn deliver_list_message(&self, from: NodeId, body: MessageBody) {
        self.mailbox.send(Message::FromNode { from, body: Box::new(body) }).await.ok();
    }

    /// Records the death of a node in the lists of tables.
    pub async fn record_death(&self, node: NodeId) {
        self.mailbox.send(Message::NodeDied { node }).await.ok();
    }

    /// Passes a message of another node to the table that it is about. Returns `false` if the table
    /// has no endpoint here.
    #[must_use]
    pub fn deliver(&self, table: TableId, message: NodeMessage) -> bool {
        self.try_deliver(table, message).is_ok()
    }

    /// Passes a message of another node to the table that it is about.
    ///
    /// # Errors
    /// Returns the message if the table has no endpoint here.
    pub fn try_deliver(&self, table: TableId, message: NodeMessage) -> Result<(), NodeMessage> {
        match self.endpoints.handle(table).filter(|handle| !handle.is_gone()) {
            Some(handle) => {
                handle.deliver(message);
                Ok(())
            }
            None => Err(message),
        }
    }

    async fn locate(&self, cluster: &ClusterLink, table: TableId) -> Result<Location, Fault> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let owner = self.deps.store.table_owner(table).await;
            let owner = owner.map_err(|error| self.fault("look up the owner of a table", &error))?;
            let Some(TableOwner { match_id, owner, is_hibernating }) = owner else {
                return Ok(Location::Nowhere);
            };
            if is_hibernating && owner == Some(cluster.node()) {
                return Ok(Location::Hibernating(match_id));
            }
            match owner.or_else(|| cluster.claimant(match_id)) {
                Some(other) if other != cluster.node() => {
                    return Ok(Location::Elsewhere(match_id, Some(other)));
                }
                Some(_) | None => {
                    // A hibernating match continues to hibernate, as the next attempt shows.
                    if let Some(own) = cluster.claim(match_id).await {
                        return Ok(Location::Here(own));
                    }
                    last = Some(match_id);
                }
            }
        }
        Ok(last.map_or(Location::Nowhere, |match_id| Location::Elsewhere(match_id, None)))
    }
}
