//! Recorded games of this project and of real players, replayed through the server. Every board
//! that a client receives must equal that of the rules, and the result must equal the recorded one.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::{ClientFrame, RequestAction, TableId};
use quadrex_rules::notation::{Notation, pgn, pgn4};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{plain, without_rate_limits};
use quadrex_tests::recorded_games::{self, Files, PlayerAction, RecordedGame};
use quadrex_tests::{Answer, Client, Database, Launch, Server};

const CLASSIC: Files = Files { ending: "pgn", at_most: 40 };
const FOUR_PLAYER: Files = Files { ending: "pgn4", at_most: usize::MAX };

/// The contents of the replayed games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    games: usize,
    plies: usize,
    castlings: usize,
    promotions: usize,
    results: usize,
}

/// A game that is being replayed.
struct Playing<'a> {
    game: &'a RecordedGame,
    table: TableId,
    next: usize,
}

/// The players of all games of one variant: one connection for each color, and a watcher.
struct Players {
    players: BTreeMap<Color, Client>,
    watcher: Client,
}

impl Players {
    async fn open(server: &Server, variant: Variant) -> Result<Self> {
        let mut players = BTreeMap::new();
        for color in variant.colors() {
            players.insert(*color, server.connect(&server.guest(color.name()).await?).await?);
        }
        Ok(Self { players, watcher: server.connect_as_nobody().await? })
    }

