//! The addresses of clients. They come from the connection or, behind trusted proxies, from the
//! header `X-Forwarded-For`.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::HeaderMap;
use ipnet::IpNet;

/// The factor by which limits are higher for the loopback address. Tests and other programs on this
/// machine use this address, and perhaps a proxy that the settings do not name.
pub(crate) const LOOPBACK_FACTOR: u32 = 1_000;

/// The proxies whose `X-Forwarded-For` header is trusted.
#[derive(Debug)]
pub(crate) struct TrustedProxies(Vec<IpNet>);

/// The error of a request whose `X-Forwarded-For` header has a text that is not an address,
/// although a trusted proxy sent it.
#[derive(Debug, thiserror::Error)]
#[error("X-Forwarded-For: {hop:?} is no address")]
pub(crate) struct BadForwardedFor {
    hop: String,
}

impl TrustedProxies {
    pub(crate) fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// Returns the client address of a request.
    ///
    /// If the connection comes from a trusted proxy, the client address is the last address in
    /// `X-Forwarded-For` that does not belong to a trusted proxy. Earlier addresses in the header
    /// cannot be trusted, because the client may have written them. If the connection does not come
    /// from a trusted proxy, the client address is the address of the connection.
    ///
    /// # Errors
    /// Returns [`BadForwardedFor`] if a trusted proxy has sent a text that is not an address.
    pub(crate) fn client_addr(
        &self,
        peer: SocketAddr,
        headers: &HeaderMap,
    ) -> Result<IpAddr, BadForwardedFor> {
        let mut address = peer.ip().to_canonical();
        let forwarded: Vec<&[u8]> = headers
            .get_all("x-forwarded-for")
            .iter()
            .flat_map(|value| value.as_bytes().split(|&byte| byte == b','))
            .collect();
        for hop in forwarded.into_iter().rev() {
            if !self.contains(address) {
                break;
            }
            address = parse_hop(hop).ok_or_else(|| {
                let hop: String = String::from_utf8_lossy(hop).chars().take(100).collect();
                BadForwardedFor { hop: hop.trim().to_owned() }
            })?;
        }
        Ok(address)
    }

    /// Returns whether an address belongs to a trusted proxy.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// Returns the network for which limits are counted, instead of the single address. For IPv6 it is
/// the /64 network, because an internet provider gives each customer at least such a network.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// Returns the text of the network of an address, or `None` for the machine itself: there an address
/// says nothing about the user.
pub(crate) fn network_text(address: IpAddr) -> Option<String> {
    let network = network_of(address);
    (!network.is_loopback()).then(|| network.to_string())
}

/// Parses one hop of `X-Forwarded-For`. It is an address with or without a port.
fn parse_hop(hop: &[u8]) -> Option<IpAddr> {
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

    fn proxies(trusted: &[&str]) -> TrustedProxies {
        TrustedProxies::new(trusted.iter().map(|network| network.parse().unwrap()).collect())
    }

    fn address(proxies: &TrustedProxies, peer: &str, forwarded: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        proxies
            .client_addr(format!("{peer}:5000").parse().unwrap(), &headers)
            .map_or_else(|error| error.to_string(), |address| address.to_string())
    }

    #[test]
    fn a_client_cannot_forge_its_address() {
        let proxies = proxies(&["10.0.0.0/30"]);
        assert_eq!(
            address(&proxies, "192.0.2.7", &["198.51.100.1"]),
            "192.0.2.7",
            "not from a trusted proxy"
        );
        assert_eq!(address(&proxies, "10.0.0.1", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(address(&proxies, "10.0.0.1", &["203.0.113.9, 198.51.100.1", "10.0.0.2"]), "198.51.100.1");
        for garbage in
            ["198.51.100.1, garbage", "198.51.100.1,", "unknown", "203.0.113.7:x", "[203.0.113.7]", "\u{e9}"]
        {
            let answer = address(&proxies, "10.0.0.1", &[garbage]);
            assert!(answer.ends_with("is no address"), "{garbage}: {answer}");
            assert_eq!(address(&proxies, "192.0.2.7", &[garbage]), "192.0.2.7", "{garbage}");
        }
        assert_eq!(address(&proxies, "10.0.0.1", &["garbage, 198.51.100.1"]), "198.51.100.1");
        for (hop, meant) in [
            ("203.0.113.7:1234", "203.0.113.7"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
        ] {
            assert_eq!(address(&proxies, "10.0.0.1", &[hop]), meant);
        }
        assert_eq!(address(&proxies, "10.0.0.1", &[]), "10.0.0.1");
    }
}
