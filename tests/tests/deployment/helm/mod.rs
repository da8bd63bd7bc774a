//! The Helm chart renders to consistent resources.

mod chart;

use std::collections::BTreeSet;

use gtmpl::Value;
use quadrex_tests::{Database, Launch};
use saphyr::Yaml;

use super::settings::Settings;
use super::{files_in, read};
pub(crate) use chart::document;
use chart::{Chart, FOLDER};

/// Returns the resources with all optional ones, as YAML by file name.
fn everything() -> Vec<(String, String)> {
    let chart = Chart::with(&[
        ("publicUrl", Value::from("https://chess.example.org")),
        ("ingress.enabled", Value::from(true)),
        ("probe.enabled", Value::from(true)),
        ("serviceMonitor.enabled", Value::from(true)),
    ]);
    chart.render().unwrap()
}

/// Returns the text of the resource in a file.
fn resource(file: &str) -> String {
    let all = everything();
    all.into_iter().find(|(name, _)| name == file).unwrap_or_else(|| panic!("{file} renders nothing")).1
}

/// Returns the value at a path of mapping keys and list positions.
fn at<'a>(yaml: &'a Yaml<'a>, path: &str) -> &'a Yaml<'a> {
    path.split('/').fold(yaml, |yaml, part| {
        let found = match part.parse::<usize>() {
            Ok(position) => yaml.as_vec().and_then(|items| items.get(position)),
            Err(_) => yaml.as_mapping_get(part),
        };
        found.unwrap_or_else(|| panic!("{path} is missing"))
    })
}

fn text<'a>(yaml: &'a Yaml<'a>, path: &str) -> &'a str {
    at(yaml, path).as_str().unwrap_or_else(|| panic!("{path} is no text"))
}

fn number(yaml: &Yaml, path: &str) -> i64 {
    at(yaml, path).as_integer().unwrap_or_else(|| panic!("{path} is no number"))
}

/// Returns the names of the entries of a list.
fn names<'a>(yaml: &'a Yaml<'a>, path: &str) -> BTreeSet<&'a str> {
    at(yaml, path).as_vec().unwrap().iter().map(|item| text(item, "name")).collect()
}

#[test]
fn all_resources_are_yaml_and_optional_ones_can_be_left_out() {
    let kinds: Vec<String> = everything()
        .iter()
        .map(|(_, text)| {
            let yaml = document(text);
            assert_eq!(at(&yaml, "metadata/name").as_str().map(|name| name.starts_with("chess")), Some(true));
            at(&yaml, "kind").as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "Deployment",
            "Job",
            "Ingress",
            "Service",
            "PodDisruptionBudget",
            "Probe",
            "Service",
            "ServiceMonitor",
        ]
    );
    let chart = Chart::with(&[
        ("publicUrl", Value::from("https://chess.example.org")),
        ("database.grant.enabled", Value::from(false)),
        ("metrics.enabled", Value::from(false)),
    ]);
    let files: Vec<String> = chart.render().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(files, ["deployment.yaml", "poddisruptionbudget.yaml", "service.yaml"]);
}

#[test]
fn the_public_url_must_be_set() {
    let error = Chart::with(&[]).render().unwrap_err();
    assert!(error.contains("publicUrl is the URL that browsers use"), "{error}");
}

#[test]
fn the_templates_use_exactly_the_values_of_the_chart() {
    let templates: String = files_in(&format!("{FOLDER}/templates")).iter().map(|file| read(file)).collect();
    let words = templates.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    let used: BTreeSet<&str> = words.filter_map(|word| word.strip_prefix(".Values.")).collect();
    let values = read(&format!("{FOLDER}/values.yaml"));
    let values = document(&values);
    let mut declared = BTreeSet::new();
    collect(&values, "", &mut declared);
    let is_inside = |name: &str, outer: &str| name == outer || name.starts_with(&format!("{outer}."));
    for name in &used {
        assert!(declared.iter().any(|value| is_inside(value, name)), ".Values.{name} is not in values.yaml");
    }
    for value in &declared {
        assert!(used.iter().any(|name| is_inside(value, name)), "no template uses {value}");
    }
}

/// Collects the paths of all values that are not mappings with entries.
fn collect(yaml: &Yaml, path: &str, paths: &mut BTreeSet<String>) {
    match yaml.as_mapping().filter(|entries| !entries.is_empty()) {
        Some(entries) => {
            for (name, entry) in entries {
                let name = name.as_str().unwrap();
                let inner = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                collect(entry, &inner, paths);
            }
        }
        None => {
            paths.insert(path.to_owned());
        }
    }
}

#[test]
fn containers_have_existing_settings_and_mount_declared_volumes() {
    let settings = Settings::known();
    for file in ["deployment.yaml", "grant.yaml"] {
        let rendered = resource(file);
        let yaml = document(&rendered);
        let pod = at(&yaml, "spec/template/spec");
        let variables = names(pod, "containers/0/env");
        for name in &variables {
            assert!(settings.has_variable(name), "{file}: {name} is no setting");
        }
        assert!(variables.contains("QUADREX_DATABASE__PASSWORD_FILE"));
        assert_eq!(names(pod, "containers/0/volumeMounts"), names(pod, "volumes"), "{file}");
        for entry in at(pod, "containers/0/env").as_vec().unwrap() {
            if text(entry, "name").ends_with("PASSWORD_FILE") {
                let folders = at(pod, "containers/0/volumeMounts").as_vec().unwrap();
                let password = text(entry, "value");
                let is_mounted = |mount| password.starts_with(&format!("{}/", text(mount, "mountPath")));
                assert!(folders.iter().any(is_mounted), "{file}: {password} is not mounted");
            }
        }
        assert_eq!(at(pod, "securityContext/runAsNonRoot").as_bool(), Some(true));
        assert_eq!(at(pod, "containers/0/securityContext/readOnlyRootFilesystem").as_bool(), Some(true));
    }
}

