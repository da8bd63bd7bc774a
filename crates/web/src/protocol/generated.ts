// Generated from the protocol crate by `cargo xtask gen`. Do not edit.

export type AbortCause = "agreement" | "first_move" | "absence" | "operator";

export type Absence = "eliminate" | "wait" | "bot";

export type Activity = { 
/**
 * The number of people with an open connection; bots do not count.
 */
online: number, 
/**
 * The number of public matches that have begun within the last 24 hours.
 */
matches_today: number, };

export type ActsAgainst = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The other user.
 */
user: UserId, 
/**
 * The numbers.
 */
count: PairCount, };

export type AdminReason = { 
/**
 * The reason, 1 to 500 characters.
 */
reason: string, };

export type AdminRename = { 
/**
 * The new display name, 1 to 24 characters.
 */
name: string, 
/**
 * The reason, 1 to 500 characters.
 */
reason: string, };

export type AdminReport = { 
/**
 * The number of the report.
 */
number: number, 
/**
 * The user who sent the report.
 */
reporter: UserView, 
/**
 * The reported user.
 */
reported: UserView, 
/**
 * The name of the reported user at the time of the report.
 */
reported_name: string, 
/**
 * The reason.
 */
reason: ReportReason, 
/**
 * The text.
 */
text?: string, 
/**
 * The moment; absent if the report is not about a match.
 */
moment?: AdminReportMoment, 
/**
 * The time of the report, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The end of the report; absent while it is open.
 */
closed?: ReportClosure, };

export type AdminReportDetails = { 
/**
 * The report.
 */
report: AdminReport, 
/**
 * The path of the page with the position at the moment; absent if the report is not about a
 * match.
 */
path?: string, 
/**
 * The chat messages around the moment, in both rooms.
 */
messages: Array<ReportedMessage>, 
/**
 * The match as PGN or PGN4, also if the operator may not watch the table; absent if the match
 * has not started.
 */
notation?: string, 
/**
 * The number of all reports about the user, including this one.
 */
reports_about: number, 
/**
 * The number of open reports about the user.
 */
open_reports_about: number, };

export type AdminReportList = { 
/**
 * The reports, newest first.
 */
reports: Array<AdminReport>, 
/**
 * The value of `before` that requests the next page; absent on the last page.
 */
next?: number, };

export type AdminReportMoment = { 
/**
 * The table.
 */
table: TableId, 
/**
 * The match.
 */
match: MatchId, 
/**
 * The number of the last event before the report.
 */
at: number, 
/**
 * The number of the event with the reported chat message.
 */
message?: number, };

export type AdminUser = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time of the user's first request, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The suspension; absent if the user is not suspended.
 */
suspension?: UserSuspensionView, };

export type AdminUserDetails = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time of the user's first request, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time at which the account was created, in milliseconds since the Unix epoch; absent for a
 * guest.
 */
account_created_at_ms?: number, 
/**
 * The last use of a session or token that is still valid, exact to the hour, in milliseconds
 * since the Unix epoch; absent if there is none.
 */
seen_at_ms?: number, 
/**
 * The number of sessions.
 */
sessions: number, 
/**
 * The number of tokens that the user has created for programs.
 */
tokens: number, 
/**
 * The suspension; absent if the user is not suspended.
 */
suspension?: UserSuspensionView, 
/**
 * The operator who has suspended the user.
 */
suspended_by?: UserId, 
/**
 * The warnings of the user, newest first.
 */
warnings?: Array<AdminWarning>, 
/**
 * The number of reports about the user.
 */
reports: number, 
/**
 * The number of these reports that are open.
 */
open_reports: number, 
/**
 * The last started matches of the user, newest first, private ones included.
 */
matches: Array<MatchSummary>, };

export type AdminUserList = { 
/**
 * The users, the newest first; with `suspended`, the last suspended ones first.
 */
users: Array<AdminUser>, };

export type AdminWarning = { 
/**
 * The number of the warning.
 */
number: number, 
/**
 * The text.
 */
text: string, 
/**
 * The time of the warning, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The operator.
 */
by: UserId, 
/**
 * The time at which the user has acknowledged the warning, in milliseconds since the Unix
 * epoch; absent before that.
 */
acknowledged_at_ms?: number, };

export type Admission = "open" | "invite";

export type Analyse = { 
/**
 * The initial position.
 */
setup: ExploreSetup, 
/**
 * Moves to play from the initial position. The position after the last move is analysed.
 */
moves?: Array<Move>, 
/**
 * The number of best moves to return, each with its expected continuation; 1 if not given.
 */
lines?: number, 
/**
 * The maximum number of positions to search; the server's maximum if not given.
 */
nodes?: number, };

export type Analysis = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The player to move.
 */
turn: Color, 
/**
 * The depth searched in full, in plies.
 */
depth: number, 
/**
 * The number of positions searched.
 */
nodes: number, 
/**
 * The best moves, the best first; never empty.
 */
lines: Array<AnalysisLine>, };

export type AnalysisLine = { 
/**
 * The score of the line for each active player.
 */
scores: { [key in Color]?: AnalysisScore }, 
/**
 * Each player's chance of first place, in thousandths. The sum is 1000. With two players each
 * number is the chance to win, and a draw counts as half a win.
 */
chances: { [key in Color]?: number }, 
/**
 * The moves of the line; never empty. The first is the move that the engine recommends.
 */
moves: Array<AnalysisMove>, };

export type AnalysisMove = { 
/**
 * The player who makes the move.
 */
color: Color, 
/**
 * The move.
 */
move: Move, 
/**
 * The move in notation.
 */
notation: string, };

export type AnalysisScore = { "kind": "points", 
/**
 * The advantage in hundredths of a pawn.
 */
centipawns: number, } | { "kind": "mates", 
/**
 * The number of moves that the player needs until mate.
 */
moves: number, } | { "kind": "mated", 
/**
 * The number of moves that the opponent needs until mate.
 */
moves: number, };

export type AttackView = { 
/**
 * The attacker's square.
 */
from: Square, 
/**
 * The king's square.
 */
to: Square, };

export type BeginVacation = { 
/**
 * The number of days, at least one; if not given, all days that the user has left.
 */
days?: number, };

export type BoardView = { 
/**
 * The number of files, from `a`.
 */
files: number, 
/**
 * The number of ranks, from 1.
 */
ranks: number, 
/**
 * The squares of the `files` x `ranks` rectangle that are not part of the board.
 */
holes: Array<Square>, };

export type BotChoice = { "kind": "built_in", 
/**
 * The level to play at.
 */
level: BotLevel, } | { "kind": "engine", 
/**
 * The engine's name in the answer of `GET /api/bots`.
 */
engine: string, 
/**
 * The Elo rating to limit the engine's strength to; full strength if not given.
 */
elo?: number, };

export type BotLevel = number;

export type BotList = { 
/**
 * The levels of the built-in engine, which plays every variant.
 */
levels: Array<BotLevel>, 
/**
 * Other engines that run beside the server.
 */
engines: Array<EngineView>, };

export type BotSeat = { 
/**
 * The bot's seat; if not given, the first open seat in turn order.
 */
seat?: Color, 
/**
 * The bot.
 */
bot: BotChoice, };

export type BotView = { "kind": "built_in", 
/**
 * The level of the engine.
 */
level: BotLevel, } | { "kind": "engine", 
/**
 * The engine's name in the server's settings.
 */
engine: string, 
/**
 * The Elo rating that the engine's strength is limited to; full strength if absent.
 */
elo?: number, } | { "kind": "account", };

export type Cause = "mate" | "resign" | "time" | "absence";

export type ChangeGroup = { 
/**
 * The new name, 1 to 40 characters; unchanged if not given.
 */
name?: string, 
/**
 * The new description, up to 500 characters, where an empty text removes it; unchanged if not
 * given.
 */
text?: string, 
/**
 * The new visibility; unchanged if not given.
 */
visibility?: GroupVisibility, };

export type ChangeGroupRole = { 
/**
 * The new role. The owner who makes another member the owner becomes an admin.
 */
role: GroupRole, };

export type ChangePassword = { 
/**
 * The current password; absent if the account has none.
 */
current?: string, 
/**
 * The new password, 8 to 128 characters.
 */
new: string, };

export type Chat = "on" | "phrases" | "off";

export type ChatMessage = { "text": string } | { "phrase": Phrase };

export type ChooseMail = { 
/**
 * The address. A new address receives a link with which the user confirms it.
 */
address: string, 
/**
 * The language of the mails.
 */
language: MessageLanguage, 
/**
 * True to be notified by mail; true if not given.
 */
notifications?: boolean, };

export type ChooseNotifications = { 
/**
 * True to be notified of turns in correspondence matches.
 */
turn: boolean, 
/**
 * True to be notified of started matches.
 */
started: boolean, 
/**
 * The hours without notifications; null or absent if there are none.
 */
quiet_hours?: QuietHours | null, };

export type ChooseWebhook = { 
/**
 * The https URL.
 */
url: string, 
/**
 * The events that the webhook receives, at least one of `opened`, `started` and `ended`.
 */
events: Array<WebhookEvent>, 
/**
 * True if the webhook also receives the events of private tables; false if not given.
 */
private?: boolean, };

