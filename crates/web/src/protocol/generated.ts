// Generated from the protocol crate by `cargo xtask gen`. Do not edit.

export type AbortCause = "agreement" | "first_move" | "absence";

export type Absence = "eliminate" | "wait" | "bot";

export type Admission = "open" | "invite";

export type Analyse = { 
/**
 * From where.
 */
setup: ExploreSetup, 
/**
 * The moves made from there; looked at is the position after the last of them.
 */
moves?: Array<Move>, 
/**
 * How many of the best moves are told, each with what is expected after it; 1 if not given.
 */
lines?: number, 
/**
 * How many positions are looked at, at most; as many as the server allows if not given.
 */
nodes?: number, };

export type Analysis = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * Who is to move.
 */
turn: Color, 
/**
 * Plies looked ahead in full.
 */
depth: number, 
/**
 * Positions looked at.
 */
nodes: number, 
/**
 * The best moves, the best first; never empty.
 */
lines: Array<AnalysisLine>, };

export type AnalysisLine = { 
/**
 * What the line is worth to each player who is still in; of four, when everybody plays for itself.
 */
scores: { [key in Color]?: AnalysisScore }, 
/**
 * Each player's chance to come first, in thousandths that sum up to 1000; of two players, to win, where a draw
 * counts as half a win.
 */
chances: { [key in Color]?: number }, 
/**
 * The moves, the one to play first; never empty.
 */
moves: Array<AnalysisMove>, };

export type AnalysisMove = { 
/**
 * By whom.
 */
color: Color, 
/**
 * The move.
 */
mv: Move, 
/**
 * In notation.
 */
text: string, };

export type AnalysisScore = { "kind": "points", 
/**
 * By so many hundredths of a pawn.
 */
points: number, } | { "kind": "mates", 
/**
 * In so many moves of its own.
 */
moves: number, } | { "kind": "mated", 
/**
 * In so many moves of whoever mates it.
 */
moves: number, };

export type AttackView = { 
/**
 * Where the attacker stands.
 */
from: Square, 
/**
 * Where the king stands.
 */
to: Square, };

export type BoardView = { 
/**
 * Files, from `a`.
 */
files: number, 
/**
 * Ranks, from 1.
 */
ranks: number, 
/**
 * Squares within files x ranks that the board does not have.
 */
holes: Array<Square>, };

export type BotChoice = { "kind": "built_in", 
/**
 * How well it is to play.
 */
level: BotLevel, } | { "kind": "engine", 
/**
 * Its name, one of those in `GET /api/bots`.
 */
engine: string, 
/**
 * The strength to limit it to; its full one if not given.
 */
elo?: number, };

export type BotLevel = number;

export type BotList = { 
/**
 * The levels of the server's own engine, which plays every variant.
 */
levels: Array<BotLevel>, 
/**
 * Other engines on the server's machine.
 */
engines: Array<EngineView>, };

export type BotSeat = { 
/**
 * Its seat; if not given, the first open one in turn order.
 */
seat?: Color, 
/**
 * Which bot.
 */
bot: BotChoice, };

export type BotView = { "kind": "built_in", 
/**
 * How well it plays.
 */
level: BotLevel, } | { "kind": "engine", 
/**
 * Its name in the server's settings.
 */
engine: string, 
/**
 * The strength it was limited to; its full one if there is none.
 */
elo?: number, } | { "kind": "account", };

export type Cause = "mate" | "resign" | "time" | "absence";

export type Chat = "on" | "phrases" | "off";

export type ClientFrame = { "t": "hello", 
/**
 * The bearer token from `POST /api/guests`.
 */
token?: string, } | { "t": "watch_lobby", } | { "t": "unwatch_lobby", } | { "t": "watch", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The match the client already has events of.
 */
match?: MatchId, 
/**
 * The last `seq` the client has of that match.
 */
after?: number, 
/**
 * The secret of a watch link or an invite, for a private table.
 */
key?: string, 
/**
 * From afar, as a list with moving boards does: one is neither counted among the spectators nor, at one's own
 * table, as being there.
 */
glance?: boolean, } | { "t": "unwatch", 
/**
 * Which table.
 */
table: TableId, } | { "t": "sit", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * Which seat; without it the first open one in turn order.
 */
seat?: Color, 
/**
 * The secret of an invite, for a private table.
 */
invite?: string, 
/**
 * What one adds to the lot; made by the server if not given.
 */
nonce?: Nonce, } | { "t": "leave", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * Which of one's seats; without it all of them.
 */
seat?: Color, } | { "t": "kick", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * Whose seat.
 */
color: Color, } | { "t": "add_bot", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * Which seat; without it the first open one in turn order.
 */
seat?: Color, 
/**
 * Which bot.
 */
bot: BotChoice, } | { "t": "move", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * The last `seq` the client had seen; refused as `stale` if the board or the turn changed after it.
 */
at: number, 
/**
 * The move.
 */
mv: Move, 
/**
 * Claims a draw by repetition or move count that this move brings about (RULES G11).
 */
claim_draw?: boolean, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "resign", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "request", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * To what.
 */
request: Request, 
/**
 * Whether to ask, or which answer.
 */
act: RequestAct, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "claim_draw", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "resume", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "chat", 
/**
 * Which table; the line watches it, or one sits there.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * The room one belongs to; refused as `wrong_room` if it is the other one by now.
 */
room: Room, 
/**
 * What is said.
 */
words: Words, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "rematch", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The command's name.
 */
cmd: CmdId, 
/**
 * The match it is for; refused as `other_match` if the table is at another one.
 */
match?: MatchId, 
/**
 * What is done.
 */
act: RequestAct, 
/**
 * What one adds to the lot; made by the server if not given.
 */
nonce?: Nonce, 
/**
 * For which of one's seats.
 */
seat?: Color, } | { "t": "ping", };

