//! Where requests come from, and how many guests, tables, handovers and analyses may be made, and lines explored,
//! pictures drawn and things of the archive looked up, from there.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::HeaderMap;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use ipnet::IpNet;
use quadrex_protocol::{RefusalCode, UserId};

use crate::config::LimitsConfig;
use crate::http::Refusal;

/// How many times more guests this machine itself may make: programs and tests run there, and perhaps a proxy
/// that nobody told us of.
pub(crate) const OWN_MACHINE: u32 = 1_000;

/// Above as many of a kind, those that have been quiet are forgotten.
const KEPT: usize = 10_000;

/// Counts by what is asked for.
type By<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// Counts what comes from each address; this machine has its own, generous count.
#[derive(Debug)]
struct ByAddress {
    elsewhere: By<IpAddr>,
    here: By<IpAddr>,
    /// How many may come at once from elsewhere.
    burst: NonZeroU32,
}

impl ByAddress {
    fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        let generous =
            |count: NonZeroU32| count.saturating_mul(OWN_MACHINE.try_into().unwrap_or(NonZeroU32::MIN));
        let here = limiter(generous(per_minute), generous(burst));
        Self { elsewhere: limiter(per_minute, burst), here, burst }
    }

    /// Counts one more from an address; refused in these words if there were too many.
    fn count(&self, address: IpAddr, message: &str) -> Result<(), Refusal> {
        self.count_several(address, NonZeroU32::MIN, message)
    }

    /// Counts several more at once. More than may come at once count as that many.
    fn count_several(&self, address: IpAddr, several: NonZeroU32, message: &str) -> Result<(), Refusal> {
        let limiter = if address.is_loopback() { &self.here } else { &self.elsewhere };
        let counted = count(limiter, &network_of(address), several.min(self.burst));
        counted.map_err(|wait| Refusal::too_many(message, wait))
    }
}

fn limiter<K: Hash + Eq + Clone>(per_minute: NonZeroU32, burst: NonZeroU32) -> By<K> {
    RateLimiter::hashmap(Quota::per_minute(per_minute).allow_burst(burst))
}

/// Counts several more; returns how long to wait if that is too many.
fn count<K: Hash + Eq + Clone>(limiter: &By<K>, key: &K, several: NonZeroU32) -> Result<(), Duration> {
    if limiter.len() > KEPT {
        limiter.retain_recent();
    }
    match limiter.check_key_n(key, several) {
        Ok(within) => within.map_err(|over| over.wait_time_from(limiter.clock().now())),
        // More than ever may come at once.
        Err(_) => Err(Duration::from_secs(60)),
    }
}

/// Whom an address counts as: of IPv6 the network, since a subscriber gets a /64 at least.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Counts what a user makes, and what comes from the user's address.
#[derive(Debug)]
struct ByUser {
    users: By<UserId>,
    addresses: ByAddress,
}

impl ByUser {
    fn new(per_minute: NonZeroU32, burst: NonZeroU32) -> Self {
        Self { users: limiter(per_minute, burst), addresses: ByAddress::new(per_minute, burst) }
    }

    /// Counts one more of `what`; refused if there were too many.
    fn count(&self, what: &str, user: UserId, address: IpAddr) -> Result<(), Refusal> {
        let message = format!("too many {what} were made by you or from your address; try again later");
        count(&self.users, &user, NonZeroU32::MIN).map_err(|wait| Refusal::too_many(&message, wait))?;
        self.addresses.count(address, &message)
    }
}

/// Knows where requests come from, and counts the guests, tables and handovers made from there.
#[derive(Debug)]
pub(crate) struct Visitors {
    trusted_proxies: Vec<IpNet>,
    guests: ByAddress,
    tables: ByUser,
    handovers: ByUser,
    links: ByUser,
    explorations: ByAddress,
    analyses: ByUser,
    pictures: ByAddress,
    lookups: ByAddress,
}

