//! Records that a server exports, and the results of `quadrex verify`.

use std::process::Output;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::event::Event;
use quadrex_protocol::http::{CreateTable, NewInvite, Uses};
use quadrex_protocol::lot::Secret;
use quadrex_protocol::settings::{Privacy, Seating};
use quadrex_protocol::{ClientFrame, MatchId, MatchRecord, RefusalCode};
use quadrex_rules::{Color, Variant};
use quadrex_tests::contest::{Contest, plain};
use quadrex_tests::database::Database;
use quadrex_tests::rng::Rng;
use quadrex_tests::server::{Launch, Server};
use quadrex_tests::{Http, program};
use tokio::process::Command;

/// Returns the id of a match that does not exist.
fn other_match() -> MatchId {
    nth_other_match(0)
}

fn nth_other_match(n: u32) -> MatchId {
    format!("00000000-0000-7000-8000-{n:012}").parse().expect("a UUID")
}

async fn exported(http: &Http, match_id: MatchId) -> Result<MatchRecord> {
    http.get(&format!("/api/matches/{match_id}/record")).await?.json(200)
}

/// Plays a match with drawn seats: twelve moves, and then all players but one resign.
async fn played(server: &Server) -> Result<(Contest, MatchRecord)> {
    let table = CreateTable { seating: Some(Seating::Drawn), ..plain(Variant::Dilkel) };
    let mut contest = Contest::start(server, &table).await?;
    let mut rng = Rng::new(1);
    for _ in 0..12 {
        let table = contest.table;
        let legal =
            contest.mover()?.table(table)?.view().legal_moves.clone().context("it is this player's turn")?;
        contest.play(*rng.pick(&legal).context("there is a legal move")?).await?;
    }
    for _ in 0..3 {
        let table = contest.table;
        let player = contest.mover()?;
        let command = player.resign(table);
        let seq = player.accepted(&command).await?;
        contest.until_seq(seq).await?;
    }
    let record = exported(&server.http(), contest.match_id).await?;
    Ok((contest, record))
}

async fn verify(text: &str) -> Result<Output> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("record.json");
    std::fs::write(&file, text)?;
    Ok(Command::new(program::path()?).arg("verify").arg(&file).output().await?)
}

#[tokio::test]
async fn an_exported_record_is_verified() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (contest, record) = played(&server).await?;
    ensure!(record.match_id == Some(contest.match_id) && record.players.len() == 4);
    let output = verify(&serde_json::to_string_pretty(&record)?).await?;
    let said = String::from_utf8(output.stdout)?;
    let expected = format!("ok match {}: lot, {} events, resign: ", contest.match_id, record.events.len());
    ensure!(output.status.success() && said.starts_with(&expected) && said.lines().count() == 1, "{said}");

    // Two records in one file, one of them of a running match.
    let running = Contest::start(&server, &plain(Variant::Classic)).await?;
    let unfinished = exported(&server.http(), running.match_id).await?;
    let both = format!("{}\n{}\n", serde_json::to_string(&record)?, serde_json::to_string(&unfinished)?);
    let output = verify(&both).await?;
    let said = String::from_utf8(output.stdout)?;
    ensure!(output.status.success() && said.lines().count() == 2, "{said}");
    ensure!(said.trim_end().ends_with("lot, 4 events, no result yet"), "{said}");
    Ok(())
}

