CREATE TABLE "execution_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"door" text NOT NULL,
	"tool" text NOT NULL,
	"status" text NOT NULL,
	"runs" integer NOT NULL,
	CONSTRAINT "execution_days_user_id_day_door_tool_status_pk" PRIMARY KEY("user_id","day","door","tool","status")
);
--> statement-breakpoint
DROP INDEX "executions_conversation_id_index";--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "summary" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "words" "tsvector" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "cpu_ms" integer;--> statement-breakpoint
ALTER TABLE "executions" ADD COLUMN "memory_bytes" bigint;--> statement-breakpoint
ALTER TABLE "execution_days" ADD CONSTRAINT "execution_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_conversation_id_id_index" ON "executions" USING btree ("conversation_id","id");--> statement-breakpoint
CREATE INDEX "executions_by_status" ON "executions" USING btree ("user_id","status","id") WHERE "executions"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "executions_by_tool" ON "executions" USING btree ("user_id","tool","id") WHERE "executions"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "executions_by_door" ON "executions" USING btree ("user_id","door","id") WHERE "executions"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "executions_by_word" ON "executions" USING gin ("words") WHERE "executions"."finished_at" is not null;--> statement-breakpoint
INSERT INTO "execution_days" ("user_id", "day", "door", "tool", "status", "runs") SELECT "user_id", ("created_at" AT TIME ZONE 'UTC')::date, "door", "tool", "status", count(*) FROM "executions" WHERE "finished_at" IS NOT NULL GROUP BY 1, 2, 3, 4, 5;