export type ClockPatch = { 
/**
 * The clocks that differ, and those that ran before or run now.
 */
left_ms?: { [key in Color]?: number }, 
/**
 * See [`ClockView::running`].
 */
running?: Color | null, 
/**
 * See [`ClockView::free_ms`].
 */
free_ms?: number, 
/**
 * See [`ClockView::first_move`].
 */
first_move?: boolean | null, };

export type ClockView = { 
/**
 * Time left, milliseconds.
 */
left_ms: { [key in Color]?: number }, 
/**
 * Whose clock runs, if one does.
 */
running?: Color, 
/**
 * Free time left before the running clock goes down, milliseconds.
 */
free_ms: number, 
/**
 * Whether the player to move has made no move of its own yet: when the free time is over (in correspondence, the
 * time left) the match is aborted.
 */
first_move?: boolean, };

export type CmdId = string;

export type Color = "white" | "black" | "red" | "blue" | "yellow" | "green";

export type Commitment = string;

export type CreateTable = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * Who may find it.
 */
privacy: Privacy, 
/**
 * The host's own seat, taken at once.
 */
seat?: Color, 
/**
 * What the host's seat adds to the lot; made by the server if not given.
 */
nonce?: Nonce, 
/**
 * A start position (FEN or FEN4); whose turn it says begins.
 */
setup?: string, 
/**
 * How repetition and the move count draw; `claim` if not given.
 */
draws?: DrawPolicy, 
/**
 * The time control; none if not given.
 */
time?: TimeSetting, 
/**
 * What becomes of a player who stays away too long; `eliminate` if not given.
 */
absence?: Absence, 
/**
 * Who may watch; `everybody` at a public table and `link` at a private one if not given.
 */
watchers?: Watchers, 
/**
 * What the players' chat allows; `on` if not given.
 */
chat?: Chat, 
/**
 * Who may take a seat; `open` at a public table if not given, always `invite` at a private one.
 */
admission?: Admission, 
/**
 * Whether the result counts for ratings; it does not if not given.
 */
rated?: boolean, 
/**
 * Whether one plays from the seat one took; `chosen` if not given.
 */
seating?: Seating, 
/**
 * Without clocks, how long one may think about a move, milliseconds. If not given, five minutes at a public
 * table and as long as one likes at a private one.
 */
move_limit_ms?: number, 
/**
 * Whether one person may hold several seats; not if not given.
 */
hotseat?: boolean, 
/**
 * Bots that sit there from the beginning, beside the host; if all seats are held then, the match starts at once.
 */
bots?: Array<BotSeat>, 
/**
 * The request's name, unique per user: the same request under it gets the same table, for a day.
 */
cmd?: CmdId, };

export type DrawPolicy = "claim" | "automatic";

export type EliminatedView = { 
/**
 * Who.
 */
color: Color, 
/**
 * Why.
 */
cause: Cause, };

export type EloRange = { 
/**
 * The lowest.
 */
least: number, 
/**
 * The highest.
 */
most: number, };

export type EngineView = { 
/**
 * Its name in a [`BotChoice`].
 */
engine: string, 
/**
 * What it plays.
 */
variants: Array<Variant>, 
/**
 * The strengths it can be limited to; none if it cannot.
 */
elo?: EloRange, };

export type Entry = { 
/**
 * Its number in the match, from 1, without gaps.
 */
seq: number, 
/**
 * When it happened, milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * What happened.
 */
event: Event, 
/**
 * A move as players write it: SAN in `classic`, the long form of PGN4 on a cross board.
 */
text?: string, 
/**
 * The squares that changed, with what stands there now.
 */
squares?: { [key in Square]: Piece | null }, 
/**
 * The colors whose king is attacked after it (RULES G7).
 */
checks?: Array<Color>, 
/**
 * Every attack on those kings.
 */
attacks?: Array<AttackView>, 
/**
 * The reserves that changed (RULES D5), of players still in, with what is in them now. What was never told is empty.
 */
reserves?: { [key in Color]?: ReserveView }, };

