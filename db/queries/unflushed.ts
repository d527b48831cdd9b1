import { sql } from "drizzle-orm";

/**
 * A step of a statement, to be joined with what it writes: its commit doesn't wait for the disk, that of the next one does.
 * Postgres takes a step only where something reads it. As a statement of its own, this would need a transaction around the
 * two, and thereby three more round trips for every run.
 */
export const UNFLUSHED = sql`select set_config('synchronous_commit', 'off', true) as setting`;
