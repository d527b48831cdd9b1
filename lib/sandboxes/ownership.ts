// Who owns which sandbox, kept in Postgres: one statement each, so that claiming stays atomic with several servers.
import {
  claimSandbox,
  deleteSandbox,
  findSandbox,
  insertSandbox,
  listSandboxes,
  offerSandbox,
  withdrawSandbox,
} from "#db/queries/sandboxes.ts";
import { AlreadyOwned, noUidLeft, type Ownership } from "#sandbox/index.ts";
import { AppError } from "../app-error.ts";
import { db } from "../database.ts";

export const postgresOwnership: Ownership = {
  async create(id, uids, userId) {
    const row = await insertSandbox(db(), { id, userId, ...uids });
    // Somebody who is being deleted, say, while their agent goes on for a moment.
    if (row === "disabled") throw new AppError("forbidden", "This account is not active any more.");
    if (row === "owned") throw new AlreadyOwned(`User ${userId} already has a sandbox.`);
    if (row === "no uid") throw noUidLeft(uids);
    return row;
  },
  offer: (id) => offerSandbox(db(), id),
  claim: (userId) => claimSandbox(db(), userId),
  find: (userId) => findSandbox(db(), userId),
  withdraw: (id) => withdrawSandbox(db(), id),
  list: () => listSandboxes(db()),
  remove: (id) => deleteSandbox(db(), id),
};