export type ErrorBody = { 
/**
 * What kind of refusal, for programs.
 */
code: RefusalCode, 
/**
 * What is wrong, for people.
 */
message: string, };

export type Event = { "type": "opened", 
/**
 * What it was opened with.
 */
settings: TableSettings, 
/**
 * Who is host to begin with.
 */
host: UserView, 
/**
 * The hash of the secret that the lot is drawn with (`lot`).
 */
commitment: Commitment, 
/**
 * The match before it at this table, if this is a rematch.
 */
after?: MatchId, 
/**
 * The users that the host kicked in the matches before it: they stay out.
 */
kicked?: Array<UserId>, } | { "type": "seated", 
/**
 * Which seat.
 */
color: Color, 
/**
 * By whom.
 */
user: UserView, 
/**
 * What this seat adds to the lot.
 */
nonce: Nonce, } | { "type": "vacated", 
/**
 * Which seat.
 */
color: Color, 
/**
 * Whether its holder left or was put out by the host.
 */
why: Vacating, } | { "type": "host_passed", 
/**
 * Who.
 */
to: UserView, } | { "type": "started", 
/**
 * Who moves first: drawn by lot, or as the set-up says (RULES D2).
 */
beginner: Color, 
/**
 * What the commitment was of: all may check the lot now.
 */
secret: Secret, 
/**
 * Who holds each seat from now on, if the seats were drawn by lot.
 */
seats?: { [key in Color]?: UserView }, } | { "type": "moved", 
/**
 * By whom.
 */
color: Color, 
/**
 * The move.
 */
mv: Move, 
/**
 * The mover's time left after it, in milliseconds, if the match has clocks.
 */
left_ms?: number, 
/**
 * How long the mover was away on this turn, in milliseconds, if it was: so much of its reconnect bank is spent.
 */
away_ms?: number, 
/**
 * How much of its time the mover was given back for its line's lag, in milliseconds, if anything.
 */
lag_ms?: number, } | { "type": "eliminated", 
/**
 * Who.
 */
color: Color, 
/**
 * Why.
 */
cause: Cause, 
/**
 * Whose pieces attacked the king when mate was judged (RULES D12).
 */
by?: Array<Color>, } | { "type": "requested", 
/**
 * To what.
 */
request: Request, 
/**
 * Who asked.
 */
color: Color, } | { "type": "agreed", 
/**
 * Which kind.
 */
request: Request, 
/**
 * Who agreed.
 */
color: Color, } | { "type": "declined", 
/**
 * Which kind.
 */
request: Request, 
/**
 * Who declined.
 */
color: Color, } | { "type": "taken_back", 
/**
 * How many.
 */
plies: number, 
/**
 * The time left to the player whose clock was running, in milliseconds, if the match has clocks.
 */
left_ms?: number, } | { "type": "said", 
/**
 * Who.
 */
user: UserView, 
/**
 * The seat they hold, if any; the one of an eliminated player too.
 */
color?: Color, 
/**
 * Where. What is said among bystanders while the match runs is kept from the seated (RULES D15).
 */
room: Room, 
/**
 * What.
 */
words: Words, } | { "type": "paused", } | { "type": "waiting", 
/**
 * For whom.
 */
color: Color, } | { "type": "resuming", 
/**
 * Who ended it; nobody if the match may not be paused any longer.
 */
color?: Color, 
/**
 * When it ends, milliseconds since the Unix epoch.
 */
until_ms: number, } | { "type": "resumed", } | { "type": "stood_in", 
/**
 * Whose seat.
 */
color: Color, 
/**
 * Which bot.
 */
bot: UserView, } | { "type": "returned", 
/**
 * Whose seat.
 */
color: Color, } | { "type": "interrupted", 
/**
 * The last moment at which it is known to have run, milliseconds since the Unix epoch.
 */
until_ms: number, 
/**
 * When time runs again, milliseconds since the Unix epoch.
 */
resumes_ms: number, 
/**
 * How long the player to move had been away on this turn by `until_ms`, in milliseconds, if it had been: so much
 * of its reconnect bank is spent, beside what the move's own `away_ms` says.
 */
away_ms?: number, } | { "type": "aborted", 
/**
 * Why.
 */
cause: AbortCause, } | { "type": "ended", 
/**
 * How.
 */
reason: Reason, 
/**
 * The rank of each player, 1 the best; equal numbers are shared places (RULES D12).
 */
places: { [key in Color]?: number }, } | { "type": "rematch_asked", 
/**
 * Who.
 */
color: Color, 
/**
 * The match it is to be.
 */
match: MatchId, 
/**
 * The hash of the secret that its lot will be drawn with.
 */
commitment: Commitment, 
/**
 * What this player adds to the lot.
 */
nonce: Nonce, } | { "type": "rematch_agreed", 
/**
 * Who.
 */
color: Color, 
/**
 * What this player adds to the lot.
 */
nonce: Nonce, } | { "type": "rematch_declined", 
/**
 * Who.
 */
color: Color, } | { "type": "rematched", 
/**
 * Which.
 */
match: MatchId, } | { "type": "closed", };

