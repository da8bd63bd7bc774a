//! The guard against requests to addresses that only this machine or its network can reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The networks of IPv4 that are no part of the public Internet (IANA's registry of special-purpose
/// addresses), with multicast and the reserved addresses.
const SPECIAL_V4: [Ipv4Net; 16] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 31, 196, 0, 24),
    v4(192, 52, 193, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 3),
];

/// The only network of IPv6 with public addresses.
const PUBLIC_V6: Ipv6Net = v6(0x2000, 0, 3);

/// The networks within [`PUBLIC_V6`] that are not public, or that contain addresses of IPv4: the
/// protocol assignments with Teredo, documentation, 6to4, and documentation again.
const SPECIAL_V6: [Ipv6Net; 4] =
    [v6(0x2001, 0, 23), v6(0x2001, 0x0db8, 32), v6(0x2002, 0, 16), v6(0x3fff, 0, 20)];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(first: u16, second: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(first, second, 0, 0, 0, 0, 0, 0), prefix)
}

/// The addresses to which the server may connect on behalf of users: public addresses, and those in
/// the networks that the operator has allowed.
#[derive(Clone, Debug, Default)]
pub(super) struct AddressGuard {
    allowed: Vec<IpNet>,
}

impl AddressGuard {
    pub(super) fn new(allowed: Vec<IpNet>) -> Self {
        Self { allowed }
    }

    /// Returns whether the operator has allowed a network.
    pub(super) fn allows_a_network(&self) -> bool {
        !self.allowed.is_empty()
    }

    /// Returns whether the operator has allowed a network with this address.
    pub(super) fn is_in_allowed_network(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed.iter().any(|network| network.contains(&address))
    }

    /// Returns whether the server may connect to an address.
    pub(super) fn allows(&self, address: IpAddr) -> bool {
        self.is_in_allowed_network(address) || is_public(address)
    }
}

fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            PUBLIC_V6.contains(&address) && !SPECIAL_V6.iter().any(|network| network.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_public_are_refused() {
        let guard = AddressGuard::default();
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2001:0:1::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!guard.allows(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_allowed() {
        let guard = AddressGuard::default();
        for address in ["1.1.1.1", "100.128.0.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "2a00::1"] {
            assert!(guard.allows(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn an_allowed_network_opens_only_its_own_addresses() {
        let guard = AddressGuard::new(vec!["10.1.0.0/16".parse().unwrap()]);
        assert!(guard.allows("10.1.2.3".parse().unwrap()));
        assert!(guard.allows("::ffff:10.1.2.3".parse().unwrap()));
        assert!(!guard.allows("10.2.0.1".parse().unwrap()));
        assert!(!guard.allows("127.0.0.1".parse().unwrap()));
    }
}
