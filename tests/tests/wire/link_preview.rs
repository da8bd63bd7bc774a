//! Previews of the client's pages on other sites. These tests need the built client.

use anyhow::{Result, ensure};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::settings::Privacy;
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::http::Response;
use quadrex_tests::{Database, Launch, Server, program};

/// Returns whether the client was built. Without it the server sends a placeholder page.
fn is_built() -> bool {
    program::root().join("crates/web/dist/index.html").exists()
}

async fn page(server: &Server, path: &str) -> Result<Response> {
    let page = server.http().with_header("Accept", "text/html").get(path).await?;
    ensure!(page.header("content-type") == Some("text/html; charset=utf-8"), "{path}: {page:?}");
    Ok(page)
}

#[tokio::test]
async fn a_page_describes_what_it_shows() -> Result<()> {
    if !is_built() {
        return Ok(());
    }
    let launch =
        Launch::new(&Database::Sqlite)?.with_env("QUADREX_SERVER__PUBLIC_URL", "https://chess.example");
    let server = launch.start().await?;
    let host = server.http().guest("<Ada> & \"co\"").await?;
    let wish = CreateTable { seat: Some(Color::Red), ..plain(Variant::Dilkel) };
    let open = server.http().as_guest(&host).create(&wish).await?;
    let shown = page(&server, &format!("/t/{}", open.table)).await?;
    for wanted in [
        "<title>Dilkel Checkmates: 3 of 4 seats free · Quadrex</title>",
        "&lt;Ada&gt; &amp; &quot;co&quot; is waiting for players",
        &format!(
            "<meta property=\"og:image\" content=\"https://chess.example/pictures/table/{}.card.png\"",
            open.table
        ),
        &format!("<link rel=\"canonical\" href=\"https://chess.example/t/{}\"", open.table),
        "twitter:card",
    ] {
        ensure!(shown.body.contains(wanted), "{wanted} is not in {}", shown.body);
    }
    ensure!(shown.body.matches("<title>").count() == 1 && !shown.body.contains("<Ada>"));
    let tag = shown.header("etag").unwrap_or_default().to_owned();
    let again = server.http().with_header("If-None-Match", &tag).get(&format!("/t/{}", open.table)).await?;
    ensure!(again.status == 304, "{again:?}");

    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        contest.play(mv.parse()?).await?;
    }
    let shown = page(&server, &format!("/m/{}", contest.match_id)).await?;
    ensure!(shown.body.contains("<title>white player – black player · Quadrex</title>"), "{}", shown.body);
    ensure!(shown.body.contains("Classic chess: black player won after 4 moves."), "{}", shown.body);
    let shown = page(&server, &format!("/u/{}", host.user.id)).await?;
    ensure!(
        shown.body.contains("<title>&lt;Ada&gt; &amp; &quot;co&quot; · Quadrex</title>"),
        "{}",
        shown.body
    );
    for (path, title) in
        [("/", "Quadrex"), ("/archive", "Archive · Quadrex"), ("/rules/d8", "Rules · Quadrex")]
    {
        let shown = page(&server, path).await?;
        ensure!(shown.status == 200 && shown.body.contains(&format!("<title>{title}</title>")), "{path}");
    }
    let nowhere = page(&server, "/nowhere").await?;
    ensure!(nowhere.status == 404 && nowhere.body.contains("noindex"), "{nowhere:?}");
    ensure!(server.http().get("/nowhere").await?.refusal(404).is_ok(), "a program gets a refusal");
    Ok(())
}

/// The preview is in the language of the request, and `Vary` tells caches so.
#[tokio::test]
async fn a_page_describes_it_in_the_requested_language() -> Result<()> {
    if !is_built() {
        return Ok(());
    }
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let mut contest = Contest::start(&server, &plain(Variant::Classic)).await?;
    for mv in ["f2f3", "e7e5", "g2g4"] {
        contest.play(mv.parse()?).await?;
    }
    let german = async |path: &str| -> Result<Response> {
        let http = server
            .http()
            .with_header("Accept", "text/html")
            .with_header("Accept-Language", "de-AT, en;q=0.5");
        http.get(path).await
    };
    let path = format!("/m/{}", contest.match_id);
    let shown = german(&path).await?;
    ensure!(shown.header("vary") == Some("Accept-Language"), "{shown:?}");
    ensure!(shown.body.contains("Klassisches Schach, live: Stand nach 3 Zügen"), "{}", shown.body);
    ensure!(shown.body.contains("<html lang=\"de\""), "{}", shown.body);
    let english = page(&server, &path).await?;
    ensure!(english.header("vary") == Some("Accept-Language"));
    ensure!(english.body.contains("Classic chess, live: 3 moves so far."), "{}", english.body);
    ensure!(english.body.contains("<html lang=\"en\""));
    contest.play("d8h4".parse()?).await?;
    let over = german(&path).await?;
    ensure!(
        over.body.contains("Klassisches Schach: black player hat nach 4 Zügen gewonnen."),
        "{}",
        over.body
    );
    ensure!(german("/rules").await?.body.contains("<title>Regeln · Quadrex</title>"));
    let spanish = server.http().with_header("Accept", "text/html").with_header("Accept-Language", "es-MX");
    let spanish = spanish.get(&path).await?;
    ensure!(spanish.body.contains("Ajedrez clásico: black player ganó tras 4 jugadas."), "{}", spanish.body);
    ensure!(spanish.body.contains("<html lang=\"es\""), "{}", spanish.body);
    let tag = over.header("etag").unwrap_or_default().to_owned();
    let again = server
        .http()
        .with_header("If-None-Match", &tag)
        .with_header("Accept-Language", "de")
        .get(&path)
        .await?;
    ensure!(again.status == 304, "{again:?}");
    let other = server.http().with_header("If-None-Match", &tag).get(&path).await?;
    ensure!(other.status == 200, "a cached German page is not used for English");
    Ok(())
}

#[tokio::test]
async fn a_private_table_reveals_nothing() -> Result<()> {
    if !is_built() {
        return Ok(());
    }
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let host = server.guest("Secret Host").await?;
    let wish = CreateTable::plain(Variant::Dilkel, Privacy::Private);
    let made = server.http().as_guest(&host).create(&wish).await?;
    let missing = "01890000-0000-7000-8000-000000000000";
    for (place, id) in [("t", made.table.to_string()), ("m", made.match_id.to_string())] {
        let hidden = page(&server, &format!("/{place}/{id}")).await?;
        let nothing = page(&server, &format!("/{place}/{missing}")).await?;
        ensure!(hidden.status == 200 && hidden.body.replace(&id, missing) == nothing.body, "{}", hidden.body);
        ensure!(!hidden.body.contains("Secret Host"));
        // The host gets no preview either, because other sites may cache it.
        let own = server.http().as_guest(&host).get(&format!("/{place}/{id}")).await?;
        ensure!(own.body == hidden.body);
    }
    Ok(())
}