export type Exploration = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * The squares.
 */
board: BoardView, 
/**
 * The seats in turn order; nobody holds them.
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
 * Who is out before the first move.
 */
start_eliminated?: Array<EliminatedView>, 
/**
 * The moves: those of the text, then those of the request.
 */
line: Array<ExploredPly>, 
/**
 * What is true after the last move.
 */
state: StateView, 
/**
 * The legal moves after the last move; none once it is over.
 */
legal: Array<Move>, 
/**
 * The position after the last move, FEN or FEN4.
 */
fen: string, 
/**
 * The whole line, PGN or PGN4.
 */
notation: string, 
/**
 * The players' names, as far as the text tells them.
 */
players?: { [key in Color]?: string }, 
/**
 * The result as the text tells it.
 */
result?: string, 
/**
 * What of the text was dropped, for people.
 */
warnings?: Array<string>, 
/**
 * Where following the text stopped, if our rules cannot follow it to its end.
 */
stopped?: ExploreStop, 
/**
 * How many more games the text holds.
 */
more_games?: number, };

export type Explore = { 
/**
 * From where.
 */
setup: ExploreSetup, 
/**
 * The moves made from there, one after another.
 */
moves?: Array<Move>, };

export type ExploreSetup = { "kind": "start", 
/**
 * Which.
 */
variant: Variant, } | { "kind": "text", 
/**
 * A FEN, FEN4, PGN or PGN4, as people and sites write them. Of several games the first.
 */
text: string, 
/**
 * Which rules, where the text does not tell.
 */
variant?: Variant, 
/**
 * How many of the text's moves are followed, at most; all if not given.
 */
plies?: number, };

export type ExploreStop = { 
/**
 * Its line in the text, from 1.
 */
line: number, 
/**
 * Its column in that line, from 1.
 */
column: number, 
/**
 * The round.
 */
round: number, 
/**
 * Whose turn it is.
 */
color: Color, 
/**
 * The word.
 */
text: string, 
/**
 * Why, for people.
 */
why: string, };

export type ExploredExit = { 
/**
 * Who.
 */
color: Color, 
/**
 * Why.
 */
cause: Cause, 
/**
 * Whose pieces attacked the king when mate was judged (RULES D12).
 */
by?: Array<Color>, };

export type ExploredPly = { 
/**
 * By whom.
 */
color: Color, 
/**
 * The move.
 */
mv: Move, 
/**
 * The move as players write it: SAN in `classic`, the long form of PGN4 on a cross board.
 */
text: string, 
/**
 * The squares that changed, with what stands there now; those of armies that left the board too.
 */
squares: { [key in Square]: Piece | null }, 
/**
 * The colors whose king is attacked after it (RULES G7).
 */
checks?: Array<Color>, 
/**
 * Every attack on those kings.
 */
attacks?: Array<AttackView>, 
/**
 * Who went out after it and before the next move, in that order.
 */
eliminated?: Array<ExploredExit>, };

export type FrozenKind = "paused" | "waiting" | "resuming";

export type FrozenPatch = { 
/**
 * See [`FrozenView::kind`].
 */
kind: FrozenKind, 
/**
 * See [`FrozenView::color`].
 */
color?: Color | null, 
/**
 * See [`FrozenView::left_ms`].
 */
left_ms: number, };

export type FrozenView = { 
/**
 * Why.
 */
kind: FrozenKind, 
/**
 * Whom the match waits for, or who ended the pause.
 */
color?: Color, 
/**
 * How long it lasts at most, milliseconds: then a pause runs out, a wait is given up, a countdown is over.
 */
left_ms: number, };

export type GuestCreated = { 
/**
 * Who one now is.
 */
user: UserView, 
/**
 * The bearer token; shown once, the server keeps only its hash.
 */
token: string, };

export type HandoverPreview = { 
/**
 * The user that the handover names.
 */
user: UserView, 
/**
 * The user that this browser's cookie names now; absent if it names nobody.
 */
you?: UserView, };

export type Head = { 
/**
 * The table's current match.
 */
match: MatchId, 
/**
 * The number of its last event.
 */
seq: number, };

