-- The links of a table are listed, and counted before another is made.
create index links_of_table on links (table_id);
