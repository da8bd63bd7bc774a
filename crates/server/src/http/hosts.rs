//! The check of the host names that requests name, if the server has no public URL. Without this
//! check, the name of another site could resolve to the address of this server (DNS rebinding), and
//! the pages of that site would count as our own.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// The suffix of host names in the local network (RFC 6762).
const LOCAL_SUFFIX: &str = ".local";

/// The host names that requests may name.
#[derive(Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
}

impl Hosts {
    /// Collects the names in the settings and the name of this machine.
    pub(crate) fn new(listed: &[String]) -> Self {
        Self::with_machine(listed, &quadrex_runtime::host_name())
    }

    fn with_machine(listed: &[String], machine: &str) -> Self {
        let short = machine.split('.').next().unwrap_or_default();
        let mut names: Vec<String> = listed.to_vec();
        names.extend([machine, short].map(str::to_owned));
        let names = names.into_iter().map(|name| normalize(&name)).filter(|name| !name.is_empty()).collect();
        Self { names }
    }

    /// Returns the first host that is not allowed, of those that the `Host` headers of a request
    /// name. A request without this header does not come from a browser and is accepted.
    pub(crate) fn unknown_host(&self, headers: &HeaderMap) -> Option<String> {
        headers
            .get_all(header::HOST)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .find(|host| !self.is_known(host))
    }

    fn is_known(&self, host: &str) -> bool {
        let name = without_port(host);
        if address_of(name).is_some() {
            return true;
        }
        let name = normalize(name);
        let is_below = |suffix: &str| name.strip_suffix(suffix).is_some_and(|label| !label.is_empty());
        name == "localhost" || is_below(".localhost") || is_below(LOCAL_SUFFIX) || self.names.contains(&name)
    }
}

/// Returns whether a `Host` header names the loopback address. A request with such a header comes
/// from this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let name = without_port(host);
    match address_of(name) {
        Some(ip) => ip.to_canonical().is_loopback(),
        None => normalize(name) == "localhost" || normalize(name).ends_with(".localhost"),
    }
}

/// Returns the value of a `Host` header without the port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => name,
        _ => host,
    }
}

/// Returns the IP address if a host name is an IP address.
fn address_of(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    bare.parse().ok()
}

/// Returns a name in the form in which names are compared: in lower case, without a dot at the end.
fn normalize(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_names_are_known() {
        for loopback in ["localhost", "Localhost.:80", "a.localhost:8080", "127.0.0.1:8080", "[::1]:80"] {
            assert!(is_loopback(loopback), "{loopback}");
        }
        for other in ["192.168.1.7:8080", "[fd00::1]", "box.local", "localhost.example", ""] {
            assert!(!is_loopback(other), "{other}");
        }
    }

    #[test]
    fn only_addresses_local_names_and_listed_names_are_known() {
        let hosts = Hosts::with_machine(&["Chess.example".to_owned()], "Box.lan");
        for known in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1",
            "192.168.1.7:8080",
            "[::1]:8080",
            "[fe80::1]",
            "box",
            "box:8080",
            "box.lan",
            "box.local",
            "other.local:8080",
            "chess.example",
            "chess.example.:8080",
        ] {
            assert!(hosts.is_known(known), "{known}");
        }
        for unknown in [
            "evil.example",
            "127.0.0.1.evil.example",
            "box.evil.example",
            "local",
            ".local",
            "",
            "localhost.evil.example:8080",
        ] {
            assert!(!hosts.is_known(unknown), "{unknown}");
        }
    }
}
