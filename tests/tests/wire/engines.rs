//! External engines in seats: a real engine, and engines that do not work.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::bot::{BotChoice, BotList, BotSeat, BotView};
use quadrex_protocol::http::{CreateTable, TableCreated};
use quadrex_protocol::{Event, RefusalCode};
use quadrex_rules::{Color, Variant};
use quadrex_tests::bot_process::stockfish;
use quadrex_tests::contest::plain;
use quadrex_tests::{Client, Database, Launch, program};

use crate::bots::with_fast_bots;

/// Returns a launch configuration with these settings.
fn with_settings(settings: &str) -> Result<Launch> {
    let launch = with_fast_bots(&Database::Sqlite)?;
    let file = launch.sibling_path("settings.toml");
    std::fs::write(&file, settings)?;
    Ok(launch.with_argument("--config").with_argument(file.to_str().context("the path is text")?))
}

/// Returns settings with three engines that do not work for different reasons, and one that works.
fn broken_engines() -> Result<String> {
    let own = program::path()?;
    let own = own.to_str().context("the path is text")?;
    Ok(format!(
        "[engines.missing]\ncommand = \"/nowhere/engine\"\nvariants = [\"classic\"]\n\
         [engines.own]\ncommand = {own:?}\narguments = [\"uci\"]\noptions = {{ Hash = \"16\" }}\n\
         variants = [\"classic\", \"dilkel\"]\nelo = [1000, 2000]\n\
         [engines.misset]\ncommand = {own:?}\narguments = [\"uci\"]\noptions = {{ Hash = \"much\" }}\n\
         variants = [\"classic\"]\n\
         [engines.strong]\ncommand = {own:?}\narguments = [\"uci\"]\nvariants = [\"classic\"]\nelo = [1000, 9000]\n"
    ))
}

/// The reason why each engine does not work.
const UNFIT: [(&str, &str); 3] = [
    ("missing", "it cannot be started: No such file"),
    ("misset", "its option Hash cannot be \"much\": it is a number from"),
    ("strong", "its option UCI_Elo cannot be \"9000\": it is a number from"),
];

/// The start reports engines that do not work before anybody needs them.
#[tokio::test]
async fn the_start_reports_engines_that_do_not_work() -> Result<()> {
    let launch = with_settings(&broken_engines()?)?;
    let _server = launch.start().await?;
    launch.until_logged("an engine of the settings cannot play", UNFIT.len()).await?;
    let log = launch.log();
    for (engine, why) in UNFIT {
        let is_reported = |line: &str| line.contains("WARN") && line.contains(engine) && line.contains(why);
        ensure!(log.lines().any(is_reported), "{engine}: {log}");
    }
    launch.until_logged("an engine of the settings can play", 1).await
}

/// A check reports all engines that do not work on one line, and the names of those that work.
#[tokio::test]
async fn a_check_tries_the_engines() -> Result<()> {
    let ended = with_settings(&broken_engines()?)?.with_argument("--check").run().await?;
    ensure!(ended.status.code() == Some(1) && ended.stderr.lines().count() == 1, "{ended:?}");
    for (engine, why) in UNFIT {
        let is_reported = |line: &str| line.contains(&format!("engines.{engine} (/")) && line.contains(why);
        ensure!(ended.stderr.split("; ").any(is_reported), "{engine}: {ended:?}");
    }
    ensure!(!ended.stderr.contains("engines.own"), "{ended:?}");
    let own = program::path()?;
    let settings =
        format!("[engines.own]\ncommand = {own:?}\narguments = [\"uci\"]\nvariants = [\"dilkel\"]\n");
    let ended = with_settings(&settings)?.with_argument("--check").run().await?;
    ensure!(ended.status.success(), "{ended:?}");
    ensure!(ended.stdout.contains("\nengine own: Quadrex ") && ended.stdout.ends_with("\nok\n"), "{ended:?}");
    Ok(())
}

/// Returns the request for a table of classic chess with this engine as White.
fn against(engine: &str, elo: Option<u16>) -> CreateTable {
    let bot = BotChoice::Engine { engine: engine.to_owned(), elo };
    CreateTable {
        seat: Some(Color::Black),
        bots: vec![BotSeat { seat: Some(Color::White), bot }],
        ..plain(Variant::Classic)
    }
}

/// Plays this number of moves against the engine, which begins, as a new guest, Ada.
async fn play(launch: &Launch, table: &CreateTable, moves: usize) -> Result<Client> {
    let server = launch.start().await?;
    let guest = server.guest("Ada").await?;
    let TableCreated { table, .. } = server.http().as_guest(&guest).create(table).await?;
    let mut client = server.connect(&guest).await?;
    client.watch(table).await?;
    for number in 1..=moves {
        let is_mine =
            |client: &Client| client.table(table).is_ok_and(|seen| seen.view().legal_moves.is_some());
        client.until(&format!("move {number} of the engine"), is_mine).await?;
        let legal = client.table(table)?.view().legal_moves.clone().context("it is its turn")?;
        let mv = client.mv(table, legal[0])?;
        client.accepted(&mv).await?;
    }
    let seen = client.table(table)?;
    let by_engine = |entry: &&quadrex_protocol::view::Entry| {
        matches!(entry.event, Event::Moved { color: Color::White, .. })
    };
    ensure!(seen.view().history.iter().filter(by_engine).count() >= moves);
    Ok(client)
}

