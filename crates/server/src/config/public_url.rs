//! The URL by which browsers reach the server.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// The URL by which browsers reach the server. It is an origin: scheme, host and port, without a
/// path. `Display` writes it in the form that browsers use in the header `Origin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
}

impl PublicUrl {
    /// Returns whether browsers use https, so that cookies must be marked `Secure`.
    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Returns the origin in the form of the header `Origin`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the host if it is the name of a domain, and not an address.
    pub fn domain(&self) -> Option<&str> {
        let host = self.origin.split_once("://")?.1;
        let is_name = |host: &&str| !host.starts_with('[') && host.parse::<IpAddr>().is_err();
        Some(host.rsplit_once(':').map_or(host, |(name, _)| name)).filter(is_name)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

/// The error of a text that is not an origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not http(s)://HOST or http(s)://HOST:PORT")]
pub struct InvalidPublicUrl(String);

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    /// Parses an origin. Accepts one slash at the end, drops the default port of the scheme, and
    /// converts the text to lower case. The result is the same text that browsers send (RFC 6454,
    /// section 6.2).
    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let invalid = || InvalidPublicUrl(text.to_owned());
        let lower = text.to_ascii_lowercase();
        let (scheme, rest) = lower.split_once("://").ok_or_else(invalid)?;
        let default_port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(invalid()),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let host_fits = match bracketed {
            Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
            None => {
                let letter = |letter: u8| letter.is_ascii_alphanumeric() || b".-_".contains(&letter);
                !host.is_empty() && host.bytes().all(letter)
            }
        };
        let port_fits =
            port.is_none_or(|port| port.parse::<u16>().is_ok_and(|number| number.to_string() == port));
        if !host_fits || !port_fits {
            return Err(invalid());
        }
        let authority = authority.strip_suffix(default_port).unwrap_or(authority);
        Ok(Self { origin: format!("{scheme}://{authority}") })
    }
}
