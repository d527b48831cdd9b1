CREATE TABLE "execution_artifacts" (
	"execution_id" uuid NOT NULL,
	"artifact_id" uuid NOT NULL,
	CONSTRAINT "execution_artifacts_execution_id_artifact_id_pk" PRIMARY KEY("execution_id","artifact_id")
);
--> statement-breakpoint
ALTER TABLE "execution_artifacts" ADD CONSTRAINT "execution_artifacts_execution_id_executions_id_fk" FOREIGN KEY ("execution_id") REFERENCES "public"."executions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "execution_artifacts" ADD CONSTRAINT "execution_artifacts_artifact_id_artifacts_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "execution_artifacts_artifact_id_index" ON "execution_artifacts" USING btree ("artifact_id");--> statement-breakpoint
CREATE INDEX "artifacts_bytes" ON "artifacts" USING btree ("user_id","size");--> statement-breakpoint
INSERT INTO "execution_artifacts" ("execution_id", "artifact_id") SELECT "execution_id", "id" FROM "artifacts" WHERE "execution_id" IS NOT NULL;