import type { Database } from "./client.ts";

/** A statement that is built once per pool, and parsed and planned once per connection. */
export function preparedOnce<Statement>(prepare: (db: Database) => Statement): (db: Database) => Statement {
  const statements = new WeakMap<Database, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known) return known;
    const made = prepare(db);
    statements.set(db, made);
    return made;
  };
}
