//! The URLs of requests to other servers.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::guard::AddressGuard;

/// The longest URL, in bytes.
const MAX_LENGTH: usize = 2_000;

/// The reason for which a URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is no URL with a host.
    #[error("this is no https URL")]
    Invalid,
    /// The URL is too long.
    #[error("the URL is longer than {MAX_LENGTH} characters")]
    TooLong,
    /// The URL has no TLS.
    #[error("the URL must begin with https://")]
    NotHttps,
    /// The URL has a user name or a password.
    #[error("the URL must have no user name and no password")]
    Credentials,
    /// The host is an address that the server must not connect to.
    #[error("this server does not connect to private addresses")]
    Private,
}

/// A URL that the server may send a request to. The addresses of its host are checked when the
/// server connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    /// Parses and checks a URL. A URL without TLS is accepted only if the operator has allowed a
    /// network, and then leads only there.
    pub(super) fn parse(text: &str, guard: &AddressGuard) -> Result<Self, TargetError> {
        if text.len() > MAX_LENGTH {
            return Err(TargetError::TooLong);
        }
        let mut url = Url::parse(text).map_err(|_| TargetError::Invalid)?;
        url.set_fragment(None);
        match url.scheme() {
            "https" => {}
            "http" if guard.allows_a_network() => {}
            "http" => return Err(TargetError::NotHttps),
            _ => return Err(TargetError::Invalid),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::Credentials);
        }
        let target = Self(url);
        match target.address() {
            Some(address) if !target.may_connect(address, guard) => Err(TargetError::Private),
            _ => Ok(target),
        }
    }

    /// Returns the URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the origin: scheme, host, and port if it is not the default of the scheme.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    pub(super) fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns the host as text. An address of IPv6 has no brackets.
    pub(super) fn host(&self) -> String {
        match self.0.host().expect("a URL with this scheme has a host") {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        }
    }

    /// Returns the value of the header `Host`.
    pub(super) fn authority(&self) -> String {
        let host = self.0.host_str().expect("a URL with this scheme has a host");
        self.0.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
    }

    pub(super) fn port(&self) -> u16 {
        self.0.port_or_known_default().expect("the schemes have default ports")
    }

    /// Returns the path with the query, for the first line of a request.
    pub(super) fn path_and_query(&self) -> String {
        let query = self.0.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{}{query}", self.0.path())
    }

    /// Returns whether the server may connect to one of the addresses of this host.
    pub(super) fn may_connect(&self, address: IpAddr, guard: &AddressGuard) -> bool {
        if self.is_https() { guard.allows(address) } else { guard.is_in_allowed_network(address) }
    }

    /// Returns the address if the host is one.
    fn address(&self) -> Option<IpAddr> {
        match self.0.host()? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        }
    }

    /// Resolves the host to the addresses that the server may connect to.
    pub(super) async fn resolve(&self, guard: &AddressGuard) -> std::io::Result<Vec<SocketAddr>> {
        let found = tokio::net::lookup_host((self.host(), self.port())).await?;
        Ok(found.filter(|address| self.may_connect(address.ip(), guard)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str, guard: &AddressGuard) -> Option<TargetError> {
        Target::parse(text, guard).err()
    }

    #[test]
    fn only_https_urls_of_public_hosts_are_accepted() {
        let guard = AddressGuard::default();
        for (text, expected) in [
            ("https://push.example/send/1?a=b", None),
            ("https://1.1.1.1/", None),
            ("http://push.example/", Some(TargetError::NotHttps)),
            ("ftp://push.example/", Some(TargetError::Invalid)),
            ("file:///etc/passwd", Some(TargetError::Invalid)),
            ("push.example", Some(TargetError::Invalid)),
            ("https://", Some(TargetError::Invalid)),
            ("https://user@push.example/", Some(TargetError::Credentials)),
            ("https://:secret@push.example/", Some(TargetError::Credentials)),
            ("https://127.0.0.1/", Some(TargetError::Private)),
            ("https://2130706433/", Some(TargetError::Private)),
            ("https://0x7f.1/", Some(TargetError::Private)),
            ("https://[::1]/", Some(TargetError::Private)),
            ("https://[::ffff:10.0.0.1]/", Some(TargetError::Private)),
            ("https://169.254.169.254/latest", Some(TargetError::Private)),
        ] {
            assert_eq!(refusal(text, &guard), expected, "{text}");
        }
        let long = format!("https://push.example/{}", "a".repeat(MAX_LENGTH));
        assert_eq!(refusal(&long, &guard), Some(TargetError::TooLong));
    }

    #[test]
    fn plain_http_leads_only_to_allowed_networks() {
        let guard = AddressGuard::new(vec!["10.0.0.0/8".parse().unwrap()]);
        assert_eq!(refusal("http://10.0.0.1:8080/", &guard), None);
        assert_eq!(refusal("http://1.1.1.1/", &guard), Some(TargetError::Private));
        assert_eq!(refusal("http://127.0.0.1/", &guard), Some(TargetError::Private));
        let by_name = Target::parse("http://push.example/", &guard).unwrap();
        assert!(!by_name.may_connect("1.1.1.1".parse().unwrap(), &guard));
        assert!(by_name.may_connect("10.9.9.9".parse().unwrap(), &guard));
    }

    #[test]
    fn the_parts_of_a_url_are_those_of_a_request() {
        let guard = AddressGuard::default();
        let target = Target::parse("https://Push.Example:8443/send?to=1#part", &guard).unwrap();
        assert_eq!(target.as_str(), "https://push.example:8443/send?to=1");
        assert_eq!((target.host().as_str(), target.port()), ("push.example", 8443));
        assert_eq!(target.authority(), "push.example:8443");
        assert_eq!(target.path_and_query(), "/send?to=1");
        assert_eq!(target.origin(), "https://push.example:8443");
    }
}