impl Visitors {
    pub(crate) fn new(trusted_proxies: Vec<IpNet>, limits: &LimitsConfig) -> Self {
        Self {
            trusted_proxies,
            guests: ByAddress::new(limits.guests_per_minute, limits.guests_burst),
            tables: ByUser::new(limits.tables_per_minute, limits.tables_burst),
            handovers: ByUser::new(limits.tables_per_minute, limits.tables_burst),
            links: ByUser::new(limits.links_per_minute, limits.links_burst),
            explorations: ByAddress::new(limits.explore_per_minute, limits.explore_burst),
            analyses: ByUser::new(limits.analyses_per_minute, limits.analyses_burst),
            pictures: ByAddress::new(limits.pictures_per_minute, limits.pictures_burst),
            lookups: ByAddress::new(limits.archive_per_minute, limits.archive_burst),
        }
    }

    /// The address a request comes from: the connection's own, or, behind proxies that we trust, the last one in
    /// `X-Forwarded-For` that is none of them. What stands before that one anybody may have written.
    ///
    /// # Errors
    /// When a proxy of ours passes on what is no address.
    pub(crate) fn address(&self, peer: SocketAddr, headers: &HeaderMap) -> Result<IpAddr, Refusal> {
        let mut address = peer.ip().to_canonical();
        let forwarded: Vec<&[u8]> = headers
            .get_all("x-forwarded-for")
            .iter()
            .flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
            .collect();
        for hop in forwarded.into_iter().rev() {
            if !self.is_proxy(address) {
                break;
            }
            address = read_hop(hop).ok_or_else(|| {
                let hop: String = String::from_utf8_lossy(hop).chars().take(100).collect();
                let message = format_args!("X-Forwarded-For: {:?} is no address", hop.trim());
                Refusal::new(RefusalCode::Malformed, message)
            })?;
        }
        Ok(address)
    }

    /// Returns whether an address is that of a proxy whose word counts.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(&address))
    }

    /// Counts a guest made from an address; refused if there were too many.
    pub(crate) fn count_guest(&self, address: IpAddr) -> Result<(), Refusal> {
        self.guests.count(address, "too many guests were made from your address; try again later")
    }

    /// Counts a line explored for an address; refused if there were too many.
    pub(crate) fn count_exploration(&self, address: IpAddr) -> Result<(), Refusal> {
        self.explorations
            .count(address, "too many lines were explored from your address; try again in a moment")
    }

    /// Counts an analysis for a user at an address; refused if there were too many.
    pub(crate) fn count_analysis(&self, user: UserId, address: IpAddr) -> Result<(), Refusal> {
        self.analyses.count("analyses", user, address)
    }

    /// Counts what is drawn for an address, a film as many pictures; refused if there were too many.
    pub(crate) fn count_pictures(&self, address: IpAddr, several: NonZeroU32) -> Result<(), Refusal> {
        let message = "too many pictures were drawn for your address; try again in a moment";
        self.pictures.count_several(address, several, message)
    }

    /// Counts a list, a match or a player that was looked up for an address; refused if there was too much.
    pub(crate) fn count_lookup(&self, address: IpAddr) -> Result<(), Refusal> {
        self.lookups.count(address, "too much was looked up from your address; try again in a moment")
    }

    /// Counts a table made by a user from an address; refused if there were too many.
    pub(crate) fn count_table(&self, user: UserId, address: IpAddr) -> Result<(), Refusal> {
        self.tables.count("tables", user, address)
    }

    /// Counts a handover made by a user from an address, within limits as those of tables; refused if there were
    /// too many.
    pub(crate) fn count_handover(&self, user: UserId, address: IpAddr) -> Result<(), Refusal> {
        self.handovers.count("handovers", user, address)
    }

    /// Counts an invite or a watch link made by a user from an address; refused if there were too many.
    pub(crate) fn count_link(&self, user: UserId, address: IpAddr) -> Result<(), Refusal> {
        self.links.count("invites and watch links", user, address)
    }
}

