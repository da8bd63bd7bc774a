//! The addresses of servers and tables, as people write them.

use std::fmt;

use quadrex_protocol::TableId;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::http::uri::InvalidUri;

/// The address of a server: scheme, host and port. `Display` writes it as browsers do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// True if the connection uses TLS.
    pub is_secure: bool,
    /// The host name or IP address, without the brackets of an IPv6 address.
    pub host: String,
    /// The TCP port.
    pub port: u16,
}

/// The address of a table, parsed from a link or from the table's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAddress {
    /// The address of the server, if the table was given as a link.
    pub server: Option<Address>,
    /// The id of the table.
    pub table: TableId,
    /// The secret of the invite, if the link is an invite.
    pub invite: Option<String>,
}

/// The error for a text that is not an address.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// The text is not a URL.
    #[error("{text:?} is not a URL: {reason}")]
    Url {
        /// The text that was to be parsed.
        text: String,
        /// The reason for which it is not a URL.
        reason: InvalidUri,
    },
    /// The URL is not the address of a server.
    #[error("{0:?} is not http://HOST[:PORT] or https://HOST[:PORT]")]
    Form(String),
    /// The text is not the address of a table.
    #[error("{0:?} is neither a table's link (https://HOST/t/TABLE) nor its id")]
    Table(String),
    /// The link is only for watching.
    #[error("{0:?} is a link for watching; an invite ends in #invite=SECRET")]
    Watch(String),
    /// The link is a handover, which lets another browser go on as the same user.
    #[error("{0:?} hands over a seat to a browser; a bot needs an invite, or the token of its account")]
    Handover(String),
}

impl Address {
    /// Parses `http://HOST[:PORT]` or `https://HOST[:PORT]`. The schemes `ws` and `wss` are
    /// accepted too.
    ///
    /// # Errors
    /// Returns [`AddressError`] if the text has another form.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let (address, path) = Self::split(text)?;
        if path == "/" { Ok(address) } else { Err(AddressError::Form(text.to_owned())) }
    }

    /// Splits a URL into the address of its server and its path.
    fn split(text: &str) -> Result<(Self, String), AddressError> {
        let form = || AddressError::Form(text.to_owned());
        let uri: Uri = text.parse().map_err(|reason| AddressError::Url { text: text.to_owned(), reason })?;
        let is_secure = match uri.scheme_str() {
            Some("http" | "ws") => false,
            Some("https" | "wss") => true,
            _ => return Err(form()),
        };
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
        let host = authority.ok_or_else(form)?.host();
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        if host.is_empty() || uri.query().is_some() {
            return Err(form());
        }
        let port = uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 });
        Ok((Self { is_secure, host: host.to_owned(), port }, uri.path().to_owned()))
    }

    /// Returns host and port in the form of a `Host` header, without the default port.
    #[must_use]
    pub fn authority(&self) -> String {
        let Self { is_secure, host, port } = self;
        let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
        if *port == if *is_secure { 443 } else { 80 } { host } else { format!("{host}:{port}") }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_secure { "https" } else { "http" }, self.authority())
    }
}

impl TableAddress {
    /// Parses a link to a table, which may be an invite, or a table's id.
    ///
    /// # Errors
    /// Returns [`AddressError`] if the text is neither a link nor an id, or if it is a link for
    /// another purpose. The message contains no secret.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        if let Ok(table) = text.parse() {
            return Ok(Self { server: None, table, invite: None });
        }
        let (url, fragment) = text.split_once('#').unwrap_or((text, ""));
        let unknown = || AddressError::Table(text.to_owned());
        let (server, path) = Address::split(url).map_err(|_| unknown())?;
        let table = path.strip_prefix("/t/").and_then(|id| id.parse().ok()).ok_or_else(unknown)?;
        let invite = match fragment.split_once('=') {
            Some(("invite", secret)) if !secret.is_empty() => Some(secret.to_owned()),
            Some(("watch", _)) => return Err(AddressError::Watch(url.to_owned())),
            Some(("seat", _)) => return Err(AddressError::Handover(url.to_owned())),
            _ if fragment.is_empty() => None,
            _ => return Err(unknown()),
        };
        Ok(Self { server: Some(server), table, invite })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_scheme_a_host_and_an_optional_port() {
        for (text, shown, secure, port) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", false, 8080),
            ("https://chess.example.org/", "https://chess.example.org", true, 443),
            ("wss://chess.example.org:444", "https://chess.example.org:444", true, 444),
            ("ws://[::1]:80", "http://[::1]", false, 80),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(
                (address.to_string().as_str(), address.is_secure, address.port),
                (shown, secure, port)
            );
        }
        assert_eq!(Address::parse("http://[::1]:8080").unwrap().host, "::1");
        for wrong in [
            "",
            "chess.example.org",
            "127.0.0.1:8080",
            "ftp://a",
            "http://",
            "http://a b",
            "http://a/path",
            "http://a/?q=1",
            "http://me:secret@a",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_table_is_an_id_or_a_link() {
        let id = "0192f0c1-2345-7000-8000-000000000001";
        let table = id.parse().unwrap();
        assert_eq!(TableAddress::parse(id).unwrap(), TableAddress { server: None, table, invite: None });
        let server = Address::parse("https://a.example").ok();
        let link = format!("https://a.example/t/{id}");
        assert_eq!(
            TableAddress::parse(&link).unwrap(),
            TableAddress { server: server.clone(), table, invite: None }
        );
        let invite = TableAddress::parse(&format!("{link}#invite=abc")).unwrap();
        assert_eq!(invite, TableAddress { server, table, invite: Some("abc".into()) });
        for (wrong, reason) in [
            (format!("{link}#watch=abc"), "watching"),
            (format!("{link}#seat=abc"), "hands over"),
            (format!("{link}#invite="), "neither"),
            (format!("{link}x"), "neither"),
            ("https://a.example/".into(), "neither"),
            ("table".into(), "neither"),
        ] {
            let message = TableAddress::parse(&wrong).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
            assert!(!message.contains("abc"), "the message has a secret: {message}");
        }
    }
}
