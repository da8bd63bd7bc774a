//! The metrics of a server.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use tokio::time::{sleep, timeout};

use crate::{Http, Launch, PATIENCE};

/// The text before the address of the metrics in the log.
const ADDRESS_PREFIX: &str = "metrics are at http://";

/// The interval between two requests for a value.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(50);

/// The client of a server's metrics.
#[derive(Clone, Debug)]
pub struct Metrics {
    http: Http,
}

/// The metrics at one moment.
#[derive(Clone, Debug)]
pub struct Scrape {
    /// The whole text.
    pub text: String,
    /// The types of the families by their names, such as `counter`.
    pub families: BTreeMap<String, String>,
    series: BTreeMap<String, f64>,
}

impl Launch {
    /// Lets the server serve metrics on a free port.
    #[must_use]
    pub fn with_metrics(self) -> Self {
        self.with_env("QUADREX_METRICS__ADDRESS", "127.0.0.1:0")
    }

    /// Returns the client of the metrics of the last server that was started with this
    /// configuration and [`with_metrics`](Self::with_metrics).
    ///
    /// # Errors
    /// If the log does not contain the address in time.
    pub async fn metrics(&self) -> Result<Metrics> {
        self.until_logged(ADDRESS_PREFIX, 1).await?;
        let log = self.log();
        let (_, after) = log.rsplit_once(ADDRESS_PREFIX).context("the address is logged")?;
        let address: SocketAddr = after.split('/').next().unwrap_or_default().parse()?;
        Ok(Metrics { http: Http::new(address) })
    }
}

impl Metrics {
    /// Returns the client of the port with the metrics.
    pub fn http(&self) -> &Http {
        &self.http
    }

    /// Requests the metrics.
    ///
    /// # Errors
    /// If they are not served, or are malformed.
    pub async fn scrape(&self) -> Result<Scrape> {
        let answer = self.http.get("/metrics").await?;
        let media_type = answer.header("content-type").unwrap_or_default();
        if answer.status != 200 || !media_type.starts_with("text/plain; version=0.0.4") {
            bail!("status {} and {media_type}", answer.status);
        }
        parse(answer.body)
    }

    /// Requests the metrics until a series has at least this value.
    ///
    /// # Errors
    /// If it does not in time.
    pub async fn until(&self, series: &str, least: f64) -> Result<Scrape> {
        let waiting = async {
            loop {
                let scrape = self.scrape().await?;
                if scrape.get(series).is_some_and(|value| value >= least) {
                    return anyhow::Ok(scrape);
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        let waited = timeout(PATIENCE, waiting).await;
        waited.with_context(|| format!("waiting until {series} is at least {least}"))?
    }
}

impl Scrape {
    /// Returns the value of a series, such as `quadrex_tables{state="open"}`.
    pub fn get(&self, series: &str) -> Option<f64> {
        self.series.get(series).copied()
    }

    /// Returns the name of the family that has a series of this name, with or without the suffixes
    /// of histograms.
    pub fn family_of(&self, name: &str) -> Option<&str> {
        let suffixes = ["", "_bucket", "_sum", "_count"];
        let names = suffixes.iter().filter_map(|suffix| name.strip_suffix(suffix));
        let mut families = names.filter_map(|name| self.families.get_key_value(name));
        families.next().map(|(family, _)| family.as_str())
    }
}

/// Parses the text format (Prometheus, "Exposition formats").
fn parse(text: String) -> Result<Scrape> {
    let (mut families, mut series) = (BTreeMap::new(), BTreeMap::new());
    let mut helped = BTreeSet::new();
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            helped.insert(help.split(' ').next().unwrap_or_default().to_owned());
        } else if let Some(family) = line.strip_prefix("# TYPE ") {
            let (name, kind) = family.split_once(' ').context("a type has a name")?;
            if families.insert(name.to_owned(), kind.to_owned()).is_some() || !helped.contains(name) {
                bail!("{name} is there twice, or has no help");
            }
        } else {
            let (name, value) = line.rsplit_once(' ').with_context(|| format!("no value: {line}"))?;
            if series.insert(name.to_owned(), value.parse()?).is_some() {
                bail!("{name} is there twice");
            }
        }
    }
    Ok(Scrape { text, families, series })
}
