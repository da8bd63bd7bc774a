//! Sign-in with the accounts of other sites.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The answer to `GET /api/sign-in-options`: the ways to sign in beside name and password, and
/// recovery key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SignInOptions {
    /// True if users who have forgotten the password can request a link by mail.
    pub password_reset: bool,
    /// The providers with whose accounts users sign in.
    pub providers: Vec<SignInProvider>,
}

/// A provider with whose accounts users sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SignInProvider {
    /// The id in URLs.
    pub id: String,
    /// The name that users read.
    pub name: String,
}

/// The body of `POST /api/providers/{provider}/start`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct StartProviderSignIn {
    /// The path of the page to which the browser returns at the end. It begins with one slash, has no
    /// fragment, and at most 500 characters.
    pub return_to: String,
    /// True to connect the account at the provider to the current user's account.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub connect: bool,
}

/// The answer to `POST /api/providers/{provider}/start`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderSignInStarted {
    /// The URL of the provider to which the browser goes.
    pub url: String,
}

/// The reason for which a sign-in with a provider has failed. The browser returns with it in the
/// fragment `#sign-in-failed=REASON`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ProviderFailure {
    /// The user has not agreed at the provider.
    ProviderRefused,
    /// The provider cannot be reached, or its answer is not valid.
    ProviderFailed,
    /// The sign-in was begun in another browser, has expired, or was finished before.
    StaleSignIn,
    /// The account at the provider belongs to another user.
    AlreadyConnected,
    /// The user signs in with another account at this provider.
    OtherConnected,
}

impl ProviderFailure {
    /// Returns the name in the fragment.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProviderRefused => "provider_refused",
            Self::ProviderFailed => "provider_failed",
            Self::StaleSignIn => "stale_sign_in",
            Self::AlreadyConnected => "already_connected",
            Self::OtherConnected => "other_connected",
        }
    }
}

/// The answer to `GET /api/me/provider-sign-up`: the account at a provider for which this browser may
/// create an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ProviderSignUp {
    /// The id of the provider.
    pub provider: String,
    /// The name of the account there. It may be empty, taken, or no valid name here.
    pub name: String,
}

/// The body of `POST /api/me/provider-sign-up`, which is answered with a
/// [`UserView`](crate::user::UserView).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct NewProviderAccount {
    /// The name of the account, 1 to 24 characters. It becomes the user's display name.
    pub name: String,
}

/// The answer to `GET /api/me/sign-ins`: the ways in which the user signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SignIns {
    /// True if the user has a password.
    pub password: bool,
    /// The accounts of the user at providers.
    pub providers: Vec<ConnectedProvider>,
}

/// An account at a provider with which the user signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ConnectedProvider {
    /// The id of the provider.
    pub id: String,
    /// The name of the provider; its id if the server does not know the provider any more.
    pub name: String,
    /// The name that the account had there when it was connected. It may be empty.
    pub user_name: String,
    /// The time at which it was connected, in milliseconds since the Unix epoch.
    pub connected_at_ms: u64,
}
