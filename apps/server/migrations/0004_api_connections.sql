CREATE TABLE "branch_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"branch_id" text NOT NULL,
	"user_id" uuid,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "branch_connections" ADD CONSTRAINT "branch_connections_branch_id_branches_id_fk" FOREIGN KEY ("branch_id") REFERENCES "public"."branches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branch_connections" ADD CONSTRAINT "branch_connections_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "branch_connections_branch" ON "branch_connections" USING btree ("branch_id");