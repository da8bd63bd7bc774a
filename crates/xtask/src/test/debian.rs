//! Installation of missing programs on Debian or Ubuntu, as root.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::system::Requirement;
use crate::process;

/// The settings file that determines whether the PostgreSQL package creates and starts a database
/// cluster.
const CLUSTER_SETTINGS: &str = "/etc/postgresql-common/createcluster.conf";

/// Returns whether packages can be installed without asking anybody: as root, with apt-get.
pub(crate) fn may_install() -> bool {
    let root = process::stdout_of(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    root && Path::new("/etc/debian_version").exists() && Path::new("/usr/bin/apt-get").exists()
}

/// Installs the Debian packages of missing programs.
///
/// # Errors
/// Returns an error if apt-get fails.
pub(crate) fn install(missing: &[Requirement]) -> Result<()> {
    let packages: Vec<&str> = missing.iter().map(|requirement| requirement.package()).collect();
    println!("installing {}, which the tests need", packages.join(", "));
    apt_get(&["update", "--quiet"])?;
    if missing.contains(&Requirement::Postgres) {
        // The tests start their own database servers and do not need the system's.
        apt_get(&["install", "--quiet", "--yes", "--no-install-recommends", "postgresql-common"])?;
        forbid_cluster(Path::new(CLUSTER_SETTINGS))?;
    }
    apt_get(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages.as_slice()].concat())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    process::run(Command::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(arguments))
}

/// Sets `create_main_cluster = false` and leaves the other settings unchanged.
fn forbid_cluster(settings: &Path) -> Result<()> {
    let text = fs::read_to_string(settings).unwrap_or_default();
    let says = |line: &str| {
        line.trim_start().trim_start_matches('#').trim_start().starts_with("create_main_cluster")
    };
    let mut lines: Vec<&str> = text.lines().filter(|line| !says(line)).collect();
    lines.push("create_main_cluster = false\n");
    fs::write(settings, lines.join("\n")).with_context(|| format!("writing {}", settings.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn the_creation_of_a_cluster_is_disabled_and_other_settings_stay() {
        let folder = Scratch::new("debian-cluster");
        let settings = folder.path().join("createcluster.conf");
        for before in [
            "ssl = on\n#create_main_cluster = true\nstart_conf = 'auto'\n",
            "ssl = on\ncreate_main_cluster = true\nstart_conf = 'auto'\n",
        ] {
            fs::write(&settings, before).unwrap();
            forbid_cluster(&settings).unwrap();
            let after = fs::read_to_string(&settings).unwrap();
            assert_eq!(after, "ssl = on\nstart_conf = 'auto'\ncreate_main_cluster = false\n");
        }
    }

    #[test]
    fn missing_settings_are_added() {
        let folder = Scratch::new("debian-no-settings");
        let settings = folder.path().join("createcluster.conf");
        forbid_cluster(&settings).unwrap();
        assert_eq!(fs::read_to_string(&settings).unwrap(), "create_main_cluster = false\n");
    }
}