export type ClientFrame = { "t": "hello", 
/**
 * The bearer token from `POST /api/guests`.
 */
token?: string, } | { "t": "watch_lobby", } | { "t": "unwatch_lobby", } | { "t": "watch_own_tables", } | { "t": "unwatch_own_tables", } | { "t": "watch", 
/**
 * The table.
 */
table: TableId, 
/**
 * The match whose events the client already has.
 */
match?: MatchId, 
/**
 * The number (`seq`) of the last event of that match that the client has.
 */
after?: number, 
/**
 * The secret of a watch link or an invite, for a private table.
 */
secret?: string, 
/**
 * True for a preview, such as a small board in a list. A preview does not count as a
 * spectator, and does not make a player present at the player's own table.
 */
preview?: boolean, } | { "t": "unwatch", 
/**
 * The table.
 */
table: TableId, } | { "t": "sit", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The seat; if not given, the first open seat in turn order.
 */
seat?: Color, 
/**
 * The secret of an invite, for a private table.
 */
invite?: string, 
/**
 * The user's contribution to the lot; made by the server if not given.
 */
nonce?: Nonce, } | { "t": "leave", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The seat to give up; if not given, all of the user's seats.
 */
seat?: Color, } | { "t": "kick", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The seat.
 */
color: Color, } | { "t": "add_bot", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The seat; if not given, the first open seat in turn order.
 */
seat?: Color, 
/**
 * The bot.
 */
bot: BotChoice, } | { "t": "move", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The `seq` of the last event that the client had received. If the board or the turn has
 * changed since that event, the move is refused as `stale`.
 */
after: number, 
/**
 * The move.
 */
move: Move, 
/**
 * True to claim the draw by repetition or move count that this move brings about (RULES
 * G11).
 */
claim_draw?: boolean, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "resign", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "request", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The kind of request.
 */
request: Request, 
/**
 * The action: ask, accept or decline.
 */
action: RequestAction, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "claim_draw", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "resume", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "chat", 
/**
 * The table. The connection must watch the table, or the user must hold a seat there.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The room that the user belongs to. If the user now belongs to the other room, the
 * message is refused as `wrong_room`.
 */
room: Room, 
/**
 * The message.
 */
message: ChatMessage, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "rematch", 
/**
 * The table.
 */
table: TableId, 
/**
 * The command's id.
 */
cmd: CommandId, 
/**
 * The match that the command is for. If the table has another match, the command is
 * refused as `other_match`.
 */
match?: MatchId, 
/**
 * The action: ask, accept or decline.
 */
action: RequestAction, 
/**
 * The user's contribution to the lot; made by the server if not given.
 */
nonce?: Nonce, 
/**
 * The user's seat that the command is for.
 */
seat?: Color, } | { "t": "ping", };

export type ClockPatch = { 
/**
 * The clocks that differ, and the clocks that were running before the event or are running
 * after it.
 */
left_ms?: { [key in Color]?: number }, 
/**
 * See [`ClockView::running`].
 */
running?: Color | null, 
/**
 * See [`ClockView::delay_left_ms`].
 */
delay_left_ms?: number, 
/**
 * See [`ClockView::first_move`].
 */
first_move?: boolean | null, };

export type ClockView = { 
/**
 * Each player's time left, in milliseconds.
 */
left_ms: { [key in Color]?: number }, 
/**
 * The player whose clock runs, if a clock runs.
 */
running?: Color, 
/**
 * The delay that is left before the running clock counts down, in milliseconds.
 */
delay_left_ms: number, 
/**
 * True if the player to move has not made its first move yet. If the player does not move, the
 * match is aborted at the end of the delay, or in a correspondence match at the end of the
 * time left.
 */
first_move?: boolean, };

export type CloseReport = { 
/**
 * The outcome.
 */
outcome: ReportOutcome, 
/**
 * A note for operators, 1 to 500 characters.
 */
note?: string, };

export type Color = "white" | "black" | "red" | "blue" | "yellow" | "green";

export type CommandId = string;

export type Commitment = string;

export type ConditionalBoard = { 
/**
 * The match. If the table has another match, the request is refused as `other_match`.
 */
match: MatchId, 
/**
 * The number of the event after which the first step comes.
 */
after: number, 
/**
 * The steps.
 */
steps: Array<ConditionalStep>, };

export type ConditionalMoves = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The user's seats that have conditional moves.
 */
seats: Array<SeatConditionalMoves>, 
/**
 * The numbers of the events in which the server has made conditional moves of the user.
 */
played: Array<number>, };

export type ConditionalStep = { 
/**
 * The color that moves.
 */
color: Color, 
/**
 * The move. Absent if any move of an opponent meets the condition, which is possible in a
 * variant with more than two players.
 */
move?: Move, };

export type ConfirmMail = { 
/**
 * The secret in the link.
 */
secret: string, };

export type ConfirmPasswordReset = { 
/**
 * The secret in the link.
 */
secret: string, 
/**
 * The new password.
 */
password: string, };

export type ConnectedProvider = { 
/**
 * The id of the provider.
 */
id: string, 
/**
 * The name of the provider; its id if the server does not know the provider any more.
 */
name: string, 
/**
 * The name that the account had there when it was connected. It may be empty.
 */
user_name: string, 
/**
 * The time at which it was connected, in milliseconds since the Unix epoch.
 */
connected_at_ms: number, };

export type CreateTable = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The visibility.
 */
privacy: Privacy, 
/**
 * The host's own seat, taken at once.
 */
seat?: Color, 
/**
 * The random contribution of the host's seat to the lot; generated by the server if not given.
 */
nonce?: Nonce, 
/**
 * The start position (FEN or FEN4). It also determines the first player.
 */
setup?: string, 
/**
 * The handling of draws by repetition and move count; `claim` if not given.
 */
draws?: DrawPolicy, 
/**
 * The time control; none if not given.
 */
time?: TimeSetting, 
/**
 * The consequence for a player who stays away too long; `eliminate` if not given.
 */
absence?: Absence, 
/**
 * The users who may watch; if not given, `everybody` at a public table and `link` at a private
 * table.
 */
watchers?: Watchers, 
/**
 * The kind of messages that the players' chat room allows. If not given, `on` at a casual
 * table, and `phrases` at a rated one.
 */
chat?: Chat, 
/**
 * The users who may take a seat; `open` if not given. A private table always has `invite`.
 */
admission?: Admission, 
/**
 * True if the result counts for ratings; false if not given.
 */
rated?: boolean, 
/**
 * The ratings of the users who may take a seat without an invite, at a rated table whose seats
 * are open; all if not given.
 */
rating_range?: RatingRange, 
/**
 * The way in which seats are assigned; `chosen` if not given.
 */
seating?: Seating, 
/**
 * The time limit for a move in a match without clocks, in milliseconds. If not given, five
 * minutes at a public table and no limit at a private table.
 */
move_limit_ms?: number, 
/**
 * True if a user may hold several seats; false if not given.
 */
hotseat?: boolean, 
/**
 * The group for which the table is created; none if not given. Its members see the table, and sit
 * there without an invite. The host must be a member.
 */
group?: GroupId, 
/**
 * True to hide the names of the users at the table until the match is over; false if not given.
 * Only for variants with more than two players.
 */
anonymous?: boolean, 
/**
 * Bots that hold seats from the beginning. If the host and these bots hold all seats, the
 * match starts at once.
 */
bots?: Array<BotSeat>, 
/**
 * The request's id, unique per user. Repeating the request with this id within a day returns
 * the same table.
 */
cmd?: CommandId, };

export type DeleteUser = { 
/**
 * The password of the account; absent for a guest, and for an account without a password.
 */
password?: string, };

export type DrawPolicy = "claim" | "automatic";

export type EliminatedView = { 
/**
 * The player.
 */
color: Color, 
/**
 * The cause of the elimination.
 */
cause: Cause, };

export type EloRange = { 
/**
 * The lowest rating.
 */
min: number, 
/**
 * The highest rating.
 */
max: number, };

export type EngineView = { 
/**
 * The engine's name in a [`BotChoice`].
 */
engine: string, 
/**
 * The variants that the engine plays.
 */
variants: Array<Variant>, 
/**
 * The Elo ratings that the engine's strength can be limited to; absent if the strength cannot
 * be limited.
 */
elo?: EloRange, };

export type Entry = { 
/**
 * The number of the event in its match. Numbers start at 1 and have no gaps.
 */
seq: number, 
/**
 * The time of the event, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The event.
 */
event: Event, 
/**
 * The move in the notation of its variant: SAN in `classic`, PGN4's long form on a
 * cross-shaped board.
 */
notation?: string, 
/**
 * The squares that changed, with their new contents.
 */
squares?: { [key in Square]: Piece | null }, 
/**
 * The colors that are in check after the event (RULES G7).
 */
checks?: Array<Color>, 
/**
 * All attacks on the kings that are in check.
 */
attacks?: Array<AttackView>, 
/**
 * The new contents of the reserves that changed (RULES D5), for active players. A reserve that
 * no event has listed yet is empty.
 */
reserves?: { [key in Color]?: ReserveView }, };

export type ErrorBody = { 
/**
 * The kind of refusal, for programs.
 */
code: RefusalCode, 
/**
 * The reason, for people.
 */
message: string, };

