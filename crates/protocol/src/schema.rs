//! Generated descriptions of the wire types: TypeScript for the browser client, and JSON Schema for
//! other clients.

use schemars::{JsonSchema, schema_for};
use ts_rs::{Config, TS, TypeVisitor};

use crate::analysis::{Analyse, Analysis};
use crate::archive::{MatchList, MatchView, ShareCreated, ShareStatus, UserPage};
use crate::bot::BotList;
use crate::explore::{Exploration, Explore};
use crate::http::{
    AdminReason, AdminRename, AdminReportDetails, AdminReportList, AdminUserDetails, AdminUserList,
    BeginVacation, ChangeGroup, ChangeGroupRole, ChangePassword, ChooseMail, ChooseNotifications,
    ChooseWebhook, CloseReport, ConditionalBoard, ConditionalMoves, ConfirmMail, ConfirmPasswordReset,
    CreateTable, DeleteUser, ErrorBody, FollowedUsers, GroupList, GroupMembers, GroupStandings, GroupTables,
    GroupView, GuestCreated, HandoverPreview, InvitationList, InviteAgain, InvitedAgain, JoinGroup,
    LinkCreated, LinkList, Me, NewAccount, NewGroup, NewGuest, NewInvitation, NewInvite, NewProviderAccount,
    NewPushSubscription, NewReport, NewSession, NewToken, NotificationSettings, Opponents, PairDetails,
    PairList, PersonalData, ProviderFailure, ProviderSignInStarted, ProviderSignUp, PushSubscriptionAdded,
    QuickJoin, QuickJoined, RecoveryKeyCreated, RelatedUsers, RenameUser, RequestPasswordReset,
    SentInvitations, Session, SessionList, SessionsEnded, SetConditionalMoves, ShownHandover, SignInOptions,
    SignIns, StartProviderSignIn, SuspendUser, TableClosed, TableCreated, TableList, TokenCreated, TokenList,
    VacationStatus, WarnUser, Webhook, WebhookBody, WebhookCreated, WebhookList, WebhookTested,
};
use crate::rating::{Leaderboard, MatchRatings, RatingHistory};
use crate::review::ReviewStatus;
use crate::variant_facts::{self, VariantFacts};
use crate::{ClientFrame, MatchRecord, ServerFrame};

/// Returns the TypeScript declarations of all wire types, and constants with the facts of the
/// variants, as the text of one file.
pub fn typescript() -> String {
    let config = Config::default().with_large_int("number");
    let mut found = Declarations { config: &config, seen: Vec::new() };
    found.add::<ClientFrame>();
    found.add::<ServerFrame>();
    found.add::<NewGuest>();
    found.add::<GuestCreated>();
    found.add::<NewSession>();
    found.add::<ShownHandover>();
    found.add::<HandoverPreview>();
    found.add::<Session>();
    found.add::<SessionList>();
    found.add::<SessionsEnded>();
    found.add::<Me>();
    found.add::<RenameUser>();
    found.add::<NewAccount>();
    found.add::<ChangePassword>();
    found.add::<SignInOptions>();
    found.add::<StartProviderSignIn>();
    found.add::<ProviderSignInStarted>();
    found.add::<ProviderFailure>();
    found.add::<ProviderSignUp>();
    found.add::<NewProviderAccount>();
    found.add::<SignIns>();
    found.add::<DeleteUser>();
    found.add::<RecoveryKeyCreated>();
    found.add::<NewToken>();
    found.add::<TokenCreated>();
    found.add::<TokenList>();
    found.add::<RelatedUsers>();
    found.add::<FollowedUsers>();
    found.add::<Opponents>();
    found.add::<AdminUserList>();
    found.add::<AdminUserDetails>();
    found.add::<SuspendUser>();
    found.add::<AdminReason>();
    found.add::<AdminRename>();
    found.add::<TableClosed>();
    found.add::<WarnUser>();
    found.add::<NotificationSettings>();
    found.add::<ChooseNotifications>();
    found.add::<NewPushSubscription>();
    found.add::<PushSubscriptionAdded>();
    found.add::<WebhookList>();
    found.add::<ChooseWebhook>();
    found.add::<WebhookCreated>();
    found.add::<WebhookTested>();
    found.add::<ChooseMail>();
    found.add::<ConfirmMail>();
    found.add::<RequestPasswordReset>();
    found.add::<ConfirmPasswordReset>();
    found.add::<NewReport>();
    found.add::<AdminReportList>();
    found.add::<PairList>();
    found.add::<PairDetails>();
    found.add::<AdminReportDetails>();
    found.add::<CloseReport>();
    found.add::<PersonalData>();
    found.add::<CreateTable>();
    found.add::<TableCreated>();
    found.add::<QuickJoin>();
    found.add::<QuickJoined>();
    found.add::<TableList>();
    found.add::<NewInvite>();
    found.add::<LinkCreated>();
    found.add::<LinkList>();
    found.add::<NewInvitation>();
    found.add::<SentInvitations>();
    found.add::<InvitationList>();
    found.add::<VacationStatus>();
    found.add::<BeginVacation>();
    found.add::<ConditionalMoves>();
    found.add::<SetConditionalMoves>();
    found.add::<ConditionalBoard>();
    found.add::<InviteAgain>();
    found.add::<InvitedAgain>();
    found.add::<NewGroup>();
    found.add::<ChangeGroup>();
    found.add::<GroupView>();
    found.add::<GroupList>();
    found.add::<JoinGroup>();
    found.add::<GroupMembers>();
    found.add::<ChangeGroupRole>();
    found.add::<GroupTables>();
    found.add::<GroupStandings>();
    found.add::<ErrorBody>();
    found.add::<MatchRecord>();
    found.add::<Explore>();
    found.add::<Exploration>();
    found.add::<Analyse>();
    found.add::<Analysis>();
    found.add::<ReviewStatus>();
    found.add::<MatchList>();
    found.add::<MatchView>();
    found.add::<ShareStatus>();
    found.add::<ShareCreated>();
    found.add::<UserPage>();
    found.add::<Leaderboard>();
    found.add::<MatchRatings>();
    found.add::<RatingHistory>();
    found.add::<BotList>();
    found.add::<VariantFacts>();
    let mut declarations = found.seen;
    declarations.sort();
    let mut text = String::from("// Generated from the protocol crate by `cargo xtask gen`. Do not edit.\n");
    for (_, declaration) in declarations {
        text.push_str("\nexport ");
        text.push_str(&declaration);
        text.push('\n');
    }
    text.push_str(&variant_facts::typescript());
    text
}

