//! `quadrex play`: engines that play over the protocol like all other clients.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::archive::{MatchList, MatchView};
use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::{CreateTable, NewInvite, QuickJoin, TableList, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, Event, MatchId, RequestAction, TableId};
use quadrex_rules::{Cause, Color, Request, Variant};
use quadrex_tests::bot_process::stockfish;
use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::{BotLaunch, Client, Database, Launch, Server, Tls, program};

/// Starts a server without rate limits.
async fn start() -> Result<(Launch, Server)> {
    let launch = without_rate_limits(Launch::new(&Database::Sqlite)?);
    let server = launch.start().await?;
    Ok((launch, server))
}

fn url(server: &Server) -> String {
    format!("http://{}", server.address())
}

/// Returns a launch of the project's own engine at a fast level.
fn own_engine(server: &Server, arguments: &[&str]) -> Result<BotLaunch> {
    let launch = BotLaunch::new(program::path()?)?.with(["--server", &url(server), "--think", "15"]);
    Ok(launch.with(["--option", "Skill Level=1"]).with(arguments).with(["--", "uci"]))
}

/// Returns a launch of a shell script that pretends to be an engine and runs this command for `go`.
fn fake_engine(server: &Server, when_it_moves: &str, arguments: &[&str]) -> Result<BotLaunch> {
    let script = format!(
        "while read -r word rest; do case $word in uci) echo id name Pretender; echo uciok;; isready) echo readyok;; go) {when_it_moves};; esac; done"
    );
    let launch = BotLaunch::new("/bin/sh")?.with(["--server", &url(server)]).with(arguments);
    Ok(launch.with(["--", "-c", &script]))
}

fn is_ended(client: &Client, table: TableId) -> bool {
    client.table(table).is_ok_and(|seen| seen.state().phase == Phase::Ended)
}

/// Waits until it is this client's turn.
async fn until_turn(client: &mut Client, table: TableId) -> Result<()> {
    let has_turn = |client: &Client| client.table(table).is_ok_and(|seen| seen.view().legal_moves.is_some());
    client.until("the own turn", has_turn).await
}

/// Makes this number of moves, each on the client's turn, and waits for the reply to the last move.
async fn play_moves(client: &mut Client, table: TableId, moves: usize) -> Result<()> {
    for _ in 0..moves {
        until_turn(client, table).await?;
        let legal = client.table(table)?.view().legal_moves.clone().context("it is its turn")?;
        let mv = client.mv(table, legal[0])?;
        client.accepted(&mv).await?;
    }
    until_turn(client, table).await
}

/// Returns the only public table.
async fn only_table(server: &Server) -> Result<Option<TableId>> {
    let TableList { tables, .. } = server.http().get("/api/tables").await?.json(200)?;
    Ok(tables.first().map(|table| table.table))
}

/// Joins the table of the engine as a new guest, Ada, and watches it.
async fn ada_joins(server: &Server) -> Result<(TableId, Client)> {
    let guest = server.guest("Ada").await?;
    let wish = QuickJoin::plain(Variant::Classic);
    let table = server.http().as_guest(&guest).quick_join(&wish).await?.table;
    let mut client = server.connect(&guest).await?;
    client.watch(table).await?;
    Ok((table, client))
}

/// Four engines play `dilkel`, which only the project's own engine knows, on clocks to the end. One
/// opens a table and three join it. None runs out of time, and each exits after its match.
#[tokio::test]
async fn four_engines_play_dilkel_on_clocks() -> Result<()> {
    let (_launch, server) = start().await?;
    let common = ["--variant", "dilkel", "--games", "1"];
    let mut players =
        vec![own_engine(&server, &[&common[..], &["--open", "--time", "2+1"]].concat())?.start()?];
    for _ in 0..3 {
        players.push(own_engine(&server, &common)?.start()?);
    }
    for player in &mut players {
        let status = player.ended().await?;
        // An eliminated bot leaves while the others play on.
        let is_sent = ["the match is over", "out of the match"].iter().any(|end| player.log().contains(end));
        ensure!(status.success() && is_sent, "{}", player.log());
        ensure!(
            !player.log().contains("WARN") && !player.log().contains("refused a move"),
            "{}",
            player.log()
        );
        ensure!(
            player.output().contains("QUADREX_TOKEN="),
            "a new guest gets its token: {}",
            player.output()
        );
    }
    let MatchList { matches, .. } = server.http().get("/api/matches").await?.json(200)?;
    let [played] = &matches[..] else { anyhow::bail!("{matches:?}") };
    ensure!(played.outcome.is_some(), "{played:?}");
    let view: MatchView = server.http().get(&format!("/api/matches/{}", played.match_id)).await?.json(200)?;
    let out = &view.view.state.eliminated;
    ensure!(out.iter().all(|out| out.cause != Cause::Time), "{out:?}");
    for seat in &played.seats {
        let user = seat.user.as_ref().context("a seat is open")?;
        ensure!(user.bot == Some(BotView::Account {}) && user.name.starts_with("Quadrex"), "{user:?}");
    }
    Ok(())
}

