//! Pictures over HTTP: their content, privacy and caching, and answers to invalid requests.

use anyhow::{Context, Result, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Privacy;
use quadrex_rules::{Setup, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::rng::Rng;
use quadrex_tests::{Database, Launch, Server, program};

/// Requests a picture with these headers.
async fn fetch(server: &Server, path: &str, headers: &[(&str, &str)]) -> Result<Fetched> {
    let http = headers.iter().fold(server.http(), |http, (name, value)| http.with_header(name, value));
    let answer = http.get(path).await?;
    let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
    Ok(Fetched {
        status: answer.status,
        kind: header("content-type"),
        caching: header("cache-control"),
        tag: header("etag"),
        body: answer.bytes.clone(),
    })
}

#[derive(Debug, PartialEq)]
struct Fetched {
    status: u16,
    kind: String,
    caching: String,
    tag: String,
    body: Vec<u8>,
}

const PNG: &[u8] = b"\x89PNG";

#[tokio::test]
async fn the_picture_of_a_position_is_cacheable_forever() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let fen = Setup::start(Variant::Classic).to_string().replace(' ', "%20");
    let path = format!("/pictures/position.svg?fen={fen}&variant=classic&bottom=black&move=e2e4&width=300");
    let drawn = fetch(&server, &path, &[]).await?;
    ensure!((drawn.status, drawn.kind.as_str()) == (200, "image/svg+xml"), "{drawn:?}");
    ensure!(drawn.caching == "public, max-age=31536000, immutable");
    ensure!(String::from_utf8(drawn.body.clone())?.matches("<use ").count() == 32);
    let again = fetch(&server, &path, &[("If-None-Match", &drawn.tag)]).await?;
    ensure!(again.status == 304 && again.body.is_empty() && again.tag == drawn.tag, "{again:?}");
    for (path, kind, magic) in [
        ("/pictures/position.png?variant=dilkel", "image/png", PNG),
        ("/pictures/position.png?variant=dilkel-compact&width=64", "image/png", PNG),
        ("/pictures/position.card.png", "image/png", PNG),
    ] {
        let drawn = fetch(&server, path, &[]).await?;
        ensure!(drawn.status == 200 && drawn.kind == kind && drawn.body.starts_with(magic), "{path}");
        ensure!(fetch(&server, path, &[]).await? == drawn, "the same response again");
    }
    Ok(())
}

#[tokio::test]
async fn a_match_is_drawn_at_any_ply_and_as_an_animation() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    for mv in ["f2f3", "e7e5", "g2g4"] {
        contest.play(mv.parse()?).await?;
    }
    let picture = format!("/pictures/match/{}", contest.match_id);
    let table = format!("/pictures/table/{}", contest.table);
    let running = fetch(&server, &format!("{picture}.svg"), &[]).await?;
    ensure!(running.status == 200 && running.caching == "public, no-cache", "{running:?}");
    ensure!(fetch(&server, &format!("{table}.svg"), &[]).await? == running);
    contest.play("d8h4".parse()?).await?;
    let over = fetch(&server, &format!("{picture}.svg"), &[]).await?;
    ensure!(over.caching == "public, max-age=86400" && over.tag != running.tag);
    let last = fetch(&server, &format!("{picture}.svg?ply=4"), &[]).await?;
    let beyond = fetch(&server, &format!("{picture}.svg?ply=4000000"), &[]).await?;
    ensure!(last.body == over.body && beyond.body == over.body, "the last ply is the end");
    let start = fetch(&server, &format!("{picture}.svg?ply=0"), &[]).await?;
    ensure!(start.body != over.body);
    let turned = fetch(&server, &format!("{picture}.svg?ply=0&bottom=black"), &[]).await?;
    ensure!(turned.body != start.body);
    ensure!(fetch(&server, &format!("{picture}.svg?ply=0&bottom=green"), &[]).await?.body == start.body);
    let film = fetch(&server, &format!("{picture}.gif"), &[]).await?;
    ensure!(film.kind == "image/gif" && film.body.starts_with(b"GIF89a") && film.body.len() > 5_000);
    for form in [".png", ".card.png"] {
        let drawn = fetch(&server, &format!("{picture}{form}"), &[]).await?;
        ensure!(drawn.kind == "image/png" && drawn.body.starts_with(PNG), "{form}");
    }
    Ok(())
}

