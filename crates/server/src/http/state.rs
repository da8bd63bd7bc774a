//! What every route and every line works with.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::{mpsc, watch};

use super::origin::Origins;
use super::picture_cache::PictureCache;
use super::refusal::Refusal;
use super::workers::Workers;
use crate::archive::Archive;
use crate::auth::{
    Access, Action, Denial, Guests, Handovers, Identity, Links, TableFacts, User, authorize,
    authorize_bystander, authorize_if_kicked,
};
use crate::bots::Bots;
use crate::clock::Clock;
use crate::config::{LimitsConfig, PublicUrl};
use crate::entropy::Entropy;
use crate::fault::Fault;
use crate::lease::Lease;
use crate::limits::{Admission, BotMatches, Visitors};
use crate::lobby::{FindError, Lobby, Stopped};
use crate::table::{TableHandle, TableOverview};

/// What the transport is made from.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The tables.
    pub(crate) lobby: Lobby,
    /// The server's own bots.
    pub(crate) bots: Bots,
    /// Lists of matches.
    pub(crate) archive: Archive,
    /// Users and their tokens.
    pub(crate) guests: Guests,
    /// What one goes on with from another device.
    pub(crate) handovers: Handovers,
    /// Invites and watch links.
    pub(crate) links: Links,
    /// The time.
    pub(crate) clock: Clock,
    /// Randomness.
    pub(crate) entropy: Entropy,
    /// What a client may do to us.
    pub(crate) limits: LimitsConfig,
    /// How long a browser's cookie lasts.
    pub(crate) cookie_lifetime: Duration,
    /// How browsers reach the server, if it differs from where it listens.
    pub(crate) public_url: Option<PublicUrl>,
    /// The right to answer.
    pub(crate) lease: Lease,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Host names under which it may be asked for without that.
    pub(crate) hosts: Vec<String>,
}

/// What every route and every line works with. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct App(Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) lobby: Lobby,
    pub(crate) bots: Bots,
    pub(crate) archive: Archive,
    pub(crate) guests: Guests,
    pub(crate) handovers: Handovers,
    pub(crate) links: Links,
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
    pub(crate) limits: LimitsConfig,
    pub(crate) cookie_lifetime: Duration,
    pub(crate) origins: Origins,
    pub(crate) connections: Arc<Admission>,
    pub(crate) visitors: Visitors,
    /// Matches that only bots play.
    pub(crate) bot_matches: BotMatches,
    /// Workers for requests that people wait for.
    pub(crate) workers: Workers,
    /// Workers for pictures.
    pub(crate) picture_workers: Workers,
    pub(crate) pictures: PictureCache,
    /// The right to answer.
    pub(crate) lease: Lease,
    /// Whether the server is about to stop.
    pub(crate) closing: watch::Receiver<bool>,
    /// Never used. Its channel closes with the last line and the last request.
    _alive: mpsc::Sender<Infallible>,
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl App {
    pub(crate) fn new(parts: Parts, closing: watch::Receiver<bool>, alive: mpsc::Sender<Infallible>) -> Self {
        let Parts {
            lobby,
            bots,
            archive,
            guests,
            handovers,
            links,
            clock,
            entropy,
            limits,
            cookie_lifetime,
            public_url,
            trusted_proxies,
            lease,
            hosts,
        } = parts;
        let connections = Admission::new(limits.connections_per_address);
        let bot_matches = BotMatches::new(&limits);
        let visitors = Visitors::new(trusted_proxies, &limits);
        let pictures = PictureCache::new(limits.picture_cache_bytes);
        let origins = Origins::new(public_url, &hosts);
        Self(Arc::new(Shared {
            lobby,
            bots,
            archive,
            guests,
            handovers,
            links,
            clock,
            entropy,
            limits,
            cookie_lifetime,
            origins,
            connections,
            visitors,
            bot_matches,
            workers: Workers::for_requests(),
            picture_workers: Workers::for_pictures(),
            pictures,
            lease,
            closing,
            _alive: alive,
        }))
    }

    /// This moment.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Logs a fault of ours and makes the refusal that names it.
    pub(crate) fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Refusal {
        Refusal::fault(Fault::log(&self.entropy, self.now(), doing, error))
    }

    /// A table as it can be found by its id, whoever asks.
    pub(crate) async fn table(&self, table: TableId) -> Result<TableHandle, Refusal> {
        match self.lobby.find(table).await {
            Ok(found) => found.ok_or_else(Refusal::no_table),
            Err(FindError::Stopped(Stopped)) => Err(Refusal::closing()),
            Err(FindError::Fault(fault)) => Err(Refusal::fault(fault)),
        }
    }

    /// A table for an identity that wants to do something there.
    pub(crate) async fn table_for(
        &self,
        identity: &Identity,
        table: TableId,
        action: Action,
    ) -> Result<TableHandle, Refusal> {
        let handle = self.table(table).await?;
        permit(identity, &handle.overview(), action)?;
        Ok(handle)
    }
}

/// The one decision of [`authorize`], as a refusal.
pub(crate) fn permit(identity: &Identity, overview: &TableOverview, action: Action) -> Result<(), Refusal> {
    answer(authorize(identity, &facts(overview, &overview.seated().collect::<Vec<_>>()), action))
}

/// What the answer will be once one neither sits there nor is host.
pub(crate) fn permit_bystander(
    identity: &Identity,
    overview: &TableOverview,
    action: Action,
) -> Result<(), Refusal> {
    answer(authorize_bystander(identity, &facts(overview, &[]), action))
}

/// The answer once the host has kicked this identity.
pub(crate) fn permit_if_kicked(
    identity: &Identity,
    overview: &TableOverview,
    action: Action,
) -> Result<(), Refusal> {
    answer(authorize_if_kicked(identity, &facts(overview, &[]), action))
}

fn facts<'a>(overview: &'a TableOverview, seated: &'a [UserId]) -> TableFacts<'a> {
    TableFacts {
        host: overview.host().id,
        privacy: overview.settings().privacy,
        watchers: overview.settings().watchers,
        seated,
        kicked: &overview.kicked,
    }
}

fn answer(access: Access) -> Result<(), Refusal> {
    match access {
        Access::Allow => Ok(()),
        Access::Hidden => Err(Refusal::no_table()),
        Access::Refused(denial) => Err(denial.into()),
    }
}

/// The user behind an identity, for what only a user may do.
pub(crate) fn require_user(identity: &Identity) -> Result<&User, Refusal> {
    identity.user().ok_or_else(|| Denial::SignIn.into())
}

/// What others are shown of an identity.
pub(crate) fn view_of(identity: &Identity) -> Option<UserView> {
    identity.user().map(User::view)
}

/// Where a request came from, as the connection says.
pub(crate) type Peer = axum::extract::ConnectInfo<SocketAddr>;
