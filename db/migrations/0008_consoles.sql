CREATE TABLE "console_runs" (
	"console_id" uuid NOT NULL,
	"cell_id" text NOT NULL,
	"execution_id" uuid NOT NULL,
	CONSTRAINT "console_runs_console_id_cell_id_pk" PRIMARY KEY("console_id","cell_id")
);
--> statement-breakpoint
CREATE TABLE "consoles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"session" text NOT NULL,
	"cells" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "console_runs" ADD CONSTRAINT "console_runs_console_id_consoles_id_fk" FOREIGN KEY ("console_id") REFERENCES "public"."consoles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consoles" ADD CONSTRAINT "consoles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consoles_user_id_updated_at_index" ON "consoles" USING btree ("user_id","updated_at");