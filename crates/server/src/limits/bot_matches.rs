//! Matches that only bots play: each user, and each address, may have a few of them under way.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrex_protocol::view::Phase;
use quadrex_protocol::{RefusalCode, UserId};

use super::rate_limits::{OWN_MACHINE, network_of};
use crate::config::LimitsConfig;
use crate::http::Refusal;
use crate::table::TableHandle;

/// Counts the matches of bots alone that are under way. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct BotMatches(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    per_user: NonZeroU32,
    per_address: NonZeroU32,
    begun: Mutex<Begun>,
}

#[derive(Debug, Default)]
struct Begun {
    number: u64,
    by: HashMap<Maker, Vec<Match>>,
}

/// Those who may have only so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Maker {
    User(UserId),
    Address(IpAddr),
}

/// A match that is about to begin, or has a table.
#[derive(Debug)]
struct Match {
    number: u64,
    table: Option<TableHandle>,
}

impl Match {
    fn is_under_way(&self) -> bool {
        let Some(table) = &self.table else { return true };
        !table.is_gone() && table.overview().outline().phase != Phase::Ended
    }
}

/// The place of a match that is about to begin; dropped, it is free again.
#[derive(Debug)]
pub(crate) struct Admitted {
    matches: BotMatches,
    makers: [Maker; 2],
    number: u64,
    has_begun: bool,
}

impl BotMatches {
    pub(crate) fn new(limits: &LimitsConfig) -> Self {
        Self(Arc::new(Shared {
            per_user: limits.bot_matches_per_user,
            per_address: limits.bot_matches_per_address,
            begun: Mutex::default(),
        }))
    }

    /// Admits one more match, or refuses it if the user or the address has too many under way.
    pub(crate) fn admit(&self, user: UserId, address: IpAddr) -> Result<Admitted, Refusal> {
        let generous = if address.is_loopback() { OWN_MACHINE } else { 1 };
        let limits = [
            (Maker::User(user), self.0.per_user.get()),
            (Maker::Address(network_of(address)), self.0.per_address.get().saturating_mul(generous)),
        ];
        let mut begun = self.lock();
        for (maker, most) in limits {
            let under_way = begun.by.get_mut(&maker).map_or(0, |matches| {
                matches.retain(Match::is_under_way);
                matches.len()
            });
            if under_way >= most as usize {
                let message = "you, or others at your address, have too many matches of bots alone under way; \
                               wait until one is over";
                return Err(Refusal::new(RefusalCode::RateLimited, message));
            }
        }
        begun.number += 1;
        let number = begun.number;
        for (maker, _) in limits {
            begun.by.entry(maker).or_default().push(Match { number, table: None });
        }
        Ok(Admitted {
            matches: self.clone(),
            makers: limits.map(|(maker, _)| maker),
            number,
            has_begun: false,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Begun> {
        self.0.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Admitted {
    /// Counts the match until the one that this table is at is over.
    pub(crate) fn begun_at(mut self, table: &TableHandle) {
        self.has_begun = true;
        let mut begun = self.matches.lock();
        for maker in self.makers {
            let own = begun
                .by
                .get_mut(&maker)
                .and_then(|matches| matches.iter_mut().find(|own| own.number == self.number));
            if let Some(own) = own {
                own.table = Some(table.clone());
            }
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let mut begun = self.matches.lock();
        for maker in self.makers {
            let Some(matches) = begun.by.get_mut(&maker) else { continue };
            matches.retain(|own| (self.has_begun || own.number != self.number) && own.is_under_way());
            if matches.is_empty() {
                begun.by.remove(&maker);
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

    /// A place that was never used is free again; places that are used count for the user and for the address.
    #[test]
    fn a_user_and_an_address_have_only_so_many_places() {
        let limits = Config::load(None, [], &Flags::default()).unwrap().limits;
        let (per_user, per_address) =
            (limits.bot_matches_per_user.get(), limits.bot_matches_per_address.get());
        let matches = BotMatches::new(&limits);
        let elsewhere: IpAddr = "192.0.2.7".parse().unwrap();
        let mut held: Vec<_> = (0..per_user).map(|_| matches.admit(user(0), elsewhere).unwrap()).collect();
        let refused = matches.admit(user(0), "198.51.100.1".parse().unwrap()).unwrap_err();
        assert_eq!(refused.code, RefusalCode::RateLimited);
        held.pop();
        held.push(matches.admit(user(0), elsewhere).expect("a place was given back"));
        for number in per_user..per_address {
            held.push(matches.admit(user(number.into()), elsewhere).unwrap());
        }
        assert!(matches.admit(user(1_000), elsewhere).is_err(), "one address has only so many");
        assert!(matches.admit(user(1_000), "127.0.0.1".parse().unwrap()).is_ok(), "this machine has more");
        drop(held);
        assert!(matches.lock().by.is_empty(), "nothing is kept of those that are over");
    }
}
