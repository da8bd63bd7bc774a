//! A sample of every kind of message.

use bytes::Bytes;
use quadrex_cluster::message::{
    AccessLink, Command, CommandAnswer, CommandOutcome, Follow, FollowAnswer, FollowHead, FollowState,
    FrameSet, Heartbeat, HibernatingTable, InvitationsChanged, LimitAnswer, LimitKey, LimitQuestion,
    ListChange, ListChanges, ListPart, ListRequest, LobbyState, NodePresence, NotFollowing, NotOwner,
    OnlineAnswer, OnlineQuestion, OpenTurnView, OverviewUpdate, Presence, PublicationContent, Published,
    QuickJoinAnswer, QuickJoinOutcome, QuickJoinQuestion, ReviewAnswer, ReviewProgress, ReviewQuestion,
    RevokeLink, RevokeLinkAnswer, SeatOrigin, SecretHashBytes, SessionsEnded, SpecialFrame, TablePublication,
    TableTakeOver, TakeOver, TakeOverAnswer, TakenFollower, Unfollow, Unknown, UserPresence, Watch,
    WatchAnswer, WatchOutcome, WatchRight,
};
use quadrex_cluster::{FollowId, MessageBody, NodeId, PublishedState};
use quadrex_protocol::bot::{BotLevel, BotView};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::conditional::ConditionalStep;
use quadrex_protocol::http::{CreateTable, LinkKind, QuickJoin, QuickJoined, TableStatus, TableSummary};
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::{Head, LinkVisitor, Phase, SeatView, Side};
use quadrex_protocol::{CommandId, MatchId, RefusalCode, RequestAction, TableId, UserId};
use quadrex_rules::{Color, Move, Request, Timestamp, Variant};
use quadrex_table::{Action, Invitation, PlayerCommand, validate_settings};
use uuid::Uuid;

pub(crate) fn node(number: u128) -> NodeId {
    NodeId(Uuid::from_u128(number))
}

const TABLE: TableId = TableId(Uuid::from_u128(0x7AB1E));
const MATCH: MatchId = MatchId(Uuid::from_u128(0x3A7C));
const NEXT: MatchId = MatchId(Uuid::from_u128(0x3A7D));
const ADA: UserId = UserId(Uuid::from_u128(0xADA));
const BOB: UserId = UserId(Uuid::from_u128(0xB0B));
const HASH: SecretHashBytes = SecretHashBytes([9; 32]);
const HEAD: Head = Head { match_id: MATCH, seq: 41 };
const FOLLOW: FollowId = FollowId(17);

fn ada() -> UserView {
    UserView { id: ADA, name: "Ada".to_owned(), account: false, bot: None, anonymous: false }
}

fn bot() -> UserView {
    let level = BotLevel::all().last().unwrap();
    UserView {
        id: BOB,
        name: "Bob".to_owned(),
        account: false,
        bot: Some(BotView::BuiltIn { level }),
        anonymous: false,
    }
}

fn id(text: &str) -> CommandId {
    CommandId::try_from(text.to_owned()).unwrap()
}

fn nonce() -> Nonce {
    Nonce::try_from("dice".to_owned()).unwrap()
}

fn a_move() -> Move {
    "a2a4".parse().unwrap()
}

fn summary() -> TableSummary {
    let time = Some(TimeSetting::Fischer { base_ms: 300_000, increment_ms: 3_000 });
    let request = CreateTable { time, ..CreateTable::plain(Variant::Dilkel, Privacy::Public) };
    let seat = |color: &Color| SeatView {
        color: *color,
        side: Side::South,
        substitute: None,
        user: (*color == Variant::Dilkel.colors()[0]).then(bot),
    };
    TableSummary {
        table: TABLE,
        settings: validate_settings(request).unwrap(),
        host: ada(),
        phase: Phase::Running,
        seats: Variant::Dilkel.colors().iter().map(seat).collect(),
        turn: Some(Variant::Dilkel.colors()[1]),
        plies: 12,
        spectators: 3,
        created_at_ms: 1_790_000_000_000,
    }
}

fn status() -> TableStatus {
    TableStatus { table: TABLE, turn: Some(Variant::Dilkel.colors()[1]), plies: 12, spectators: 3 }
}

fn state() -> PublishedState {
    PublishedState { head: HEAD, status: status(), open_turn: overview().open_turn }
}

fn overview() -> OverviewUpdate {
    OverviewUpdate {
        head: HEAD,
        summary: summary(),
        kicked: vec![BOB],
        connected: vec![ADA],
        arrived: vec![ADA, BOB],
        is_host_present: true,
        open_turn: Some(OpenTurnView {
            player: ADA,
            deadline: Some(Timestamp::from_millis(1_790_000_300_000)),
        }),
    }
}

