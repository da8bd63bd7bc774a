-- Expired links are removed whenever another is made.
create index links_expiry on links (expires_at_ms);