export type LinkCreated = { 
/**
 * Goes into the link's fragment: `/t/<table>#invite=<secret>`, `#watch=<secret>`, or `#seat=<secret>` for a
 * handover. Shown once.
 */
secret: string, 
/**
 * When it ends, milliseconds since the Unix epoch.
 */
expires_at_ms: number, };

export type LobbyCounts = { 
/**
 * Tables with open seats.
 */
open: number, 
/**
 * Tables where a match runs.
 */
running: number, 
/**
 * Seats that people hold there; the server's bots do not count.
 */
players: number, };

export type MatchId = string;

export type MatchList = { 
/**
 * Matches that have begun, the newest first.
 */
matches: Array<MatchSummary>, 
/**
 * What to ask for as `before` to get the matches after these; none if these are the last.
 */
next?: string, };

export type MatchRecord = { 
/**
 * Which format this is.
 */
format: RecordFormat, 
/**
 * Which match of a server it is; a game from elsewhere has none.
 */
match?: MatchId, 
/**
 * By which rules it is told.
 */
variant: Variant, 
/**
 * The position of the first move (FEN or FEN4), if it is not the variant's own with White or Red to move.
 */
setup?: string, 
/**
 * How repetition and the move count draw; `claim` if not given.
 */
draws?: DrawPolicy, 
/**
 * The time control, if it is known and of a kind that we have.
 */
time?: TimeSetting, 
/**
 * The players' names, where known.
 */
players?: { [key in Color]?: string }, 
/**
 * What happened, in order.
 */
events: Array<RecordedEvent>, 
/**
 * The tags of PGN or PGN4, in their order: name and value.
 */
tags?: Array<[string, string]>, 
/**
 * The game as it stood written.
 */
written?: Movetext, 
/**
 * Where the events end because our rules cannot follow what is written.
 */
stopped?: RecordStop, };

export type MatchSummary = { 
/**
 * Which match.
 */
match: MatchId, 
/**
 * The table it is or was played at.
 */
table: TableId, 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * The time control.
 */
time: TimeSetting, 
/**
 * Without clocks: how long a move might take, milliseconds, if there was a limit and the archive knows it.
 */
move_limit_ms?: number, 
/**
 * The seats in turn order, with who played from there.
 */
seats: Array<SeatView>, 
/**
 * When it began, milliseconds since the Unix epoch.
 */
started_at_ms: number, 
/**
 * When it ended, milliseconds since the Unix epoch; not while it runs.
 */
ended_at_ms?: number, 
/**
 * Moves made so far.
 */
plies: number, 
/**
 * The result, once it has ended.
 */
outcome?: OutcomeView, 
/**
 * Why it ended without places, if it did.
 */
aborted?: AbortCause, };

export type MatchView = { 
/**
 * The table it is or was played at.
 */
table: TableId, 
/**
 * Which match.
 */
match: MatchId, 
/**
 * The number of the last event in it.
 */
seq: number, 
/**
 * The match, without who is there now.
 */
view: TableView, };

export type Me = { 
/**
 * Who one is.
 */
user: UserView, 
/**
 * Unfinished tables where one sits or is host, newest first.
 */
tables: Array<TableSummary>, 
/**
 * What to ask for as `before` to get the tables after these; none if these are the last.
 */
next?: TableId, };

export type Move = string;

export type Movetext = { 
/**
 * The words in their order.
 */
line: Array<WrittenWord>, 
/**
 * The result behind the moves of a PGN game.
 */
result?: string, };

export type NewGuest = { 
/**
 * The name to be shown, 1 to 24 characters; without it one is made.
 */
name?: string, 
/**
 * Whether it is a bot, and marked as one wherever it is shown; not if not given.
 */
bot?: boolean, };

export type NewInvite = { 
/**
 * The one seat it opens; any open seat if not given.
 */
seat?: Color, 
/**
 * How often it opens one.
 */
uses: Uses, };

export type NewSession = { 
/**
 * The secret of a handover: whom it names, the browser becomes.
 */
handover?: string, };

export type Nonce = string;

export type OutcomeView = { 
/**
 * How.
 */
reason: Reason, 
/**
 * The rank of each player, 1 the best; equal numbers are shared places.
 */
places: { [key in Color]?: number }, };

export type Phase = "open" | "running" | "ended";

export type Phrase = "hello" | "good_luck" | "good_move" | "thanks" | "oops" | "one_moment" | "back" | "good_game" | "again" | "bye";

export type Piece = string;

export type PlayerView = { 
/**
 * The seat.
 */
color: Color, 
/**
 * How.
 */
presence: Presence, 
/**
 * What is left of the reconnect bank of one who is `reconnecting`, milliseconds.
 */
left_ms?: number, 
/**
 * Whether the bank runs down: only on the player's own turn.
 */
counting?: boolean, };

export type Presence = "connected" | "reconnecting" | "gone";

export type Privacy = "public" | "private";

