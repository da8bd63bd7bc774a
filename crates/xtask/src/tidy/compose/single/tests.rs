//! Tests of the checks of `docker-compose.yml`.

use super::*;
use crate::tidy::surface::tests::small_program;

const GOOD: &str = r#"
services:
  server:
    build: .
    command: ["serve"]
    depends_on:
      postgres:
        condition: service_healthy
      grant:
        condition: service_completed_successfully
    ports: ["${LISTEN:-127.0.0.1:8080}:8080"]
    networks: [edge, inner]
    environment:
      DATABASE_URL: "postgres://quadrex_server@postgres:5432/quadrex"
      QUADREX_DATABASE__PASSWORD_FILE: /run/secrets/server_password
      QUADREX_SERVER__DATA: /data
      QUADREX_SERVER__TRUSTED_PROXIES: "${PROXIES:-}"
    secrets: [server_password]
    volumes: ["data:/data"]
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 512
    mem_limit: 2g
    ulimits: { nofile: 65536 }
    stop_grace_period: 20s
  grant:
    build: .
    command: ["database", "grant", "--role", "quadrex_server", "--password-file", "/run/secrets/server_password"]
    networks: [inner]
    environment:
      DATABASE_URL: "postgres://quadrex@postgres:5432/quadrex"
      QUADREX_DATABASE__PASSWORD_FILE: /run/secrets/owner_password
    secrets: [owner_password, server_password]
    read_only: true
    tmpfs: [/var]
    cap_drop: [ "ALL" ]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 64
    mem_limit: 256m
    ulimits: { nofile: 1024 }
    stop_grace_period: 20s
  postgres:
    image: postgres:15
    networks: [inner]
    environment:
      POSTGRES_USER: quadrex
      POSTGRES_PASSWORD_FILE: "/run/secrets/owner_password"
      POSTGRES_DB: quadrex
    secrets: [owner_password]
    healthcheck:
      test: ["CMD", "pg_isready"]
    read_only: true
    tmpfs: [/run]
    cap_drop: ["ALL"]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 256
    mem_limit: 1g
    ulimits: { nofile: 1024 }
    stop_grace_period: 60s
networks:
  edge:
  inner:
    internal: true
secrets:
  owner_password:
    file: ./owner_password
  server_password:
    file: ./server_password
volumes:
  data:
"#;

fn faults_with(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from), "{from}");
    faults(&GOOD.replacen(from, to, 1), &small_program()).unwrap()
}

#[test]
fn a_valid_file_has_no_faults() {
    assert_eq!(faults_with("image", "image"), [""; 0]);
}

#[test]
fn every_kind_of_fault_is_detected() {
    for (from, to, fault) in [
        ("      postgres:\n", "      database:\n", "server waits for database, which is no service"),
        ("data:/data", "games:/data", "server mounts games, which is not declared"),
        (":8080\"]", ":80\"]", "server maps ${LISTEN:-127.0.0.1:8080}:80, not its port 8080"),
        ("QUADREX_SERVER__DATA", "QUADREX_DATA", "QUADREX_DATA is no setting in config/default.toml"),
        ("[\"serve\"]", "[\"serve\", \"--x\"]", "quadrex serve has no flag --x"),
        (
            "postgres://quadrex@postgres:5432/quadrex",
            "postgres://quadrex@postgres:5432/chess",
            "DATABASE_URL of grant is \"postgres://quadrex@postgres:5432/chess\", not \
             \"postgres://quadrex@postgres:5432/quadrex\"",
        ),
        (
            "quadrex_server@postgres:5432/quadrex",
            "quadrex_server@postgres:5432/chess",
            "DATABASE_URL of server is \"postgres://quadrex_server@postgres:5432/chess\", not of \
             \"@postgres:5432/quadrex\"",
        ),
        ("service_completed_successfully", "service_started", "server does not wait until grant is done"),
        ("\"--role\"", "\"--x\", \"--role\"", "quadrex database grant has no flag --x"),
        ("\"quadrex_server\"", "\"quadrex_other\"", "server does not connect as the role of grant"),
        (
            "/run/secrets/server_password\"",
            "/run/secrets/owner_password\"",
            "grant gives the role another password than the server's",
        ),
        ("    healthcheck:\n      test: [\"CMD\", \"pg_isready\"]\n", "", "postgres has no healthcheck"),
    ] {
        assert_eq!(faults_with(from, to), [format!("docker-compose.yml: {fault}")], "{from} -> {to}");
    }
}

