-- A row is the current or last vacation of a user. The clocks of the user in correspondence matches do not run from started_at to
-- ends_at. used_days: the days of all vacations of the user that began in this year.
create table vacations (
    user_id uuid primary key references users (id),
    started_at timestamptz not null,
    ends_at timestamptz not null check (ends_at >= started_at),
    year bigint not null check (year > 1969),
    used_days bigint not null check (used_days > 0)
);