export type QuickJoin = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * The time control; if not given, any but correspondence, and none at a table that is made.
 */
time?: TimeSetting, 
/**
 * What the seat adds to the lot; made by the server if not given.
 */
nonce?: Nonce, 
/**
 * The request's name, unique per user: the same request under it gets the same seat.
 */
cmd?: CmdId, };

export type QuickJoined = { 
/**
 * The table.
 */
table: TableId, 
/**
 * Its match.
 */
match: MatchId, 
/**
 * The seat one holds there.
 */
seat: Color, };

export type Reason = "mate" | "stalemate" | "repetition" | "moves" | "material" | "agreement" | "resign" | "time" | "absence";

export type RecordFormat = "quadrex-record-1";

export type RecordStop = { 
/**
 * The round.
 */
round: number, 
/**
 * Whose turn it is.
 */
color: Color, 
/**
 * The word.
 */
text: string, 
/**
 * Why, for people.
 */
why: string, };

export type RecordedEvent = { 
/**
 * When it happened, milliseconds since the Unix epoch, if known.
 */
at_ms?: number, 
/**
 * What happened.
 */
event: Event, };

export type RefusalCode = "malformed" | "unknown_type" | "too_large" | "rate_limited" | "hello_expected" | "bad_token" | "unauthenticated" | "playing" | "not_found" | "forbidden" | "kicked" | "seat_taken" | "table_full" | "already_seated" | "not_seated" | "which_seat" | "stood_in" | "no_such_seat" | "bad_invite" | "bad_handover" | "not_started" | "already_started" | "other_match" | "ended" | "eliminated" | "not_your_turn" | "stale" | "illegal_move" | "paused" | "not_paused" | "no_draw_to_claim" | "request_refused" | "no_open_request" | "wrong_room" | "chat_off" | "bad_text" | "cmd_taken" | "bad_setup" | "bad_setting" | "bad_origin" | "busy" | "closing" | "internal";

export type RematchView = { 
/**
 * Who asked.
 */
by: Color, 
/**
 * Who has agreed, the asker included.
 */
agreed: Array<Color>, };

export type Request = "draw" | "takeback" | "pause" | "abort";

export type RequestAct = "ask" | "accept" | "decline";

export type RequestView = { 
/**
 * To what.
 */
request: Request, 
/**
 * Who asked.
 */
by: Color, 
/**
 * Who has agreed, the asker included.
 */
agreed: Array<Color>, };

export type ReserveView = { 
/**
 * Rooks to be had.
 */
rooks: number, 
/**
 * Bishops to be had.
 */
bishops: number, 
/**
 * Knights to be had.
 */
knights: number, };

export type Room = "seated" | "bystanders";

export type SeatView = { 
/**
 * Its color.
 */
color: Color, 
/**
 * The side of the board it sits at.
 */
side: Side, 
/**
 * Who holds it, or nobody.
 */
user: UserView | null, 
/**
 * The bot that plays, or played to the end, in the place of who holds it: somebody who stayed away.
 */
stand_in?: UserView, };

export type Seating = "chosen" | "drawn";

export type Secret = string;

