//! Reports about users.

use quadrex_protocol::UserId;
use quadrex_protocol::http::OwnReport;
use quadrex_store::{NewReport, ReportClosing, ReportCounts, ReportQuery, Store, StoreError, StoredReport};

/// The service for reports about users. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Reports {
    store: Store,
}

impl Reports {
    /// Returns the service for the reports in this store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Adds a report and returns its number. Returns `None`, and adds nothing, if the reporter has
    /// an open report about the same user in the same match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn add(&self, report: &NewReport) -> Result<Option<u64>, StoreError> {
        self.store.add_report(report).await
    }

    /// Returns the reports that satisfy a query, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn list(&self, query: ReportQuery) -> Result<Vec<StoredReport>, StoreError> {
        self.store.reports(query).await
    }

    /// Returns a report, if there is one with this number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn find(&self, number: u64) -> Result<Option<StoredReport>, StoreError> {
        self.store.report(number).await
    }

    /// Closes a report. Returns false if there is no open report with this number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn close(&self, number: u64, closing: ReportClosing<'_>) -> Result<bool, StoreError> {
        self.store.close_report(number, closing).await
    }

    /// Returns the numbers of reports about a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn counts(&self, user: UserId) -> Result<ReportCounts, StoreError> {
        self.store.report_counts(user).await
    }

    /// Returns the reports that a user has sent, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the store fails.
    pub async fn by(&self, reporter: UserId) -> Result<Vec<OwnReport>, StoreError> {
        self.store.reports_by(reporter).await
    }
}