/// Reads one hop of `X-Forwarded-For`: an address, alone or with a port.
fn read_hop(hop: &[u8]) -> Option<IpAddr> {
    let hop = std::str::from_utf8(hop).ok()?.trim();
    let bracketed = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']'));
    let address = match bracketed {
        Some(address) => address.parse::<Ipv6Addr>().ok()?.into(),
        None => hop.parse().ok().or_else(|| hop.parse().ok().map(|hop: SocketAddr| hop.ip()))?,
    };
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitors(trusted: &[&str]) -> Visitors {
        let config = crate::config::Config::load(None, [], &crate::config::Flags::default()).unwrap();
        Visitors::new(trusted.iter().map(|network| network.parse().unwrap()).collect(), &config.limits)
    }

    fn address(visitors: &Visitors, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        visitors
            .address(format!("{peer}:5000").parse().unwrap(), &headers)
            .map_or_else(|refusal| format!("{:?}", refusal.code), |address| address.to_string())
    }

    #[test]
    fn nobody_can_make_up_where_it_comes_from() {
        let visitors = visitors(&["10.0.0.0/30"]);
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
        for rubbish in
            ["198.51.100.1, rubbish", "198.51.100.1,", "unknown", "203.0.113.7:x", "[203.0.113.7]", "\u{e9}"]
        {
            assert_eq!(address(&visitors, "10.0.0.1", &[rubbish]), "Malformed", "{rubbish}");
            assert_eq!(address(&visitors, "192.0.2.7", &[rubbish]), "192.0.2.7", "{rubbish}");
        }
        assert_eq!(address(&visitors, "10.0.0.1", &["rubbish, 198.51.100.1"]), "198.51.100.1");
        for (hop, meant) in [
            ("203.0.113.7:1234", "203.0.113.7"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
        ] {
            assert_eq!(address(&visitors, "10.0.0.1", &[hop]), meant);
        }
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

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let visitors = visitors(&[]);
        let host = |number: u128| IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | number));
        let made = (0..1_000).take_while(|&number| visitors.count_guest(host(number)).is_ok()).count();
        assert!((60..70).contains(&made), "{made} guests");
        assert!(visitors.count_guest(host(1 << 64)).is_ok(), "another network has its own count");
    }

    #[test]
    fn one_address_cannot_have_lines_explored_without_end() {
        let visitors = visitors(&[]);
        let stranger: IpAddr = "192.0.2.7".parse().unwrap();
        let explored = (0..10_000).take_while(|_| visitors.count_exploration(stranger).is_ok()).count();
        assert!((200..300).contains(&explored), "{explored} lines");
        assert!(visitors.count_guest(stranger).is_ok(), "guests have their own count");
    }

    /// Users of one address get no more than one user does, and another user or address has a count of its own.
    fn expect_an_end(count: impl Fn(&Visitors, UserId, IpAddr) -> Result<(), Refusal>) -> Visitors {
        let visitors = visitors(&[]);
        let (here, there) = ("127.0.0.1".parse().unwrap(), "192.0.2.7".parse().unwrap());
        let user = |number| UserId(uuid::Uuid::from_u128(number));
        let granted = (0..10_000).take_while(|_| count(&visitors, user(0), here).is_ok()).count();
        assert!((60..70).contains(&granted), "{granted} for one user");
        assert!(count(&visitors, user(1), here).is_ok(), "another user has its own count");
        let granted = (1..10_000).take_while(|&number| count(&visitors, user(number), there).is_ok()).count();
        assert!((60..70).contains(&granted), "{granted} for one address");
        visitors
    }

    #[test]
    fn a_film_counts_as_many_pictures() {
        let address = "192.0.2.7".parse().unwrap();
        let drawn = |cost: u32| {
            let visitors = visitors(&[]);
            let cost = NonZeroU32::new(cost).unwrap();
            (0..10_000).take_while(|_| visitors.count_pictures(address, cost).is_ok()).count()
        };
        assert!((300..310).contains(&drawn(1)), "{} pictures", drawn(1));
        assert_eq!(drawn(20), 15, "films");
        assert_eq!(drawn(100_000), 1, "more than may come at once count as that many");
    }

    #[test]
    fn neither_a_user_nor_an_address_can_make_tables_have_analyses_or_make_handovers_without_end() {
        let (user, here) = (UserId(uuid::Uuid::from_u128(0)), "127.0.0.1".parse().unwrap());
        let visitors = expect_an_end(Visitors::count_table);
        assert!(visitors.count_analysis(user, here).is_ok(), "analyses have their own count");
        let visitors = expect_an_end(Visitors::count_analysis);
        assert!(visitors.count_handover(user, here).is_ok(), "handovers have their own count");
        let visitors = expect_an_end(Visitors::count_handover);
        assert!(visitors.count_table(user, here).is_ok(), "tables have their own count");
    }
}