export type ServerFrame = { "t": "welcome", 
/**
 * The subprotocol spoken, `quadrex.v1`.
 */
protocol: string, 
/**
 * The server's version.
 */
version: string, 
/**
 * Who one is; nobody may still watch public tables.
 */
user: UserView | null, } | { "t": "lobby", 
/**
 * The tables.
 */
tables: Array<TableSummary>, 
/**
 * How many there are in all.
 */
counts: LobbyCounts, } | { "t": "lobby_table", 
/**
 * The table as it now is.
 */
table: TableSummary, } | { "t": "lobby_gone", 
/**
 * Which.
 */
table: TableId, } | { "t": "lobby_preview", 
/**
 * The tables of the window where it has.
 */
tables: Array<TableStatus>, 
/**
 * How many tables there are in all, if that has changed.
 */
counts?: LobbyCounts, } | { "t": "snapshot", 
/**
 * Which table.
 */
table: TableId, 
/**
 * Its match.
 */
match: MatchId, 
/**
 * The number of the last event in it.
 */
seq: number, 
/**
 * The table.
 */
view: TableView, } | { "t": "watching", 
/**
 * Which table.
 */
table: TableId, 
/**
 * Its match.
 */
match: MatchId, 
/**
 * The number of its last event.
 */
seq: number, } | { "t": "event", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The match whose event it is.
 */
match: MatchId, 
/**
 * What it changed of what is true: a merge patch of the state before it.
 */
state: StatePatch, 
/**
 * The receiver's legal moves, if it is now the receiver's turn.
 */
legal?: Array<Move>, 
/**
 * Its number in the match, from 1, without gaps.
 */
seq: number, 
/**
 * When it happened, milliseconds since the Unix epoch.
 */
at_ms: number, 
/**
 * What happened.
 */
event: Event, 
/**
 * A move as players write it: SAN in `classic`, the long form of PGN4 on a cross board.
 */
text?: string, 
/**
 * The squares that changed, with what stands there now.
 */
squares?: { [key in Square]: Piece | null }, 
/**
 * The colors whose king is attacked after it (RULES G7).
 */
checks?: Array<Color>, 
/**
 * Every attack on those kings.
 */
attacks?: Array<AttackView>, 
/**
 * The reserves that changed (RULES D5), of players still in, with what is in them now. What was never told is empty.
 */
reserves?: { [key in Color]?: ReserveView }, } | { "t": "skip", 
/**
 * Which table.
 */
table: TableId, 
/**
 * Its match.
 */
match: MatchId, 
/**
 * The number of the event.
 */
seq: number, } | { "t": "ack", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The match in whose log it is.
 */
match: MatchId, 
/**
 * Which command.
 */
cmd: CmdId, 
/**
 * The number of its last event in that match.
 */
seq: number, } | { "t": "refused", 
/**
 * Which command, if the frame was one.
 */
cmd?: CmdId, 
/**
 * Which table, if the frame named one.
 */
table?: TableId, 
/**
 * The match the table was at, if the table itself refused a command.
 */
match?: MatchId, 
/**
 * Why, for programs.
 */
code: RefusalCode, 
/**
 * Why, for people.
 */
message: string, } | { "t": "presence", 
/**
 * Which table.
 */
table: TableId, 
/**
 * The players, in turn order.
 */
players: Array<PlayerView>, 
/**
 * How many watch without a seat.
 */
spectators: number, } | { "t": "pong", 
/**
 * Table to head.
 */
heads: { [key in TableId]: Head }, } | { "t": "closing", 
/**
 * When to come again, milliseconds.
 */
retry_after_ms: number, };

export type Session = { 
/**
 * Who the cookie names.
 */
user: UserView, 
/**
 * Who this browser was before a handover, if it can return to that user.
 */
earlier?: UserView, };

export type ShownHandover = { 
/**
 * The secret of the handover.
 */
secret: string, };

export type Side = "south" | "west" | "north" | "east";

export type Square = string;

export type Standing = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * Matches played to their end. A hotseat match counts once for each seat held.
 */
played: number, 
/**
 * Of those, with the first place alone.
 */
won: number, 
/**
 * Of those, with the first place shared.
 */
drawn: number, 
/**
 * Of those, with the first, second, third and fourth place, shared ones among them.
 */
places: [number, number, number, number], };

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
 * See [`StateView::players_in`].
 */
players_in?: Array<Color>, 
/**
 * See [`StateView::eliminated`].
 */
eliminated?: Array<EliminatedView>, 
/**
 * See [`StateView::checks`].
 */
checks?: Array<Color>, 
/**
 * See [`StateView::reserves`]; of a player who is out, `null`.
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
 * See [`StateView::claimable`].
 */
claimable?: boolean, 
/**
 * See [`StateView::limit_ms`].
 */
limit_ms?: number | null, 
/**
 * See [`StateView::frozen`].
 */
frozen?: FrozenPatch | null, 
/**
 * See [`StateView::outcome`].
 */
outcome?: OutcomeView | null, 
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
 * Open, running or ended.
 */
phase: Phase, 
/**
 * Who is to move, while the match runs.
 */
turn?: Color, 
/**
 * The players still in, in turn order.
 */
players_in: Array<Color>, 
/**
 * The players who are out, in the order they went.
 */
eliminated: Array<EliminatedView>, 
/**
 * The colors whose king is attacked (RULES G7).
 */
checks: Array<Color>, 
/**
 * What each player may promote to beside a queen (RULES D5); empty in `classic`.
 */
reserves?: { [key in Color]?: ReserveView }, 
/**
 * The clocks, if the match has any.
 */
clock?: ClockView, 
/**
 * The open requests, one of a kind at most.
 */
requests?: Array<RequestView>, 
/**
 * Whether the player to move may claim a draw now, before moving.
 */
claimable: boolean, 
/**
 * Where moves are limited without clocks: what is left of the time for this move, milliseconds.
 */
limit_ms?: number, 
/**
 * Why no time runs just now and nobody may move, if so.
 */
frozen?: FrozenView, 
/**
 * The result, once the match has ended.
 */
outcome?: OutcomeView, 
/**
 * Why the match ended without places, if it did.
 */
aborted?: AbortCause, 
/**
 * The open wish for another match, after the end.
 */
rematch?: RematchView, 
/**
 * Whether the table has closed: nothing can be done there any more.
 */
closed?: boolean, };

export type TableCreated = { 
/**
 * The new table.
 */
table: TableId, 
/**
 * Its match.
 */
match: MatchId, };

export type TableId = string;

