//! A host who creates invites without a pause.

use anyhow::Result;
use quadrex_tests::swarm;
use serde_json::{Value, json};

use super::{FLOOD, start};
use crate::figures::Figures;

/// Measures the number of invites that one host can create.
///
/// # Errors
/// If the table cannot be created.
pub(super) async fn measure(figures: &mut Figures) -> Result<()> {
    let server = start(&[]).await?;
    let host = server.http().as_guest(&server.guest("Host").await?);
    let table = json!({"variant": "dilkel", "privacy": "private"}).to_string();
    let made: Value = host.request("POST", "/api/tables", Some(&table)).await?.json(201)?;
    let path = format!("/api/tables/{}/invites", made["table"].as_str().unwrap_or_default());
    let (since, mut made, mut refused) = (swarm::now(), 0, 0);
    while since.elapsed() < FLOOD {
        match host.request("POST", &path, Some(r#"{"uses": "open"}"#)).await?.status {
            201 => made += 1,
            _ => refused += 1,
        }
    }
    figures.add("invites of one table: made", f64::from(made), "invites");
    figures.add("invites of one table: refused", f64::from(refused), "requests");
    Ok(())
}
