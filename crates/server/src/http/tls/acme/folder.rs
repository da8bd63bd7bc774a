//! The folder in which the account at an authority and the certificate are kept.

use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use instant_acme::AccountCredentials;

use crate::http::tls::TlsError;
use crate::http::tls::current::KeyedCertificate;

/// The folder of one authority. Only the user of the server can read its files.
#[derive(Clone, Debug)]
pub(super) struct AcmeFolder {
    account: PathBuf,
    certificate: PathBuf,
}

impl AcmeFolder {
    /// Returns the folder for the certificate of `domain` from the authority with this directory.
    /// Each authority has a folder of its own, so that the certificates of a test authority are not
    /// used in production.
    pub(super) fn new(folder: &Path, directory: &str, domain: &str) -> Self {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
        let host = directory.trim_start_matches("https://");
        let name: String = host.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect();
        let authority = folder.join(name);
        Self { account: authority.join("account.json"), certificate: authority.join(format!("{domain}.pem")) }
    }

    /// Returns the stored certificate, if there is one.
    ///
    /// # Errors
    /// Returns [`TlsError`] if the file cannot be read or has no certificate with its key.
    pub(super) fn certificate(&self) -> Result<Option<KeyedCertificate>, TlsError> {
        let file = &self.certificate;
        let Some(pem) = read(file)? else { return Ok(None) };
        let parsed = KeyedCertificate::parse(&pem, &pem);
        parsed.map(Some).map_err(|error| TlsError::Content { file: file.clone(), reason: error.to_string() })
    }

    /// Stores a certificate with its chain and its key, both as PEM. One file has both of them, so
    /// that they always fit together.
    ///
    /// # Errors
    /// Returns [`TlsError`] if the file cannot be written.
    pub(super) fn store_certificate(&self, chain: &str, key: &str) -> Result<(), TlsError> {
        replace(&self.certificate, format!("{}\n{key}", chain.trim_end()).as_bytes())
    }

    /// Returns the account, if there is one.
    ///
    /// # Errors
    /// Returns [`TlsError`] if the file cannot be read or has no account.
    pub(super) fn account(&self) -> Result<Option<AccountCredentials>, TlsError> {
        let file = &self.account;
        let Some(text) = read(file)? else { return Ok(None) };
        let account = serde_json::from_slice(&text);
        account.map(Some).map_err(|error| TlsError::Content { file: file.clone(), reason: error.to_string() })
    }

    /// Stores the account.
    ///
    /// # Errors
    /// Returns [`TlsError`] if the file cannot be written.
    pub(super) fn store_account(&self, account: &AccountCredentials) -> Result<(), TlsError> {
        replace(&self.account, &serde_json::to_vec(account).expect("an account is plain JSON"))
    }

    /// Forgets the account.
    ///
    /// # Errors
    /// Returns [`TlsError`] if the file cannot be removed.
    pub(super) fn remove_account(&self) -> Result<(), TlsError> {
        let file = &self.account;
        std::fs::remove_file(file).map_err(|source| TlsError::File { file: file.clone(), source })
    }
}

/// Reads a file, if there is one.
fn read(file: &Path) -> Result<Option<Vec<u8>>, TlsError> {
    match std::fs::read(file) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(TlsError::File { file: file.to_owned(), source }),
    }
}

/// Replaces a file as a whole, so that a crash leaves the old one or the new one.
fn replace(file: &Path, content: &[u8]) -> Result<(), TlsError> {
    try_to_replace(file, content).map_err(|source| TlsError::File { file: file.to_owned(), source })
}

fn try_to_replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // Only the user may read a temporary file.
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(content)?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn authorities_have_folders_of_their_own_that_others_cannot_read() {
        let scratch = tempfile::tempdir().unwrap();
        let of = |directory| AcmeFolder::new(&scratch.path().join("acme"), directory, "chess.example");
        let first = of("https://ca.example:14000/../dir");
        assert_eq!(first.certificate, scratch.path().join("acme/ca.example_14000_.._dir/chess.example.pem"));
        assert!(first.certificate().unwrap().is_none() && first.account().unwrap().is_none());
        first.store_certificate("no certificate", "no key").unwrap();
        assert!(of("https://other.example/dir").certificate().unwrap().is_none());
        let refused = first.certificate().unwrap_err().to_string();
        assert!(refused.contains("chess.example.pem") && refused.contains("no private key"), "{refused}");
        std::fs::write(&first.account, "no account").unwrap();
        let refused = first.account().err().unwrap().to_string();
        assert!(refused.contains("account.json"), "{refused}");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&first.certificate), 0o600);
        assert_eq!(mode(first.certificate.parent().unwrap()), 0o700);
    }
}
