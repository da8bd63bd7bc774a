//! The names by which a server without a public URL may be asked for. A page elsewhere whose name leads here (DNS
//! rebinding) would be taken for our own.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// Suffix of the names that only the local network gives (RFC 6762).
const LOCAL_SUFFIX: &str = ".local";

/// The names by which a server may be asked for.
#[derive(Debug)]
pub(crate) struct Hosts {
    names: Vec<String>,
}

impl Hosts {
    /// The names of the settings and the machine's own.
    pub(crate) fn new(listed: &[String]) -> Self {
        let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
        Self::with_machine(listed, &machine)
    }

    fn with_machine(listed: &[String], machine: &str) -> Self {
        let short = machine.split('.').next().unwrap_or_default();
        let mut names: Vec<String> = listed.to_vec();
        names.extend([machine, short].map(str::to_owned));
        let names = names.into_iter().map(|name| normal(&name)).filter(|name| !name.is_empty()).collect();
        Self { names }
    }

    /// Returns the first host asked for that is not known. A request without one is no browser's.
    pub(crate) fn stranger(&self, headers: &HeaderMap) -> Option<String> {
        headers
            .get_all(header::HOST)
            .iter()
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
            .find(|host| !self.knows(host))
    }

    fn knows(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => name,
            _ => host,
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        if bare.parse::<IpAddr>().is_ok() {
            return true;
        }
        let name = normal(name);
        let below = |suffix: &str| name.strip_suffix(suffix).is_some_and(|label| !label.is_empty());
        name == "localhost" || below(".localhost") || below(LOCAL_SUFFIX) || self.names.contains(&name)
    }
}

/// A name as names are compared: in small letters, without the root's dot.
fn normal(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_local_names_and_listed_ones_are_known_and_no_others() {
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
            assert!(hosts.knows(known), "{known}");
        }
        for strange in [
            "evil.example",
            "127.0.0.1.evil.example",
            "box.evil.example",
            "local",
            ".local",
            "",
            "localhost.evil.example:8080",
        ] {
            assert!(!hosts.knows(strange), "{strange}");
        }
    }
}
