#!/bin/sh
# What the image `postgres` starts: a cluster is made at the first start, beside its place, so that a start that is cut short
# leaves nothing half-done. The server has no port; it lets in whoever reaches its socket as the user it runs as.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
data=/var/lib/postgresql/data
if [ ! -e "$data" ]; then
  rm -rf "$data.new"
  initdb --pgdata="$data.new" --username=cove --auth=peer --encoding=UTF8 --data-checksums --no-instructions \
    --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
  echo 'create database cove' | postgres --single -D "$data.new" postgres
  mv "$data.new" "$data"
fi
exec postgres -D "$data" -c listen_addresses= -c unix_socket_directories=/run/postgresql -c max_connections=200 "$@"
