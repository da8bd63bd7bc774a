//! A certificate that the server requests from an authority and renews, by ACME (RFC 8555). The
//! authority checks the server by a handshake on the port of HTTPS (TLS-ALPN-01, RFC 8737).

mod folder;

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, Identifier, KeyAuthorization, NewAccount, NewOrder, Order,
    OrderStatus, Problem, RetryPolicy,
};
use quadrex_clock::Clock;
use quadrex_rules::Timestamp;
use rcgen::{CertificateParams, CustomExtension, KeyPair};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use super::TlsError;
use super::current::{CurrentCertificate, KeyedCertificate, PemError, Validity};
use crate::config::AcmeConfig;
use folder::AcmeFolder;

/// The time in which a certificate must be issued.
const DEADLINE: Duration = Duration::from_secs(180);

/// The waits for the authority's checks and for the certificate.
const WAITS: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(60));

/// The wait after the first failed attempt. It doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(60);

/// The longest wait after a failed attempt.
const LONGEST_WAIT: Duration = Duration::from_secs(6 * 3_600);

/// The longest time between two looks at the clock, which may be set.
const CHECK_INTERVAL: Duration = Duration::from_secs(3_600);

/// The reason for which there is no new certificate.
#[derive(Debug, thiserror::Error)]
enum AcmeError {
    #[error("{0}")]
    Authority(#[from] instant_acme::Error),
    #[error("the authority could not check the domain: {0}")]
    Unproven(String),
    #[error("the authority does not offer checks by TLS (tls-alpn-01)")]
    NoTlsCheck,
    #[error("the authority did not answer in time")]
    TooLate,
    #[error("the certificate of the authority cannot be used: {0}")]
    Unusable(#[from] PemError),
    #[error("the answer to the authority's check cannot be made: {0}")]
    Answer(#[from] rcgen::Error),
    #[error("{0}")]
    File(#[from] TlsError),
    #[error("the certificate that was issued is already due for renewal; check the clock of this machine")]
    AlreadyDue,
}

/// The certificate of a domain from an authority.
#[derive(Debug)]
pub(super) struct AcmeCertificate {
    directory: String,
    contact: Option<String>,
    ca_file: Option<PathBuf>,
    domain: String,
    folder: AcmeFolder,
    current: Arc<CurrentCertificate>,
}

impl AcmeCertificate {
    /// Reads and sets the stored certificate, if there is one. Requests nothing.
    ///
    /// # Errors
    /// Returns [`TlsError`] if there is one that cannot be used.
    pub(super) fn load(
        config: &AcmeConfig,
        domain: &str,
        data: &std::path::Path,
        current: Arc<CurrentCertificate>,
    ) -> Result<Self, TlsError> {
        let is_set = |path: &PathBuf| !path.as_os_str().is_empty();
        let folder = Some(config.folder.clone()).filter(is_set).unwrap_or_else(|| data.join("acme"));
        let acme = Self {
            directory: config.directory.clone(),
            contact: Some(config.contact.clone()).filter(|contact| !contact.is_empty()),
            ca_file: Some(config.ca_file.clone()).filter(is_set),
            domain: domain.to_owned(),
            folder: AcmeFolder::new(&folder, &config.directory, domain),
            current,
        };
        if let Some(certificate) = acme.folder.certificate()? {
            acme.current.set(certificate);
        }
        Ok(acme)
    }

    /// Requests a certificate if there is none, and renews it when two thirds of its time have
    /// passed, without end. A failed attempt is repeated later.
    pub(super) async fn keep_current(&self, clock: &Clock) -> Infallible {
        let mut wait = FIRST_WAIT;
        loop {
            self.until_renewal(clock).await;
            tracing::info!("requests a certificate for {} from {}", self.domain, self.directory);
            let obtained = tokio::time::timeout(DEADLINE, self.obtain()).await;
            self.current.set_challenge(None);
            let result = match obtained.unwrap_or(Err(AcmeError::TooLate)) {
                // Without a wait, the server would request one certificate after the other.
                Ok(()) if self.time_left(clock).is_zero() => Err(AcmeError::AlreadyDue),
                result => result,
            };
            match result {
                Ok(()) => {
                    tracing::info!("new connections use the new certificate");
                    wait = FIRST_WAIT;
                }
                Err(error) => {
                    let minutes = wait.as_secs() / 60;
                    tracing::error!(
                        "no new certificate for {} (next attempt in {minutes} min): {error}",
                        self.domain
                    );
                    tokio::time::sleep(wait).await;
                    wait = LONGEST_WAIT.min(wait * 2);
                }
            }
        }
    }

    /// Waits until the certificate must be renewed.
    async fn until_renewal(&self, clock: &Clock) {
        loop {
            let left = self.time_left(clock);
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(CHECK_INTERVAL)).await;
        }
    }

    /// Returns the time until the certificate must be renewed. It is zero if there is none, or if the
    /// time in which it is valid is unknown.
    fn time_left(&self, clock: &Clock) -> Duration {
        let validity = self.current.get().and_then(|certificate| certificate.validity());
        validity.map_or(Duration::ZERO, |validity| renewal(validity).since(clock.now()))
    }

    /// Obtains, stores and sets a new certificate.
    async fn obtain(&self) -> Result<(), AcmeError> {
        let account = self.account().await?;
        let mut order = match account.new_order(&NewOrder::new(&[Identifier::Dns(self.domain.clone())])).await
        {
            Err(error) if is_unknown_account(&error) => {
                // The next attempt opens a new account.
                let folder = self.folder.clone();
                in_background(move || folder.remove_account()).await?;
                return Err(error.into());
            }
            order => order?,
        };
        self.answer_checks(&mut order).await?;
        if order.poll_ready(&WAITS).await? != OrderStatus::Ready {
            return Err(AcmeError::Unproven(reason_of(&mut order).await));
        }
        let key = order.finalize().await?;
        let chain = order.poll_certificate(&WAITS).await?;
        let certificate = KeyedCertificate::parse(chain.as_bytes(), key.as_bytes())?;
        let folder = self.folder.clone();
        in_background(move || folder.store_certificate(&chain, &key)).await?;
        self.current.set(certificate);
        Ok(())
    }

    /// Returns the account at the authority. Opens one if there is none.
    async fn account(&self) -> Result<Account, AcmeError> {
        let builder = || match &self.ca_file {
            Some(file) => Account::builder_with_root(file),
            None => Account::builder(),
        };
        let folder = self.folder.clone();
        if let Some(known) = in_background(move || folder.account()).await? {
            return Ok(builder()?.from_credentials(known).await?);
        }
        let contact: Vec<String> = self.contact.iter().map(|address| format!("mailto:{address}")).collect();
        let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
        let new =
            NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) = builder()?.create(&new, self.directory.clone(), None).await?;
        let folder = self.folder.clone();
        in_background(move || folder.store_account(&credentials)).await?;
        Ok(account)
    }

    /// Answers the authority's checks of the domain.
    async fn answer_checks(&self, order: &mut Order) -> Result<(), AcmeError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization?;
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let challenge = authorization.challenge(ChallengeType::TlsAlpn01);
            let mut challenge = challenge.ok_or(AcmeError::NoTlsCheck)?;
            let answer = answer_for(&self.domain, &challenge.key_authorization())?;
            self.current.set_challenge(Some(answer));
            challenge.set_ready().await?;
        }
        Ok(())
    }
}