/// Debian's Stockfish plays classic chess at the chosen strength, and its seat shows that it is an
/// engine.
#[tokio::test]
async fn stockfish_plays_at_the_chosen_strength() -> Result<()> {
    let program = stockfish()?;
    let launch = with_settings(&format!(
        "[engines.stockfish]\ncommand = {:?}\noptions = {{ Hash = \"16\" }}\nvariants = [\"classic\"]\nelo = [1350, 2850]\n",
        program.to_str().context("the path is text")?
    ))?;
    let client = play(&launch, &against("stockfish", Some(1500)), 4).await?;
    drop(client);
    ensure!(!launch.log().contains("gave no move"), "{}", launch.log());

    let server = launch.start().await?;
    let list: BotList = server.http().get("/api/bots").await?.json(200)?;
    let [engine] = &list.engines[..] else { anyhow::bail!("{list:?}") };
    ensure!(engine.engine == "stockfish" && engine.variants == [Variant::Classic], "{engine:?}");
    let guest = server.guest("Ben").await?;
    let http = server.http().as_guest(&guest);
    let made: TableCreated = http.create(&against("stockfish", None)).await?;
    let mut client = server.connect(&guest).await?;
    let seat = client.watch(made.table).await?.view().seats[0].user.clone().context("it sits")?;
    let expected = BotView::Engine { engine: "stockfish".into(), elo: None };
    ensure!(seat.bot == Some(expected) && seat.name == "stockfish", "{seat:?}");
    let weak = against("stockfish", Some(100));
    ensure!(http.post("/api/tables", &weak).await?.refusal(400)? == RefusalCode::BadSetting);
    let cross = CreateTable {
        variant: Variant::Dilkel,
        seat: None,
        bots: weak.bots.clone(),
        ..plain(Variant::Dilkel)
    };
    ensure!(http.post("/api/tables", &cross).await?.refusal(400)? == RefusalCode::BadSetting);
    Ok(())
}

/// One process of an engine plays games of several variants in turn, and gets the variant each
/// time.
#[tokio::test]
async fn a_multi_variant_engine_plays_each_variant() -> Result<()> {
    let command = program::path()?;
    let launch = with_settings(&format!(
        "[engines.own]\ncommand = {:?}\narguments = [\"uci\"]\nvariants = [\"classic\", \"dilkel\"]\n",
        command.to_str().context("the path is text")?
    ))?;
    let server = launch.start().await?;
    let guest = server.guest("Ada").await?;
    let mut client = server.connect(&guest).await?;
    for variant in [Variant::Dilkel, Variant::Classic, Variant::Dilkel] {
        let seats = &variant.colors()[1..];
        let bot = BotChoice::Engine { engine: "own".to_owned(), elo: None };
        let bots = seats.iter().map(|&seat| BotSeat { seat: Some(seat), bot: bot.clone() }).collect();
        let table = CreateTable { seat: variant.colors().first().copied(), bots, ..plain(variant) };
        let TableCreated { table, .. } = server.http().as_guest(&guest).create(&table).await?;
        client.watch(table).await?;
        let is_mine =
            |client: &Client| client.table(table).is_ok_and(|seen| seen.view().legal_moves.is_some());
        for _ in 0..2 {
            client.until("the own turn", is_mine).await?;
            let legal = client.table(table)?.view().legal_moves.clone().context("it is its turn")?;
            let mv = client.mv(table, legal[0])?;
            client.accepted(&mv).await?;
        }
        client.until("the own turn", is_mine).await?;
    }
    ensure!(!launch.log().contains("gave no move"), "{}", launch.log());
    Ok(())
}

/// If an engine is missing, exits, hangs, returns an illegal move, or dies during a game, the
/// built-in engine plays for it, and the log contains the reason.
#[tokio::test]
async fn the_built_in_engine_replaces_a_broken_engine() -> Result<()> {
    let uci = "read x; echo uciok; while read x; do case \"$x\" in isready) echo readyok;; go*) ";
    let broken = [
        ("missing", "/nowhere/engine".to_owned(), String::new(), "it cannot be started"),
        ("ends", "/bin/true".to_owned(), String::new(), "it ended"),
        ("illegal", "/bin/sh".to_owned(), format!("{uci} echo bestmove a1a8;; esac; done"), "its move is"),
        ("dies", "/bin/sh".to_owned(), format!("{uci} exit;; esac; done"), "it ended"),
        (
            "hangs",
            "/bin/sh".to_owned(),
            format!("{uci} sleep 600;; esac; done"),
            "it timed out before bestmove",
        ),
    ];
    for (name, command, script, why) in broken {
        let launch = with_settings(&format!(
            "[engines.{name}]\ncommand = {command:?}\narguments = [\"-c\", {script:?}]\nvariants = [\"classic\"]\n"
        ))?;
        play(&launch, &against(name, None), 2).await.with_context(|| format!("the engine {name}"))?;
        let log = launch.log();
        let is_reported =
            |line: &str| line.contains("the server's engine plays for it") && line.contains(why);
        ensure!(log.lines().any(is_reported), "{name}: {log}");
    }
    Ok(())
}
