//! The audit log: entries of the log with the target `audit`, about access to accounts and tables.
//!
//! Entries contain the ids of users and tables, the address of the request and the reasons of
//! operators, but no names, no tokens and no secrets.

use std::net::IpAddr;

use quadrex_protocol::{GroupId, MatchId, TableId, UserId};
use quadrex_rules::{Color, Timestamp};

/// The kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditAction {
    /// A user was created, with a session.
    GuestCreated,
    /// A browser has returned to the session that it had before a handover.
    SessionRestored,
    /// A user has ended one or more sessions.
    SessionsEnded,
    /// A user has created a secret to continue on another device.
    HandoverCreated,
    /// A browser has redeemed such a secret, and has a session of its user now.
    HandoverRedeemed,
    /// A guest has become an account.
    AccountCreated,
    /// A user has changed the password of the account.
    PasswordChanged,
    /// A browser has become a user with a name and a password.
    SignedIn,
    /// A browser has become a user with an account at a provider.
    ProviderSignedIn,
    /// A user has connected an account at a provider.
    ProviderConnected,
    /// A user has disconnected an account at a provider.
    ProviderDisconnected,
    /// A user has created a token for a program.
    TokenCreated,
    /// Tokens were revoked, by their user or with a new password.
    TokensRevoked,
    /// A user has set a new password with a link that was sent by mail, which has ended all sessions.
    PasswordReset,
    /// A user has confirmed a mail address.
    MailConfirmed,
    /// A user has removed the mail address.
    MailRemoved,
    /// A user has added a webhook.
    WebhookAdded,
    /// A user has created a recovery key.
    RecoveryKeyCreated,
    /// A user has removed the recovery key.
    RecoveryKeyRemoved,
    /// A browser has become a user with a recovery key.
    RecoveryKeyUsed,
    /// A host has created an invite.
    InviteCreated,
    /// A host has invited a user to the table.
    UserInvited,
    /// A host has withdrawn the invitation of a user.
    InvitationWithdrawn,
    /// A user has created a group.
    GroupCreated,
    /// The owner has deleted a group.
    GroupDeleted,
    /// A member was removed from a group.
    GroupMemberRemoved,
    /// A host has created a watch link.
    WatchLinkCreated,
    /// A host has revoked an invite or a watch link.
    LinkRevoked,
    /// A player has created a share link of a match.
    ShareCreated,
    /// A player has removed a share link of a match.
    ShareRemoved,
    /// A host has removed a user from a seat and from the table.
    Kicked,
    /// A table was closed.
    TableClosed,
    /// An operator has searched for users.
    UsersSearched,
    /// An operator has read the details of a user.
    UserShown,
    /// An operator has suspended a user.
    UserSuspended,
    /// An operator has ended the suspension of a user.
    UserRestored,
    /// An operator has changed the name of a user.
    UserRenamed,
    /// An operator has ended the sessions of a user and revoked the tokens.
    AccessRevoked,
    /// An operator has closed a table.
    TableClosedByOperator,
    /// An operator has warned a user.
    UserWarned,
    /// A user has reported another user.
    UserReported,
    /// An operator has listed reports.
    ReportsListed,
    /// An operator has read a report.
    ReportShown,
    /// An operator has closed a report.
    ReportClosed,
    /// An operator has read statistics of pairs of users.
    PairsListed,
    /// The personal data of a user was exported, by the user or by an operator.
    DataExported,
    /// A user was deleted, by the user or by an operator.
    UserDeleted,
}

