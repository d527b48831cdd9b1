CREATE TABLE "artifacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"execution_id" uuid,
	"conversation_id" uuid,
	"door" text NOT NULL,
	"image" text,
	"source" text NOT NULL,
	"path" text NOT NULL,
	"name" text NOT NULL,
	"path_key" "bytea" NOT NULL,
	"version" integer NOT NULL,
	"latest" boolean DEFAULT true NOT NULL,
	"mime" text NOT NULL,
	"kind" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"preview" text,
	"link_epoch" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "artifacts" ADD CONSTRAINT "artifacts_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "artifacts_version" ON "artifacts" USING btree ("user_id","path_key","version");--> statement-breakpoint
CREATE INDEX "artifacts_newest" ON "artifacts" USING btree ("user_id","id") WHERE "artifacts"."latest";--> statement-breakpoint
CREATE INDEX "artifacts_kind" ON "artifacts" USING btree ("user_id","kind","id") WHERE "artifacts"."latest";--> statement-breakpoint
CREATE INDEX "artifacts_name" ON "artifacts" USING btree ("user_id",lower("name"),"id") WHERE "artifacts"."latest";--> statement-breakpoint
CREATE INDEX "artifacts_size" ON "artifacts" USING btree ("user_id","size","id") WHERE "artifacts"."latest";--> statement-breakpoint
CREATE INDEX "artifacts_execution_id_index" ON "artifacts" USING btree ("execution_id");--> statement-breakpoint
CREATE INDEX "artifacts_conversation_id_index" ON "artifacts" USING btree ("conversation_id");--> statement-breakpoint
CREATE INDEX "artifacts_sha256_index" ON "artifacts" USING btree ("sha256");