export type Event = { "type": "opened", 
/**
 * The table's settings.
 */
settings: TableSettings, 
/**
 * The first host.
 */
host: UserView, 
/**
 * The hash of the secret for the lot, the draw of the first player (module `lot`).
 */
commitment: Commitment, 
/**
 * The previous match at this table, if this is a rematch.
 */
previous?: MatchId, 
/**
 * The users that the host kicked in previous matches at this table. They may not take a
 * seat again.
 */
kicked?: Array<UserId>, } | { "type": "seated", 
/**
 * The seat.
 */
color: Color, 
/**
 * The user who took the seat.
 */
user: UserView, 
/**
 * The seat's random contribution to the lot.
 */
nonce: Nonce, } | { "type": "vacated", 
/**
 * The seat.
 */
color: Color, 
/**
 * The reason why the seat was given up.
 */
reason: VacateReason, } | { "type": "host_changed", 
/**
 * The new host.
 */
host: UserView, } | { "type": "started", 
/**
 * The player who moves first (RULES D2). This player is drawn by lot, unless the start
 * position determines the player.
 */
first_player: Color, 
/**
 * The secret whose hash is the commitment. With it everybody can verify the lot.
 */
secret: Secret, 
/**
 * The new holder of each seat, if the seats were drawn by lot.
 */
seats?: { [key in Color]?: UserView }, } | { "type": "moved", 
/**
 * The player who moved.
 */
color: Color, 
/**
 * The move.
 */
move: Move, 
/**
 * The mover's time left after the move, in milliseconds, if the match has clocks.
 */
left_ms?: number, 
/**
 * The time for which the mover was disconnected during this turn, in milliseconds. It is
 * deducted from the mover's reconnect bank. Absent if zero.
 */
away_ms?: number, 
/**
 * The compensation for network lag that the mover's clock received, in milliseconds.
 * Absent if zero.
 */
lag_ms?: number, } | { "type": "eliminated", 
/**
 * The eliminated player.
 */
color: Color, 
/**
 * The cause.
 */
cause: Cause, 
/**
 * The colors whose pieces attacked the king when the mate was determined (RULES D12).
 */
by?: Array<Color>, } | { "type": "requested", 
/**
 * The kind of request.
 */
request: Request, 
/**
 * The player who asked.
 */
color: Color, } | { "type": "agreed", 
/**
 * The kind of request.
 */
request: Request, 
/**
 * The player who agreed.
 */
color: Color, } | { "type": "declined", 
/**
 * The kind of request.
 */
request: Request, 
/**
 * The player who declined.
 */
color: Color, } | { "type": "taken_back", 
/**
 * The number of moves.
 */
plies: number, 
/**
 * The time left to the player whose clock was running, in milliseconds, if the match has
 * clocks.
 */
left_ms?: number, 
/**
 * The time for which the player to move had been disconnected during this turn, in
 * milliseconds, like that of a move. Absent if zero.
 */
away_ms?: number, } | { "type": "message_sent", 
/**
 * The sender.
 */
user: UserView, 
/**
 * The sender's seat, if the sender has a seat. An eliminated player still has its seat.
 */
color?: Color, 
/**
 * The room. Seated players do not receive messages of the bystanders' room while the match
 * runs (RULES D15).
 */
room: Room, 
/**
 * The message.
 */
message: ChatMessage, } | { "type": "paused", } | { "type": "waiting", 
/**
 * The player that the match waits for.
 */
color: Color, } | { "type": "resuming", 
/**
 * The player who ended the pause; absent if the pause reached its time limit.
 */
color?: Color, 
/**
 * The time when the pause ends, in milliseconds since the Unix epoch.
 */
until_ms: number, } | { "type": "resumed", } | { "type": "vacation_started", 
/**
 * The player.
 */
color: Color, 
/**
 * The beginning of the vacation, in milliseconds since the Unix epoch. The player's clock is
 * charged up to this time.
 */
since_ms: number, 
/**
 * The end of the vacation, in milliseconds since the Unix epoch.
 */
until_ms: number, } | { "type": "vacation_ended", 
/**
 * The player.
 */
color: Color, } | { "type": "substituted", 
/**
 * The seat.
 */
color: Color, 
/**
 * The bot.
 */
bot: UserView, } | { "type": "returned", 
/**
 * The seat.
 */
color: Color, } | { "type": "interrupted", 
/**
 * The last time at which the server is known to have run, in milliseconds since the Unix
 * epoch.
 */
until_ms: number, 
/**
 * The time at which the clocks run again, in milliseconds since the Unix epoch.
 */
resumes_ms: number, 
/**
 * The time for which the player to move was disconnected during this turn before
 * `until_ms`, in milliseconds. It is deducted from the player's reconnect bank in addition
 * to the `away_ms` of the move. Absent if zero.
 */
away_ms?: number, } | { "type": "aborted", 
/**
 * The cause.
 */
cause: AbortCause, } | { "type": "ended", 
/**
 * The reason.
 */
reason: Reason, 
/**
 * The place of each player; 1 is the best (RULES D12). Players with equal numbers share a
 * place.
 */
places: { [key in Color]?: number }, } | { "type": "rematch_requested", 
/**
 * The player who asked.
 */
color: Color, 
/**
 * The id of the next match, if all players agree to the rematch.
 */
match: MatchId, 
/**
 * The hash of the secret for the lot of the rematch.
 */
commitment: Commitment, 
/**
 * This player's contribution to the lot.
 */
nonce: Nonce, } | { "type": "rematch_agreed", 
/**
 * The player who agreed.
 */
color: Color, 
/**
 * This player's contribution to the lot.
 */
nonce: Nonce, } | { "type": "rematch_declined", 
/**
 * The player who declined.
 */
color: Color, } | { "type": "rematched", 
/**
 * The next match.
 */
match: MatchId, } | { "type": "closed", 
/**
 * The reason that the operator gave; absent if no user was present any more.
 */
reason?: string, };

export type Exploration = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The shape of the board.
 */
board: BoardView, 
/**
 * The seats in turn order; they have no holders.
 */
seats: Array<SeatView>, 
/**
 * The pieces before the first move.
 */
start: { [key in Square]: Piece }, 
/**
 * The position before the first move, FEN or FEN4.
 */
start_fen: string, 
/**
 * The players eliminated before the first move.
 */
start_eliminated?: Array<EliminatedView>, 
/**
 * The moves of the text, then the moves of the request.
 */
line: Array<ExploredPly>, 
/**
 * The state after the last move.
 */
state: StateView, 
/**
 * The legal moves after the last move; empty if the game is over.
 */
legal_moves: Array<Move>, 
/**
 * The position after the last move, FEN or FEN4.
 */
fen: string, 
/**
 * The whole line, PGN or PGN4.
 */
notation: string, 
/**
 * The players' names, if the text contains them.
 */
players?: { [key in Color]?: string }, 
/**
 * The result given in the text.
 */
result?: string, 
/**
 * Warnings about parts of the text that were ignored, for people.
 */
warnings?: Array<string>, 
/**
 * The first illegal move or elimination in the text, if there is one.
 */
stopped?: ExploreStop, 
/**
 * The number of games in the text after the first game.
 */
more_games?: number, };

export type Explore = { 
/**
 * The initial position.
 */
setup: ExploreSetup, 
/**
 * The moves to play, in order.
 */
moves?: Array<Move>, };

export type ExploreSetup = { "kind": "start", 
/**
 * The variant.
 */
variant: Variant, } | { "kind": "text", 
/**
 * A FEN, FEN4, PGN or PGN4. If it contains several games, the first game is used.
 */
text: string, 
/**
 * The variant, if the text does not specify it.
 */
variant?: Variant, 
/**
 * The maximum number of the text's moves to play; all if not given.
 */
plies?: number, };

export type ExploreStop = { 
/**
 * The line of the word in the text, from 1.
 */
line: number, 
/**
 * The column of the word in its line, from 1.
 */
column: number, 
/**
 * The number of the round in which the word appears.
 */
round: number, 
/**
 * The player to move.
 */
color: Color, 
/**
 * The word as written.
 */
text: string, 
/**
 * The reason, for people.
 */
reason: string, };

export type ExploredElimination = { 
/**
 * The eliminated player.
 */
color: Color, 
/**
 * The cause.
 */
cause: Cause, 
/**
 * The colors whose pieces attacked the king when the mate was determined (RULES D12).
 */
by?: Array<Color>, };

export type ExploredPly = { 
/**
 * The player who makes the move.
 */
color: Color, 
/**
 * The move.
 */
move: Move, 
/**
 * The move in the notation of its variant: SAN in `classic`, PGN4's long form on a
 * cross-shaped board.
 */
notation: string, 
/**
 * The new contents of all squares that changed. They include the squares of eliminated
 * players' pieces, which leave the board.
 */
squares: { [key in Square]: Piece | null }, 
/**
 * The colors that are in check after the move (RULES G7).
 */
checks?: Array<Color>, 
/**
 * All attacks on the kings that are in check.
 */
attacks?: Array<AttackView>, 
/**
 * The players who were eliminated between this move and the next, in the order of their
 * elimination.
 */
eliminated?: Array<ExploredElimination>, };

export type FollowedUser = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time since which the current user follows the user, in milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * True if the user is connected now; absent otherwise.
 */
online?: boolean, 
/**
 * The public table at which the user plays now, the newest if there are several; absent if
 * there is none.
 */
table?: TableId, };

export type FollowedUsers = { 
/**
 * The users, the one that was followed last first.
 */
users: Array<FollowedUser>, };

export type GroupId = string;

export type GroupList = { 
/**
 * The groups of the current user, the one that the user joined last first.
 */
groups: Array<GroupView>, };

export type GroupMember = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The role.
 */
role: GroupRole, 
/**
 * The time since which the user is a member, in milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * True if the user is connected now; absent otherwise.
 */
online?: boolean, };

export type GroupMembers = { 
/**
 * The members: the owner, the admins, and the others, in the order in which they joined.
 */
members: Array<GroupMember>, 
/**
 * For the owner and the admins: the removed users, who cannot join again.
 */
removed?: Array<UserView>, };

export type GroupRole = "owner" | "admin" | "member";

export type GroupStanding = { 
/**
 * The user.
 */
user: UserView, 
/**
 * True if the user is a member of the group.
 */
member: boolean, 
/**
 * The number of matches.
 */
matches: number, 
/**
 * The number of matches in which the user had the first place alone.
 */
wins: number, 
/**
 * The sum over all matches: one point for each player with a worse place, and half a point for
 * each other player with the same place.
 */
points: number, 
/**
 * The numbers of first, second, third and fourth places, including shared ones.
 */
places: [number, number, number, number], };

export type GroupStandings = { 
/**
 * The players of the group's matches, the one with the most points first.
 */
standings: Array<GroupStanding>, };

export type GroupTables = { 
/**
 * The unfinished tables of the group, newest first, at most 100. For users who are not members,
 * only the public ones.
 */
tables: Array<TableSummary>, };

export type GroupView = { 
/**
 * The group.
 */
group: GroupId, 
/**
 * The name.
 */
name: string, 
/**
 * The description, if there is one.
 */
text?: string, 
/**
 * The visibility.
 */
visibility: GroupVisibility, 
/**
 * The time of the creation, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The number of members.
 */
members: number, 
/**
 * The role of the current user; absent if the user is not a member.
 */
role?: GroupRole, 
/**
 * The secret of the link by which users join a private group: `/g/<group>#join=<secret>`. Only
 * the owner and the admins receive it.
 */
secret?: string, };

export type GroupVisibility = "private" | "public";

export type GuestCreated = { 
/**
 * The new user.
 */
user: UserView, 
/**
 * The bearer token. No other request returns it, because the server stores only its hash.
 */
token: string, };

export type HandoverPreview = { 
/**
 * The user of the handover.
 */
user: UserView, 
/**
 * The user that this browser's cookie identifies now; absent if the browser has no cookie.
 */
you?: UserView, };

export type Head = { 
/**
 * The table's current match.
 */
match: MatchId, 
/**
 * The number of the match's last event.
 */
seq: number, };

export type InvitationList = { 
/**
 * The invitations, newest first.
 */
invitations: Array<InvitationView>, };

export type InvitationView = { 
/**
 * The table.
 */
table: TableSummary, 
/**
 * The user who has sent the invitation.
 */
from: UserView, 
/**
 * The seat for the current user; absent for any open seat.
 */
seat?: Color, 
/**
 * The time of the invitation, in milliseconds since the Unix epoch.
 */
invited_at_ms: number, 
/**
 * The time when the invitation expires, in milliseconds since the Unix epoch.
 */
expires_at_ms: number, };

export type InviteAgain = { 
/**
 * The current user's seat at the new table; the seat in the match if not given.
 */
seat?: Color, 
/**
 * The request's id, unique per user. Repeating the request with this id within a day returns
 * the same table.
 */
cmd?: CommandId, };

export type InvitedAgain = { 
/**
 * The new table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * The invited users.
 */
invited: Array<UserView>, };

export type JoinGroup = { 
/**
 * The secret of the link. A public group needs none.
 */
secret?: string, };

