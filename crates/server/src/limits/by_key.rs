//! Counters of requests by key: by user, by client address, and by account.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::Quota;
use governor::clock::Clock;
use quadrex_cluster::message::LimitKey;
use quadrex_protocol::UserId;

use super::LimitExceeded;
use super::client_addr::{LOOPBACK_FACTOR, network_of};
use super::clock::{KeyedLimiter, keyed_limiter};

/// The number of keys in one limiter above which keys without recent requests are dropped.
const MAX_KEYS: usize = 10_000;

/// A rate limit for each address. The limit for the loopback address is much higher.
#[derive(Debug)]
pub(super) struct ByAddress {
    remote: KeyedLimiter<IpAddr>,
    loopback: KeyedLimiter<IpAddr>,
    /// The number of requests that may come at once from a remote address.
    burst: NonZeroU32,
}

impl ByAddress {
    pub(super) fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let loopback = limiter(raised(per_minute), raised(burst));
        Self { remote: limiter(per_minute, burst), loopback, burst }
    }

    /// Returns a limit of requests per hour, which may come at once.
    fn per_hour(requests: NonZeroU32) -> Self {
        let loopback = keyed_limiter(Quota::per_hour(raised(requests)));
        Self { remote: keyed_limiter(Quota::per_hour(requests)), loopback, burst: requests }
    }

    /// Returns a limit of requests per day, which may come at once.
    fn per_day(requests: NonZeroU32) -> Self {
        let loopback = keyed_limiter(per_day(raised(requests)));
        Self { remote: keyed_limiter(per_day(requests)), loopback, burst: requests }
    }

    /// Counts a request from an address. Fails if there were too many.
    pub(super) fn check(
        &self,
        limit: &'static str,
        address: IpAddr,
        message: &str,
    ) -> Result<(), LimitExceeded> {
        self.check_cost(limit, address, NonZeroU32::MIN, message)
    }

    /// Counts one request as `cost` requests. If `cost` is larger than the burst, the burst counts.
    pub(super) fn check_cost(
        &self,
        limit: &'static str,
        address: IpAddr,
        cost: NonZeroU32,
        message: &str,
    ) -> Result<(), LimitExceeded> {
        self.count(address, cost).map_err(|wait| LimitExceeded::until(limit, message, wait))
    }

    /// Counts a request from an address or a network, which another node has sent as text. If there
    /// were too many, fails with the time to wait.
    fn count_text(&self, address: &str) -> Result<(), Duration> {
        match address.parse() {
            Ok(address) => self.count(address, NonZeroU32::MIN),
            Err(_) => Ok(()),
        }
    }

    /// Counts one request as `cost` requests. If there were too many, fails with the time to wait.
    pub(super) fn count(&self, address: IpAddr, cost: NonZeroU32) -> Result<(), Duration> {
        let limiter = if address.is_loopback() { &self.loopback } else { &self.remote };
        check_key(limiter, &network_of(address), cost.min(self.burst))
    }
}

/// Returns the limit of the loopback address for a limit of other addresses.
fn raised(count: NonZeroU32) -> NonZeroU32 {
    count.saturating_mul(LOOPBACK_FACTOR.try_into().unwrap_or(NonZeroU32::MIN))
}

fn limiter<K: Hash + Eq + Clone>(per_minute: NonZeroU32, burst: NonZeroU32) -> KeyedLimiter<K> {
    keyed_limiter(Quota::per_minute(per_minute).allow_burst(burst))
}

/// Counts a request of a key as `cost` requests. If there were too many, fails with the time to
/// wait.
fn check_key<K: Hash + Eq + Clone>(
    limiter: &KeyedLimiter<K>,
    key: &K,
    cost: NonZeroU32,
) -> Result<(), Duration> {
    if limiter.len() > MAX_KEYS {
        limiter.retain_recent();
    }
    match limiter.check_key_n(key, cost) {
        Ok(within) => within.map_err(|over| over.wait_time_from(limiter.clock().now())),
        // The cost is larger than the burst, so the limiter can never allow it.
        Err(_) => Err(Duration::from_secs(60)),
    }
}

/// A rate limit for each user and for the user's address.
#[derive(Debug)]
pub(super) struct ByUser {
    users: KeyedLimiter<UserId>,
    addresses: ByAddress,
}

impl ByUser {
    pub(super) fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        Self { users: limiter(per_minute, burst), addresses: ByAddress::new(per_minute, burst) }
    }

    /// Returns a limit of requests per hour, which may come at once.
    pub(super) fn per_hour(requests: NonZeroU32) -> Self {
        let users = keyed_limiter(Quota::per_hour(requests));
        Self { users, addresses: ByAddress::per_hour(requests) }
    }

    /// Counts a request of a key. If there were too many, fails with the time to wait.
    pub(super) fn count(&self, key: &LimitKey) -> Result<(), Duration> {
        match key {
            LimitKey::User(user) => check_key(&self.users, user, NonZeroU32::MIN),
            LimitKey::Client(address) => self.addresses.count_text(address),
            LimitKey::Account(_) => Ok(()),
        }
    }
}

/// The number of times that a client's address may request more mails than a user.
const MAILS_PER_CLIENT: NonZeroU32 = NonZeroU32::new(4).expect("4 is not 0");

/// A rate limit for the mails that are requested by each user, from each address, and to each mail
/// address or for each account.
#[derive(Debug)]
pub(super) struct ByRecipient {
    users: KeyedLimiter<UserId>,
    clients: ByAddress,
    recipients: KeyedLimiter<String>,
}

impl ByRecipient {
    /// Returns a limit of mails per day, which may come at once.
    pub(super) fn per_day(mails: NonZeroU32) -> Self {
        Self {
            users: keyed_limiter(per_day(mails)),
            clients: ByAddress::per_day(mails.saturating_mul(MAILS_PER_CLIENT)),
            recipients: keyed_limiter(per_day(mails)),
        }
    }

    /// Counts a request of a key. If there were too many, fails with the time to wait.
    pub(super) fn count(&self, key: &LimitKey) -> Result<(), Duration> {
        match key {
            LimitKey::User(user) => check_key(&self.users, user, NonZeroU32::MIN),
            LimitKey::Client(address) => self.clients.count_text(address),
            LimitKey::Account(recipient) => check_key(&self.recipients, recipient, NonZeroU32::MIN),
        }
    }
}

fn per_day(count: NonZeroU32) -> Quota {
    const DAY: Duration = Duration::from_hours(24);
    Quota::with_period(DAY / count.get()).unwrap_or(Quota::per_second(count)).allow_burst(count)
}

/// A rate limit for each account to which clients try to sign in, and for each of their addresses.
#[derive(Debug)]
pub(super) struct ByAccount {
    accounts: KeyedLimiter<String>,
    addresses: ByAddress,
}

impl ByAccount {
    /// Returns the limit of attempts per minute for an account, and that for an address.
    pub(super) fn new(per_account: NonZeroU32, per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let accounts = limiter(per_account, per_account);
        Self { accounts, addresses: ByAddress::new(per_minute, burst) }
    }

    /// Counts an attempt. If there were too many, fails with the time to wait.
    pub(super) fn count(&self, key: &LimitKey) -> Result<(), Duration> {
        match key {
            LimitKey::Account(account) => check_key(&self.accounts, account, NonZeroU32::MIN),
            LimitKey::Client(address) => self.addresses.count_text(address),
            LimitKey::User(_) => Ok(()),
        }
    }
}