export type TableList = { 
/**
 * Public tables that are open or running, newest first.
 */
tables: Array<TableSummary>, 
/**
 * What to ask for as `before` to get the tables after these; none if these are the last.
 */
next?: TableId, 
/**
 * How many there are in all.
 */
counts: LobbyCounts, };

export type TableSettings = { 
/**
 * Which rules.
 */
variant: Variant, 
/**
 * Who may find the table.
 */
privacy: Privacy, 
/**
 * The position it starts from (FEN or FEN4), if it is not the variant's own.
 */
setup?: string, 
/**
 * The time control.
 */
time: TimeSetting, 
/**
 * How repetition and the move count draw.
 */
draws: DrawPolicy, 
/**
 * What becomes of a player who stays away too long.
 */
absence: Absence, 
/**
 * Who may watch, beside those who sit and the host.
 */
watchers: Watchers, 
/**
 * What the players' chat allows.
 */
chat: Chat, 
/**
 * Who may take a seat.
 */
admission: Admission, 
/**
 * Whether the result counts for ratings; a table that is not rated is casual.
 */
rated: boolean, 
/**
 * Whether one plays from the seat one took.
 */
seating: Seating, 
/**
 * Without clocks, how long one may think about a move, milliseconds; without it, as long as one likes.
 */
move_limit_ms?: number, 
/**
 * Whether one person may hold several seats: people around one screen.
 */
hotseat: boolean, };

export type TableStatus = { 
/**
 * Which table.
 */
table: TableId, 
/**
 * Who is to move, while the match runs.
 */
turn?: Color, 
/**
 * Moves made so far.
 */
plies: number, 
/**
 * How many watch without a seat.
 */
spectators: number, };

export type TableSummary = { 
/**
 * Which table.
 */
table: TableId, 
/**
 * What it was opened with.
 */
settings: TableSettings, 
/**
 * Who is host now.
 */
host: UserView, 
/**
 * Open, running or ended.
 */
phase: Phase, 
/**
 * The seats in turn order.
 */
seats: Array<SeatView>, 
/**
 * Who is to move, while the match runs.
 */
turn?: Color, 
/**
 * Moves made so far.
 */
plies: number, 
/**
 * How many watch without a seat.
 */
spectators: number, 
/**
 * When it was made, milliseconds since the Unix epoch.
 */
created_at_ms: number, };

export type TableView = { 
/**
 * What it was opened with.
 */
settings: TableSettings, 
/**
 * Who is host now.
 */
host: UserView, 
/**
 * The squares.
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
 * All events so far that this viewer may see, in order.
 */
history: Array<Entry>, 
/**
 * Whose turn it is, and so on.
 */
state: StateView, 
/**
 * The viewer's own seats in turn order: one, or several at a hotseat table; none for who only watches.
 */
yours: Array<Color>, 
/**
 * The viewer's legal moves, if it is the turn of a seat of the viewer's.
 */
legal?: Array<Move>, 
/**
 * How those who hold seats are there now, in turn order.
 */
players: Array<PlayerView>, 
/**
 * How many watch without a seat.
 */
spectators: number, };

export type TimeSetting = { "kind": "none" } | { "kind": "fischer", 
/**
 * What each player starts with.
 */
base_ms: number, 
/**
 * What each move adds.
 */
increment_ms: number, } | { "kind": "delay", 
/**
 * What each player starts with.
 */
base_ms: number, 
/**
 * The free time at the start of each turn.
 */
delay_ms: number, } | { "kind": "correspondence", 
/**
 * Days, 1 to 14.
 */
days: number, };

export type UserId = string;

export type UserPage = { 
/**
 * Who.
 */
user: UserView, 
/**
 * Since when there is such a user, milliseconds since the Unix epoch.
 */
since_ms: number, 
/**
 * How they did, by variant; variants they have not ended a match of are left out.
 */
standings: Array<Standing>, };

export type UserView = { 
/**
 * Who.
 */
id: UserId, 
/**
 * The name shown.
 */
name: string, 
/**
 * What kind of bot it is; a person is none.
 */
bot?: BotView, };

export type Uses = "single" | "open";

export type Vacating = "left" | "kicked";

export type Variant = "classic" | "dilkel" | "dilkel-compact";

export type Watchers = "everybody" | "link" | "nobody";

export type Words = { "text": string } | { "phrase": Phrase };

export type WrittenWord = { 
/**
 * The number before it.
 */
number?: number, 
/**
 * How many dots follow the number; one if not given.
 */
dots?: number, 
/**
 * The word.
 */
text?: string, 
/**
 * Judgements by their PGN numbers.
 */
nags?: Array<number>, 
/**
 * Comments behind it.
 */
comments?: Array<string>, 
/**
 * Other lines from before it.
 */
variations?: Array<Array<WrittenWord>>, };
