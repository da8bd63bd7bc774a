//! A temporary Postgres server: created in a temporary folder, on a free loopback port, and removed
//! with its owner.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::processes::{children, is_alive, status};
use crate::signal;

/// The maximum time for the server to start, stop or load a setting.
const PATIENCE: Duration = Duration::from_secs(60);

/// The interval between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The number of ports to try, because another process may take a free port before Postgres listens
/// on it.
const PORTS: u32 = 5;

/// The name of the server's first role, which is a superuser.
const ROLE: &str = "quadrex";

/// A running Postgres server. When it is dropped, the server is stopped and its files are removed.
#[derive(Debug)]
pub struct Postgres {
    programs: PathBuf,
    /// The user and group of the server if the test runs as root, because Postgres refuses to run
    /// as root.
    run_as: Option<(u32, u32)>,
    /// True if the server is in a process group of its own.
    is_apart: bool,
    folder: TempDir,
    port: u16,
    server: Option<Child>,
}

impl Postgres {
    /// Creates and starts a server. The programs are searched in the folder `PG_BIN`, in `PATH`,
    /// and in Debian's folders.
    ///
    /// # Errors
    /// If Postgres is not installed, or the output of initdb or the server if they fail.
    pub fn start() -> Result<Self> {
        Self::start_with(false)
    }

    /// Creates and starts a server like [`start`](Self::start), in a process group of its own, so
    /// that Ctrl-C in the terminal does not stop it before its clients.
    ///
    /// # Errors
    /// If Postgres is not installed, or the output of initdb or the server if they fail.
    pub fn start_apart() -> Result<Self> {
        Self::start_with(true)
    }

    fn start_with(is_apart: bool) -> Result<Self> {
        let programs = find_programs()?;
        let folder = tempfile::Builder::new().prefix("quadrex-postgres-").tempdir()?;
        let run_as = if fs::metadata("/proc/self")?.uid() == 0 { Some(unprivileged()?) } else { None };
        if let Some((user, group)) = run_as {
            chown(folder.path(), Some(user), Some(group))?;
        }
        let mut postgres = Self { programs, run_as, is_apart, folder, port: 0, server: None };
        let made = postgres
            .command("initdb")
            .args(["--username", ROLE, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"])
            .arg("--pgdata")
            .arg(postgres.data())
            .output()
            .context("initdb cannot be run")?;
        ensure!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr));

        for attempt in 1.. {
            postgres.port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            match postgres.restart() {
                Ok(()) => break,
                Err(error) if attempt == PORTS => return Err(error),
                Err(_) => {}
            }
        }
        Ok(postgres)
    }

    /// Returns the URL of the server's first database.
    pub fn url(&self) -> String {
        self.database_url("postgres")
    }

    /// Creates another, empty database on the server. Returns its URL.
    ///
    /// # Errors
    /// If the database cannot be created, for example because it exists.
    pub fn create_database(&self, name: &str) -> Result<String> {
        self.sql("postgres", &format!("create database {name}"))?;
        Ok(self.database_url(name))
    }

    /// Returns the URL of a database.
    pub fn database_url(&self, name: &str) -> String {
        self.role_url(ROLE, name)
    }

