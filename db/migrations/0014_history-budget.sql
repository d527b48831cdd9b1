CREATE TABLE "history_sizes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL,
	"bare_bytes" bigint NOT NULL,
	"full_from" uuid NOT NULL
);
--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "output_blob" "bytea";--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "output_blob_bytes" integer;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "removed_bytes" integer;--> statement-breakpoint
ALTER TABLE "history_sizes" ADD CONSTRAINT "history_sizes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_by_blob" ON "executions" USING btree ("output_blob") WHERE "executions"."output_blob" is not null;--> statement-breakpoint
UPDATE "conversations" SET "bytes" = (SELECT coalesce(sum(1024 + octet_length("parts") + octet_length("body")), 0) FROM "messages" WHERE "conversation_id" = "conversations"."id");--> statement-breakpoint
DROP TRIGGER "audit_is_append_only" ON "audit";--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();--> statement-breakpoint
CREATE TRIGGER "audit_is_kept_for_a_year" BEFORE DELETE ON "audit" FOR EACH ROW WHEN (OLD."created_at" > now() - interval '1 year') EXECUTE FUNCTION "audit_is_append_only"();--> statement-breakpoint
INSERT INTO "history_sizes" ("user_id", "bytes", "bare_bytes", "full_from")
SELECT "user_id", sum(1024 + octet_length("arguments") + coalesce(octet_length("stdout"), 0) + coalesce(octet_length("stderr"), 0)
  + coalesce(octet_length("results"), 0) + coalesce(octet_length("result"), 0) + coalesce(octet_length("denied_hosts"), 0)
  + coalesce(octet_length("artifacts_skipped"), 0) + 2 * octet_length("words"::text)), 0, '00000000-0000-0000-0000-000000000000'
FROM "executions" WHERE "finished_at" IS NOT NULL GROUP BY "user_id";
