CREATE TABLE "executions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"door" text NOT NULL,
	"tool" text NOT NULL,
	"arguments" text NOT NULL,
	"status" text NOT NULL,
	"exit_code" integer,
	"stdout" "bytea",
	"stderr" "bytea",
	"truncated" boolean DEFAULT false NOT NULL,
	"duration_ms" integer,
	"sandbox_id" text,
	"result" text,
	"idempotency_key" text,
	"request_hash" "bytea",
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_user_id_id_index" ON "executions" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "executions_idempotency_key" ON "executions" USING btree ("user_id","idempotency_key");--> statement-breakpoint
CREATE INDEX "executions_unfinished" ON "executions" USING btree ("status") WHERE "executions"."finished_at" is null;