export type Leaderboard = { 
/**
 * The players, best first. Only players with a certain rating and enough rated matches are
 * listed.
 */
players: Array<RankedPlayer>, };

export type LeftMatch = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The time, in milliseconds since the Unix epoch.
 */
at_ms: number, };

export type LinkCreated = { 
/**
 * The secret for the link's fragment: `/t/<table>#invite=<secret>`, `#watch=<secret>`, or
 * `#seat=<secret>` for a handover. No other request returns it.
 */
secret: string, 
/**
 * The time when the link expires, in milliseconds since the Unix epoch.
 */
expires_at_ms: number, 
/**
 * The origin that the link needs, such as `http://192.168.1.7:8080`. It is present if the
 * origin of the request works only on the server's own machine, and other machines reach the
 * server by another origin.
 */
origin?: string, };

export type LinkKind = "invite" | "watch";

export type LinkList = { 
/**
 * The links.
 */
links: Array<LinkView>, };

export type LinkView = { 
/**
 * The id of the link in `DELETE /api/tables/{table}/links/{link}`. The id alone gives no right
 * at the table.
 */
id: string, 
/**
 * The right that the link gives.
 */
kind: LinkKind, 
/**
 * The only seat that the invite grants; any open seat if not given.
 */
seat?: Color, 
/**
 * The number of times that the link can be used.
 */
uses: Uses, 
/**
 * True if a user has taken a seat with the invite.
 */
used: boolean, 
/**
 * The time when the link was created, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time when the link expires, in milliseconds since the Unix epoch.
 */
expires_at_ms: number, };

export type LinkVisitor = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The kind of link.
 */
kind: LinkKind, 
/**
 * The only seat that the invite is for; any seat if not given.
 */
seat?: Color, 
/**
 * The time when the user first opened the table, in milliseconds since the Unix epoch.
 */
opened_at_ms: number, };

export type LobbyCounts = { 
/**
 * The number of tables with open seats.
 */
open: number, 
/**
 * The number of tables with a running match.
 */
running: number, 
/**
 * The number of seats that people hold at these tables. The server's bots do not count.
 */
players: number, };

export type MailSettings = { 
/**
 * The confirmed address; without one, the address that the user must confirm; absent if there is
 * none.
 */
address?: string, 
/**
 * True if `address` is confirmed.
 */
confirmed: boolean, 
/**
 * The language of the mails; absent if there is no address.
 */
language?: MessageLanguage, 
/**
 * True if the user is notified by mail. Otherwise the address only serves to set a new password.
 */
notifications: boolean, 
/**
 * The address that replaces `address` as soon as the user confirms it; absent if there is none.
 */
pending?: string, };

export type MatchConditionalMoves = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The color of the seat.
 */
color: Color, 
/**
 * The number of the event after which the first step of each line comes.
 */
after: number, 
/**
 * The lines.
 */
lines: Array<Array<ConditionalStep>>, };

export type MatchId = string;

export type MatchList = { 
/**
 * Matches that have started, newest first.
 */
matches: Array<MatchSummary>, 
/**
 * The value of `before` that requests the next page; absent on the last page.
 */
next?: string, };

export type MatchRatings = { 
/**
 * The seats in turn order.
 */
seats: Array<SeatRating>, };

export type MatchRecord = { 
/**
 * The version of the format.
 */
format: RecordFormat, 
/**
 * The match's id on its server; absent for a game that was not played on a server.
 */
match?: MatchId, 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The position before the first move (FEN or FEN4), if it is not the variant's start position
 * with White or Red to move.
 */
setup?: string, 
/**
 * The handling of draws by repetition and move count; `claim` if not given.
 */
draws?: DrawPolicy, 
/**
 * The time control, if it is known and of a supported kind.
 */
time?: TimeSetting, 
/**
 * The players' names, if known.
 */
players?: { [key in Color]?: string }, 
/**
 * The events, in order.
 */
events: Array<RecordedEvent>, 
/**
 * The tags of PGN or PGN4, in their order: name and value.
 */
tags?: Array<[string, string]>, 
/**
 * The original text of the game.
 */
written?: Movetext, 
/**
 * The first illegal move or elimination in the text. The events end before it.
 */
stopped?: RejectedText, };

export type MatchSummary = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The match's table.
 */
table: TableId, 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The time control.
 */
time: TimeSetting, 
/**
 * The time limit for a move in a match without clocks, in milliseconds. Absent if there was
 * none, or if the match was archived by a version that did not store it.
 */
move_limit_ms?: number, 
/**
 * True if the match counts for ratings, unless it ends without a result.
 */
rated?: boolean, 
/**
 * The seats in turn order, with their players.
 */
seats: Array<SeatView>, 
/**
 * The time of the start, in milliseconds since the Unix epoch.
 */
started_at_ms: number, 
/**
 * The time of the end, in milliseconds since the Unix epoch; absent while the match runs.
 */
ended_at_ms?: number, 
/**
 * The number of moves so far.
 */
plies: number, 
/**
 * The result, once the match has ended.
 */
outcome?: OutcomeView, 
/**
 * The reason why the match was aborted; absent if it was not aborted.
 */
aborted?: AbortCause, };

export type MatchView = { 
/**
 * The match's table.
 */
table: TableId, 
/**
 * The match.
 */
match: MatchId, 
/**
 * The number of the match's last event.
 */
seq: number, 
/**
 * The state of the match, without the current presence of its players.
 */
view: TableView, };

export type Me = { 
/**
 * The current user.
 */
user: UserView, 
/**
 * The tables at which the user holds a seat or is host and whose match has not ended, newest
 * first.
 */
tables: Array<TableSummary>, 
/**
 * The value of `before` that requests the next page; absent on the last page.
 */
next?: TableId, 
/**
 * True if the user has a recovery key; absent otherwise.
 */
recovery_key?: boolean, 
/**
 * The suspension; absent if the user is not suspended.
 */
suspension?: UserSuspensionView, 
/**
 * The warnings by operators that the user has not acknowledged, newest first.
 */
warnings?: Array<WarningView>, 
/**
 * The time for which the user may not sit down at rated tables; absent if the user need not
 * wait.
 */
rated_wait?: RatedWaitView, 
/**
 * True if the client may use the routes of operators; absent otherwise.
 */
operator?: boolean, };

export type MessageLanguage = "en" | "de" | "es";

export type Move = string;

export type Movetext = { 
/**
 * The moves and eliminations as written, in their order.
 */
line: Array<MovetextItem>, 
/**
 * The result after the moves of a PGN game.
 */
result?: string, };

export type MovetextItem = { 
/**
 * The move number before the move.
 */
number?: number, 
/**
 * The number of dots after the move number; one if not given.
 */
dots?: number, 
/**
 * The move or elimination as written.
 */
text?: string, 
/**
 * PGN's numeric annotation glyphs after the move.
 */
nags?: Array<number>, 
/**
 * Comments after the move.
 */
comments?: Array<string>, 
/**
 * The variations: alternatives to this move, each with the moves that follow it.
 */
variations?: Array<Array<MovetextItem>>, };

export type NewAccount = { 
/**
 * The name of the account, 1 to 24 characters. It becomes the user's display name.
 */
name: string, 
/**
 * The password, 8 to 128 characters.
 */
password: string, };

export type NewGroup = { 
/**
 * The name, 1 to 40 characters.
 */
name: string, 
/**
 * A description, 1 to 500 characters; none if not given.
 */
text?: string, 
/**
 * The visibility; `private` if not given.
 */
visibility?: GroupVisibility, };

export type NewGuest = { 
/**
 * The display name, 1 to 24 characters; generated if not given.
 */
name?: string, 
/**
 * True for a bot; false if not given. Every client marks a bot as such.
 */
bot?: boolean, };

export type NewInvitation = { 
/**
 * The invited user.
 */
user: UserId, 
/**
 * The seat for the user; any open seat if not given.
 */
seat?: Color, };

export type NewInvite = { 
/**
 * The only seat that the invite grants; any open seat if not given.
 */
seat?: Color, 
/**
 * The number of seats that the invite grants.
 */
uses: Uses, };

export type NewProviderAccount = { 
/**
 * The name of the account, 1 to 24 characters. It becomes the user's display name.
 */
name: string, };

export type NewPushSubscription = { 
/**
 * The URL at the push service.
 */
endpoint: string, 
/**
 * The keys of the subscription.
 */
keys: PushSubscriptionKeys, 
/**
 * The language of the messages.
 */
language: MessageLanguage, };

export type NewReport = { 
/**
 * The reported user.
 */
user: UserId, 
/**
 * The reason.
 */
reason: ReportReason, 
/**
 * A description of what happened, at most 1000 characters.
 */
text?: string, 
/**
 * The moment; only a report with the reason `name` or `other` may have none.
 */
moment?: ReportMoment, };

export type NewSession = { 
/**
 * The secret of a handover. If given, the browser continues as the user of the handover.
 */
handover?: string, 
/**
 * A recovery key. If given, the browser continues as the user of the key.
 */
recovery_key?: string, 
/**
 * The name of an account. If given with the password, the browser continues as the user of the
 * account.
 */
name?: string, 
/**
 * The password of the account.
 */
password?: string, };

export type NewToken = { 
/**
 * The name by which the user recognizes the token, 1 to 60 characters.
 */
name: string, 
/**
 * The scopes of the token, at least one.
 */
scopes: Array<TokenScope>, 
/**
 * The number of days after which the token expires, 1 to 400; null or absent if it never
 * expires.
 */
expires_in_days?: number | null, };

export type Nonce = string;

export type NotificationSettings = { 
/**
 * The facts with which a browser subscribes; absent if the server sends no push messages.
 */
push?: PushOffer, 
/**
 * The browsers that receive push messages, newest first.
 */
subscriptions: Array<PushSubscriptionView>, 
/**
 * True if the user is notified of turns in correspondence matches.
 */
turn: boolean, 
/**
 * True if the user is notified of started matches.
 */
started: boolean, 
/**
 * The hours in which the user is not notified; absent if there are none.
 */
quiet_hours?: QuietHours, 
/**
 * The mail settings; absent for guests, and if the server sends no mails.
 */
mail?: MailSettings, 
/**
 * True if the user may have webhooks.
 */
webhooks: boolean, };

export type Opponent = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The number of the current user's last 50 matches in which the user has played.
 */
matches: number, 
/**
 * The start of the last of these matches, in milliseconds since the Unix epoch.
 */
last_at_ms: number, 
/**
 * The relations of the current user to the user.
 */
