//! Mail: the address of an account, and the links that users request by mail.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::MessageLanguage;

/// The mail settings of an account.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MailSettings {
    /// The confirmed address; without one, the address that the user must confirm; absent if there is
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// True if `address` is confirmed.
    pub confirmed: bool,
    /// The language of the mails; absent if there is no address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<MessageLanguage>,
    /// True if the user is notified by mail. Otherwise the address only serves to set a new password.
    pub notifications: bool,
    /// The address that replaces `address` as soon as the user confirms it; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pending: Option<String>,
}

/// `Debug` does not show the addresses.
impl std::fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailSettings").field("confirmed", &self.confirmed).finish_non_exhaustive()
    }
}

/// The body of `PUT /api/me/mail`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChooseMail {
    /// The address. A new address receives a link with which the user confirms it.
    pub address: String,
    /// The language of the mails.
    pub language: MessageLanguage,
    /// True to be notified by mail; true if not given.
    #[serde(default = "yes")]
    #[ts(optional, as = "Option<bool>")]
    pub notifications: bool,
}

const fn yes() -> bool {
    true
}

/// The body of `POST /api/mail/confirm`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ConfirmMail {
    /// The secret in the link.
    pub secret: String,
}

/// The body of `POST /api/password-resets`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RequestPasswordReset {
    /// The name of the account.
    pub name: String,
    /// The language of the mail.
    pub language: MessageLanguage,
}

/// The body of `POST /api/password-resets/confirm`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ConfirmPasswordReset {
    /// The secret in the link.
    pub secret: String,
    /// The new password.
    pub password: String,
}
