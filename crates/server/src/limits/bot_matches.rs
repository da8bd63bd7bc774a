//! The limits on running matches in which only bots play. Each user, and each client address, may
//! have a few such matches.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::UserId;
use quadrex_protocol::view::Phase;

use super::LimitExceeded;
use super::client_addr::{LOOPBACK_FACTOR, network_of};
use crate::actor::TableHandle;
use crate::config::LimitsConfig;

/// The running matches in which only bots play. Clones share the same matches. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct BotMatches(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    per_user: NonZeroU32,
    per_address: NonZeroU32,
    running: Mutex<Running>,
}

#[derive(Debug, Default)]
struct Running {
    last_number: u64,
    by_owner: HashMap<Owner, Vec<Match>>,
}

/// A user or an address for which the matches are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    User(UserId),
    Address(IpAddr),
}

/// A match that is counted.
#[derive(Debug)]
struct Match {
    number: u64,
    /// The table of the match; `None` before the match has begun.
    table: Option<TableHandle>,
}

impl Match {
    fn is_running(&self) -> bool {
        let Some(table) = &self.table else { return true };
        !table.is_gone() && table.overview().outline().phase != Phase::Ended
    }
}

/// The permit for a match that is about to begin. If the permit is dropped before the start, the
/// match no longer counts.
#[derive(Debug)]
pub(crate) struct BotMatchPermit {
    matches: BotMatches,
    owners: [Owner; 2],
    number: u64,
    has_started: bool,
}

impl BotMatches {
    pub(crate) fn new(limits: &LimitsConfig) -> Self {
        Self(Arc::new(Shared {
            per_user: limits.bot_matches_per_user,
            per_address: limits.bot_matches_per_address,
            running: Mutex::default(),
        }))
    }

    /// Admits a further match.
    ///
    /// # Errors
    /// Returns [`LimitExceeded`] if too many matches of the user or the address are running.
    pub(crate) fn admit(&self, user: UserId, address: IpAddr) -> Result<BotMatchPermit, LimitExceeded> {
        let factor = if address.is_loopback() { LOOPBACK_FACTOR } else { 1 };
        let limits = [
            (Owner::User(user), self.0.per_user.get()),
            (Owner::Address(network_of(address)), self.0.per_address.get().saturating_mul(factor)),
        ];
        let mut running = self.lock();
        for (owner, limit) in limits {
            let count = running.by_owner.get_mut(&owner).map_or(0, |matches| {
                matches.retain(Match::is_running);
                matches.len()
            });
            if count >= limit as usize {
                let message = "you, or others at your address, have too many matches of bots alone under way; \
                               wait until one is over";
                return Err(LimitExceeded::new("bot_matches", message));
            }
        }
        running.last_number += 1;
        let number = running.last_number;
        for (owner, _) in limits {
            running.by_owner.entry(owner).or_default().push(Match { number, table: None });
        }
        Ok(BotMatchPermit {
            matches: self.clone(),
            owners: limits.map(|(owner, _)| owner),
            number,
            has_started: false,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Running> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl BotMatchPermit {
    /// Records that the match has started at this table. It counts until it ends.
    pub(crate) fn start_at(mut self, table: &TableHandle) {
        self.has_started = true;
        let mut running = self.matches.lock();
        for owner in self.owners {
            let matches = running.by_owner.get_mut(&owner);
            let counted =
                matches.and_then(|matches| matches.iter_mut().find(|other| other.number == self.number));
            if let Some(counted) = counted {
                counted.table = Some(table.clone());
            }
        }
    }
}

impl Drop for BotMatchPermit {
    fn drop(&mut self) {
        let mut running = self.matches.lock();
        for owner in self.owners {
            let Some(matches) = running.by_owner.get_mut(&owner) else { continue };
            matches.retain(|other| (self.has_started || other.number != self.number) && other.is_running());
            if matches.is_empty() {
                running.by_owner.remove(&owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Flags};

    fn user(number: u128) -> UserId {
        UserId(uuid::Uuid::from_u128(number))
    }

    /// A dropped permit is available again. Permits in use count for the user and for the address.
    #[test]
    fn bot_matches_are_limited_per_user_and_address() {
        let limits = Config::load(None, [], &Flags::default()).unwrap().limits;
        let (per_user, per_address) =
            (limits.bot_matches_per_user.get(), limits.bot_matches_per_address.get());
        let matches = BotMatches::new(&limits);
        let remote: IpAddr = "192.0.2.7".parse().unwrap();
        let mut permits: Vec<_> = (0..per_user).map(|_| matches.admit(user(0), remote).unwrap()).collect();
        let refused = matches.admit(user(0), "198.51.100.1".parse().unwrap()).unwrap_err();
        assert!(refused.to_string().contains("too many matches"), "{refused}");
        permits.pop();
        permits.push(matches.admit(user(0), remote).expect("a permit was dropped"));
        for number in per_user..per_address {
            permits.push(matches.admit(user(number.into()), remote).unwrap());
        }
        assert!(matches.admit(user(1_000), remote).is_err(), "one address has only so many");
        assert!(matches.admit(user(1_000), "127.0.0.1".parse().unwrap()).is_ok(), "this machine has more");
        drop(permits);
        assert!(matches.lock().by_owner.is_empty(), "dropped matches are forgotten");
    }
}
