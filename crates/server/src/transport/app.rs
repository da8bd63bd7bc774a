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

use super::bot_matches::BotMatches;
use super::connections::Admission;
use super::origin::Origins;
use super::picture_cache::PictureCache;
use super::refuse::Refusal;
use super::visitors::Visitors;
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
use crate::lobby::{FindError, Lobby, Stopped};
use crate::table::{TableHandle, TableOverview};

/// What the transport is made from.
#[derive(Debug)]
pub struct Parts {
    /// The tables.
    pub lobby: Lobby,
    /// The server's own bots.
    pub bots: Bots,
    /// Lists of matches.
    pub archive: Archive,
    /// Users and their tokens.
    pub guests: Guests,
    /// What one goes on with from another device.
    pub handovers: Handovers,
    /// Invites and watch links.
    pub links: Links,
    /// The time.
    pub clock: Clock,
    /// Randomness.
    pub entropy: Entropy,
    /// What a client may do to us.
    pub limits: LimitsConfig,
    /// How long a browser's cookie lasts.
    pub cookie_lifetime: Duration,
    /// How browsers reach the server, if it differs from where it listens.
    pub public_url: Option<PublicUrl>,
    /// The right to answer.
    pub lease: Lease,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Host names under which it may be asked for without that.
    pub hosts: Vec<String>,
}

/// What every route and every line works with. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct App(Arc<Shared>);

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) lobby: Lobby,
    pub(super) bots: Bots,
    pub(super) archive: Archive,
    pub(super) guests: Guests,
    pub(super) handovers: Handovers,
    pub(super) links: Links,
    pub(super) clock: Clock,
    pub(super) entropy: Entropy,
    pub(super) limits: LimitsConfig,
    pub(super) cookie_lifetime: Duration,
    pub(super) origins: Origins,
    pub(super) connections: Arc<Admission>,
    pub(super) visitors: Visitors,
    /// Matches that only bots play.
    pub(super) bot_matches: BotMatches,
    /// Workers for requests that people wait for.
    pub(super) workers: Workers,
    /// Workers for pictures.
    pub(super) picture_workers: Workers,
    pub(super) pictures: PictureCache,
    /// The right to answer.
    pub(super) lease: Lease,
    /// Whether the server is about to stop.
    pub(super) closing: watch::Receiver<bool>,
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
    pub(super) fn new(parts: Parts, closing: watch::Receiver<bool>, alive: mpsc::Sender<Infallible>) -> Self {
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
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Logs a fault of ours and makes the refusal that names it.
    pub(super) fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Refusal {
        Refusal::fault(Fault::log(&self.entropy, self.now(), doing, error))
    }

    /// A table as it can be found by its id, whoever asks.
    pub(super) async fn table(&self, table: TableId) -> Result<TableHandle, Refusal> {
        match self.lobby.find(table).await {
            Ok(found) => found.ok_or_else(Refusal::no_table),
            Err(FindError::Stopped(Stopped)) => Err(Refusal::closing()),
            Err(FindError::Fault(fault)) => Err(Refusal::fault(fault)),
        }
    }

    /// A table for an identity that wants to do something there.
    pub(super) async fn table_for(
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
pub(super) fn permit(identity: &Identity, overview: &TableOverview, action: Action) -> Result<(), Refusal> {
    answer(authorize(identity, &facts(overview, &overview.seated().collect::<Vec<_>>()), action))
}

/// What the answer will be once one neither sits there nor is host.
pub(super) fn permit_bystander(
    identity: &Identity,
    overview: &TableOverview,
    action: Action,
) -> Result<(), Refusal> {
    answer(authorize_bystander(identity, &facts(overview, &[]), action))
}

/// The answer once the host has kicked this identity.
pub(super) fn permit_if_kicked(
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
pub(super) fn require_user(identity: &Identity) -> Result<&User, Refusal> {
    identity.user().ok_or_else(|| Denial::SignIn.into())
}

/// What others are shown of an identity.
pub(super) fn view_of(identity: &Identity) -> Option<UserView> {
    identity.user().map(User::view)
}

/// Where a request came from, as the connection says.
pub(super) type Peer = axum::extract::ConnectInfo<SocketAddr>;