/// The picture of an ended match shows the board on which it was decided, with the armies that were
/// then eliminated. The last ply has the winner's army only.
#[tokio::test]
async fn an_ended_match_is_drawn_as_it_was_decided() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Dilkel)).await?;
    let (table, picture) = (contest.table, format!("/pictures/match/{}", contest.match_id));
    let pieces = async |query: &str| {
        let drawn = fetch(&server, &format!("{picture}.svg{query}"), &[]).await?;
        anyhow::Ok(String::from_utf8(drawn.body)?.matches("<use ").count())
    };
    let army = pieces("").await? / 4;
    for color in [quadrex_rules::Color::Blue, quadrex_rules::Color::Green] {
        let player = contest.player(color)?;
        let command = player.resign(table);
        let seq = player.accepted(&command).await?;
        contest.until_seq(seq).await?;
        let mover = contest.mover()?;
        let legal = mover.table(table)?.view().legal_moves.clone().context("it is their turn")?;
        contest.play(*legal.first().context("a legal move")?).await?;
    }
    ensure!((pieces("").await?, pieces("?ply=99").await?) == (2 * army, 2 * army), "two players are left");
    let player = contest.player(quadrex_rules::Color::Yellow)?;
    let command = player.resign(table);
    player.accepted(&command).await?;
    ensure!((pieces("").await?, pieces("?ply=99").await?) == (2 * army, army), "{}", pieces("").await?);
    Ok(())
}

/// `quadrex render` draws a match from its record, and a position from its text. The bytes equal
/// those of the server.
#[tokio::test]
async fn a_record_is_rendered_without_a_server_to_the_same_pictures() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let folder = tempfile::tempdir()?;
    for variant in [Variant::Classic, Variant::Dilkel] {
        let mut contest = Contest::start(&server, &plain(variant)).await?;
        let mut rng = Rng::new(7);
        for _ in 0..9 {
            let table = contest.table;
            let legal =
                contest.mover()?.table(table)?.view().legal_moves.clone().context("it is their turn")?;
            contest.play(*rng.pick(&legal).context("a legal move")?).await?;
        }
        let table = contest.table;
        let player = contest.mover()?;
        let command = player.resign(table);
        let seq = player.accepted(&command).await?;
        contest.until_seq(seq).await?;
        let record = server.http().get(&format!("/api/matches/{}/record", contest.match_id)).await?;
        let file = folder.path().join("record.json");
        std::fs::write(&file, &record.bytes)?;
        let file = file.to_str().context("a name in UTF-8")?;
        let picture = format!("/pictures/match/{}", contest.match_id);
        let last = variant.colors()[1].name();
        for (path, flags) in [
            (format!("{picture}.svg"), "--format svg".to_owned()),
            (format!("{picture}.svg?ply=0"), "--ply 0".to_owned()),
            (format!("{picture}.svg?ply=6&bottom={last}"), format!("--ply 6 --bottom {last}")),
            (format!("{picture}.png?width=200"), "--format png --width 200".to_owned()),
            (format!("{picture}.card.png?ply=3"), "--format card --ply 3".to_owned()),
            (format!("{picture}.gif"), "--format gif".to_owned()),
        ] {
            let own = rendered(&[&[file], flags.split(' ').collect::<Vec<_>>().as_slice()].concat()).await?;
            ensure!(own == fetch(&server, &path, &[]).await?.body, "{path} is not {flags}");
        }
        let path = format!("/pictures/position.png?variant={variant}&bottom={last}&move=a4a5");
        let flags =
            format!("--position startpos --variant {variant} --format png --bottom {last} --move a4a5");
        let own = rendered(&flags.split(' ').collect::<Vec<_>>()).await?;
        ensure!(own == fetch(&server, &path, &[]).await?.body, "{path} is not {flags}");
    }
    Ok(())
}

