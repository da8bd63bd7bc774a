//! Every command, and the other frames that are answered.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Result, bail, ensure};
use quadrex_protocol::bot::BotChoice;
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::{ClientFrame, CommandId, RefusalCode, RequestAction, ServerFrame, TableId};
use quadrex_rules::{Color, Request};
use quadrex_tests::client::Answer;
use quadrex_tests::{Client, InProcessServer};

use super::routes::absent_table;
use super::table::{Stage, Table};
use super::users::{Link, User};

/// A frame that is answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    WatchLobby,
    WatchOwnTables,
    Watch,
    Sit,
    Leave,
    Kick,
    AddBot,
    Move,
    Resign,
    Request,
    ClaimDraw,
    Resume,
    ChatOfPlayers,
    ChatOfSpectators,
    Rematch,
}

impl Command {
    pub(super) const ALL: [Self; 15] = [
        Self::WatchLobby,
        Self::WatchOwnTables,
        Self::Watch,
        Self::Sit,
        Self::Leave,
        Self::Kick,
        Self::AddBot,
        Self::Move,
        Self::Resign,
        Self::Request,
        Self::ClaimDraw,
        Self::Resume,
        Self::ChatOfPlayers,
        Self::ChatOfSpectators,
        Self::Rematch,
    ];

    /// Returns the commands of a frame. Frames without an answer have none.
    pub(super) fn of(frame: &ClientFrame) -> &'static [Self] {
        match frame {
            ClientFrame::WatchLobby {} => &[Self::WatchLobby],
            ClientFrame::WatchOwnTables {} => &[Self::WatchOwnTables],
            ClientFrame::Watch { .. } => &[Self::Watch],
            ClientFrame::Sit { .. } => &[Self::Sit],
            ClientFrame::Leave { .. } => &[Self::Leave],
            ClientFrame::Kick { .. } => &[Self::Kick],
            ClientFrame::AddBot { .. } => &[Self::AddBot],
            ClientFrame::Move { .. } => &[Self::Move],
            ClientFrame::Resign { .. } => &[Self::Resign],
            ClientFrame::Request { .. } => &[Self::Request],
            ClientFrame::ClaimDraw { .. } => &[Self::ClaimDraw],
            ClientFrame::Resume { .. } => &[Self::Resume],
            ClientFrame::Chat { .. } => &[Self::ChatOfPlayers, Self::ChatOfSpectators],
            ClientFrame::Rematch { .. } => &[Self::Rematch],
            ClientFrame::Hello { .. }
            | ClientFrame::UnwatchLobby {}
            | ClientFrame::UnwatchOwnTables {}
            | ClientFrame::Unwatch { .. }
            | ClientFrame::Ping {} => &[],
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::WatchLobby => "watch_lobby",
            Self::WatchOwnTables => "watch_own_tables",
            Self::Watch => "watch",
            Self::Sit => "sit",
            Self::Leave => "leave",
            Self::Kick => "kick",
            Self::AddBot => "add_bot",
            Self::Move => "move",
            Self::Resign => "resign",
            Self::Request => "request",
            Self::ClaimDraw => "claim_draw",
            Self::Resume => "resume",
            Self::ChatOfPlayers => "chat of players",
            Self::ChatOfSpectators => "chat of spectators",
            Self::Rematch => "rematch",
        }
    }

    /// Returns the progress of the match at which the command makes sense; `None` if it concerns no
    /// table.
    pub(super) const fn stage(self) -> Option<Stage> {
        match self {
            Self::WatchLobby | Self::WatchOwnTables => None,
            Self::Sit | Self::Leave | Self::Kick | Self::AddBot => Some(Stage::Open),
            Self::Watch
            | Self::Move
            | Self::Resign
            | Self::Request
            | Self::ClaimDraw
            | Self::Resume
            | Self::ChatOfPlayers
            | Self::ChatOfSpectators => Some(Stage::Running),
            Self::Rematch => Some(Stage::Ended),
        }
    }

    /// Returns true if the table is another one after the command.
    pub(super) const fn changes(self) -> bool {
        !matches!(self, Self::WatchLobby | Self::WatchOwnTables | Self::Watch)
    }

    /// Returns the frame. Only an invited user uses a link to sit.
    fn frame(
        self,
        table: TableId,
        cmd: CommandId,
        secret: Option<String>,
        link: Option<Link>,
    ) -> Result<ClientFrame> {
        let (seat, match_id) = (None, None);
        let chat = |room| ClientFrame::Chat {
            table,
            cmd: cmd.clone(),
            match_id,
            room,
            message: ChatMessage::Text("hello".to_owned()),
            seat,
        };
        Ok(match self {
            Self::WatchLobby => ClientFrame::WatchLobby {},
            Self::WatchOwnTables => ClientFrame::WatchOwnTables {},
            Self::Watch => ClientFrame::Watch { table, match_id, after: None, secret, preview: false },
            Self::Sit => {
                let invite = secret.filter(|_| link == Some(Link::Invite));
                ClientFrame::Sit { table, cmd, match_id, seat, invite, nonce: None }
            }
            Self::Leave => ClientFrame::Leave { table, cmd, match_id, seat },
            Self::Kick => ClientFrame::Kick { table, cmd, match_id, color: Color::Blue },
            Self::AddBot => {
                let bot = BotChoice::BuiltIn { level: 1.try_into()? };
                ClientFrame::AddBot { table, cmd, match_id, seat, bot }
            }
            Self::Move => ClientFrame::Move {
                table,
                cmd,
                match_id,
                after: 1,
                mv: "g2g3".parse()?,
                claim_draw: false,
                seat,
            },
            Self::Resign => ClientFrame::Resign { table, cmd, match_id, seat },
            Self::Request => {
                let (request, action) = (Request::Draw, RequestAction::Ask);
                ClientFrame::Request { table, cmd, match_id, request, action, seat }
            }
            Self::ClaimDraw => ClientFrame::ClaimDraw { table, cmd, match_id, seat },
            Self::Resume => ClientFrame::Resume { table, cmd, match_id, seat },
            Self::ChatOfPlayers => chat(Room::Seated),
            Self::ChatOfSpectators => chat(Room::Bystanders),
            Self::Rematch => {
                let action = RequestAction::Ask;
                ClientFrame::Rematch { table, cmd, match_id, action, nonce: None, seat }
            }
        })
    }

    /// Sends the command as a user who watches the table if possible, and returns the outcome. A
    /// hidden table must be answered like a table that does not exist.
    pub(super) async fn cell(
        self,
        server: &InProcessServer,
        user: &User,
        table: Option<&Table>,
    ) -> Result<String> {
        let mut client = match hello(server, user).await? {
            Ok(client) => client,
            Err(code) => return Ok(code.name().to_owned()),
        };
        let id = table.map_or(absent_table(), |table| table.id);
        let secret = table.and_then(|table| table.secret_of(user));
        if self.changes() {
            let watch = Self::Watch.frame(id, next_command_id()?, secret.clone(), None)?;
            ask(&mut client, &watch).await?;
        }
        let frame = self.frame(id, next_command_id()?, secret.clone(), user.link)?;
        ensure!(Self::of(&frame).contains(&self), "{} is another frame", self.name());
        let answer = ask(&mut client, &frame).await?;
        if let Answer::Refused(RefusalCode::NotFound, _) = &answer {
            let absent = self.frame(absent_table(), next_command_id()?, secret, user.link)?;
            let other = ask(&mut client, &absent).await?;
            ensure!(answer == other, "{} as {}: {answer:?} and {other:?}", self.name(), user.name);
        }
        Ok(match answer {
            Answer::Ack(_) => "ok".to_owned(),
            Answer::Refused(code, _) if is_of_match(code) => "match".to_owned(),
            Answer::Refused(code, _) => code.name().to_owned(),
        })
    }
}

