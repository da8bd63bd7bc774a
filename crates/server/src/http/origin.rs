//! The check that a request with a browser's cookie comes from our own pages (RFC 6454).

use std::net::SocketAddr;

use axum::http::{HeaderMap, StatusCode, header};
use quadrex_protocol::RefusalCode;

use super::hosts::{Hosts, is_loopback};
use super::refusal::Refusal;
use crate::config::PublicUrl;

/// The origins of our own pages.
#[derive(Debug)]
pub(crate) struct Origins {
    public_url: Option<PublicUrl>,
    hosts: Hosts,
}

impl Origins {
    /// Returns the origins of a server with this public URL. If there is no public URL, `hosts` are
    /// the host names under which the server is reached.
    pub(crate) fn new(public_url: Option<PublicUrl>, hosts: &[String]) -> Self {
        Self { public_url, hosts: Hosts::new(hosts) }
    }

    /// Returns whether cookies are sent over https only.
    pub(crate) fn is_https(&self) -> bool {
        self.public_url.as_ref().is_some_and(PublicUrl::is_https)
    }

    /// Returns the origin by which the sender of a request reaches the server. This is the public
    /// URL. If there is none, it is the host that the request names, over http. If the request
    /// names no valid host, which no browser does, the origin is `http://localhost`.
    pub(crate) fn of(&self, headers: &HeaderMap) -> String {
        if let Some(public_url) = &self.public_url {
            return public_url.origin().to_owned();
        }
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host_url: Option<PublicUrl> = host.and_then(|host| format!("http://{host}").parse().ok());
        host_url.map_or_else(|| "http://localhost".to_owned(), |url| url.origin().to_owned())
    }

    /// Returns the origin for a link that is sent to other people. Other machines cannot open a
    /// loopback address. If the request came to such an address, the origin is therefore the first
    /// of the addresses in `network`. Otherwise returns `None`.
    pub(crate) fn for_others(&self, headers: &HeaderMap, network: &[SocketAddr]) -> Option<String> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok())?;
        let address = network.first().filter(|_| self.public_url.is_none() && is_loopback(host))?;
        Some(format!("http://{address}"))
    }

    /// Refuses a request that names a host that is not ours. Does not check this if there is a
    /// public URL, because the proxy does.
    pub(crate) fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if self.public_url.is_some() {
            return Ok(());
        }
        let Some(host) = self.hosts.unknown_host(headers) else { return Ok(()) };
        let host: String = host.chars().take(100).collect();
        let message = format_args!(
            "this server is not known as {host:?}: ask for it by its IP address, or add the name to server.hosts"
        );
        Err(Refusal::new(RefusalCode::BadOrigin, message).with_status(StatusCode::MISDIRECTED_REQUEST))
    }

    /// Refuses a request that comes from a page of another site, or has no `Origin` header.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(origin) = headers.get(header::ORIGIN) else {
            return Err(Refusal::new(
                RefusalCode::BadOrigin,
                "a request with the cookie must name its Origin",
            ));
        };
        if self.is_ours(origin.as_bytes(), headers) { Ok(()) } else { Err(bad_origin(origin.as_bytes())) }
    }

    /// Checks the `Origin` header of a request, if it has one. Only browsers send this header.
    pub(crate) fn check_if_named(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if headers.contains_key(header::ORIGIN) { self.check(headers) } else { Ok(()) }
    }

    /// Returns whether an origin is ours. It must be exactly the public URL. If there is none, it
    /// must be the host that the request names, over http.
    fn is_ours(&self, origin: &[u8], headers: &HeaderMap) -> bool {
        match &self.public_url {
            Some(public_url) => origin == public_url.origin().as_bytes(),
            None => match (origin.strip_prefix(b"http://"), headers.get(header::HOST)) {
                (Some(named), Some(host)) => named.eq_ignore_ascii_case(host.as_bytes()),
                _ => false,
            },
        }
    }
}

fn bad_origin(origin: &[u8]) -> Refusal {
    let origin: String = String::from_utf8_lossy(origin).chars().take(100).collect();
    Refusal::new(
        RefusalCode::BadOrigin,
        format_args!("a request from {origin:?} is not for this server; see server.public_url"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_link_has_an_address_that_others_can_open() {
        let network: Vec<SocketAddr> = vec!["192.168.1.7:8080".parse().unwrap()];
        let origins = Origins::new(None, &[]);
        let of = |host, network: &[SocketAddr]| origins.for_others(&request(None, host), network);
        assert_eq!(of("localhost:8080", &network).as_deref(), Some("http://192.168.1.7:8080"));
        assert_eq!(of("127.0.0.1:8080", &[]), None, "the server listens on this machine alone");
        assert_eq!(of("192.168.1.9:8080", &network), None, "the request's own address works");
        let public = Origins::new(Some("https://chess.example".parse().unwrap()), &[]);
        assert_eq!(public.for_others(&request(None, "localhost:8080"), &network), None);
    }

    fn request(origin: Option<&str>, host: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn without_a_public_url_the_origin_is_the_requested_host() {
        let origins = Origins::new(None, &[]);
        assert!(origins.check(&request(Some("http://127.0.0.1:8080"), "127.0.0.1:8080")).is_ok());
        for wrong in [
            None,
            Some("null"),
            Some("http://127.0.0.1"),
            Some("http://127.0.0.1:8081"),
            Some("https://127.0.0.1:8080"),
            Some("http://127.0.0.1:8080.evil.example"),
        ] {
            let refusal = origins.check(&request(wrong, "127.0.0.1:8080")).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::BadOrigin, "{wrong:?}");
        }
    }

    #[test]
    fn with_a_public_url_no_other_origin_is_accepted() {
        let origins = Origins::new(Some("https://chess.example".parse().unwrap()), &[]);
        assert!(origins.is_https());
        assert!(origins.check(&request(Some("https://chess.example"), "10.0.0.1:8080")).is_ok());
        assert!(origins.check(&request(Some("http://10.0.0.1:8080"), "10.0.0.1:8080")).is_err());
    }

    #[test]
    fn an_invalid_host_is_never_an_accepted_origin() {
        let origins = Origins::new(None, &[]);
        assert_eq!(origins.of(&request(None, "Chess.example:8080")), "http://chess.example:8080");
        assert_eq!(origins.of(&request(None, "a\"><script>")), "http://localhost");
        assert_eq!(origins.of(&HeaderMap::new()), "http://localhost");
        let origins = Origins::new(Some("https://chess.example".parse().unwrap()), &[]);
        assert_eq!(origins.of(&request(None, "evil.example")), "https://chess.example");
    }

    #[test]
    fn a_request_without_a_cookie_needs_no_origin() {
        let origins = Origins::new(None, &[]);
        assert!(origins.check_if_named(&request(None, "a.example")).is_ok());
        assert!(origins.check_if_named(&request(Some("http://evil.example"), "a.example")).is_err());
    }
}