fn frames() -> FrameSet {
    let special = vec![SpecialFrame { user: ADA, frame: Bytes::from_static(b"{\"legal_moves\":[]}") }];
    FrameSet { general: Bytes::from_static(b"{}"), special }
}

fn presence() -> NodePresence {
    NodePresence { version: 8, users: vec![UserPresence { user: ADA, round_trip_ms: 23 }], spectators: 2 }
}

fn publication(content: PublicationContent) -> TablePublication {
    TablePublication { match_id: MATCH, content }
}

fn published(content: PublicationContent) -> MessageBody {
    MessageBody::Published(Published {
        table: TABLE,
        follow: FOLLOW,
        number: 5,
        publication: Some(publication(content)),
        head: HEAD,
        status: status(),
        open_turn: Some(OpenTurnView { player: ADA, deadline: None }),
        overview: None,
    })
}

fn command(action: Action) -> MessageBody {
    MessageBody::Command(Command {
        table: TABLE,
        command: PlayerCommand { by: ada(), seat: Some(Color::White), action },
        command_id: id("cmd-1"),
        match_id: Some(MATCH),
        redeemed_invite: Some(HASH),
        origin: SeatOrigin::default(),
        round_trip_ms: 31,
        presence_version: 8,
    })
}

fn commands() -> Vec<MessageBody> {
    let actions = vec![
        Action::Move { after: 41, mv: a_move(), claim_draw: true },
        Action::Sit {
            seat: None,
            invite: Some(Invitation { seat: Some(Color::White) }),
            nonce: nonce(),
            rating: Some(1500),
        },
        Action::Leave,
        Action::Kick { color: Color::Black },
        Action::Rematch { action: RequestAction::Ask, nonce: nonce(), next: NEXT },
        Action::AddBot { seat: Some(Color::Black), bot: bot(), nonce: nonce() },
        Action::Resign,
        Action::Resume,
        Action::Request { request: Request::ALL[0], action: RequestAction::Decline },
        Action::ClaimDraw,
        Action::Chat { room: Room::Bystanders, message: ChatMessage::Text("Grüße!".to_owned()) },
    ];
    actions.into_iter().map(command).collect()
}

fn outcomes() -> Vec<MessageBody> {
    let refused =
        CommandOutcome::Refused { match_id: MATCH, code: RefusalCode::NotStarted, text: "no".to_owned() };
    let outcomes = vec![
        CommandOutcome::Done { match_id: MATCH, seq: 42 },
        refused,
        CommandOutcome::InviteUsed,
        CommandOutcome::Fault { id: Uuid::from_u128(0xFA) },
    ];
    outcomes.into_iter().map(|outcome| CommandAnswer { table: TABLE, outcome }.into()).collect()
}

fn watches() -> Vec<MessageBody> {
    let watch = Watch {
        table: TABLE,
        viewer: Some(ADA),
        right: WatchRight::MembersOnly,
        link: Some(AccessLink { secret_hash: HASH, expires_at: Timestamp::from_millis(1_790_000_900_000) }),
        may_stay_when_kicked: true,
        is_preview: false,
        visitor: Some(LinkVisitor { user: ada(), kind: LinkKind::Invite, seat: None, opened_at_ms: 7 }),
        resume_after: Some(HEAD),
        presence_version: 8,
    };
    let watching = WatchOutcome::Watching {
        frames: vec![Bytes::from_static(b"{\"t\":\"watching\"}"), Bytes::from_static(b"{}")],
        head: HEAD,
        is_seated: true,
        is_shared: false,
    };
    let answers =
        [watching, WatchOutcome::Refused].map(|outcome| WatchAnswer { table: TABLE, outcome }.into());
    [vec![watch.into()], answers.to_vec()].concat()
}

fn publications() -> Vec<MessageBody> {
    let contents = vec![
        PublicationContent::Event { seq: 41, frames: frames() },
        PublicationContent::NextMatch { previous: NEXT, seq: 1, frames: frames() },
        PublicationContent::Snapshot { seq: 41, frames: frames() },
        PublicationContent::Presence { frames: frames() },
        PublicationContent::LeftTable { users: vec![BOB] },
        PublicationContent::LinksEnded { links: vec![HASH], members: vec![ADA] },
        PublicationContent::Kicked { users: vec![BOB] },
    ];
    contents.into_iter().map(published).collect()
}