relation: Relation, };

export type Opponents = { 
/**
 * The other players of the last 50 matches of the current user, the one of the last match first.
 */
opponents: Array<Opponent>, };

export type OutcomeView = { 
/**
 * The reason.
 */
reason: Reason, 
/**
 * The place of each player; 1 is the best. Players with equal numbers share a place.
 */
places: { [key in Color]?: number }, };

export type OwnReport = { 
/**
 * The reported user.
 */
user: UserId, 
/**
 * The name of the reported user at the time of the report.
 */
name: string, 
/**
 * The reason.
 */
reason: ReportReason, 
/**
 * The text.
 */
text?: string, 
/**
 * The moment.
 */
moment?: ReportMoment, 
/**
 * The time of the report, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * True until an operator has closed the report.
 */
open: boolean, };

export type OwnTable = { 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * True if the user may move now.
 */
your_move: boolean, 
/**
 * The time until the user must have moved, in milliseconds, if it is limited.
 */
left_ms?: number, 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's settings.
 */
settings: TableSettings, 
/**
 * The current host.
 */
host: UserView, 
/**
 * The phase of the match: open, running or ended.
 */
phase: Phase, 
/**
 * The seats in turn order.
 */
seats: Array<SeatView>, 
/**
 * The player to move, while the match runs.
 */
turn?: Color, 
/**
 * The number of moves so far.
 */
plies: number, 
/**
 * The number of people who watch without a seat.
 */
spectators: number, 
/**
 * The time of the table's creation, in milliseconds since the Unix epoch.
 */
created_at_ms: number, };

export type PairCount = { 
/**
 * The number of captured pieces.
 */
captures: number, 
/**
 * The expected number of captures.
 */
expected_captures: number, 
/**
 * The number of checks.
 */
checks: number, 
/**
 * The expected number of checks.
 */
expected_checks: number, 
/**
 * The number of mates in which the user attacked the king of the other one.
 */
eliminations: number, 
/**
 * The expected number of these mates.
 */
expected_eliminations: number, };

export type PairDetails = { 
/**
 * The pair. The first user has the smaller id.
 */
pair: PairView, 
/**
 * The common rated matches of more than two players, newest first, at most 50.
 */
matches: Array<MatchSummary>, };

export type PairList = { 
/**
 * The pairs, the most conspicuous first.
 */
pairs: Array<PairView>, };

export type PairView = { 
/**
 * The first user.
 */
a: UserView, 
/**
 * The second user.
 */
b: UserView, 
/**
 * The number of common matches in the last 180 days.
 */
matches: number, 
/**
 * The number of standard deviations by which the users have done less to each other than
 * expected. It is negative if they have done more.
 */
spares: number, 
/**
 * The acts of the first user against the second one.
 */
a_to_b: PairCount, 
/**
 * The acts of the second user against the first one.
 */
b_to_a: PairCount, 
/**
 * The end of the last common match, in milliseconds since the Unix epoch.
 */
last_ms: number, };

export type PersonalData = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time of the user's first request, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time at which the account was created, in milliseconds since the Unix epoch; absent for a
 * guest.
 */
account_created_at_ms?: number, 
/**
 * The accounts at providers with which the user signs in.
 */
providers?: Array<ConnectedProvider>, 
/**
 * True if the user has a recovery key.
 */
recovery_key: boolean, 
/**
 * The suspension; absent if the user is not suspended.
 */
suspension?: UserSuspensionView, 
/**
 * The sessions, newest first.
 */
sessions: Array<SessionView>, 
/**
 * The tokens that the user has created for programs, newest first.
 */
tokens: Array<TokenView>, 
/**
 * The settings of notifications, with the browsers that receive push messages.
 */
notifications: NotificationSettings, 
/**
 * The webhooks, oldest first.
 */
webhooks: Array<Webhook>, 
/**
 * The ratings.
 */
ratings: Array<RatingView>, 
/**
 * The warnings of the user by operators, newest first.
 */
warnings?: Array<WarningView>, 
/**
 * The reports that the user has sent, newest first.
 */
reports?: Array<OwnReport>, 
/**
 * The groups of which the user is a member, the one that the user joined last first.
 */
groups?: Array<GroupView>, 
/**
 * The invitations to tables that wait for the user's answer, newest first.
 */
invitations?: Array<InvitationView>, 
/**
 * The unfinished tables at which the user holds a seat or is host, newest first.
 */
tables: Array<TableSummary>, 
/**
 * The conditional moves of the user in unfinished correspondence matches.
 */
conditional_moves?: Array<MatchConditionalMoves>, 
/**
 * The vacation days, with the current vacation.
 */
vacation: VacationStatus, 
/**
 * The started matches of the user, newest first, private ones included. The moves and messages
 * of each are at `/api/matches/{match}`.
 */
matches: Array<MatchSummary>, 
/**
 * The rated matches that the user has left before the end, the last one first.
 */
left_matches?: Array<LeftMatch>, 
/**
 * The network addresses from which the user has taken seats of rated matches that have not
 * begun.
 */
seat_networks?: Array<SeatNetwork>, 
/**
 * The acts of the user against each opponent in rated matches of more than two players.
 */
acts?: Array<ActsAgainst>, 
/**
 * The users whom the user follows.
 */
follows: Array<RelatedUser>, 
/**
 * The users that the user has blocked.
 */
blocks: Array<RelatedUser>, 
/**
 * The users that the user has muted.
 */
mutes: Array<RelatedUser>, };

export type Phase = "open" | "running" | "ended";

export type Phrase = "hello" | "good_luck" | "good_move" | "thanks" | "oops" | "one_moment" | "back" | "good_game" | "again" | "bye";

export type Piece = string;

export type PlayerView = { 
/**
 * The seat.
 */
color: Color, 
/**
 * The connection state.
 */
presence: Presence, 
/**
 * The time left in the player's reconnect bank, in milliseconds. Present while the player is
 * `reconnecting`.
 */
bank_left_ms?: number, 
/**
 * True if the time in the reconnect bank runs now. It runs only during the player's turn.
 */
bank_running?: boolean, };

export type Presence = "connected" | "reconnecting" | "gone";

export type Privacy = "public" | "private";

export type ProviderFailure = "provider_refused" | "provider_failed" | "stale_sign_in" | "already_connected" | "other_connected";

export type ProviderSignInStarted = { 
/**
 * The URL of the provider to which the browser goes.
 */
url: string, };

export type ProviderSignUp = { 
/**
 * The id of the provider.
 */
provider: string, 
/**
 * The name of the account there. It may be empty, taken, or no valid name here.
 */
name: string, };

export type PushOffer = { 
/**
 * The public key of the server (VAPID), in base64url: the `applicationServerKey`.
 */
public_key: string, };

export type PushSubscriptionAdded = { 
/**
 * The id of the subscription.
 */
id: string, };

export type PushSubscriptionKeys = { 
/**
 * The public key of the browser.
 */
p256dh: string, 
/**
 * The authentication secret.
 */
auth: string, };

export type PushSubscriptionView = { 
/**
 * The id.
 */
id: string, 
/**
 * The name of the browser, such as `Firefox, Linux`; absent if it is unknown.
 */
client?: string, 
/**
 * The language of the messages.
 */
language: MessageLanguage, 
/**
 * The time at which the browser has subscribed, in milliseconds since the Unix epoch.
 */
created_at_ms: number, };

export type QuickJoin = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The time control. If not given, tables with every time control except correspondence are
 * accepted, and a new table is created without clocks.
 */
time?: TimeSetting, 
/**
 * True to join or create a rated table, which needs an account and a `time`. Otherwise only
 * casual tables are accepted.
 */
rated?: boolean, 
/**
 * The random contribution of the seat to the lot; generated by the server if not given.
 */
nonce?: Nonce, 
/**
 * The request's id, unique per user. Repeating the request with this id returns the same seat.
 */
cmd?: CommandId, };

export type QuickJoined = { 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * The seat taken.
 */
seat: Color, };

export type QuietHours = { 
/**
 * The minute of the day at which the hours begin, 0 to 1439.
 */
from_minute: number, 
/**
 * The minute of the day at which the hours end, 0 to 1439.
 */
to_minute: number, 
/**
 * The difference of the user's time to UTC in minutes, positive in the east, -840 to 840.
 */
utc_offset_minutes: number, };

export type RankedPlayer = { 
/**
 * The player.
 */
user: UserView, 
/**
 * The rating, rounded.
 */
rating: number, 
/**
 * The number of rated matches.
 */
matches: number, };

export type RatedWaitView = { 
/**
 * The end of the time, in milliseconds since the Unix epoch.
 */
until_ms: number, 
/**
 * The number of rated matches that the user has left in the last 30 days.
 */
leaves: number, };

export type RatingHistory = { 
/**
 * The user's place in the leaderboard, from 1, also beyond the players it shows; absent if the
 * user has too few rated matches or an uncertain rating.
 */
rank?: number, 
/**
 * The ratings in the order of the matches. If there are very many, the newest ones.
 */
points: Array<RatingPoint>, };

export type RatingPoint = { 
/**
 * The end of the match, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The rating after the match, rounded.
 */
rating: number, 
/**
 * The standard deviation after the match, rounded.
 */
deviation: number, };

export type RatingRange = { 
/**
 * The lowest rating of the range, 0 to 4000; absent for no limit.
 */
min?: number, 
/**
 * The highest rating of the range, 0 to 4000; absent for no limit.
 */
max?: number, };

export type RatingView = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The speed.
 */
speed: Speed, 
/**
 * The rating, rounded. Players begin at 1500.
 */
rating: number, 
/**
 * The standard deviation of the rating, rounded.
 */
deviation: number, 
/**
 * True while the rating is too uncertain for a comparison with others.
 */
provisional?: boolean, 
/**
 * The number of rated matches.
 */
matches: number, };

export type Reason = "mate" | "stalemate" | "repetition" | "moves" | "material" | "agreement" | "resign" | "time" | "absence";

export type RecordFormat = "quadrex-record-2";

export type RecordedEvent = { 
/**
 * The time of the event, in milliseconds since the Unix epoch, if known.
 */
at_ms?: number, 
/**
 * The event.
 */
event: Event, };

export type RecoveryKeyCreated = { 
/**
 * The recovery key. No other request returns it, because the server stores only its hash.
 */
recovery_key: string, };

