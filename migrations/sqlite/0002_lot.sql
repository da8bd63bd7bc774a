-- lot_key: what the lots of this table's matches are drawn with; each match has a secret that follows from it and the
-- match's id. Random, and never shown: only the matches' secrets are, each when its match starts.
alter table tables add column lot_key blob check (length(lot_key) = 32);
