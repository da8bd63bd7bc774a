//! Where requests come from, and how many guests one address may make.

use std::net::{IpAddr, SocketAddr};

use axum::http::HeaderMap;
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use quadrex_protocol::RefusalCode;

use super::refuse::Refusal;
use crate::config::LimitsConfig;

/// How many times more guests this machine itself may make: programs and tests run there, and perhaps a proxy
/// that nobody told us of.
const OWN_MACHINE: u32 = 1_000;

/// Above as many addresses, those that have been quiet are forgotten.
const ADDRESSES_KEPT: usize = 10_000;

type ByAddress = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>;

/// Knows where requests come from, and counts the guests made from there.
#[derive(Debug)]
pub(super) struct Visitors {
    trusted_proxies: Vec<IpAddr>,
    guests: ByAddress,
    guests_here: ByAddress,
}

impl Visitors {
    pub(super) fn new(trusted_proxies: Vec<IpAddr>, limits: &LimitsConfig) -> Self {
        let (rate, burst) = (limits.guests_per_minute, limits.guests_burst);
        let generous =
            |count: std::num::NonZeroU32| count.saturating_mul(OWN_MACHINE.try_into().unwrap_or(count));
        Self {
            trusted_proxies,
            guests: RateLimiter::hashmap(Quota::per_minute(rate).allow_burst(burst)),
            guests_here: RateLimiter::hashmap(Quota::per_minute(generous(rate)).allow_burst(generous(burst))),
        }
    }

    /// The address a request comes from: the connection's own, or, behind proxies that we trust, the last one in
    /// `X-Forwarded-For` that is none of them. What stands before that one anybody may have written.
    pub(super) fn address(&self, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
        let mut address = peer.ip().to_canonical();
        let forwarded: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .collect();
        for hop in forwarded.into_iter().rev() {
            if !self.trusted_proxies.contains(&address) {
                break;
            }
            match hop.trim().parse::<IpAddr>() {
                Ok(before) => address = before.to_canonical(),
                Err(_) => break,
            }
        }
        address
    }

    /// Counts a guest made from an address; refused if there were too many.
    pub(super) fn count_guest(&self, address: IpAddr) -> Result<(), Refusal> {
        let guests = if address.is_loopback() { &self.guests_here } else { &self.guests };
        if guests.len() > ADDRESSES_KEPT {
            guests.retain_recent();
        }
        guests.check_key(&address).map_err(|_| {
            Refusal::new(
                RefusalCode::RateLimited,
                "too many guests were made from your address; try again later",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitors(trusted: &[&str]) -> Visitors {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        Visitors::new(trusted.iter().map(|address| address.parse().unwrap()).collect(), &config.limits)
    }

    fn address(visitors: &Visitors, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        visitors.address(format!("{peer}:5000").parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn nobody_can_make_up_where_it_comes_from() {
        let visitors = visitors(&["10.0.0.1", "10.0.0.2"]);
        assert_eq!(
            address(&visitors, "192.0.2.7", &["198.51.100.1"]),
            "192.0.2.7",
            "not from a trusted proxy"
        );
        assert_eq!(address(&visitors, "10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            address(&visitors, "10.0.0.1", &["203.0.113.9, 198.51.100.1", "10.0.0.2"]),
            "198.51.100.1"
        );
        assert_eq!(address(&visitors, "10.0.0.1", &["198.51.100.1, rubbish"]), "10.0.0.1");
        assert_eq!(address(&visitors, "10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn one_address_cannot_make_guests_without_end() {
        let visitors = visitors(&[]);
        let stranger: IpAddr = "192.0.2.7".parse().unwrap();
        let made = (0..10_000).take_while(|_| visitors.count_guest(stranger).is_ok()).count();
        assert!((1..10_000).contains(&made), "{made} guests");
        assert!(
            visitors.count_guest("192.0.2.8".parse().unwrap()).is_ok(),
            "another address has its own count"
        );
        assert!((0..10_000).all(|_| visitors.count_guest("127.0.0.1".parse().unwrap()).is_ok()));
    }
}
