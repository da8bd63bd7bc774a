//! The operators of the server: accounts that may search for users and act on them.

use quadrex_protocol::http::TokenScope;

use super::Identity;
use super::name::NameKey;

/// The accounts of the operators, by their names in the settings. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Operators(std::sync::Arc<[NameKey]>);

impl Operators {
    /// Returns the operators with these names. A name without letters and digits is ignored, because
    /// no account has such a name.
    pub fn new(names: &[String]) -> Self {
        Self(names.iter().filter_map(|name| NameKey::of(name)).collect())
    }

    /// Returns whether the account with this name is an operator. Only that account can ever have
    /// the name, unless it does not exist yet.
    pub fn contains(&self, name: &NameKey) -> bool {
        self.0.contains(name)
    }

    /// Returns whether an identity may act as an operator: the account of an operator that is not
    /// suspended, in a browser or with a token of the scope `admin`.
    pub fn admit(&self, identity: &Identity) -> bool {
        let Identity::User { user, rights, suspension: None } = identity else { return false };
        let is_operator = || user.account && NameKey::of(&user.name).is_some_and(|name| self.contains(&name));
        rights.check(TokenScope::Admin).is_ok() && is_operator()
    }
}

#[cfg(test)]
mod tests {
    use quadrex_protocol::UserId;
    use quadrex_rules::Timestamp;
    use quadrex_store::{User, UserSuspension};
    use uuid::Uuid;

    use super::super::Rights;
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(0);

    fn identity(name: &str, account: bool, rights: Rights) -> Identity {
        let user = User { id: UserId(Uuid::nil()), name: name.into(), created_at: NOW, account, bot: None };
        Identity::User { user, rights, suspension: None }
    }

    #[test]
    fn only_the_named_accounts_are_operators() {
        let operators = Operators::new(&["Anna".to_owned(), "!!!".to_owned()]);
        let admits = |name: &str, account, rights| operators.admit(&identity(name, account, rights));
        assert!(admits("Anna", true, Rights::All));
        assert!(admits("ANNA", true, Rights::All), "the names are the same");
        assert!(admits("Anna", true, Rights::with_scopes(&[TokenScope::Admin])));
        let others: Vec<_> =
            TokenScope::ALL.into_iter().filter(|scope| *scope != TokenScope::Admin).collect();
        assert!(!admits("Anna", true, Rights::with_scopes(&others)));
        assert!(!admits("Anna", false, Rights::All), "a guest is no operator");
        assert!(!admits("Ben", true, Rights::All));
        assert!(!admits("???", true, Rights::All));
        assert!(!operators.admit(&Identity::Anonymous));
        assert!(!Operators::default().admit(&identity("Anna", true, Rights::All)));
    }

    #[test]
    fn a_suspended_account_is_no_operator() {
        let operators = Operators::new(&["Anna".to_owned()]);
        let Identity::User { user, rights, .. } = identity("Anna", true, Rights::All) else { panic!() };
        let suspension =
            UserSuspension { user: user.id, reason: "lost".into(), since: NOW, until: None, by: user.id };
        assert!(!operators.admit(&Identity::User { user, rights, suspension: Some(Box::new(suspension)) }));
    }
}