#[test]
fn nodes_are_replaced_one_after_the_other_with_time_to_leave() {
    let rendered = resource("deployment.yaml");
    let yaml = document(&rendered);
    assert_eq!(number(&yaml, "spec/strategy/rollingUpdate/maxUnavailable"), 0);
    assert_eq!(number(&yaml, "spec/strategy/rollingUpdate/maxSurge"), 1);
    assert!(number(&yaml, "spec/replicas") > 1);
    // A node leaves for up to 60 seconds after the proxies know that it is not ready.
    let values = read(&format!("{FOLDER}/values.yaml"));
    let leave = number(&document(&values), "leaveSeconds");
    assert!(number(&yaml, "spec/template/spec/terminationGracePeriodSeconds") > 60 + leave);
}

#[test]
fn selectors_select_the_nodes_and_ports_exist() {
    let deployment = resource("deployment.yaml");
    let deployment = document(&deployment);
    let labels = at(&deployment, "spec/template/metadata/labels");
    assert_eq!(at(&deployment, "spec/selector/matchLabels"), labels);
    assert_eq!(
        at(&deployment, "spec/template/spec/topologySpreadConstraints/0/labelSelector/matchLabels"),
        labels
    );
    let budget = resource("poddisruptionbudget.yaml");
    assert_eq!(at(&document(&budget), "spec/selector/matchLabels"), labels);
    let service = resource("service.yaml");
    let service = document(&service);
    assert_eq!(at(&service, "spec/selector"), labels);

    let container = "spec/template/spec/containers/0";
    let ports = at(&deployment, container);
    assert!(names(ports, "ports").contains(text(&service, "spec/ports/0/targetPort")));
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        assert!(names(ports, "ports").contains(text(ports, &format!("{probe}/httpGet/port"))));
    }
    assert_eq!(number(ports, "ports/0/containerPort"), 8080);
    let ingress = resource("ingress.yaml");
    let ingress = document(&ingress);
    let backend = at(&ingress, "spec/rules/0/http/paths/0/backend/service");
    assert_eq!(text(backend, "name"), text(&service, "metadata/name"));
    assert!(names(&service, "spec/ports").contains(text(backend, "port/name")));
    let grant = resource("grant.yaml");
    assert_ne!(at(&document(&grant), "spec/template").as_mapping_get("metadata"), Some(labels));
}

#[test]
fn the_monitor_collects_the_metrics_of_all_nodes_from_a_service_that_is_not_public() {
    let (deployment, service) = (resource("deployment.yaml"), resource("metrics.yaml"));
    let (deployment, service) = (document(&deployment), document(&service));
    let monitor = resource("servicemonitor.yaml");
    let monitor = document(&monitor);
    assert_eq!(at(&monitor, "spec/selector/matchLabels"), at(&service, "metadata/labels"));
    assert_eq!(text(&monitor, "spec/endpoints/0/port"), text(&service, "spec/ports/0/name"));
    assert_eq!(at(&service, "spec/selector"), at(&deployment, "spec/template/metadata/labels"));
    assert_eq!(text(&service, "spec/clusterIP"), "None");
    let ports = at(&deployment, "spec/template/spec/containers/0");
    assert!(names(ports, "ports").contains(text(&service, "spec/ports/0/targetPort")));
    let port = number(ports, "ports/1/containerPort");
    let address = at(ports, "env").as_vec().unwrap().iter();
    let address = address.filter(|entry| text(entry, "name") == "QUADREX_METRICS__ADDRESS");
    let addresses: Vec<&str> = address.map(|entry| text(entry, "value")).collect();
    assert_eq!(addresses, [format!("0.0.0.0:{port}")]);

    // The Service for clients has another port and other labels.
    let public = resource("service.yaml");
    let public = document(&public);
    assert!(!names(&public, "spec/ports").contains("metrics"));
    assert_ne!(at(&public, "metadata/labels"), at(&service, "metadata/labels"));
}

#[tokio::test]
async fn the_probed_paths_exist() {
    let server = Launch::new(&Database::Sqlite).unwrap().start().await.unwrap();
    let rendered = resource("deployment.yaml");
    let yaml = document(&rendered);
    for probe in ["startupProbe", "livenessProbe", "readinessProbe"] {
        let path = text(&yaml, &format!("spec/template/spec/containers/0/{probe}/httpGet/path"));
        assert_eq!(server.http().get(path).await.unwrap().status, 200, "{probe} {path}");
    }
    let rendered = resource("probe.yaml");
    let url = text(&document(&rendered), "spec/targets/staticConfig/static/0").to_owned();
    let path = url.strip_prefix("https://chess.example.org").unwrap();
    assert_eq!(server.http().get(path).await.unwrap().status, 200, "{url}");
}