    async fn seat<'a>(&mut self, server: &Server, game: &'a RecordedGame) -> Result<Playing<'a>> {
        let host = self.players.values().next().context("there are players")?.guest()?;
        let table = CreateTable { setup: Some(game.setup.clone()), ..plain(game.variant) };
        let table = server.http().as_guest(host).create(&table).await?.table;
        for (color, client) in &mut self.players {
            let sit = client.sit(table, Some(*color), None);
            client.accepted(&sit).await?;
        }
        for client in self.players.values_mut().chain([&mut self.watcher]) {
            client.watch(table).await?;
        }
        Ok(Playing { game, table, next: 0 })
    }

    fn player(&mut self, color: Color) -> Result<&mut Client> {
        self.players.get_mut(&color).with_context(|| format!("{color} does not play"))
    }

    /// Sends the next action of each game, then waits until every client has received all of them.
    async fn round(&mut self, games: &mut [Playing<'_>]) -> Result<()> {
        let mut sent = Vec::new();
        for playing in games.iter_mut() {
            let Some(action) = playing.game.actions.get(playing.next) else { continue };
            playing.next += 1;
            let table = playing.table;
            match *action {
                PlayerAction::Move(color, mv) => {
                    let player = self.player(color)?;
                    let command = player.mv(table, mv)?;
                    sent.push((self.send(color, command).await?, playing.game, *action));
                }
                PlayerAction::Resign(color) => {
                    let command = self.player(color)?.resign(table);
                    sent.push((self.send(color, command).await?, playing.game, *action));
                }
                PlayerAction::Claim => {
                    let turn = self.watcher.table(table)?.state().turn.context("the match runs")?;
                    let command = self.player(turn)?.claim_draw(table);
                    sent.push((self.send(turn, command).await?, playing.game, *action));
                }
                PlayerAction::Agree => self.agree(table).await?,
            }
        }
        for ((color, command), game, action) in sent {
            let cmd = command.command_id().context("it is a command")?;
            let about = || format!("{}: {action:?}", game.name);
            let Answer::Ack(seq) = self.player(color)?.answer(cmd).await.with_context(about)? else {
                anyhow::bail!("{} was refused", about());
            };
            let table = table_of(&command)?;
            for client in self.players.values_mut().chain([&mut self.watcher]) {
                client.until_seq(table, seq).await.with_context(about)?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, color: Color, command: ClientFrame) -> Result<(Color, ClientFrame)> {
        self.player(color)?.send(&command).await?;
        Ok((color, command))
    }

    /// Ends a match by a draw: a remaining player offers it, and all others accept it.
    async fn agree(&mut self, table: TableId) -> Result<()> {
        let active_players = self.watcher.table(table)?.state().active_players.clone();
        let acts = std::iter::once(RequestAction::Ask).chain(std::iter::repeat(RequestAction::Accept));
        for (color, action) in active_players.into_iter().zip(acts) {
            let player = self.player(color)?;
            let command = player.draw(table, action);
            let seq = player.accepted(&command).await?;
            for client in self.players.values_mut().chain([&mut self.watcher]) {
                client.until_seq(table, seq).await?;
            }
        }
        Ok(())
    }
}

fn table_of(command: &ClientFrame) -> Result<TableId> {
    match command {
        ClientFrame::Move { table, .. }
        | ClientFrame::Resign { table, .. }
        | ClientFrame::Request { table, .. }
        | ClientFrame::ClaimDraw { table, .. } => Ok(*table),
        other => anyhow::bail!("{other:?} is not an action"),
    }
}

/// Replays these games, all of one variant, at the same time.
async fn play(games: &[RecordedGame]) -> Result<Count> {
    let mut count = Count { games: games.len(), ..Count::default() };
    let Some(first) = games.first() else { return Ok(count) };
    let server = without_rate_limits(Launch::new(&Database::Sqlite)?).start().await?;
    let mut players = Players::open(&server, first.variant).await?;
    let mut playing = Vec::new();
    for game in games {
        playing.push(players.seat(&server, game).await.with_context(|| game.name.clone())?);
    }
    while playing.iter().any(|playing| playing.next < playing.game.actions.len()) {
        players.round(&mut playing).await?;
    }
    for Playing { game, table, .. } in playing {
        check_end(&players, game, table, &mut count).with_context(|| game.name.clone())?;
    }
    Ok(count)
}

/// Checks the end of a game for every client, and counts its contents.
fn check_end(players: &Players, game: &RecordedGame, table: TableId, count: &mut Count) -> Result<()> {
    let seen = players.watcher.table(table)?;
    for client in players.players.values() {
        ensure!(client.table(table)?.view().pieces == seen.view().pieces, "a player has another board");
    }
    if let Some(expected) = &game.result {
        let outcome = seen.referee().game().context("the match has started")?.outcome();
        let result = match game.variant.notation() {
            Notation::Pgn => pgn::result_text(outcome).to_owned(),
            Notation::Pgn4 => pgn4::result_text(outcome),
        };
        ensure!(result == *expected, "it ended {result}, not {expected}");
        count.results += 1;
    }
    for entry in &seen.view().history {
        let Some(text) = &entry.notation else { continue };
        count.plies += 1;
        count.castlings += usize::from(text.starts_with("O-O"));
        count.promotions += usize::from(text.contains('='));
    }
    Ok(())
}

#[tokio::test]
async fn recorded_classic_games_can_be_played_to_their_ends() -> Result<()> {
    let count = play(&CLASSIC.read(&recorded_games::own_folder())?).await?;
    println!("{count:?}");
    ensure!(count == Count { games: 6, plies: 386, castlings: 3, promotions: 1, results: 6 }, "{count:?}");
    Ok(())
}

#[tokio::test]
async fn recorded_four_player_games_can_be_played_to_their_ends() -> Result<()> {
    let count = play(&FOUR_PLAYER.read(&recorded_games::own_folder())?).await?;
    println!("{count:?}");
    ensure!(count == Count { games: 5, plies: 671, castlings: 6, promotions: 4, results: 5 }, "{count:?}");
    Ok(())
}

/// Every game of `classic` reaches its end and the result in its file. A four-player game of
/// another site is replayed as far as the rules agree.
#[tokio::test]
async fn recorded_games_of_other_rules_can_be_played_to_their_first_illegal_move() -> Result<()> {
    let count = play(&FOUR_PLAYER.read(&recorded_games::other_rules_folder())?).await?;
    println!("{count:?}");
    ensure!(count == Count { games: 4, plies: 273, castlings: 4, promotions: 0, results: 0 }, "{count:?}");
    for folder in recorded_games::added_folders() {
        let classic = CLASSIC.read(&folder)?;
        let count = play(&classic).await.with_context(|| folder.display().to_string())?;
        println!("{}, classic: {count:?}", folder.display());
        ensure!(count.results == classic.len(), "a game has not ended");
        let four = FOUR_PLAYER.read(&folder)?;
        let count = play(&four).await.with_context(|| folder.display().to_string())?;
        println!("{}, four players: {count:?}", folder.display());
        ensure!(count.plies > 0 || four.is_empty(), "no move was played");
    }
    Ok(())
}
