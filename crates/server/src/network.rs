//! The addresses by which other machines in the network reach the server.

use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The largest number of addresses that are returned.
const MAX_ADDRESSES: usize = 4;

/// The prefixes of the names of network interfaces that containers and virtual machines use. Other
/// machines cannot reach the addresses of such interfaces.
const VIRTUAL: [&str; 6] = ["docker", "br-", "veth", "virbr", "cni", "flannel"];

/// Returns the address by which this machine reaches a server that listens on `bound`. If `bound`
/// is the unspecified address, which browsers cannot open, this is the loopback address.
#[must_use]
pub fn local_address(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}

/// Returns the addresses by which other machines probably reach a server that listens on `bound`,
/// the most likely address first. The list is empty if only this machine can reach the server.
#[must_use]
pub fn network_addresses(bound: SocketAddr) -> Vec<SocketAddr> {
    let interfaces = match if_addrs::get_if_addrs() {
        Ok(interfaces) => interfaces,
        Err(error) => {
            tracing::warn!("the network interfaces cannot be listed: {error}");
            Vec::new()
        }
    };
    reachable(bound, interfaces.iter().map(|interface| (interface.name.as_str(), interface.ip())))
}

/// Returns the same addresses as [`network_addresses`] does on a machine with these interfaces.
fn reachable<'a>(bound: SocketAddr, interfaces: impl Iterator<Item = (&'a str, IpAddr)>) -> Vec<SocketAddr> {
    if !bound.ip().is_unspecified() {
        return if bound.ip().is_loopback() { Vec::new() } else { vec![bound] };
    }
    let mut found: Vec<IpAddr> = interfaces
        .filter(|(name, _)| !VIRTUAL.iter().any(|prefix| name.starts_with(prefix)))
        .map(|(_, ip)| ip)
        // A socket for all IPv6 addresses receives connections over IPv4 too, but a socket for IPv4
        // does not receive those over IPv6.
        .filter(|ip| bound.is_ipv6() || ip.is_ipv4())
        .filter(|ip| !ip.is_loopback() && !is_link_local(ip))
        .collect();
    found.sort_by_key(|ip| (Reverse(ip.is_ipv4()), Reverse(is_private(ip)), *ip));
    found.dedup();
    found.truncate(MAX_ADDRESSES);
    found.into_iter().map(|ip| SocketAddr::new(ip, bound.port())).collect()
}

/// Returns whether an address is valid only on one link of the network. An IPv6 address of this
/// kind is useless without the name of an interface, and an IPv4 address of this kind was chosen by
/// the machine itself.
fn is_link_local(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}

/// Returns whether an address belongs to a local network.
fn is_private(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_private(),
        IpAddr::V6(ip) => ip.is_unique_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERFACES: [(&str, &str); 9] = [
        ("lo", "127.0.0.1"),
        ("lo", "::1"),
        ("wlan0", "2001:db8::7"),
        ("wlan0", "fd00::7"),
        ("wlan0", "fe80::7"),
        ("tun0", "100.64.0.7"),
        ("wlan0", "192.168.1.7"),
        ("docker0", "172.17.0.1"),
        ("eth0", "169.254.3.7"),
    ];

    fn of(bound: &str) -> Vec<String> {
        let interfaces = INTERFACES.iter().map(|(name, ip)| (*name, ip.parse().unwrap()));
        reachable(bound.parse().unwrap(), interfaces).iter().map(SocketAddr::to_string).collect()
    }

    #[test]
    fn a_server_on_all_addresses_offers_those_of_the_network() {
        assert_eq!(of("0.0.0.0:8080"), ["192.168.1.7:8080", "100.64.0.7:8080"]);
        assert_eq!(of("[::]:80"), ["192.168.1.7:80", "100.64.0.7:80", "[fd00::7]:80", "[2001:db8::7]:80"]);
    }

    #[test]
    fn a_server_on_one_address_offers_it_unless_it_is_loopback() {
        assert_eq!(of("192.168.1.7:8080"), ["192.168.1.7:8080"]);
        assert_eq!(of("127.0.0.1:8080"), Vec::<String>::new());
        assert_eq!(of("[::1]:8080"), Vec::<String>::new());
    }

    #[test]
    fn the_unspecified_address_is_never_offered() {
        for (bound, local) in [
            ("0.0.0.0:8080", "127.0.0.1:8080"),
            ("[::]:8080", "[::1]:8080"),
            ("10.0.0.7:8080", "10.0.0.7:8080"),
        ] {
            assert_eq!(local_address(bound.parse().unwrap()).to_string(), local);
        }
    }
}
