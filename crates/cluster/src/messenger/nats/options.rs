//! The options of a connection to a NATS server.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use async_nats::{ConnectOptions, SubscribeError};
use url::{Host, Url};

/// The options of a connection to a NATS server.
#[derive(Clone, Debug)]
pub struct NatsOptions {
    /// The URLs of the servers: `nats://HOST:PORT`, or `tls://HOST:PORT` with TLS. The client uses
    /// one server at a time.
    pub servers: Vec<String>,
    /// The name of the cluster: letters, digits, `-` and `_`. Clusters with different names can use
    /// the same NATS server.
    pub cluster: String,
    /// The proof of identity that the NATS server requires.
    pub credentials: Credentials,
    /// The certificates for TLS.
    pub tls: TlsOptions,
    /// True if the connection may be unencrypted even to another machine.
    pub allow_unencrypted: bool,
}

/// The proof of identity that a NATS server requires.
///
/// `Debug` does not show passwords and tokens, so that they cannot get into a log file.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// No proof, or only the certificate of [`TlsOptions`].
    #[default]
    None,
    /// A user with a password.
    UserAndPassword {
        /// The name of the user.
        user: String,
        /// The password.
        password: String,
    },
    /// A token.
    Token(String),
}

/// The certificates for TLS, as files in PEM format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsOptions {
    /// The certificates of the authorities that may have issued the server's certificate,
    /// instead of those that the system trusts.
    pub authorities: Option<PathBuf>,
    /// The certificate of this node and its private key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The error of a connection that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// There is no server in the list.
    #[error("no NATS server is named")]
    NoServer,
    /// A URL is malformed, or has a scheme other than `nats` and `tls`.
    #[error("{url:?} is not nats://HOST:PORT or tls://HOST:PORT")]
    Url {
        /// The malformed URL.
        url: String,
    },
    /// A URL contains a user, which would get into log files.
    #[error("the URL of the NATS server at {host} contains credentials: set them separately")]
    CredentialsInUrl {
        /// The host of the URL.
        host: String,
    },
    /// The name of the cluster has other characters than letters, digits, `-` and `_`.
    #[error("{name:?} is no name of a cluster: use letters, digits, - and _")]
    ClusterName {
        /// The malformed name.
        name: String,
    },
    /// The connection to another machine would be unencrypted.
    #[error("the connection to the NATS server at {host} is not encrypted: use tls://, or allow it")]
    Unencrypted {
        /// The host.
        host: String,
    },
    /// Some servers use TLS, others do not.
    #[error("the NATS servers must all use tls:// or all use nats://")]
    MixedSchemes,
    /// The client cannot be started, for example because it cannot read a certificate.
    #[error("the NATS client does not start: {0}")]
    Client(#[from] async_nats::ConnectError),
    /// The client has ended during its start.
    #[error("the NATS client does not subscribe: {0}")]
    Subscribe(#[from] SubscribeError),
}

impl NatsOptions {
    /// Returns options for one server and otherwise defaults.
    #[must_use]
    pub fn new(server: &str, cluster: &str) -> Self {
        Self {
            servers: vec![server.to_owned()],
            cluster: cluster.to_owned(),
            credentials: Credentials::None,
            tls: TlsOptions::default(),
            allow_unencrypted: false,
        }
    }

    /// Returns the options of the client.
    ///
    /// # Errors
    /// Returns [`ConnectError`] if the options are malformed, or would send messages unencrypted to
    /// another machine without permission.
    pub(super) fn to_client_options(&self) -> Result<ConnectOptions, ConnectError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.cluster.is_empty() || !self.cluster.chars().all(is_name) {
            return Err(ConnectError::ClusterName { name: self.cluster.clone() });
        }
        let uses_tls = self.uses_tls()?;
        let mut options = ConnectOptions::new().require_tls(uses_tls);
        if !uses_tls && !self.allow_unencrypted {
            // A server may name servers on other machines.
            options = options.ignore_discovered_servers();
        }
        options = match &self.credentials {
            Credentials::None => options,
            Credentials::UserAndPassword { user, password } => {
                options.user_and_password(user.clone(), password.clone())
            }
            Credentials::Token(token) => options.token(token.clone()),
        };
        if let Some(authorities) = &self.tls.authorities {
            options = options.add_root_certificates(authorities.clone());
        }
        if let Some((certificate, key)) = &self.tls.identity {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }

    /// Checks the URLs, and returns whether they use TLS.
    fn uses_tls(&self) -> Result<bool, ConnectError> {
        let mut schemes = Vec::new();
        for text in &self.servers {
            let malformed = || ConnectError::Url { url: text.clone() };
            let url = Url::parse(text).map_err(|_| malformed())?;
            // The host of another scheme than HTTP's is not parsed as an address.
            let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(malformed)?.to_owned();
            if !["nats", "tls"].contains(&url.scheme()) {
                return Err(malformed());
            }
            if !url.username().is_empty() || url.password().is_some() {
                return Err(ConnectError::CredentialsInUrl { host });
            }
            let is_encrypted = url.scheme() == "tls";
            if !is_encrypted && !self.allow_unencrypted && !is_loopback(&host) {
                return Err(ConnectError::Unencrypted { host });
            }
            schemes.push(is_encrypted);
        }
        let uses_tls = *schemes.first().ok_or(ConnectError::NoServer)?;
        if schemes.contains(&!uses_tls) {
            return Err(ConnectError::MixedSchemes);
        }
        Ok(uses_tls)
    }
}

/// Returns whether a host of a URL is this machine.
fn is_loopback(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Ok(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        Ok(Host::Domain(name)) => name == "localhost",
        Err(_) => false,
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::UserAndPassword { .. } => "UserAndPassword(..)",
            Self::Token(_) => "Token(..)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(servers: &[&str], allow_unencrypted: bool) -> Result<bool, String> {
        let servers = servers.iter().map(ToString::to_string).collect();
        let options = NatsOptions { servers, allow_unencrypted, ..NatsOptions::new("", "home") };
        options.to_client_options().map_err(|error| error.to_string())?;
        options.uses_tls().map_err(|error| error.to_string())
    }

    #[test]
    fn an_unencrypted_connection_to_another_machine_must_be_allowed() {
        let refused = |host: &str| {
            format!("the connection to the NATS server at {host} is not encrypted: use tls://, or allow it")
        };
        for local in
            ["nats://127.0.0.1:4222", "nats://127.8.9.1", "nats://[::1]:4222", "nats://localhost:4222"]
        {
            assert_eq!(checked(&[local], false), Ok(false), "{local}");
        }
        for (other, host) in [
            ("nats://192.168.1.7:4222", "192.168.1.7"),
            ("nats://[2001:db8::1]:4222", "[2001:db8::1]"),
            ("nats://nats:4222", "nats"),
            ("nats://localhost.example.org", "localhost.example.org"),
            ("nats://0.0.0.0:4222", "0.0.0.0"),
        ] {
            assert_eq!(checked(&[other], false), Err(refused(host)));
            assert_eq!(checked(&["nats://127.0.0.1:4222", other], false), Err(refused(host)));
            assert_eq!(checked(&[other], true), Ok(false), "{other}");
            assert_eq!(checked(&[&other.replace("nats://", "tls://")], false), Ok(true), "{other}");
        }
    }

    #[test]
    fn malformed_options_are_refused() {
        for url in ["", "127.0.0.1:4222", "nats:", "http://127.0.0.1:4222", "ws://127.0.0.1", "nats://"] {
            let expected = format!("{url:?} is not nats://HOST:PORT or tls://HOST:PORT");
            assert_eq!(checked(&[url], true), Err(expected));
        }
        assert_eq!(checked(&[], true), Err("no NATS server is named".to_owned()));
        assert_eq!(
            checked(&["nats://127.0.0.1", "tls://nats.example.org"], true),
            Err("the NATS servers must all use tls:// or all use nats://".to_owned())
        );
        assert_eq!(
            checked(&["tls://ada:secret@nats.example.org"], true),
            Err("the URL of the NATS server at nats.example.org contains credentials: set them separately"
                .to_owned())
        );
        for name in ["", "a.b", "a*", "a b", ">"] {
            let options = NatsOptions::new("nats://127.0.0.1", name);
            assert_eq!(
                options.to_client_options().unwrap_err().to_string(),
                format!("{name:?} is no name of a cluster: use letters, digits, - and _")
            );
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let mut options = NatsOptions::new("nats://127.0.0.1", "home");
        options.credentials =
            Credentials::UserAndPassword { user: "ada".to_owned(), password: "rosebud".to_owned() };
        assert!(!format!("{options:?}").contains("rosebud"));
        options.credentials = Credentials::Token("rosebud".to_owned());
        assert!(!format!("{options:?}").contains("rosebud"));
    }
}