export type RefusalCode = "malformed" | "unknown_type" | "too_large" | "rate_limited" | "hello_expected" | "bad_token" | "unauthenticated" | "playing" | "not_found" | "forbidden" | "kicked" | "player_blocked" | "seat_taken" | "table_full" | "already_seated" | "not_seated" | "which_seat" | "substituted" | "no_such_seat" | "bad_invite" | "too_many_links" | "bad_handover" | "bad_mail_link" | "wrong_credentials" | "name_taken" | "invalid_password" | "already_account" | "account_needed" | "outside_rating_range" | "rated_wait" | "rename_too_soon" | "provider_failed" | "last_sign_in" | "missing_scope" | "suspended" | "too_many_tokens" | "list_full" | "not_started" | "already_started" | "other_match" | "ended" | "eliminated" | "not_your_turn" | "stale" | "illegal_move" | "paused" | "not_paused" | "no_draw_to_claim" | "request_refused" | "no_open_request" | "wrong_room" | "chat_off" | "bad_text" | "cmd_taken" | "bad_setup" | "bad_setting" | "bad_origin" | "busy" | "closing" | "internal";

export type RejectedText = { 
/**
 * The number of the round in which the move or elimination appears.
 */
round: number, 
/**
 * The player to move.
 */
color: Color, 
/**
 * The move or elimination as written.
 */
text: string, 
/**
 * The reason, for people.
 */
reason: string, };

export type RelatedUser = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time at which the user was added, in milliseconds since the Unix epoch.
 */
since_ms: number, };

export type RelatedUsers = { 
/**
 * The users, the one that was added last first.
 */
users: Array<RelatedUser>, };

export type Relation = { 
/**
 * True if the current user follows the other one; absent otherwise.
 */
follows?: boolean, 
/**
 * True if the current user has blocked the other one; absent otherwise.
 */
blocked?: boolean, 
/**
 * True if the current user has muted the other one; absent otherwise.
 */
muted?: boolean, };

export type RematchView = { 
/**
 * The player who asked.
 */
by: Color, 
/**
 * The players who have agreed, including the player who asked.
 */
agreed: Array<Color>, };

export type RenameUser = { 
/**
 * The new display name, 1 to 24 characters.
 */
name: string, };

export type ReportClosure = { 
/**
 * The time, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The operator who has closed the report.
 */
by: UserView, 
/**
 * The outcome.
 */
outcome: ReportOutcome, 
/**
 * The note of the operator.
 */
note?: string, };

export type ReportMoment = { 
/**
 * The match, which the reporter must be able to read.
 */
match: MatchId, 
/**
 * The number of the last event before the report.
 */
at: number, 
/**
 * The number of the event with the reported chat message; absent if the report is not about a
 * certain message.
 */
message?: number, };

export type ReportOutcome = "no_action" | "warned" | "suspended" | "renamed" | "table_closed" | "other";

export type ReportReason = "chat" | "cheating" | "unfair_play" | "stalling" | "name" | "other";

export type ReportedMessage = { 
/**
 * The number of the event.
 */
seq: number, 
/**
 * The time, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The sender.
 */
user: UserView, 
/**
 * The sender's seat, if the sender has a seat.
 */
color?: Color, 
/**
 * The room.
 */
room: Room, 
/**
 * The message.
 */
message: ChatMessage, };

export type Request = "draw" | "takeback" | "pause" | "abort";

export type RequestAction = "ask" | "accept" | "decline";

export type RequestPasswordReset = { 
/**
 * The name of the account.
 */
name: string, 
/**
 * The language of the mail.
 */
language: MessageLanguage, };

export type RequestView = { 
/**
 * The kind of request.
 */
request: Request, 
/**
 * The player who asked.
 */
by: Color, 
/**
 * The players who have agreed, including the player who asked.
 */
agreed: Array<Color>, };

export type ReserveView = { 
/**
 * The number of available rooks.
 */
rooks: number, 
/**
 * The number of available bishops.
 */
bishops: number, 
/**
 * The number of available knights.
 */
knights: number, };

export type Review = { 
/**
 * The number of nodes that the engine searched for a position.
 */
nodes: number, 
/**
 * Each player's chance of first place before the first move and after each move, in
 * thousandths. The chances of one entry sum to 1000, and an eliminated player has 0. With two
 * players each number is the chance of winning, and a draw counts as half a win. If the match
 * ended with places, the last entry is the result.
 */
chances: Array<{ [key in Color]?: number }>, 
/**
 * The moves that cost their players most, in the order of the match.
 */
swings: Array<Swing>, };

export type ReviewStatus = { "state": "none", } | { "state": "unavailable", } | { "state": "waiting", 
/**
 * The number of reviews that are made before this one.
 */
ahead: number, } | { "state": "running", 
/**
 * The number of positions that the engine has finished.
 */
done: number, 
/**
 * The number of positions of the match.
 */
of: number, } | { "state": "done", 
/**
 * The review.
 */
review: Review, };

export type Room = "seated" | "bystanders";

export type SeatConditionalMoves = { 
/**
 * The color of the seat.
 */
color: Color, 
/**
 * The number of the last event of the match, after which the first step of each line comes.
 */
after: number, 
/**
 * The lines that can still come true, without the steps that have been made. If several apply to
 * the same moves of the opponents, the first one counts.
 */
lines: Array<Array<ConditionalStep>>, };

export type SeatFacts = { 
/**
 * The color of the seat.
 */
color: Color, 
/**
 * The side of the board at which the color sits.
 */
side: Side, };

export type SeatNetwork = { 
/**
 * The match.
 */
match: MatchId, 
/**
 * The address of the network.
 */
network: string, };

export type SeatRating = { 
/**
 * The seat.
 */
color: Color, 
/**
 * The rating before the match, rounded.
 */
before: number, 
/**
 * True if the rating before the match was too uncertain for a comparison with others.
 */
provisional?: boolean, 
/**
 * The average final place that players with these ratings reach.
 */
expected_place: number, 
/**
 * The rating after the match, rounded; absent until the match is rated.
 */
after?: number, };

export type SeatView = { 
/**
 * The color of the seat.
 */
color: Color, 
/**
 * The side of the board at which the color sits.
 */
side: Side, 
/**
 * The holder, if any.
 */
user: UserView | null, 
/**
 * The bot that plays, or played to the end, in place of a holder who stayed away.
 */
substitute?: UserView, };

export type Seating = "chosen" | "drawn";

export type Secret = string;

export type SentInvitation = { 
/**
 * The invited user.
 */
user: UserView, 
/**
 * The seat for the user; absent for any open seat.
 */
seat?: Color, 
/**
 * The time of the invitation, in milliseconds since the Unix epoch.
 */
invited_at_ms: number, 
/**
 * The time when the invitation expires, in milliseconds since the Unix epoch.
 */
expires_at_ms: number, 
/**
 * True if the user has declined the invitation; absent otherwise.
 */
declined?: boolean, };

export type SentInvitations = { 
/**
 * The invitations.
 */
invitations: Array<SentInvitation>, };

export type ServerFrame = { "t": "welcome", 
/**
 * The negotiated subprotocol, `quadrex.v1`.
 */
protocol: string, 
/**
 * The server's version.
 */
version: string, 
/**
 * The identified user. A client without a user may still watch public tables.
 */
user: UserView | null, } | { "t": "lobby", 
/**
 * The tables.
 */
tables: Array<TableSummary>, 
/**
 * The total numbers.
 */
counts: LobbyCounts, 
/**
 * The activity on the server.
 */
activity: Activity, } | { "t": "lobby_table", 
/**
 * The table's new summary.
 */
table: TableSummary, } | { "t": "lobby_removed", 
/**
 * The table.
 */
table: TableId, } | { "t": "lobby_preview", 
/**
 * The status of each listed table that has changed.
 */
tables: Array<TableStatus>, 
/**
 * The total numbers, if they have changed.
 */
counts?: LobbyCounts, 
/**
 * The activity on the server, if it has changed.
 */
activity?: Activity, } | { "t": "own_tables", 
/**
 * The tables.
 */
tables: Array<OwnTable>, } | { "t": "own_table", 
/**
 * The table.
 */
table: OwnTable, } | { "t": "own_table_removed", 
/**
 * The table.
 */
table: TableId, } | { "t": "invitations", 
/**
 * The invitations.
 */
invitations: Array<InvitationView>, } | { "t": "snapshot", 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * The number of the last event that the snapshot contains.
 */
seq: number, 
/**
 * The table.
 */
view: TableView, } | { "t": "watching", 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * The number of the match's last event.
 */
seq: number, } | { "t": "event", 
/**
 * The table.
 */
table: TableId, 
/**
 * The match of the event.
 */
match: MatchId, 
/**
 * The merge patch that turns the state before the event into the state after it.
 */
state: StatePatch, 
/**
 * The receiver's legal moves, if it is now the receiver's turn.
 */
legal_moves?: Array<Move>, 
/**
 * Facts that explain which moves are legal, such as pins; absent if there are none.
 */
hints?: TurnHints, 
/**
 * The number of the event in its match. Numbers start at 1 and have no gaps.
 */
seq: number, 
/**
 * The time of the event, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The event.
 */
event: Event, 
/**
 * The move in the notation of its variant: SAN in `classic`, PGN4's long form on a
 * cross-shaped board.
 */
notation?: string, 
/**
 * The squares that changed, with their new contents.
 */
squares?: { [key in Square]: Piece | null }, 
/**
 * The colors that are in check after the event (RULES G7).
 */
checks?: Array<Color>, 
/**
 * All attacks on the kings that are in check.
 */
attacks?: Array<AttackView>, 
/**
 * The new contents of the reserves that changed (RULES D5), for active players. A reserve that
 * no event has listed yet is empty.
 */
reserves?: { [key in Color]?: ReserveView }, } | { "t": "skip", 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, 
/**
 * The number of the event.
 */
seq: number, } | { "t": "ack", 
/**
 * The table.
 */
table: TableId, 
/**
 * The match whose log contains the command's events.
 */
match: MatchId, 
/**
 * The command.
 */
cmd: CommandId, 
/**
 * The number of the command's last event.
 */
seq: number, } | { "t": "refused", 
/**
 * The command's id, if the refused frame was a command.
 */
cmd?: CommandId, 
/**
 * The table, if the frame named one.
 */
table?: TableId, 
/**
 * The table's current match, if the table refused a command.
 */
match?: MatchId, 
/**
 * The kind of refusal, for programs.
 */
code: RefusalCode, 
/**
 * The reason, for people.
 */
message: string, } | { "t": "presence", 
/**
 * The table.
 */
table: TableId, 
/**
 * The players, in turn order.
 */
players: Array<PlayerView>, 
/**
 * The number of people who watch without a seat.
 */
spectators: number, 
/**
 * For the host: the users who have opened the table by a link.
 */
link_visitors?: Array<LinkVisitor>, } | { "t": "pong", 
/**
 * The head of each table.
 */
heads: { [key in TableId]: Head }, } | { "t": "closing", 
/**
 * The time to wait before reconnecting, in milliseconds.
 */
retry_after_ms: number, 
/**
 * The time for which this connection stays open and usable, in milliseconds; absent if the
 * server closes it at once. The client opens its next connection while this one is open,
 * `retry_after_ms` after this frame, and then closes this one.
 */
open_for_ms?: number, };