/// Returns the output of `quadrex render`.
async fn rendered(arguments: &[&str]) -> Result<Vec<u8>> {
    let output =
        tokio::process::Command::new(program::path()?).arg("render").args(arguments).output().await?;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// The picture of a private table does not reveal that the table exists. Its players see it, but
/// shared caches do not store it.
#[tokio::test]
async fn a_private_table_has_the_picture_of_an_unknown_table() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.guest("host").await?;
    let wish = CreateTable {
        seat: Some(quadrex_rules::Color::White),
        ..CreateTable::plain(Variant::Classic, Privacy::Private)
    };
    let made = server.http().as_guest(&host).create(&wish).await?;
    let missing = "01890000-0000-7000-8000-000000000000";
    for form in ["svg", "png", "card.png", "gif"] {
        for (what, id) in [("table", made.table.to_string()), ("match", made.match_id.to_string())] {
            let hidden = fetch(&server, &format!("/pictures/{what}/{id}.{form}"), &[]).await?;
            ensure!(
                hidden.status == 200 && hidden.caching == "private, no-cache",
                "{what} {form}: {hidden:?}"
            );
            for other in [missing, "nonsense"] {
                let nothing = fetch(&server, &format!("/pictures/{what}/{other}.{form}"), &[]).await?;
                ensure!(nothing == hidden, "{what}/{other}.{form} differ");
            }
            let token = format!("Bearer {}", host.token);
            let own = fetch(&server, &format!("/pictures/{what}/{id}.{form}"), &[("Authorization", &token)])
                .await?;
            ensure!(own.body != hidden.body && own.caching == "private, no-cache", "{what} {form}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn invalid_requests_are_refused_and_the_server_keeps_running() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let long = format!("/pictures/position.svg?fen={}", "8/".repeat(3_000));
    for (path, status, code) in [
        ("/pictures/position.svg?fen=", 400, RefusalCode::BadText),
        ("/pictures/position.svg?fen=hello", 400, RefusalCode::BadText),
        ("/pictures/position.svg?fen=8/8/8/8/8/8/8/8%20w%20-%20-", 400, RefusalCode::BadSetup),
        ("/pictures/position.svg?fen=%00%ff,,//--", 400, RefusalCode::BadText),
        (&long, 400, RefusalCode::BadText),
        ("/pictures/position.svg?variant=checkers", 400, RefusalCode::Malformed),
        ("/pictures/position.svg?bottom=pink", 400, RefusalCode::Malformed),
        ("/pictures/position.svg?move=z9", 400, RefusalCode::Malformed),
        ("/pictures/position.png?width=0", 400, RefusalCode::BadSetting),
        ("/pictures/position.png?width=1601", 400, RefusalCode::BadSetting),
        ("/pictures/position.png?width=99999999999", 400, RefusalCode::Malformed),
        ("/pictures/position.png?x=1", 400, RefusalCode::Malformed),
        ("/pictures/match/x.svg?ply=-1", 400, RefusalCode::Malformed),
        ("/pictures/match/x.bmp", 404, RefusalCode::NotFound),
        ("/pictures/match/.", 404, RefusalCode::NotFound),
        ("/pictures/table/x", 404, RefusalCode::NotFound),
        ("/pictures/else.svg", 404, RefusalCode::NotFound),
    ] {
        let answer = server.http().get(path).await.with_context(|| path.to_owned())?;
        ensure!(answer.refusal(status).context(path.to_owned())? == code, "{path}: {}", answer.body);
    }
    // A move with missing or unknown squares marks nothing and is not an error.
    for mv in ["a1a1", "a3a4", "n14n13", "e2e8q"] {
        for variant in Variant::ALL {
            let path = format!("/pictures/position.png?variant={variant}&move={mv}&width=64");
            ensure!(fetch(&server, &path, &[]).await?.status == 200, "{path}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn the_rate_of_pictures_of_an_address_is_limited() -> Result<()> {
    let launch = Launch::new(&Database::Sqlite)?
        .with_env("QUADREX_SERVER__TRUSTED_PROXIES", "127.0.0.1")
        .with_env("QUADREX_LIMITS__PICTURES_BURST", "2");
    let server = launch.start().await?;
    let from = [("X-Forwarded-For", "192.0.2.7")];
    let mut statuses = Vec::new();
    for width in 100..106 {
        let path = format!("/pictures/position.svg?width={width}");
        statuses.push(fetch(&server, &path, &from).await?.status);
    }
    ensure!(statuses[..2] == [200, 200] && statuses[5] == 429, "{statuses:?}");
    ensure!(
        fetch(&server, "/pictures/position.svg?width=100", &from).await?.status == 200,
        "it is there already"
    );
    ensure!(
        fetch(&server, "/pictures/position.svg?width=109", &[]).await?.status == 200,
        "others have their own count"
    );
    Ok(())
}
