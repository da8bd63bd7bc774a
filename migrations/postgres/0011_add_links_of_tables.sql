-- no-transaction
-- The links of a table are listed, and counted before another is made.
create index concurrently links_of_table on links (table_id);
