-- For tokens that a user creates for programs: scopes has the rights of the token, separated by commas, and client its name.
-- Without scopes, a session has all rights of the user.
alter table sessions add column scopes text check (length(scopes) between 1 and 100);