/// Returns the time from which on a certificate is renewed.
fn renewal(validity: Validity) -> Timestamp {
    let time = validity.until.since(validity.from).as_millis() as u64;
    Timestamp::from_millis(validity.from.as_millis() + time / 3 * 2)
}

/// Returns the certificate by which the server proves to the authority that it has the domain.
fn answer_for(domain: &str, authorization: &KeyAuthorization) -> Result<KeyedCertificate, AcmeError> {
    let mut params = CertificateParams::new(vec![domain.to_owned()])?;
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(authorization.digest().as_ref())];
    let key = KeyPair::generate()?;
    let certificate = params.self_signed(&key)?;
    let key = PrivateKeyDer::Pkcs8(key.serialize_der().into());
    Ok(KeyedCertificate::for_check(certificate.der().clone(), key)?)
}

/// Returns the authority's reason for not accepting the checks of an order.
async fn reason_of(order: &mut Order) -> String {
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        if let Ok(state) = authorization.refresh().await {
            let problem = state.challenges.iter().find_map(|challenge| challenge.error.as_ref());
            if let Some(problem) = problem {
                return problem.to_string();
            }
        }
    }
    "it gives no reason".to_owned()
}

fn is_unknown_account(error: &instant_acme::Error) -> bool {
    let is_unknown = |problem: &Problem| {
        problem.r#type.as_deref().is_some_and(|kind| kind.ends_with(":accountDoesNotExist"))
    };
    matches!(error, instant_acme::Error::Api(problem) if is_unknown(problem))
}

async fn in_background<T: Send + 'static>(access: impl FnOnce() -> T + Send + 'static) -> T {
    quadrex_runtime::run_blocking(access).await.expect("reading and writing files does not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_renewed_after_two_thirds_of_its_time() {
        let day = |days: u64| Timestamp::from_millis(days * 86_400_000);
        assert_eq!(renewal(Validity { from: day(10), until: day(100) }), day(70));
        assert_eq!(renewal(Validity { from: day(10), until: day(10) }), day(10));
    }

    #[test]
    fn a_certificate_of_unknown_time_and_one_that_was_issued_too_late_are_due() {
        let scratch = tempfile::tempdir().unwrap();
        let config = AcmeConfig {
            enabled: true,
            directory: "https://ca.example/dir".to_owned(),
            contact: String::new(),
            folder: scratch.path().to_owned(),
            ca_file: PathBuf::new(),
        };
        let current = Arc::new(CurrentCertificate::default());
        let acme = AcmeCertificate::load(&config, "chess.example", scratch.path(), Arc::clone(&current));
        let acme = acme.unwrap();
        // rcgen's default is from 1975 to 4096.
        let issued = KeyPair::generate().and_then(|key| {
            let params = CertificateParams::new(vec!["chess.example".to_owned()])?;
            Ok((params.self_signed(&key)?, key))
        });
        let (certificate, key) = issued.unwrap();
        let at = |year: u64| Clock::manual(Timestamp::from_millis((year - 1970) * 31_556_952_000));
        assert_eq!(acme.time_left(&at(2026)), Duration::ZERO, "there is none");
        let der = PrivateKeyDer::Pkcs8(key.serialize_der().into());
        current.set(KeyedCertificate::for_check(certificate.der().clone(), der).unwrap());
        assert_eq!(acme.time_left(&at(2026)), Duration::ZERO, "its time is unknown");
        let (chain, key) = (certificate.pem(), key.serialize_pem());
        current.set(KeyedCertificate::parse(chain.as_bytes(), key.as_bytes()).unwrap());
        assert!(acme.time_left(&at(2026)) > Duration::from_hours(24 * 365), "it lasts for long");
        assert_eq!(acme.time_left(&at(4000)), Duration::ZERO, "the clock is far ahead");
    }
}
