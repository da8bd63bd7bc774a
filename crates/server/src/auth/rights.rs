//! The rights of a client that acts as a user.

use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::TokenScope;
use quadrex_rules::Timestamp;
use quadrex_store::User;

use super::access::{Action, Denial};

/// The rights of a client that acts as a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rights {
    /// Everything that the user may do.
    All,
    /// The rights of a token that the user has created for a program.
    Token {
        /// The scopes of the token.
        scopes: Vec<TokenScope>,
        /// The time at which the token expires; `None` if it never expires.
        expires_at: Option<Timestamp>,
    },
}

impl Rights {
    /// Returns the rights of a token with these scopes that never expires.
    #[cfg(test)]
    pub(super) fn with_scopes(scopes: &[TokenScope]) -> Self {
        Self::Token { scopes: scopes.to_vec(), expires_at: None }
    }

    /// Checks that the client may do what needs this scope. Every client may read. A bot may play.
    ///
    /// # Errors
    /// Returns [`Denial::MissingScope`] if a token does not have the scope.
    pub fn check(&self, scope: TokenScope) -> Result<(), Denial> {
        let Self::Token { scopes, .. } = self else { return Ok(()) };
        let is_allowed = match scope {
            TokenScope::Read => true,
            TokenScope::Play => scopes.contains(&TokenScope::Play) || scopes.contains(&TokenScope::Bot),
            TokenScope::Host | TokenScope::Bot | TokenScope::Admin => scopes.contains(&scope),
        };
        if is_allowed { Ok(()) } else { Err(Denial::MissingScope(scope)) }
    }

    /// Checks that the client has all rights of the user, which a token never has.
    ///
    /// # Errors
    /// Returns [`Denial::Token`] for a token with scopes.
    pub fn check_all(&self) -> Result<(), Denial> {
        match self {
            Self::All => Ok(()),
            Self::Token { .. } => Err(Denial::Token),
        }
    }

    /// Marks the user as a bot if the client acts as a bot.
    pub fn mark(&self, user: &mut User) {
        if let Self::Token { scopes, .. } = self
            && scopes.contains(&TokenScope::Bot)
            && user.bot.is_none()
        {
            user.bot = Some(BotView::Account {});
        }
    }
}

impl Action {
    /// Returns the scope that a token needs for the action.
    pub fn scope(self) -> TokenScope {
        match self {
            Self::List | Self::See { .. } | Self::Watch { .. } | Self::Replay { .. } => TokenScope::Read,
            Self::Sit { .. } | Self::Play | Self::Chat { .. } => TokenScope::Play,
            Self::Share | Self::Invite | Self::Kick | Self::AddBot => TokenScope::Host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(scopes: &[TokenScope]) -> Vec<TokenScope> {
        let rights = Rights::with_scopes(scopes);
        TokenScope::ALL.into_iter().filter(|scope| rights.check(*scope).is_ok()).collect()
    }

    #[test]
    fn a_token_allows_its_scopes_and_reading() {
        assert_eq!(allowed(&[TokenScope::Read]), [TokenScope::Read]);
        assert_eq!(allowed(&[TokenScope::Play]), [TokenScope::Read, TokenScope::Play]);
        assert_eq!(allowed(&[TokenScope::Host]), [TokenScope::Read, TokenScope::Host]);
        assert_eq!(allowed(&[TokenScope::Bot]), [TokenScope::Read, TokenScope::Play, TokenScope::Bot]);
        assert_eq!(allowed(&[TokenScope::Admin]), [TokenScope::Read, TokenScope::Admin]);
        assert_eq!(Rights::All.check(TokenScope::Host), Ok(()));
    }

    #[test]
    fn no_token_has_all_rights() {
        assert_eq!(Rights::with_scopes(&TokenScope::ALL).check_all(), Err(Denial::Token));
        assert_eq!(Rights::All.check_all(), Ok(()));
    }
}