export type Session = { 
/**
 * The user that the new cookie identifies.
 */
user: UserView, 
/**
 * The user of this browser before it became `user`, if the browser can return to that user.
 */
previous_user?: UserView, };

export type SessionClient = "browser" | "program";

export type SessionList = { 
/**
 * The sessions, newest first, at most 200.
 */
sessions: Array<SessionView>, };

export type SessionView = { 
/**
 * The id with which the user ends the session. It is not the session's token.
 */
id: string, 
/**
 * The kind of client.
 */
client: SessionClient, 
/**
 * The name of the client, such as `Firefox, Linux`; absent if it is unknown.
 */
name?: string, 
/**
 * The time at which the session began, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time at which the session was used last, exact to the hour, in milliseconds since the
 * Unix epoch; absent if it is unknown.
 */
seen_at_ms?: number, 
/**
 * True for the session of the request itself.
 */
is_current: boolean, };

export type SessionsEnded = { 
/**
 * The number of sessions that have ended.
 */
ended: number, };

export type SetConditionalMoves = { 
/**
 * The match. If the table has another match, the request is refused as `other_match`.
 */
match: MatchId, 
/**
 * The `seq` of the last event that the client had received. If the board or the turn has
 * changed since that event, the request is refused as `stale`, unless it has no lines.
 */
after: number, 
/**
 * The user's seat, if the user holds several.
 */
seat?: Color, 
/**
 * The lines; none to remove all conditional moves of the seat.
 */
lines: Array<Array<ConditionalStep>>, };

export type ShareCreated = { 
/**
 * The secret of the link. It belongs in the link's fragment, `/m/<match>#share=<secret>`, and
 * in the header `Share-Secret` of requests about the match. No other request returns it.
 */
secret: string, 
/**
 * The time at which the link was created, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The origin for the link, like `origin` in `link_created`.
 */
origin?: string, };

export type ShareStatus = { 
/**
 * The time at which the link was created, in milliseconds since the Unix epoch; absent if
 * there is no link.
 */
created_at_ms?: number, };

export type ShownHandover = { 
/**
 * The secret of the handover.
 */
secret: string, };

export type Side = "south" | "west" | "north" | "east";

export type SignInOptions = { 
/**
 * True if users who have forgotten the password can request a link by mail.
 */
password_reset: boolean, 
/**
 * The providers with whose accounts users sign in.
 */
providers: Array<SignInProvider>, };

export type SignInProvider = { 
/**
 * The id in URLs.
 */
id: string, 
/**
 * The name that users read.
 */
name: string, };

export type SignIns = { 
/**
 * True if the user has a password.
 */
password: boolean, 
/**
 * The accounts of the user at providers.
 */
providers: Array<ConnectedProvider>, };

export type Speed = "bullet" | "blitz" | "rapid" | "classical" | "correspondence";

export type Square = string;

export type Standing = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The number of finished matches. A hotseat match counts once for each seat that the user
 * held.
 */
played: number, 
/**
 * The number of these matches in which the user had first place alone.
 */
won: number, 
/**
 * The number of these matches in which the user shared first place.
 */
drawn: number, 
/**
 * The numbers of first, second, third and fourth places in these matches, including shared
 * places.
 */
places: [number, number, number, number], };

export type StartProviderSignIn = { 
/**
 * The path of the page to which the browser returns at the end. It begins with one slash, has no
 * fragment, and at most 500 characters.
 */
return_to: string, 
/**
 * True to connect the account at the provider to the current user's account.
 */
connect?: boolean, };

export type StatePatch = { 
/**
 * See [`StateView::phase`].
 */
phase?: Phase, 
/**
 * See [`StateView::turn`].
 */
turn?: Color | null, 
/**
 * See [`StateView::active_players`].
 */
active_players?: Array<Color>, 
/**
 * See [`StateView::eliminated`].
 */
eliminated?: Array<EliminatedView>, 
/**
 * See [`StateView::checks`].
 */
checks?: Array<Color>, 
/**
 * See [`StateView::facing_mate`].
 */
facing_mate?: Array<Color> | null, 
/**
 * See [`StateView::reserves`]; `null` for an eliminated player.
 */
reserves?: { [key in Color]?: ReserveView | null } | null, 
/**
 * See [`StateView::clock`].
 */
clock?: ClockPatch | null, 
/**
 * See [`StateView::requests`].
 */
requests?: Array<RequestView> | null, 
/**
 * See [`StateView::can_claim_draw`].
 */
can_claim_draw?: boolean, 
/**
 * See [`StateView::move_left_ms`].
 */
move_left_ms?: number | null, 
/**
 * See [`StateView::suspension`].
 */
suspension?: SuspensionPatch | null, 
/**
 * See [`StateView::vacations`].
 */
vacations?: Array<VacationView> | null, 
/**
 * See [`StateView::outcome`].
 */
outcome?: OutcomeView | null, 
/**
 * See [`StateView::stalemated`].
 */
stalemated?: Color | null, 
/**
 * See [`StateView::aborted`].
 */
aborted?: AbortCause | null, 
/**
 * See [`StateView::rematch`].
 */
rematch?: RematchView | null, 
/**
 * See [`StateView::closed`].
 */
closed?: boolean | null, };

export type StateView = { 
/**
 * The phase of the match: open, running or ended.
 */
phase: Phase, 
/**
 * The player to move, while the match runs.
 */
turn?: Color, 
/**
 * The players who are not eliminated, in turn order.
 */
active_players: Array<Color>, 
/**
 * The eliminated players, in the order of their elimination.
 */
eliminated: Array<EliminatedView>, 
/**
 * The colors that are in check (RULES G7).
 */
checks: Array<Color>, 
/**
 * The players who will be mated when their turn comes, unless the board changes before that
 * (RULES D8). The player to move is never among them.
 */
facing_mate?: Array<Color>, 
/**
 * The pieces other than a queen that each player may promote to (RULES D5). Empty in
 * `classic`.
 */
reserves?: { [key in Color]?: ReserveView }, 
/**
 * The clocks, if the match has any.
 */
clock?: ClockView, 
/**
 * The open requests, at most one of each kind.
 */
requests?: Array<RequestView>, 
/**
 * True if the player to move may claim a draw now, before moving.
 */
can_claim_draw: boolean, 
/**
 * The time left for this move, in milliseconds, if the match has no clocks but a time limit
 * for each move.
 */
move_left_ms?: number, 
/**
 * The current suspension, if no time runs and no player may move.
 */
suspension?: SuspensionView, 
/**
 * The players who are on vacation, in turn order, while the match runs.
 */
vacations?: Array<VacationView>, 
/**
 * The result, once the match has ended.
 */
outcome?: OutcomeView, 
/**
 * The player whose stalemate ended the match, if the match ended by stalemate (RULES C4, D9).
 */
stalemated?: Color, 
/**
 * The reason why the match was aborted; absent if it was not aborted.
 */
aborted?: AbortCause, 
/**
 * The open request for a rematch, after the end.
 */
rematch?: RematchView, 
/**
 * True if the table has closed. A closed table accepts no commands.
 */
closed?: boolean, };

export type SuspendUser = { 
/**
 * The reason, which the user sees, 1 to 500 characters.
 */
reason: string, 
/**
 * The time until the suspension ends, in hours, 1 to 87600; null or absent if only an operator
 * can end it.
 */
hours?: number | null, };

export type SuspensionKind = "paused" | "waiting" | "resuming";

export type SuspensionPatch = { 
/**
 * See [`SuspensionView::kind`].
 */
kind: SuspensionKind, 
/**
 * See [`SuspensionView::color`].
 */
color?: Color | null, 
/**
 * See [`SuspensionView::left_ms`].
 */
left_ms: number, };

export type SuspensionView = { 
/**
 * The kind of interruption.
 */
kind: SuspensionKind, 
/**
 * The player that the match waits for, or the player who ended the pause.
 */
color?: Color, 
/**
 * The time until the pause, the wait or the countdown ends, in milliseconds.
 */
left_ms: number, };

export type Swing = { 
/**
 * The number of the move in the match, from 1.
 */
ply: number, 
/**
 * The player who made the move.
 */
color: Color, 
/**
 * The kind of swing.
 */
kind: SwingKind, 
/**
 * The chance that the move cost its player, in thousandths.
 */
loss: number, 
/**
 * The best move in the position before the move, with its expected continuation; never empty.
 */
best: Array<AnalysisMove>, };

export type SwingKind = "mistake" | "blunder";

export type TableClosed = { 
/**
 * The table.
 */
table: TableId, 
/**
 * The last match at the table. If it was running, it is aborted.
 */
match: MatchId, };

export type TableCreated = { 
/**
 * The new table.
 */
table: TableId, 
/**
 * The table's match.
 */
match: MatchId, };

export type TableId = string;

export type TableList = { 
/**
 * Public tables that are open or running, newest first.
 */
tables: Array<TableSummary>, 
/**
 * The value of `before` that requests the next page; absent on the last page.
 */
next?: TableId, 
/**
 * The total numbers.
 */
counts: LobbyCounts, };

export type TableSettings = { 
/**
 * The variant.
 */
variant: Variant, 
/**
 * The visibility.
 */
privacy: Privacy, 
/**
 * The start position (FEN or FEN4), if it is not the variant's normal start position.
 */
setup?: string, 
/**
 * The time control.
 */
time: TimeSetting, 
/**
 * The handling of draws by repetition and move count: by claim or automatic.
 */
draws: DrawPolicy, 
/**
 * The consequence for a player who stays away too long.
 */
absence: Absence, 
/**
 * The users who may watch. The players and the host always may.
 */
watchers: Watchers, 
/**
 * The kind of messages that the players' chat room allows.
 */
chat: Chat, 
/**
 * The users who may take a seat.
 */
admission: Admission, 
/**
 * True if the result counts for ratings; otherwise the table is casual.
 */
rated: boolean, 
/**
 * The ratings of the users who may take a seat of a rated table without an invite; absent for
 * all ratings.
 */
rating_range?: RatingRange, 
/**
 * The way in which seats are assigned to players.
 */
seating: Seating, 
/**
 * The time limit for a move in a match without clocks, in milliseconds; absent for no limit.
 */
move_limit_ms?: number, 
/**
 * True if a user may hold several seats, for several people who share a screen.
 */
hotseat: boolean, 
/**
 * The group for which the table was created, whose members see the table and sit there without an
 * invite; absent for none.
 */
group?: GroupId, 
/**
 * True if the names of the users at the table are hidden until the match is over.
 */
anonymous?: boolean, };

