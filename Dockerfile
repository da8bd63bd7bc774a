# syntax=docker/dockerfile:1
# Quadrex: one program that contains the browser client. docker-compose.yml runs it with a database.

# The browser client.
FROM node:20-bookworm-slim AS client
WORKDIR /build
COPY crates/web/package.json crates/web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY crates/web ./
RUN npm run build

# The program, with the client in it.
FROM rust:1.95-bookworm AS program
WORKDIR /build
COPY . .
COPY --from=client /build/dist crates/web/dist
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/build/target \
    cargo build --release --locked --package quadrex \
    && cp target/release/quadrex /usr/local/bin/quadrex

# The image: the program without root privileges, and the pg_dump that `quadrex backup` runs, in the version of Postgres in
# docker-compose.yml (15).
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-15 \
    && rm --recursive --force /var/lib/apt/lists/*
RUN useradd --system --user-group --no-create-home quadrex \
    && install --directory --owner=quadrex --group=quadrex /data
COPY --from=program /usr/local/bin/quadrex /usr/local/bin/quadrex
ENV QUADREX_SERVER__BIND=0.0.0.0:8080 QUADREX_SERVER__DATA=/data
USER quadrex
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD ["quadrex", "probe", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["quadrex"]
CMD ["serve"]
