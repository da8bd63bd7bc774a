-- A row is a name that an account has or had. Names that look alike have the same key. The names of accounts are never
-- free again.
create table account_names (
    name_key text primary key check (char_length(name_key) between 1 and 1000),
    user_id uuid not null references users (id),
    taken_at timestamptz not null
);

-- A row is the account of a user: users without a row are guests. The password is stored as the text of Argon2id, with its
-- parameters and its salt. name_key is the current name. renamed_at is the last change of the name.
create table accounts (
    user_id uuid primary key references users (id),
    name_key text not null unique references account_names (name_key),
    password_hash text not null check (password_hash like '$argon2id$%'),
    created_at timestamptz not null,
    renamed_at timestamptz
);