/// Returns the file name and the text of each JSON Schema. There is one schema for each frame, HTTP
/// body and record.
pub fn json_schemas() -> Vec<(&'static str, String)> {
    vec![
        ("client_frame.json", json_schema::<ClientFrame>()),
        ("server_frame.json", json_schema::<ServerFrame>()),
        ("new_guest.json", json_schema::<NewGuest>()),
        ("guest_created.json", json_schema::<GuestCreated>()),
        ("new_session.json", json_schema::<NewSession>()),
        ("shown_handover.json", json_schema::<ShownHandover>()),
        ("handover_preview.json", json_schema::<HandoverPreview>()),
        ("session.json", json_schema::<Session>()),
        ("session_list.json", json_schema::<SessionList>()),
        ("sessions_ended.json", json_schema::<SessionsEnded>()),
        ("me.json", json_schema::<Me>()),
        ("rename_user.json", json_schema::<RenameUser>()),
        ("new_account.json", json_schema::<NewAccount>()),
        ("change_password.json", json_schema::<ChangePassword>()),
        ("sign_in_options.json", json_schema::<SignInOptions>()),
        ("start_provider_sign_in.json", json_schema::<StartProviderSignIn>()),
        ("provider_sign_in_started.json", json_schema::<ProviderSignInStarted>()),
        ("provider_failure.json", json_schema::<ProviderFailure>()),
        ("provider_sign_up.json", json_schema::<ProviderSignUp>()),
        ("new_provider_account.json", json_schema::<NewProviderAccount>()),
        ("sign_ins.json", json_schema::<SignIns>()),
        ("delete_user.json", json_schema::<DeleteUser>()),
        ("recovery_key_created.json", json_schema::<RecoveryKeyCreated>()),
        ("new_token.json", json_schema::<NewToken>()),
        ("token_created.json", json_schema::<TokenCreated>()),
        ("followed_users.json", json_schema::<FollowedUsers>()),
        ("opponents.json", json_schema::<Opponents>()),
        ("related_users.json", json_schema::<RelatedUsers>()),
        ("token_list.json", json_schema::<TokenList>()),
        ("admin_user_list.json", json_schema::<AdminUserList>()),
        ("admin_user_details.json", json_schema::<AdminUserDetails>()),
        ("suspend_user.json", json_schema::<SuspendUser>()),
        ("admin_reason.json", json_schema::<AdminReason>()),
        ("table_closed.json", json_schema::<TableClosed>()),
        ("warn_user.json", json_schema::<WarnUser>()),
        ("notification_settings.json", json_schema::<NotificationSettings>()),
        ("choose_notifications.json", json_schema::<ChooseNotifications>()),
        ("new_push_subscription.json", json_schema::<NewPushSubscription>()),
        ("push_subscription_added.json", json_schema::<PushSubscriptionAdded>()),
        ("webhook.json", json_schema::<Webhook>()),
        ("webhook_list.json", json_schema::<WebhookList>()),
        ("choose_webhook.json", json_schema::<ChooseWebhook>()),
        ("webhook_created.json", json_schema::<WebhookCreated>()),
        ("webhook_tested.json", json_schema::<WebhookTested>()),
        ("webhook_body.json", json_schema::<WebhookBody>()),
        ("choose_mail.json", json_schema::<ChooseMail>()),
        ("confirm_mail.json", json_schema::<ConfirmMail>()),
        ("request_password_reset.json", json_schema::<RequestPasswordReset>()),
        ("confirm_password_reset.json", json_schema::<ConfirmPasswordReset>()),
        ("new_report.json", json_schema::<NewReport>()),
        ("admin_report_list.json", json_schema::<AdminReportList>()),
        ("pair_list.json", json_schema::<PairList>()),
        ("pair_details.json", json_schema::<PairDetails>()),
        ("admin_report_details.json", json_schema::<AdminReportDetails>()),
        ("close_report.json", json_schema::<CloseReport>()),
        ("personal_data.json", json_schema::<PersonalData>()),
        ("admin_rename.json", json_schema::<AdminRename>()),
        ("create_table.json", json_schema::<CreateTable>()),
        ("table_created.json", json_schema::<TableCreated>()),
        ("quick_join.json", json_schema::<QuickJoin>()),
        ("quick_joined.json", json_schema::<QuickJoined>()),
        ("table_list.json", json_schema::<TableList>()),
        ("new_invite.json", json_schema::<NewInvite>()),
        ("link_created.json", json_schema::<LinkCreated>()),
        ("link_list.json", json_schema::<LinkList>()),
        ("new_invitation.json", json_schema::<NewInvitation>()),
        ("sent_invitations.json", json_schema::<SentInvitations>()),
        ("invitation_list.json", json_schema::<InvitationList>()),
        ("vacation_status.json", json_schema::<VacationStatus>()),
        ("begin_vacation.json", json_schema::<BeginVacation>()),
        ("conditional_moves.json", json_schema::<ConditionalMoves>()),
        ("set_conditional_moves.json", json_schema::<SetConditionalMoves>()),
        ("conditional_board.json", json_schema::<ConditionalBoard>()),
        ("invite_again.json", json_schema::<InviteAgain>()),
        ("invited_again.json", json_schema::<InvitedAgain>()),
        ("new_group.json", json_schema::<NewGroup>()),
        ("change_group.json", json_schema::<ChangeGroup>()),
        ("group_view.json", json_schema::<GroupView>()),
        ("group_list.json", json_schema::<GroupList>()),
        ("join_group.json", json_schema::<JoinGroup>()),
        ("group_members.json", json_schema::<GroupMembers>()),
        ("change_group_role.json", json_schema::<ChangeGroupRole>()),
        ("group_tables.json", json_schema::<GroupTables>()),
        ("group_standings.json", json_schema::<GroupStandings>()),
        ("error_body.json", json_schema::<ErrorBody>()),
        ("match_record.json", json_schema::<MatchRecord>()),
        ("explore.json", json_schema::<Explore>()),
        ("exploration.json", json_schema::<Exploration>()),
        ("analyse.json", json_schema::<Analyse>()),
        ("analysis.json", json_schema::<Analysis>()),
        ("review_status.json", json_schema::<ReviewStatus>()),
        ("match_list.json", json_schema::<MatchList>()),
        ("match_view.json", json_schema::<MatchView>()),
        ("share_status.json", json_schema::<ShareStatus>()),
        ("share_created.json", json_schema::<ShareCreated>()),
        ("user_page.json", json_schema::<UserPage>()),
        ("leaderboard.json", json_schema::<Leaderboard>()),
        ("match_ratings.json", json_schema::<MatchRatings>()),
        ("rating_history.json", json_schema::<RatingHistory>()),
        ("bot_list.json", json_schema::<BotList>()),
    ]
}

fn json_schema<T: JsonSchema>() -> String {
    let mut text = serde_json::to_string_pretty(&schema_for!(T)).expect("a schema is plain JSON");
    text.push('\n');
    text
}

/// A collection of TypeScript declarations. It contains each added type, and each type that an
/// added type refers to, exactly once.
struct Declarations<'a> {
    config: &'a Config,
    seen: Vec<(String, String)>,
}

impl Declarations<'_> {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(self.config);
        if self.seen.iter().any(|(known, _)| *known == name) {
            return;
        }
        self.seen.push((name, T::decl(self.config)));
        T::visit_dependencies(self);
    }
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types with a declaration have an output path. Lists, maps and plain values have
        // none.
        if T::output_path().is_some() {
            self.add::<T>();
        }
    }
}