/// Stockfish at an open table answers requests as configured. It plays on after the server is
/// killed and restarted, and after the bot itself is killed and restarted with its token. It plays
/// a rematch, and exits after that match because it received SIGTERM.
#[tokio::test]
async fn a_stockfish_bot_survives_restarts_of_the_server_and_the_engine() -> Result<()> {
    let (launch, mut server) = start().await?;
    let file = launch.sibling_path("bot.token");
    let file = file.to_str().context("the path is text")?;
    let play = |server: &Server, more: &[&str]| {
        let player = BotLaunch::new(stockfish()?)?.with(["--server", &url(server), "--token-file", file]);
        let player = player.with(["--think", "30", "--option", "Hash=8", "--draws", "decline"]);
        player.with(more).start()
    };
    let mut player = play(&server, &["--open", "--time", "10+0", "--variant", "classic"])?;
    player.until_logged("sits as", 1).await?;
    ensure!(
        !player.output().contains("QUADREX_TOKEN") && player.output().contains(file),
        "{}",
        player.output()
    );
    let (table, mut ada) = ada_joins(&server).await?;
    play_moves(&mut ada, table, 3).await?;
    let engine = ada.table(table)?.view().seats.iter().find(|seat| seat.color == Color::White);
    let engine = engine.and_then(|seat| seat.user.clone()).context("it sits")?;
    ensure!(engine.bot == Some(BotView::Account {}) && engine.name.starts_with("Stockfish"), "{engine:?}");

    for (request, accepted) in [(Request::Draw, false), (Request::Takeback, true)] {
        let asking = ada.request(table, request, RequestAction::Ask);
        let seq = ada.accepted(&asking).await?;
        let is_answered = |client: &Client| {
            client.table(table).is_ok_and(|seen| seen.seq() > seq && seen.state().requests.is_empty())
        };
        ada.until("the answer", is_answered).await?;
        let history = &ada.table(table)?.view().history;
        let answer = &history.iter().find(|entry| entry.seq == seq + 1).context("it has an answer")?.event;
        let said = matches!(answer, Event::Agreed { .. });
        ensure!(said == accepted, "{request}: {answer:?}");
    }
    play_moves(&mut ada, table, 1).await?;

    server.kill().await?;
    player.until_logged("connecting again", 1).await?;
    server = launch.bound_to(server.address()).start().await?;
    player.until_logged("connected again", 1).await?;
    ada.reconnect(server.address()).await?;
    play_moves(&mut ada, table, 3).await?;

    player.kill().await?;
    let mut player = play(&server, &["--table", &table.to_string()])?;
    play_moves(&mut ada, table, 3).await?;

    let resign = ada.resign(table);
    ada.accepted(&resign).await?;
    player.until_logged("the match is over (resign)", 1).await?;
    let match_id: MatchId = ada.table(table)?.match_id();
    let rematch = ClientFrame::Rematch {
        table,
        cmd: ada.next_command_id(),
        action: RequestAction::Ask,
        nonce: None,
        seat: None,
        match_id: None,
    };
    ada.accepted(&rematch).await?;
    let is_next = |client: &Client| client.table(table).is_ok_and(|seen| seen.match_id() != match_id);
    ada.until("the rematch", is_next).await?;
    play_moves(&mut ada, table, 2).await?;

    player.signal("INT")?;
    player.until_logged("1 of its matches still run", 1).await?;
    play_moves(&mut ada, table, 1).await?;
    let resign = ada.resign(table);
    ada.accepted(&resign).await?;
    ensure!(player.ended().await?.success(), "{}", player.log());
    ensure!(!player.log().contains("gave no move"), "{}", player.log());
    Ok(())
}

