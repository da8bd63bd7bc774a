//! The state that all routes and WebSockets share.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use ipnet::IpNet;
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::{LinkCreated, TokenScope};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{TableId, UserId};
use quadrex_rules::Timestamp;
use tokio::sync::{mpsc, watch};

use super::origin::Origins;
use super::picture_cache::PictureCache;
use super::refusal::Refusal;
use super::workers::Workers;
use crate::actor::{TableHandle, TableOverview};
use crate::archive::Archive;
use crate::auth::{
    Access, AccessTokens, Accounts, Action, Denial, Guests, Handovers, Identity, Invitations, Key, Links,
    Operators, RecoveryKeys, Sessions, Shares, TableFacts, Token, User, UserSearch, authorize,
    authorize_bystander, authorize_if_kicked,
};
use crate::bots::Bots;
use crate::config::{AccountsConfig, LimitsConfig, PublicUrl};
use crate::fair_play::FairPlay;
use crate::fault::Fault;
use crate::lease::Lease;
use crate::limits::{Admission, BotMatches, RateLimits, TrustedProxies};
use crate::lobby::Lobby;
use crate::mail::Mail;
use crate::moderation::{Reports, Warnings};
use crate::network::network_addresses;
use crate::notifications::Notifications;
use crate::people::{Groups, Relations, Vacations};
use crate::providers::Providers;
use crate::reviews::Reviews;
use crate::stop::{OpenConnections, StopStage};

/// The parts of the server that the shared state needs.
#[derive(Debug)]
pub(crate) struct AppDeps {
    /// The lobby, through which all tables are found.
    pub(crate) lobby: Lobby,
    /// The bots that the server runs.
    pub(crate) bots: Bots,
    /// The reviews of past matches.
    pub(crate) reviews: Reviews,
    /// The lists of played matches.
    pub(crate) archive: Archive,
    /// The users and their tokens.
    pub(crate) guests: Guests,
    /// The secrets with which users continue on another device.
    pub(crate) handovers: Handovers,
    /// The accounts of users.
    pub(crate) accounts: Accounts,
    /// The sign-ins with providers.
    pub(crate) providers: Providers,
    /// The settings of accounts.
    pub(crate) accounts_config: AccountsConfig,
    /// The accounts that may act on other users.
    pub(crate) operators: Operators,
    /// The search for users by operators.
    pub(crate) user_search: UserSearch,
    /// The reports about users.
    pub(crate) reports: Reports,
    /// The warnings of users.
    pub(crate) warnings: Warnings,
    /// The tokens with which programs act as users.
    pub(crate) access_tokens: AccessTokens,
    /// The keys with which users continue in any browser.
    pub(crate) recovery_keys: RecoveryKeys,
    /// The relations between users.
    pub(crate) relations: Relations,
    /// The notifications and their targets.
    pub(crate) notifications: Notifications,
    /// The mail addresses of accounts, and the links that are sent by mail.
    pub(crate) mail: Mail,
    /// The rules of fair play in rated matches.
    pub(crate) fair_play: FairPlay,
    /// The vacations of users.
    pub(crate) vacations: Vacations,
    /// The groups of users.
    pub(crate) groups: Groups,
    /// The invites and watch links.
    pub(crate) links: Links,
    /// The invitations of users to tables.
    pub(crate) invitations: Invitations,
    /// The share links of matches.
    pub(crate) shares: Shares,
    /// The clock of the server.
    pub(crate) clock: Clock,
    /// The source of random numbers.
    pub(crate) entropy: Entropy,
    /// The service that lists and ends sessions.
    pub(crate) sessions: Sessions,
    /// The limits on what clients may do.
    pub(crate) limits: LimitsConfig,
    /// The rate limits on requests.
    pub(crate) rate_limits: Arc<RateLimits>,
    /// The lifetime of a browser's cookie.
    pub(crate) cookie_lifetime: Duration,
    /// The URL by which browsers reach the server, if the settings name one.
    pub(crate) public_url: Option<PublicUrl>,
    /// The address on which the server listens.
    pub(crate) address: SocketAddr,
    /// The lease, without which the server must not answer.
    pub(crate) lease: Lease,
    /// The proxies whose `X-Forwarded-For` header is trusted.
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// The host names that requests may name in their `Host` header if there is no public URL.
    pub(crate) hosts: Vec<String>,
}

/// The state that all routes and WebSockets share. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct AppState(Arc<Shared>);

