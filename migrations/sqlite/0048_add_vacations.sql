-- A row is the current or last vacation of a user. The clocks of the user in correspondence matches do not run from started_at to
-- ends_at. used_days: the days of all vacations of the user that began in this year.
create table vacations (
    user_id blob not null primary key references users (id),
    started_at_ms integer not null,
    ends_at_ms integer not null check (ends_at_ms >= started_at_ms),
    year integer not null check (year > 1969),
    used_days integer not null check (used_days > 0)
) strict;
