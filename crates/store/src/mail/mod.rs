//! Mail: the addresses of accounts, and the links that users have requested by mail.

mod addresses;
mod links;

pub use addresses::{ConfirmedAddress, MailAddress, PendingAddress};
pub use links::{DueMailLink, MailLinkKind, NewConfirmation, PasswordReset};