/// The shared data of the routes: the dependencies, and objects that are created from them.
#[derive(Debug)]
pub(crate) struct Shared {
    deps: AppDeps,
    pub(crate) origins: Origins,
    pub(crate) admission: Arc<Admission>,
    pub(crate) proxies: TrustedProxies,
    /// The running matches in which only bots play.
    pub(crate) bot_matches: BotMatches,
    /// The worker threads for requests that need much computing.
    pub(crate) workers: Workers,
    /// The worker threads for pictures.
    pub(crate) picture_workers: Workers,
    pub(crate) pictures: PictureCache,
    /// The worker threads that hash passwords.
    pub(crate) password_workers: Workers,
    /// The open WebSockets.
    pub(crate) connections: OpenConnections,
    /// The stage of the server's stop.
    pub(crate) stop_stage: watch::Receiver<StopStage>,
    /// A sender that sends nothing. When the last WebSocket and the last request have dropped the
    /// state, the sender's channel closes.
    _sockets_open: mpsc::Sender<Infallible>,
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl std::ops::Deref for Shared {
    type Target = AppDeps;

    fn deref(&self) -> &AppDeps {
        &self.deps
    }
}

impl AppState {
    pub(crate) fn new(
        mut deps: AppDeps,
        stop_stage: watch::Receiver<StopStage>,
        connections: OpenConnections,
        sockets_open: mpsc::Sender<Infallible>,
    ) -> Self {
        let (public_url, proxies) = (deps.public_url.take(), std::mem::take(&mut deps.trusted_proxies));
        Self(Arc::new(Shared {
            origins: Origins::new(public_url, &deps.hosts),
            admission: Admission::new(deps.limits.connections_per_address),
            proxies: TrustedProxies::new(proxies),
            bot_matches: BotMatches::new(&deps.limits),
            workers: Workers::for_requests(),
            picture_workers: Workers::for_pictures(),
            password_workers: Workers::for_passwords(&deps.accounts_config),
            pictures: PictureCache::new(deps.limits.picture_cache_bytes),
            stop_stage,
            connections,
            _sockets_open: sockets_open,
            deps,
        }))
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the answer to a request that has created a link.
    pub(crate) fn link_created(
        &self,
        secret: &Token,
        expires_at: Timestamp,
        headers: &HeaderMap,
    ) -> LinkCreated {
        let origin = self.origin_for_others(headers);
        LinkCreated { secret: secret.as_str().to_owned(), expires_at_ms: expires_at.as_millis(), origin }
    }

    /// Returns the origin of the URL with which other people open a link, if it differs from the
    /// origin of the request.
    pub(crate) fn origin_for_others(&self, headers: &HeaderMap) -> Option<String> {
        self.origins.for_others(headers, &network_addresses(self.address))
    }

    /// Logs a fault and returns the refusal that contains the fault's id.
    pub(crate) fn fault(&self, doing: &str, error: &dyn std::error::Error) -> Refusal {
        Refusal::fault(Fault::log(&self.entropy, self.now(), doing, error))
    }

    /// Returns a table by its id. Does not check whether the client may see the table.
    pub(crate) async fn table(&self, table: TableId) -> Result<TableHandle, Refusal> {
        self.lobby.find(table).await?.ok_or_else(Refusal::no_table)
    }

    /// Returns a table if the identity may perform the action there.
    pub(crate) async fn table_for(
        &self,
        identity: &Identity,
        table: TableId,
        action: Action,
    ) -> Result<TableHandle, Refusal> {
        let handle = self.table(table).await?;
        let overview = handle.overview();
        if let Err(refusal) = permit(identity, &overview, action) {
            let key = self.member_key(identity, &overview).await?;
            permit(identity, &overview, action.with_key(key)).map_err(|_| refusal)?;
        }
        Ok(handle)
    }

    /// Returns the right that the user has as a member of the group for which a table was created;
    /// [`Key::None`] if the user is not a member.
    pub(crate) async fn member_key(
        &self,
        identity: &Identity,
        overview: &TableOverview,
    ) -> Result<Key, Refusal> {
        let (Some(group), Some(user)) = (overview.settings().group, identity.id()) else {
            return Ok(Key::None);
        };
        let is_member = self.groups.is_member(group, user).await;
        let is_member = is_member.map_err(|error| self.fault("look up a member of a group", &error))?;
        Ok(if is_member { Key::Member } else { Key::None })
    }
}

/// Returns the decision of [`authorize`] as a refusal.
pub(crate) fn permit(identity: &Identity, overview: &TableOverview, action: Action) -> Result<(), Refusal> {
    refusal_of(authorize(identity, &facts(overview, &overview.seated().collect::<Vec<_>>()), action))
}

/// Returns the decision that would be made if the identity were neither seated nor the host.
pub(crate) fn permit_bystander(
    identity: &Identity,
    overview: &TableOverview,
    action: Action,
) -> Result<(), Refusal> {
    refusal_of(authorize_bystander(identity, &facts(overview, &[]), action))
}

/// Returns the decision that would be made if the host had kicked the identity.
pub(crate) fn permit_if_kicked(
    identity: &Identity,
    overview: &TableOverview,
    action: Action,
) -> Result<(), Refusal> {
    refusal_of(authorize_if_kicked(identity, &facts(overview, &[]), action))
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

fn refusal_of(access: Access) -> Result<(), Refusal> {
    match access {
        Access::Allow => Ok(()),
        Access::Hidden => Err(Refusal::no_table()),
        Access::Refused(denial) => Err(denial.into()),
    }
}

/// Returns the user of an identity, or a refusal if the client is not signed in.
pub(crate) fn require_user(identity: &Identity) -> Result<&User, Refusal> {
    identity.user().ok_or_else(|| Denial::SignIn.into())
}

/// Returns the user of an identity that has this scope.
pub(crate) fn require_scope(identity: &Identity, scope: TokenScope) -> Result<&User, Refusal> {
    let user = require_user(identity)?;
    identity.check_scope(scope)?;
    Ok(user)
}

/// Returns the user of an identity that has all rights of the user, which a token never has.
pub(crate) fn require_all_rights(identity: &Identity) -> Result<&User, Refusal> {
    match identity {
        Identity::Anonymous => Err(Denial::SignIn.into()),
        Identity::User { user, rights, .. } => {
            rights.check_all()?;
            Ok(user)
        }
    }
}

/// Returns the user of an identity in the form on the wire.
pub(crate) fn view_of(identity: &Identity) -> Option<UserView> {
    identity.user().map(User::view)
}

/// The address of a request's connection.
pub(crate) type Peer = axum::extract::ConnectInfo<SocketAddr>;