/// Returns an id that no command of the process has had, because each command is sent over a new
/// connection, and a user's commands with the same id count as one.
fn next_command_id() -> Result<CommandId> {
    static LAST: AtomicU64 = AtomicU64::new(0);
    Ok(format!("a{}", LAST.fetch_add(1, Ordering::Relaxed)).parse()?)
}

/// Returns true if the match refuses something that the user may try.
fn is_of_match(code: RefusalCode) -> bool {
    matches!(
        code,
        RefusalCode::NotYourTurn
            | RefusalCode::Stale
            | RefusalCode::IllegalMove
            | RefusalCode::NoDrawToClaim
            | RefusalCode::NotPaused
    )
}

/// Connects as a user. The inner error is the refusal of `hello`.
async fn hello(server: &InProcessServer, user: &User) -> Result<Result<Client, RefusalCode>> {
    let mut client = Client::connect(server.address()).await?;
    let token = user.guest.as_ref().map(|guest| guest.token.clone());
    client.send(&ClientFrame::Hello { token }).await?;
    match client.next().await? {
        ServerFrame::Welcome { .. } => Ok(Ok(client)),
        ServerFrame::Refused { code, .. } => Ok(Err(code)),
        other => bail!("{other:?} instead of `welcome`"),
    }
}

/// Sends a frame and waits for its answer. Everything but a refusal counts as an acknowledgement.
async fn ask(client: &mut Client, frame: &ClientFrame) -> Result<Answer> {
    if frame.command_id().is_some() {
        return client.ask(frame).await;
    }
    client.send(frame).await?;
    let answer = |frame| match frame {
        ServerFrame::Snapshot { .. } | ServerFrame::Lobby { .. } | ServerFrame::OwnTables { .. } => {
            Some(Answer::Ack(0))
        }
        ServerFrame::Refused { cmd: None, code, message, .. } => Some(Answer::Refused(code, message)),
        _ => None,
    };
    client.find("the answer", answer).await
}