    /// Returns the URL of a database for a role other than its owner.
    pub fn role_url(&self, role: &str, database: &str) -> String {
        format!("postgres://{role}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the URL of the server's first database through a proxy.
    pub fn url_through(&self, proxy: SocketAddr) -> String {
        format!("postgres://{ROLE}@{proxy}/postgres")
    }

    /// Returns the port on which the server listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the server's data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Runs SQL in a database with psql. Returns the rows with `|` between the fields.
    ///
    /// # Errors
    /// The server's message, if it refuses the statement.
    pub fn sql(&self, database: &str, sql: &str) -> Result<String> {
        self.sql_as(ROLE, database, sql)
    }

    /// Runs SQL like [`sql`](Self::sql), as this role.
    ///
    /// # Errors
    /// The server's message, if it refuses the statement.
    pub fn sql_as(&self, role: &str, database: &str, sql: &str) -> Result<String> {
        let output = self
            .command("psql")
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1"])
            .args(["--dbname", &self.role_url(role, database), "--command", sql])
            .output()
            .context("psql cannot be run")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Fills an empty database from a file in the custom format of `pg_dump`.
    ///
    /// # Errors
    /// The output of pg_restore, if it fails.
    pub fn restore(&self, database: &str, file: &Path) -> Result<()> {
        let mut restore = self.command("pg_restore");
        restore.args(["--no-owner", "--exit-on-error", "--single-transaction"]);
        // The test reads the file, because the user that Postgres runs as may not.
        restore.args(["--dbname", &self.database_url(database)]).stdin(File::open(file)?);
        let output = restore.output().context("pg_restore cannot be run")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(())
    }

    /// Returns the folder of Postgres' programs.
    pub fn programs(&self) -> &Path {
        &self.programs
    }

    /// Returns the content of a database as SQL.
    ///
    /// # Errors
    /// The output of pg_dump, if it fails.
    pub fn dump(&self, database: &str) -> Result<String> {
        let mut dump = self.command("pg_dump");
        let output = dump.args(["--dbname", &self.database_url(database)]).output();
        let output = output.context("pg_dump cannot be run")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Changes a setting of the whole server. New connections have the new value when this returns.
    ///
    /// # Errors
    /// If the server refuses the value or does not load it.
    pub fn set(&self, setting: &str, value: &str) -> Result<()> {
        self.sql("postgres", &format!("alter system set {setting} = {value}"))?;
        self.sql("postgres", "select pg_reload_conf()")?;
        until(|| Ok(self.sql("postgres", &format!("show {setting}"))? == value))
            .with_context(|| format!("{setting} does not become {value}"))
    }

    /// Returns the ids of all processes of the server.
    pub fn processes(&self) -> Vec<u32> {
        let Some(server) = &self.server else { return Vec::new() };
        std::iter::once(server.id()).chain(children(server.id()).unwrap_or_default()).collect()
    }

    /// Stops the server cleanly. Its connections are closed.
    ///
    /// # Errors
    /// If it does not stop.
    pub fn stop(&mut self) -> Result<()> {
        self.end("INT")
    }

    /// Stops the server at once. Unlike killed processes, it releases its shared memory, of which the
    /// system has a limited number of segments.
    fn quit(&mut self) -> Result<()> {
        // A stopped process does not react.
        signal::send("CONT", &self.processes()).ok();
        self.end("QUIT")
    }

    /// Sends a signal to the server, and waits until it has exited.
    fn end(&mut self, signal: &str) -> Result<()> {
        let Some(server) = &self.server else { return Ok(()) };
        signal::send(signal, &[server.id()])?;
        self.wait()
    }

    /// Kills the server and all its processes with SIGKILL, which has the effect of a power cut.
    ///
    /// # Errors
    /// If a process cannot be killed.
    pub fn sigkill(&mut self) -> Result<()> {
        let Some(server) = &mut self.server else { return Ok(()) };
        // The parent is stopped first, so that it cannot create a process that would be missed.
        let id = server.id();
        signal::send("STOP", &[id])?;
        until(|| Ok(status(id).is_none_or(|(state, _)| ["T", "Z"].contains(&state.as_str()))))?;
        let children = children(id)?;
        server.kill()?;
        // Processes that saw the death of their parent may have exited already.
        signal::send("KILL", &children).ok();
        self.wait()?;
        until(|| Ok(!children.iter().any(|&child| is_alive(child))))
            .context("a killed process is still running")
    }

    /// Stops all processes of the server for this time with SIGSTOP.
    ///
    /// # Errors
    /// If a process cannot be stopped or continued.
    pub fn freeze(&self, for_time: Duration) -> Result<()> {
        signal::freeze(&self.processes(), for_time)
    }

    /// Starts the server again, with the same port and data. It recovers if it was killed.
    ///
    /// # Errors
    /// The output of the server, if it does not start.
    pub fn restart(&mut self) -> Result<()> {
        self.stop()?;
        let log = File::create(self.folder.path().join("log"))?;
        let server = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string()])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("postgres cannot be run")?;
        self.server = Some(server);
        until(|| self.is_ready())
    }

    /// Returns true if the server accepts connections, according to the last line of its lock file.
    fn is_ready(&mut self) -> Result<bool> {
        let server = self.server.as_mut().expect("it was just started");
        if let Some(status) = server.try_wait()? {
            let id = server.id();
            self.server = None;
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            bail!("postgres (process {id}) ended with {status}: {log}");
        }
        let id = server.id().to_string();
        let lock = fs::read_to_string(self.data().join("postmaster.pid")).unwrap_or_default();
        let mut lines = lock.lines();
        let is_ours = lines.next() == Some(&id);
        Ok(is_ours && lines.last().is_some_and(|status| status.trim() == "ready"))
    }

    fn wait(&mut self) -> Result<()> {
        if let Some(server) = &mut self.server {
            until(|| Ok(server.try_wait()?.is_some())).context("postgres does not exit")?;
            self.server = None;
        }
        Ok(())
    }

    /// Returns a command for one of Postgres' programs, as the user that the server runs as.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env("LC_ALL", "C");
        for variable in ["PGDATA", "PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGPASSWORD", "PGOPTIONS"] {
            command.env_remove(variable);
        }
        if let Some((user, group)) = self.run_as {
            command.uid(user).gid(group);
        }
        if self.is_apart {
            command.process_group(0);
        }
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.quit().is_err() {
            // Nothing can be done about a server that cannot be killed.
            self.sigkill().ok();
        }
    }
}

/// Returns the folder with initdb, postgres and psql.
fn find_programs() -> Result<PathBuf> {
    let has_all =
        |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file());
    if let Some(folder) = std::env::var_os("PG_BIN").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        ensure!(has_all(&folder), "PG_BIN is {}, which lacks initdb, postgres or psql", folder.display());
        return Ok(folder);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut of_debian: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.filter_map(|version| Some(version.ok()?.path().join("bin"))).collect())
        .unwrap_or_default();
    of_debian.sort();
    in_path.chain(of_debian.into_iter().rev()).find(has_all).context(
        "PostgreSQL is not installed: initdb, postgres and psql are neither in PATH nor in \
         /usr/lib/postgresql/*/bin. Install it (Debian: apt-get install postgresql-15), or name its folder in PG_BIN",
    )
}

/// Returns the user and group for a server that is started by root: postgres, otherwise nobody.
pub(crate) fn unprivileged() -> Result<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd").context("/etc/passwd")?;
    let find = |name: &str| {
        let fields: Vec<&str> =
            users.lines().find(|line| line.split(':').next() == Some(name))?.split(':').collect();
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    find("postgres").or_else(|| find("nobody")).context("there is neither a user postgres nor a user nobody")
}

/// Waits until a condition is true.
#[expect(clippy::disallowed_methods, reason = "a real server is waited for in real time")]
pub(crate) fn until(mut condition: impl FnMut() -> Result<bool>) -> Result<()> {
    let started = Instant::now();
    while !condition()? {
        ensure!(started.elapsed() < PATIENCE, "not true within {} s", PATIENCE.as_secs());
        thread::sleep(POLL_INTERVAL);
    }
    Ok(())
}
