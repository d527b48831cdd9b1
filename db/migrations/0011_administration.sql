CREATE TABLE "audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"subject_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "egress_allow" (
	"host" text PRIMARY KEY NOT NULL,
	"added_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "egress_denials" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"reason" text NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "egress_denials_user_id_day_host_port_reason_pk" PRIMARY KEY("user_id","day","host","port","reason")
);
--> statement-breakpoint
ALTER TABLE "agent_turns" ADD COLUMN "own_key" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "execution_days" ADD COLUMN "used_runs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "execution_days" ADD COLUMN "used_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "execution_days" ADD COLUMN "used_cpu_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "last_used_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "egress_denials" ADD CONSTRAINT "egress_denials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_action_id_index" ON "audit" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX "audit_actor_id_id_index" ON "audit" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_subject_id_id_index" ON "audit" USING btree ("subject_id","id");--> statement-breakpoint
CREATE INDEX "egress_denials_by_day" ON "egress_denials" USING btree ("day");--> statement-breakpoint
UPDATE "execution_days" SET "used_runs" = "runs";--> statement-breakpoint
CREATE FUNCTION "audit_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'The audit log can only be added to.'; END $$;--> statement-breakpoint
CREATE TRIGGER "audit_is_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit" FOR EACH STATEMENT EXECUTE FUNCTION "audit_is_append_only"();