impl AuditAction {
    /// Returns the value of the field `action`.
    const fn name(self) -> &'static str {
        match self {
            Self::GuestCreated => "guest_created",
            Self::SessionRestored => "session_restored",
            Self::SessionsEnded => "sessions_ended",
            Self::HandoverCreated => "handover_created",
            Self::HandoverRedeemed => "handover_redeemed",
            Self::AccountCreated => "account_created",
            Self::PasswordChanged => "password_changed",
            Self::SignedIn => "signed_in",
            Self::ProviderSignedIn => "provider_signed_in",
            Self::ProviderConnected => "provider_connected",
            Self::ProviderDisconnected => "provider_disconnected",
            Self::TokenCreated => "token_created",
            Self::TokensRevoked => "tokens_revoked",
            Self::PasswordReset => "password_reset",
            Self::MailConfirmed => "mail_confirmed",
            Self::MailRemoved => "mail_removed",
            Self::WebhookAdded => "webhook_added",
            Self::RecoveryKeyCreated => "recovery_key_created",
            Self::RecoveryKeyRemoved => "recovery_key_removed",
            Self::RecoveryKeyUsed => "recovery_key_used",
            Self::InviteCreated => "invite_created",
            Self::UserInvited => "user_invited",
            Self::InvitationWithdrawn => "invitation_withdrawn",
            Self::GroupCreated => "group_created",
            Self::GroupDeleted => "group_deleted",
            Self::GroupMemberRemoved => "group_member_removed",
            Self::WatchLinkCreated => "watch_link_created",
            Self::LinkRevoked => "link_revoked",
            Self::ShareCreated => "share_created",
            Self::ShareRemoved => "share_removed",
            Self::Kicked => "kicked",
            Self::TableClosed => "table_closed",
            Self::UsersSearched => "users_searched",
            Self::UserShown => "user_shown",
            Self::UserSuspended => "user_suspended",
            Self::UserRestored => "user_restored",
            Self::UserRenamed => "user_renamed",
            Self::AccessRevoked => "access_revoked",
            Self::TableClosedByOperator => "table_closed_by_operator",
            Self::UserWarned => "user_warned",
            Self::UserReported => "user_reported",
            Self::ReportsListed => "reports_listed",
            Self::ReportShown => "report_shown",
            Self::ReportClosed => "report_closed",
            Self::PairsListed => "pairs_listed",
            Self::DataExported => "data_exported",
            Self::UserDeleted => "user_deleted",
        }
    }
}

/// An entry of the audit log.
#[derive(Clone, Copy, Debug)]
#[must_use = "an entry is only written by `record`"]
pub(crate) struct AuditEntry<'a> {
    action: AuditAction,
    user: Option<UserId>,
    address: Option<IpAddr>,
    table: Option<TableId>,
    match_id: Option<MatchId>,
    seat: Option<Color>,
    count: Option<usize>,
    target: Option<UserId>,
    until: Option<Timestamp>,
    reason: Option<&'a str>,
    report: Option<u64>,
    group: Option<GroupId>,
}

impl<'a> AuditEntry<'a> {
    pub(crate) fn new(action: AuditAction) -> Self {
        Self {
            action,
            user: None,
            address: None,
            table: None,
            match_id: None,
            seat: None,
            count: None,
            target: None,
            until: None,
            reason: None,
            report: None,
            group: None,
        }
    }

    /// Sets the user who has acted.
    pub(crate) fn by(self, user: UserId) -> Self {
        Self { user: Some(user), ..self }
    }

    /// Sets the address from which the request came.
    pub(crate) fn from(self, address: IpAddr) -> Self {
        Self { address: Some(address), ..self }
    }

    /// Sets the table.
    pub(crate) fn at(self, table: TableId) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Sets the match.
    pub(crate) fn of_match(self, match_id: MatchId) -> Self {
        Self { match_id: Some(match_id), ..self }
    }

    /// Sets the seat whose holder was removed.
    pub(crate) fn seat(self, seat: Color) -> Self {
        Self { seat: Some(seat), ..self }
    }

    /// Sets the number of sessions, users or reports.
    pub(crate) fn count(self, count: usize) -> Self {
        Self { count: Some(count), ..self }
    }

    /// Sets the user on whom an operator has acted, or whom another user has reported.
    pub(crate) fn on(self, target: UserId) -> Self {
        Self { target: Some(target), ..self }
    }

    /// Sets the end of a suspension.
    pub(crate) fn until(self, until: Option<Timestamp>) -> Self {
        Self { until, ..self }
    }

    /// Sets the reason that an operator has given.
    pub(crate) fn because(self, reason: &'a str) -> Self {
        Self { reason: Some(reason), ..self }
    }

    /// Sets the number of the report.
    pub(crate) fn report(self, number: u64) -> Self {
        Self { report: Some(number), ..self }
    }

    /// Sets the group.
    pub(crate) fn of_group(self, group: GroupId) -> Self {
        Self { group: Some(group), ..self }
    }

    /// Writes the entry.
    pub(crate) fn record(self) {
        let Self {
            action,
            user,
            address,
            table,
            match_id,
            seat,
            count,
            target,
            until,
            reason,
            report,
            group,
        } = self;
        tracing::info!(
            target: "audit",
            action = action.name(),
            user.id = user.map(display),
            address = address.map(display),
            table.id = table.map(display),
            match.id = match_id.map(display),
            seat = seat.map(display),
            count,
            target.id = target.map(display),
            group.id = group.map(display),
            until_ms = until.map(Timestamp::as_millis),
            reason,
            report,
        );
    }
}