export type TableStatus = { 
/**
 * The table.
 */
table: TableId, 
/**
 * The player to move, while the match runs.
 */
turn?: Color, 
/**
 * The number of moves so far.
 */
plies: number, 
/**
 * The number of people who watch without a seat.
 */
spectators: number, };

export type TableSummary = { 
/**
 * The table.
 */
table: TableId, 
/**
 * The table's settings.
 */
settings: TableSettings, 
/**
 * The current host.
 */
host: UserView, 
/**
 * The phase of the match: open, running or ended.
 */
phase: Phase, 
/**
 * The seats in turn order.
 */
seats: Array<SeatView>, 
/**
 * The player to move, while the match runs.
 */
turn?: Color, 
/**
 * The number of moves so far.
 */
plies: number, 
/**
 * The number of people who watch without a seat.
 */
spectators: number, 
/**
 * The time of the table's creation, in milliseconds since the Unix epoch.
 */
created_at_ms: number, };

export type TableView = { 
/**
 * The table's settings.
 */
settings: TableSettings, 
/**
 * The current host.
 */
host: UserView, 
/**
 * The shape of the board.
 */
board: BoardView, 
/**
 * The seats in turn order.
 */
seats: Array<SeatView>, 
/**
 * The pieces at the start of the match.
 */
start: { [key in Square]: Piece }, 
/**
 * The pieces now.
 */
pieces: { [key in Square]: Piece }, 
/**
 * All events so far that the viewer may see, in order.
 */
history: Array<Entry>, 
/**
 * The state, without the pieces.
 */
state: StateView, 
/**
 * The viewer's own seats in turn order: several at a hotseat table, none for a spectator.
 */
your_seats: Array<Color>, 
/**
 * The viewer's legal moves, if one of the viewer's seats is to move.
 */
legal_moves?: Array<Move>, 
/**
 * Facts that explain which moves are legal, such as pins; absent if there are none.
 */
hints?: TurnHints, 
/**
 * The presence of the players, in turn order.
 */
players: Array<PlayerView>, 
/**
 * The number of people who watch without a seat.
 */
spectators: number, 
/**
 * For the host: the users who have opened the table by a link since the server started, at
 * most 20, the latest last.
 */
link_visitors?: Array<LinkVisitor>, 
/**
 * True if the host has kicked the viewer. A kicked user may not take a seat at the table any
 * more.
 */
kicked?: boolean, };

export type TimeSetting = { "kind": "none" } | { "kind": "fischer", 
/**
 * The time that each player starts with.
 */
base_ms: number, 
/**
 * The time that each move adds.
 */
increment_ms: number, } | { "kind": "delay", 
/**
 * The time that each player starts with.
 */
base_ms: number, 
/**
 * The free time at the start of each turn.
 */
delay_ms: number, } | { "kind": "correspondence", 
/**
 * The number of days, 1 to 14.
 */
days: number, };

export type TokenCreated = { 
/**
 * The bearer token. No other request returns it, because the server stores only its hash.
 */
token: string, 
/**
 * The token as the list shows it.
 */
details: TokenView, };

export type TokenList = { 
/**
 * The tokens that have not expired, newest first.
 */
tokens: Array<TokenView>, };

export type TokenScope = "read" | "play" | "host" | "bot" | "admin";

export type TokenView = { 
/**
 * The id with which the user revokes the token. It is not the token itself.
 */
id: string, 
/**
 * The name of the token.
 */
name: string, 
/**
 * The scopes of the token.
 */
scopes: Array<TokenScope>, 
/**
 * The time at which the token was created, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time at which the token expires, in milliseconds since the Unix epoch; absent if it never
 * expires.
 */
expires_at_ms?: number, 
/**
 * The time at which the token was used last, exact to the hour, in milliseconds since the Unix
 * epoch; absent if it was never used.
 */
seen_at_ms?: number, };

export type TurnHints = { 
/**
 * The player's pinned pieces: they may only move along the line to the attacker, if at all
 * (RULES G6).
 */
pinned?: Array<Square>, 
/**
 * The legal moves that draw the match for all players, because they stalemate the next player
 * (RULES D9). Only given in variants with four players.
 */
stalemating?: Array<Move>, 
/**
 * Captures en passant of a neighbor's pawn, which are not legal (RULES D3).
 */
neighbor_en_passant?: Array<Move>, };

export type UserId = string;

export type UserPage = { 
/**
 * The user.
 */
user: UserView, 
/**
 * The time when the user was created, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The results by variant. A variant in which no match has finished is not listed.
 */
standings: Array<Standing>, 
/**
 * The ratings, by variant and speed.
 */
ratings?: Array<RatingView>, 
/**
 * The relations of the current user to the user; absent without a current user, and for the
 * current user itself.
 */
relation?: Relation, };

export type UserSuspensionView = { 
/**
 * The reason.
 */
reason: string, 
/**
 * The beginning of the suspension, in milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * The end of the suspension, in milliseconds since the Unix epoch; absent if only an operator
 * can end it.
 */
until_ms?: number, };

export type UserView = { 
/**
 * The user's id.
 */
id: UserId, 
/**
 * The display name.
 */
name: string, 
/**
 * True for a user with an account; absent for a guest.
 */
account?: boolean, 
/**
 * The kind of bot; absent for a person.
 */
bot?: BotView, 
/**
 * True for a player, the host or a spectator of an anonymous match that is not over; absent for
 * all other users. The id is made up: it stands for the seat or the role, and for no user. The
 * name is the English name of the seat's color or of the role.
 */
anonymous?: boolean, };

export type Uses = "single" | "open";

export type VacateReason = "left" | "kicked";

export type Vacation = { 
/**
 * The beginning, in milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * The end, in milliseconds since the Unix epoch.
 */
until_ms: number, };

export type VacationStatus = { 
/**
 * The days that each user has a year; 0 if there are no vacations.
 */
days_per_year: number, 
/**
 * The days that the user has left this year.
 */
days_left: number, 
/**
 * The vacation; absent if the user is not on vacation.
 */
current?: Vacation, };

export type VacationView = { 
/**
 * The player.
 */
color: Color, 
/**
 * The end of the vacation, in milliseconds since the Unix epoch.
 */
until_ms: number, };

export type Variant = "classic" | "dilkel" | "dilkel-compact";

export type VariantFacts = { 
/**
 * The name of the variant for people, in English.
 */
title: string, 
/**
 * The notation of the variant's games.
 */
notation: "PGN" | "PGN4", 
/**
 * The shape of the board; `corner` is the width of each corner that is cut out.
 */
board: { files: number, ranks: number, corner: number }, 
/**
 * The seats of the variant, in turn order.
 */
seats: Array<SeatFacts>, };

export type WarnUser = { 
/**
 * The text, which the user sees, 1 to 500 characters.
 */
text: string, };

export type WarningView = { 
/**
 * The number of the warning.
 */
number: number, 
/**
 * The text.
 */
text: string, 
/**
 * The time of the warning, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The time at which the user has acknowledged the warning, in milliseconds since the Unix
 * epoch; absent before that.
 */
acknowledged_at_ms?: number, };

export type Watchers = "everybody" | "link" | "nobody";

export type Webhook = { 
/**
 * The id.
 */
id: string, 
/**
 * The URL.
 */
url: string, 
/**
 * The events that the webhook receives.
 */
events: Array<WebhookEvent>, 
/**
 * True if the webhook also receives the events of private tables.
 */
private: boolean, 
/**
 * The time at which the webhook was added, in milliseconds since the Unix epoch.
 */
created_at_ms: number, 
/**
 * The time of the last event that the webhook has accepted, in milliseconds since the Unix epoch;
 * absent if there was none.
 */
sent_at_ms?: number, 
/**
 * The reason for which the webhook receives nothing any more; absent if it receives events.
 */
off?: WebhookOff, };

export type WebhookCreated = { 
/**
 * The webhook.
 */
webhook: Webhook, 
/**
 * The secret with which the requests are signed. No other request returns it.
 */
secret: string, };

export type WebhookEvent = "opened" | "started" | "ended" | "test";

export type WebhookList = { 
/**
 * The webhooks of the user, oldest first.
 */
webhooks: Array<Webhook>, };

export type WebhookOff = { 
/**
 * The time since which the webhook is off, in milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * The last failure.
 */
reason: string, };

export type WebhookTested = { 
/**
 * The HTTP status with which the webhook has answered; absent if it has not answered.
 */
status?: number, 
/**
 * The reason for which there is no answer.
 */
error?: string, };

/** The facts of each variant. */
export const VARIANT_FACTS: { readonly [variant in Variant]: VariantFacts } = {
  "classic": {
    "title": "Classic",
    "notation": "PGN",
    "board": {
      "files": 8,
      "ranks": 8,
      "corner": 0
    },
    "seats": [
      {
        "color": "white",
        "side": "south"
      },
      {
        "color": "black",
        "side": "north"
      }
    ]
  },
  "dilkel": {
    "title": "Dilkel",
    "notation": "PGN4",
    "board": {
      "files": 14,
      "ranks": 14,
      "corner": 3
    },
    "seats": [
      {
        "color": "red",
        "side": "south"
      },
      {
        "color": "blue",
        "side": "west"
      },
      {
        "color": "yellow",
        "side": "north"
      },
      {
        "color": "green",
        "side": "east"
      }
    ]
  },
  "dilkel-compact": {
    "title": "Dilkel compact",
    "notation": "PGN4",
    "board": {
      "files": 12,
      "ranks": 12,
      "corner": 2
    },
    "seats": [
      {
        "color": "red",
        "side": "south"
      },
      {
        "color": "blue",
        "side": "west"
      },
      {
        "color": "yellow",
        "side": "north"
      },
      {
        "color": "green",
        "side": "east"
      }
    ]
  }
};

/** The variant of requests that name none. */
export const DEFAULT_VARIANT: Variant = "dilkel";
