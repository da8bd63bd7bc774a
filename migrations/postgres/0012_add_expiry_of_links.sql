-- no-transaction
-- Expired links are removed whenever another is made.
create index concurrently links_expiry on links (expires_at);