fn lobby() -> Vec<MessageBody> {
    let hibernating = HibernatingTable { table: TABLE, players: 2 };
    let changes = vec![
        ListChange::Table(Box::new(overview())),
        ListChange::State(state()),
        ListChange::Hibernating(hibernating),
        ListChange::Removed(TABLE),
    ];
    let request = QuickJoin { nonce: Some(nonce()), cmd: Some(id("q")), ..QuickJoin::plain(Variant::Dilkel) };
    let joined = QuickJoined { table: TABLE, match_id: MATCH, seat: Color::White };
    let outcomes = [
        QuickJoinOutcome::Joined(joined),
        QuickJoinOutcome::NoTable,
        QuickJoinOutcome::Refused { code: RefusalCode::RateLimited, text: "slower".to_owned() },
        QuickJoinOutcome::Fault { id: Uuid::from_u128(0xFB) },
    ];
    let questions = [
        LimitKey::Client("203.0.113.0/24".to_owned()),
        LimitKey::User(ADA),
        LimitKey::Account("ada".to_owned()),
    ];
    let questions = questions.map(|key| LimitQuestion { limit: "guests".to_owned(), key, cost: 1 }.into());
    let mut bodies: Vec<MessageBody> = vec![
        ListChanges { version: 12, changes }.into(),
        ListRequest {}.into(),
        ListPart { version: 12, part: 0, parts: 2, tables: vec![overview()], hibernating: vec![hibernating] }
            .into(),
        LimitAnswer { retry_after_ms: Some(1_500) }.into(),
        QuickJoinQuestion { request, user: ada(), network: None, may_create: true }.into(),
        OnlineQuestion { users: vec![ADA] }.into(),
        OnlineAnswer { online: vec![ADA] }.into(),
        ReviewQuestion { match_id: MATCH }.into(),
        ReviewAnswer { progress: Some(ReviewProgress { done: 3, of: 40 }) }.into(),
    ];
    bodies.extend(questions);
    bodies.extend(outcomes.map(|outcome| QuickJoinAnswer { outcome }.into()));
    bodies
}

fn between_nodes() -> Vec<MessageBody> {
    let head = FollowHead { table: TABLE, follow: FOLLOW, count: 5, head: HEAD, presence_version: 8 };
    let state = FollowState { table: TABLE, follow: FOLLOW, presence_version: 8 };
    let follower = TakenFollower { node: node(3), presence: presence() };
    let taken = TableTakeOver {
        table: TABLE,
        match_id: MATCH,
        released_at: Timestamp::from_millis(1_790_000_000_500),
        followers: vec![follower],
    };
    vec![
        Heartbeat { heads: vec![head], follows: vec![state], lobby: LobbyState::default() }.into(),
        TakeOver { tables: vec![taken] }.into(),
        TakeOverAnswer { taken: vec![TABLE] }.into(),
        SessionsEnded { sessions: vec![HASH] }.into(),
        Unknown { kind: "telepathy".to_owned() }.into(),
    ]
}

/// Returns samples that were added after the others.
fn later() -> Vec<MessageBody> {
    let lobby = LobbyState { list_version: 12, online: 5, reachable: vec![ADA] };
    let lines = vec![vec![
        ConditionalStep { color: Color::White, mv: None },
        ConditionalStep { color: Color::Black, mv: Some(a_move()) },
    ]];
    vec![
        Heartbeat { lobby, ..Heartbeat::default() }.into(),
        InvitationsChanged { user: ADA }.into(),
        command(Action::SetConditionalMoves { after: 41, lines }),
        command(Action::UpdateVacation),
    ]
}

/// Returns samples of all kinds, and of all forms of their contents.
pub(crate) fn samples() -> Vec<MessageBody> {
    let missed = publication(PublicationContent::Event { seq: 41, frames: frames() });
    let follows: Vec<MessageBody> = vec![
        RevokeLink { table: TABLE, link: HASH }.into(),
        RevokeLinkAnswer { table: TABLE }.into(),
        NotOwner { table: TABLE, owner: Some(node(3)) }.into(),
        Follow { table: TABLE, follow: FOLLOW, after: Some(HEAD), presence: presence() }.into(),
        FollowAnswer { table: TABLE, follow: FOLLOW, count: 4, missed: vec![missed], overview: overview() }
            .into(),
        Unfollow { table: TABLE, follow: FOLLOW }.into(),
        NotFollowing { table: TABLE, follow: FOLLOW }.into(),
        Presence { table: TABLE, follow: FOLLOW, presence: presence() }.into(),
    ];
    [commands(), outcomes(), watches(), publications(), follows, lobby(), between_nodes(), later()].concat()
}
