CREATE TABLE "sandboxes" (
	"id" text PRIMARY KEY NOT NULL,
	"uid" integer NOT NULL,
	"user_id" uuid,
	"offered" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandboxes_uid_unique" UNIQUE("uid"),
	CONSTRAINT "sandboxes_userId_unique" UNIQUE("user_id")
);
--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;