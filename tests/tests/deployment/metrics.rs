//! The metrics are those that the documents, the dashboard and the alert rules name.

use std::collections::BTreeSet;

use quadrex_tests::contest::without_rate_limits;
use quadrex_tests::metrics::Scrape;
use quadrex_tests::{Launch, Nodes};
use saphyr::Yaml;

use super::{files_in, read};

const DASHBOARD: &str = "config/grafana/quadrex.json";
const RULES: &str = "config/prometheus/alerts.yml";

/// Words in the documents that look like metrics of this server: a role of the database, and a
/// metric of servers with TLS of their own, which the tests of ACME read.
const OTHER_NAMES: [&str; 2] = ["quadrex_server", "quadrex_certificate_expiry_timestamp_seconds"];

/// Returns the metrics of a node of a cluster, which has all of them.
async fn scrape() -> Scrape {
    let nodes = Nodes::start_with(1, |launch| without_rate_limits(launch).with_metrics()).await.unwrap();
    let launch: &Launch = nodes.launch(0).unwrap();
    launch.metrics().await.unwrap().until("quadrex_cluster_owned_matches", 0.0).await.unwrap()
}

/// Returns the names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let prefixes = ["quadrex_", "process_"];
    words.filter(|word| prefixes.iter().any(|prefix| word.starts_with(prefix) && word != prefix)).collect()
}

/// Returns the names in a text of which the server has no metric.
fn unknown<'a>(text: &'a str, scrape: &Scrape) -> Vec<&'a str> {
    names(text).into_iter().filter(|name| scrape.family_of(name).is_none()).collect()
}

/// Returns the strings of all fields with this name.
fn fields<'a>(json: &'a serde_json::Value, name: &str) -> Vec<&'a str> {
    match json {
        serde_json::Value::Object(entries) => {
            let own = entries.get(name).and_then(serde_json::Value::as_str);
            own.into_iter().chain(entries.values().flat_map(|entry| fields(entry, name))).collect()
        }
        serde_json::Value::Array(items) => items.iter().flat_map(|item| fields(item, name)).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn the_dashboard_the_rules_and_the_documents_name_exactly_the_metrics_of_a_server() {
    let scrape = scrape().await;
    let guide = read("docs/OPERATIONS.md");
    let (_, section) = guide.split_once("\n## Metrics\n").expect("the guide has the section");
    let section = section.split("\n## ").next().unwrap();
    let dashboard: serde_json::Value = serde_json::from_str(&read(DASHBOARD)).unwrap();
    let expressions = fields(&dashboard, "expr").join("\n");
    let rules = read(RULES);
    let cluster = read("docs/CLUSTER.md");
    let (_, monitoring) = cluster.split_once("\n## Monitoring\n").unwrap();
    for (file, text) in
        [("the guide", section), (DASHBOARD, &expressions), (RULES, &rules), ("docs/CLUSTER.md", monitoring)]
    {
        assert!(names(text).len() > 4, "{file}");
        let unknown: Vec<&str> =
            unknown(text, &scrape).into_iter().filter(|name| !OTHER_NAMES.contains(name)).collect();
        assert_eq!(unknown, [""; 0], "{file} names metrics that a server does not have");
    }
    let documented: BTreeSet<&str> =
        names(section).into_iter().filter_map(|name| scrape.family_of(name)).collect();
    let shown: BTreeSet<&str> =
        names(&expressions).into_iter().filter_map(|name| scrape.family_of(name)).collect();
    for family in scrape.families.keys() {
        assert!(documented.contains(family.as_str()), "docs/OPERATIONS.md does not describe {family}");
        assert!(shown.contains(family.as_str()), "no panel of {DASHBOARD} shows {family}");
    }
    assert_eq!(unknown("sum(quadrex_move_total)", &scrape), ["quadrex_move_total"]);
}

#[test]
fn each_rule_has_a_wait_a_severity_and_a_summary() {
    let text = read(RULES);
    let documents = super::helm::document(&text);
    let groups = documents.as_mapping_get("groups").and_then(Yaml::as_vec).unwrap();
    let (mut alerts, mut count) = (BTreeSet::new(), 0);
    for rule in groups.iter().flat_map(|group| group.as_mapping_get("rules").unwrap().as_vec().unwrap()) {
        let field = |path: &[&str]| {
            let found = path.iter().try_fold(rule, |yaml, name| yaml.as_mapping_get(name));
            found.and_then(Yaml::as_str).unwrap_or_else(|| panic!("{path:?} is missing in {rule:?}"))
        };
        alerts.insert(field(&["alert"]));
        count += 1;
        assert!(!field(&["expr"]).is_empty() && !field(&["annotations", "summary"]).is_empty());
        let severity = field(&["labels", "severity"]);
        assert!(["critical", "warning", "info"].contains(&severity), "{severity}");
        let wait = field(&["for"]);
        assert!(wait.ends_with(['s', 'm', 'h']), "{wait}");
    }
    assert_eq!(alerts.len(), count, "two rules have the same name");
    assert!(count > 20, "{count} rules");
}

#[test]
fn each_panel_of_the_dashboard_has_queries_and_a_title_of_its_own() {
    let dashboard: serde_json::Value = serde_json::from_str(&read(DASHBOARD)).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let titles: BTreeSet<&str> = panels.iter().map(|panel| panel["title"].as_str().unwrap()).collect();
    assert_eq!(titles.len(), panels.len());
    for question in ["losing a move", "waiting", "being dropped", "being limited"] {
        assert!(titles.iter().any(|title| title.contains(question)), "{question}");
    }
    for panel in panels.iter().filter(|panel| panel["type"] != "row") {
        let queries = panel["targets"].as_array().unwrap();
        assert!(!queries.is_empty() && queries.iter().all(|query| query["expr"].is_string()), "{panel}");
    }
    assert!(files_in("config/grafana").contains(&DASHBOARD.to_owned()));
}
