-- A match hibernates while hibernated_epoch = epoch: no server has it in its memory, and nothing happens in it before
-- wake_at unless somebody acts (null: it has no deadline). Each claim increases the epoch, which ends the hibernation.
-- hibernated_at is its beginning. listed_players is the number of people at the table, null if the lobby does not list it.
alter table matches add column hibernated_epoch integer;
alter table matches add column hibernated_at_ms integer;
alter table matches add column wake_at_ms integer;
alter table matches add column listed_players integer check (listed_players >= 0);

-- A row is a time in which no server ran, or in which the server could do nothing. The players of the matches that
-- hibernated meanwhile are not charged for the time from alive_at (null: not known) to resumes_at. back_at is the moment at
-- which the server ran again. If owner is not null, the row concerns only the matches of this server.
create table outages (
    owner blob,
    alive_at_ms integer,
    back_at_ms integer not null,
    resumes_at_ms integer not null
) strict;

create index outages_by_time on outages (back_at_ms);
