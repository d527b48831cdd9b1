CREATE TABLE "skills" (
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"file" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"license" text,
	"compatibility" text,
	"version" text,
	"dependencies" text DEFAULT '[]' NOT NULL,
	"allowed_tools" text DEFAULT '[]' NOT NULL,
	"warnings" text DEFAULT '[]' NOT NULL,
	"problem" text,
	"size" integer NOT NULL,
	"modified_ms" double precision NOT NULL,
	"read_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skills_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "skills_off" (
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "skills_off_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills_off" ADD CONSTRAINT "skills_off_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;