// What every table is made of. Ids are UUIDv7, made in TypeScript, so that rows sort by age and lists can page by key.
import { customType, timestamp, uuid } from "drizzle-orm/pg-core";
import { v7 } from "uuid";

/** Words to search by, sorted and without their places. */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
export const id = () => uuid().primaryKey().$defaultFn(v7);
export const time = () => timestamp({ withTimezone: true });
export const createdAt = () => time().notNull().defaultNow();