#[test]
fn every_missing_hardening_option_is_detected() {
    for (from, to, fault) in [
        (
            "${LISTEN:-127.0.0.1:8080}",
            "${LISTEN:-8080}",
            "server publishes ${LISTEN:-8080}:8080 on more than 127.0.0.1",
        ),
        (
            "${LISTEN:-127.0.0.1:8080}",
            "0.0.0.0:8080",
            "server publishes 0.0.0.0:8080:8080 on more than 127.0.0.1",
        ),
        (
            "      QUADREX_SERVER__TRUSTED_PROXIES: \"${PROXIES:-}\"\n",
            "",
            "server is not given QUADREX_SERVER__TRUSTED_PROXIES",
        ),
        ("    read_only: true\n", "", "server has a writable root (read_only)"),
        ("    tmpfs: [/tmp]\n", "", "server has no tmpfs for what is written beside its data"),
        ("cap_drop: [ALL]", "cap_drop: [NET_RAW]", "server keeps capabilities (cap_drop)"),
        ("cap_drop: [\"ALL\"]", "cap_drop: []", "postgres keeps capabilities (cap_drop)"),
        ("    tmpfs: [/run]", "    cap_add: [CHOWN]\n    tmpfs: [/run]", "postgres is given capabilities"),
        (
            "    security_opt: [\"no-new-privileges:true\"]\n",
            "",
            "server may gain privileges (no-new-privileges)",
        ),
        ("    pids_limit: 256\n", "", "postgres has no limit of processes (pids_limit)"),
        ("    mem_limit: 2g\n", "", "server has no limit of memory (mem_limit)"),
        ("nofile: 65536", "nproc: 65536", "server has no limit of open files (ulimits.nofile)"),
        ("    stop_grace_period: 20s\n", "", "server is not given time to stop (stop_grace_period)"),
        ("    internal: true\n", "", "postgres is in a network that is not internal"),
        ("[edge, inner]", "[edge]", "server and postgres share no network"),
        ("[edge, inner]", "[inner]", "server is in no network that reaches it"),
        ("  edge:\n", "", "the network edge is not declared"),
        (
            "__PASSWORD_FILE: /run/secrets/owner_password",
            "__PASSWORD_FILE: /etc/password",
            "grant does not read its password from a secret (QUADREX_DATABASE__PASSWORD_FILE)",
        ),
        (
            "POSTGRES_PASSWORD_FILE: \"/run/secrets/owner_password\"",
            "POSTGRES_HOST_AUTH_METHOD: trust",
            "postgres does not read its password from a secret (POSTGRES_PASSWORD_FILE)",
        ),
        (
            "      POSTGRES_DB: quadrex\n",
            "      POSTGRES_DB: quadrex\n      POSTGRES_PASSWORD: hush\n",
            "postgres has the password in its environment",
        ),
    ] {
        assert_eq!(faults_with(from, to), [format!("docker-compose.yml: {fault}")], "{from} -> {to}");
    }
    let no_file = faults_with("    file: ./owner_password\n", "    external: true\n");
    assert_eq!(
        no_file,
        ["grant", "postgres"]
            .map(|name| format!("docker-compose.yml: the secret owner_password of {name} is no file"))
    );
    let as_owner = faults_with("postgres://quadrex_server@", "postgres://quadrex@");
    assert_eq!(
        as_owner,
        [
            "docker-compose.yml: server connects as the database's owner, who can change the log",
            "docker-compose.yml: server does not connect as the role of grant",
        ]
    );
}

#[test]
fn a_file_that_is_not_a_compose_file_is_an_error() {
    assert!(faults("services: [", &small_program()).is_err());
    assert!(faults("services: {}", &small_program()).is_err());
}