/// After a second signal the bot exits at once without resigning, and keeps its seat. After one
/// signal without a running match, it leaves its seat.
#[tokio::test]
async fn an_interrupted_bot_does_not_resign() -> Result<()> {
    let (_launch, server) = start().await?;
    let mut player = own_engine(&server, &["--open", "--variant", "classic"])?.start()?;
    player.until_logged("sits as white", 1).await?;
    let table = only_table(&server).await?.context("it opened a table")?;
    player.signal("INT")?;
    ensure!(player.ended().await?.success(), "{}", player.log());
    let mut watcher = server.connect_as_nobody().await?;
    let seen = watcher.watch(table).await?;
    ensure!(seen.view().seats.iter().all(|seat| seat.user.is_none()), "its seat is open again");

    let mut player = own_engine(&server, &["--variant", "classic"])?.start()?;
    let (table, mut ada) = ada_joins(&server).await?;
    play_moves(&mut ada, table, 1).await?;
    player.signal("TERM")?;
    ensure!(player.ended().await?.success(), "{}", player.log());
    ensure!(player.log().contains("goes on without the bot"), "{}", player.log());
    ensure!(ada.table(table)?.state().phase == Phase::Running && !is_ended(&ada, table));
    Ok(())
}

/// The bot joins a private table with an invite, in the named seat, for the given number of
/// matches.
#[tokio::test]
async fn a_bot_joins_by_an_invite_link() -> Result<()> {
    let (_launch, server) = start().await?;
    let ada = server.guest("Ada").await?;
    let http = server.http().as_guest(&ada);
    let private = CreateTable::plain(Variant::Classic, Privacy::Private);
    let table = http.create(&CreateTable { seat: Some(Color::White), ..private }).await?.table;
    let secret = http.invite(table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let mut ada = server.connect(&ada).await?;
    ada.watch(table).await?;
    let link = format!("{}/t/{table}#invite={secret}", url(&server));
    let player =
        BotLaunch::new(program::path()?)?.with(["--table", &link, "--seat", "black", "--games", "1"]);
    let mut player = player.with(["--think", "15", "--", "uci"]).start()?;
    play_moves(&mut ada, table, 2).await?;
    let resign = ada.resign(table);
    ada.accepted(&resign).await?;
    ensure!(player.ended().await?.success() && player.log().contains("sits as black"), "{}", player.log());
    Ok(())
}

/// The bot connects over TLS if the machine trusts the certificate. With another certificate it
/// sends no data and reports an error.
#[tokio::test]
async fn a_bot_connects_with_tls() -> Result<()> {
    let (_launch, server) = start().await?;
    let tls = Tls::before(server.address()).await?;
    let (url, authority) = (tls.url(), Tls::authority());
    let launch = || -> Result<BotLaunch> {
        Ok(BotLaunch::new(stockfish()?)?.with(["--server", &url, "--open", "--think", "30"]))
    };
    let player = launch()?.with_env("SSL_CERT_FILE", &authority).start()?;
    player.until_logged(&format!("opened a table of classic: {url}/t/"), 1).await?;
    player.until_logged("sits as", 1).await?;
    let (table, mut ada) = ada_joins(&server).await?;
    play_moves(&mut ada, table, 2).await?;

    let stranger = program::root().join("tests/tls/server.pem");
    let log = launch()?.with_env("SSL_CERT_FILE", &stranger).fails().await?;
    ensure!(log.contains(&format!("cannot connect to {url}")) && log.contains("certificate"), "{log}");
    Ok(())
}

/// An engine that exits is restarted, and the match continues.
#[tokio::test]
async fn an_engine_that_exits_is_restarted() -> Result<()> {
    let (launch, server) = start().await?;
    let flag = launch.sibling_path("has-died");
    let script = format!(
        "if [ -e {0} ]; then exec {1}; fi; while read -r word; do case $word in uci) echo uciok;; isready) echo readyok;; go*) touch {0}; exit 3;; esac; done",
        flag.display(),
        stockfish()?.display()
    );
    let player = BotLaunch::new("/bin/sh")?.with(["--server", &url(&server), "--think", "30", "--open"]);
    let player = player.with(["--", "-c", &script]).start()?;
    player.until_logged("sits as", 1).await?;
    let (table, mut ada) = ada_joins(&server).await?;
    play_moves(&mut ada, table, 2).await?;
    ensure!(player.log().contains("it ended with exit status: 3"), "{}", player.log());
    ensure!(player.log().contains("restarting the engine (1 of 3 restarts)"), "{}", player.log());
    Ok(())
}

/// The bot gives up an engine that fails or returns illegal moves repeatedly, and reports the
/// reason. It sends no illegal move, and the match continues.
#[tokio::test]
async fn a_bot_leaves_if_its_engine_keeps_failing() -> Result<()> {
    for (broken, why) in [
        ("exit 3", "it ended with exit status: 3"),
        ("echo bestmove a1a8", "its move is \"a1a8\""),
        ("echo bestmove '(none)'", "its move is \"(none)\""),
    ] {
        let (_launch, server) = start().await?;
        let more = ["--open", "--variant", "classic", "--restarts", "2"];
        let mut player = fake_engine(&server, broken, &more)?.start()?;
        player.until_logged("sits as", 1).await?;
        let (table, ada) = ada_joins(&server).await?;
        ensure!(!player.ended().await?.success());
        let log = player.log();
        let end = log.lines().last().unwrap_or_default();
        ensure!(
            end.starts_with("quadrex: the engine gave no move 3 times in one match") && end.contains(why),
            "{log}"
        );
        ensure!(!log.contains("refused a move"), "a move was sent: {log}");
        let mut watcher = server.connect_as_nobody().await?;
        let seen = watcher.watch(table).await?;
        ensure!(seen.state().phase == Phase::Running && seen.referee().moves() == 0, "{:?}", seen.state());
        drop(ada);
    }
    Ok(())
}

/// A mistake in the arguments is reported on one line, with its place.
#[tokio::test]
async fn command_line_mistakes_are_reported() -> Result<()> {
    let (_launch, server) = start().await?;
    let ada = server.guest("Ada").await?;
    let (here, fish) = (url(&server), stockfish()?);
    let nobody = quadrex_tests::http::Http::new("127.0.0.1:9".parse()?);
    ensure!(nobody.get("/").await.is_err(), "another process listens on the discard port");
    let (own, fish) = (program::path()?, fish.as_path());
    let none = "0192f0c1-2345-7000-8000-000000000001";
    let at_none = ["--server", &here, "--table", none];
    let elsewhere = format!("https://chess.example/t/{none}");
    let cases: Vec<(&std::path::Path, Vec<&str>, Vec<&str>)> = vec![
        (
            "/nowhere/engine".as_ref(),
            vec!["--server", &here],
            vec!["--engine /nowhere/engine: it cannot be started"],
        ),
        (
            "/bin/true".as_ref(),
            vec!["--server", &here],
            vec!["--engine /bin/true: it ended with exit status: 0"],
        ),
        (fish, vec!["--server", "example"], vec!["--server: ", "\"example\" is not http://HOST"]),
        (fish, vec!["--server", "http://127.0.0.1:9"], vec!["http://127.0.0.1:9", "onnection refused"]),
        (
            fish,
            vec!["--server", &here, "--token", "nonsense"],
            vec![&here, "does not accept the token of --token"],
        ),
        (fish, vec!["--server", &here, "--token", &ada.token], vec!["Ada is not a bot"]),
        (
            fish,
            vec!["--server", &here, "--option", "Hsh=8"],
            vec!["--option Hsh=8: it has no option \"Hsh\"; it has", "Hash"],
        ),
        (
            fish,
            vec!["--server", &here, "--option", "Hash=0"],
            vec!["its option Hash cannot be \"0\": it is a number from 1"],
        ),
        (
            fish,
            vec!["--server", &here, "--variant", "dilkel"],
            vec!["Stockfish", "does not play dilkel", "UCI_Variant"],
        ),
        (fish, vec!["--server", &here, "--variant", "chess960"], vec!["chess960", "one of classic, dilkel"]),
        (fish, vec!["--server", &here, "--time", "5"], vec!["none, 5+3, 5d3 or 3days"]),
        (fish, vec!["--server", &here, "--seat", "red"], vec!["--seat: classic has no red"]),
        (fish, vec!["--server", &here, "--open", "--time", "30days"], vec!["opens no such table"]),
        (fish, at_none.to_vec(), vec![none, "does not show it"]),
        (fish, vec!["--server", &here, "--table", &elsewhere], vec!["--table is on https://chess.example"]),
        (fish, vec!["--table", none], vec!["--server is missing"]),
        (own.as_path(), vec!["--server", &here], vec!["--engine", "it ended"]),
    ];
    for (engine, arguments, said) in cases {
        let log = BotLaunch::new(engine)?.with(&arguments).fails().await?;
        for part in said {
            ensure!(log.contains(part), "{arguments:?}: {part:?} is not in {log}");
        }
        ensure!(!log.contains("panicked") && !log.contains(&ada.token), "{log}");
    }
    // The token comes from an environment variable, so other users cannot see it. An invalid token
    // is reported.
    let log = BotLaunch::new(fish)?.with(["--server", &here]).with_env("QUADREX_TOKEN", "no").fails().await?;
    ensure!(log.contains("QUADREX_TOKEN"), "{log}");
    Ok(())
}