/// Every change of a record is detected, and the error contains the event where it shows.
#[tokio::test]
async fn every_tampered_record_is_detected() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let (_, record) = played(&server).await?;
    let at = |pick: fn(&Event) -> bool| {
        let index = record.events.iter().position(|recorded| pick(&recorded.event));
        index.context("the record has such an event")
    };
    let start = at(|event| matches!(event, Event::Started { .. }))?;
    let seated = at(|event| matches!(event, Event::Seated { .. }))?;
    let last_move = record.events.iter().rposition(|recorded| matches!(recorded.event, Event::Moved { .. }));
    let last_move = last_move.context("moves were made")?;
    let end = record.events.len() - 1;

    type Tamper = Box<dyn Fn(&mut MatchRecord)>;
    let cases: Vec<(&str, Tamper, String)> = vec![
        (
            "another first_player",
            Box::new(move |record| {
                if let Event::Started { first_player, .. } = &mut record.events[start].event {
                    *first_player = if *first_player == Color::Red { Color::Blue } else { Color::Red };
                }
                // The setup is adapted, so that the record is consistent in itself.
                let again = MatchRecord::from_match_log(other_match(), record.events.clone());
                record.setup = again.expect("it is a match").setup;
            }),
            format!("event {} lets", start + 1),
        ),
        (
            "other seats",
            Box::new(move |record| {
                if let Event::Started { seats, .. } = &mut record.events[start].event {
                    let (red, blue) = (seats[&Color::Red].clone(), seats[&Color::Blue].clone());
                    seats.insert(Color::Red, blue);
                    seats.insert(Color::Blue, red);
                }
            }),
            format!("event {} assigns the seats differently", start + 1),
        ),
        (
            "another secret",
            Box::new(move |record| {
                if let Event::Started { secret, .. } = &mut record.events[start].event {
                    *secret = Secret::new([1; 32]);
                }
            }),
            format!("event {} reveals a secret", start + 1),
        ),
        (
            "a commitment made afterwards",
            Box::new(move |record| {
                let other = Secret::new([1; 32]);
                if let Event::Opened { commitment, .. } = &mut record.events[0].event {
                    *commitment = other.commitment();
                }
            }),
            format!("event {} reveals a secret", start + 1),
        ),
        (
            "nobody in a seat",
            Box::new(move |record| drop(record.events.remove(seated))),
            format!("event {start} cannot have happened there: a seat is open"),
        ),
        (
            "the first move left out",
            Box::new(move |record| drop(record.events.remove(start + 1))),
            format!("event {} cannot have happened", start + 2),
        ),
        (
            "an illegal move",
            Box::new(move |record| {
                if let Event::Moved { mv, .. } = &mut record.events[last_move].event {
                    (mv.from, mv.to) = (mv.to, mv.from);
                }
            }),
            format!("event {} cannot have happened", last_move + 1),
        ),
        (
            "another result",
            Box::new(move |record| {
                if let Event::Ended { places, .. } = &mut record.events[end].event {
                    for place in places.values_mut() {
                        *place = 5 - *place;
                    }
                }
            }),
            format!("event {} cannot have happened", end + 1),
        ),
        (
            "no end",
            Box::new(move |record| drop(record.events.remove(end))),
            format!("event {} cannot have happened", end + 1),
        ),
        ("no match", Box::new(|record| record.match_id = None), "match is missing".to_owned()),
        (
            "another variant",
            Box::new(|record| record.variant = Variant::DilkelCompact),
            "variant contradicts event 1".to_owned(),
        ),
        (
            "another name",
            Box::new(|record| drop(record.players.insert(Color::Red, "Eve".to_owned()))),
            "players".to_owned(),
        ),
    ];
    for (what, tamper, expected) in &cases {
        let mut tampered = record.clone();
        tamper(&mut tampered);
        let error = tampered.verify().err().with_context(|| format!("{what} was not noticed"))?;
        ensure!(error.to_string().starts_with(expected), "{what}: {error}");
    }
    // A changed match id is detected by the lot, which gives the same seats and first player for
    // one match in 96.
    let others = 8;
    let noticed = (0..others).filter(|&n| {
        let other = MatchRecord { match_id: Some(nth_other_match(n)), ..record.clone() };
        other.verify().is_err_and(|error| error.to_string().starts_with("event "))
    });
    let noticed = noticed.count();
    ensure!(noticed >= 4, "only {noticed} of {others} other matches were detected");
    let (what, tamper, expected) = &cases[0];
    let mut tampered = record.clone();
    tamper(&mut tampered);
    let output = verify(&serde_json::to_string(&tampered)?).await?;
    let said = String::from_utf8(output.stdout)?;
    ensure!(
        !output.status.success() && said.contains(expected) && said.lines().count() == 1,
        "{what}: {said}"
    );
    let output = verify("{\"format\": 1}").await?;
    ensure!(!output.status.success());
    Ok(())
}

/// A private match's record is exported only to users who may watch the match. All others get the
/// answer for an unknown match.
#[tokio::test]
async fn a_private_record_is_not_found_by_strangers() -> Result<()> {
    let server = Launch::new(&Database::Sqlite)?.start().await?;
    let [ann, ben, eve] =
        [server.guest("Ann").await?, server.guest("Ben").await?, server.guest("Eve").await?];
    let http = server.http().as_guest(&ann);
    let private =
        CreateTable { seat: Some(Color::White), ..CreateTable::plain(Variant::Classic, Privacy::Private) };
    let created = http.create(&private).await?;
    let invite = http.invite(created.table, &NewInvite { seat: None, uses: Uses::Single }).await?.secret;
    let mut client = server.connect(&ben).await?;
    let sit = client.sit(created.table, None, Some(&invite));
    client.accepted(&sit).await?;
    let resign = ClientFrame::Resign {
        table: created.table,
        cmd: client.next_command_id(),
        seat: None,
        match_id: None,
    };
    client.accepted(&resign).await?;
    for guest in [&ann, &ben] {
        let record = exported(&server.http().as_guest(guest), created.match_id).await?;
        ensure!(
            record.verify().is_ok_and(|verified| verified.to_string().ends_with("resign: white 1, black 2"))
        );
    }
    let path = format!("/api/matches/{}/record", created.match_id);
    let hidden = server.http().as_guest(&eve).get(&path).await?;
    let unknown = server.http().get(&format!("/api/matches/{}/record", other_match())).await?;
    ensure!(hidden.refusal(404)? == RefusalCode::NotFound && hidden.body == unknown.body);
    Ok(())
}
