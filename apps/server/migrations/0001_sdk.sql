CREATE TYPE "public"."port_visibility" AS ENUM('private', 'workspace', 'public');--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"description" text,
	"key_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "host_tokens" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"prefix" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "port_policies" (
	"sandbox_id" text NOT NULL,
	"port" integer NOT NULL,
	"visibility" "port_visibility" NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "port_policies_sandbox_id_port_pk" PRIMARY KEY("sandbox_id","port")
);
--> statement-breakpoint
CREATE TABLE "preview_hosts" (
	"team_id" uuid NOT NULL,
	"host" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "preview_hosts_team_id_host_pk" PRIMARY KEY("team_id","host")
);
--> statement-breakpoint
CREATE TABLE "vm_aliases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"namespace" text NOT NULL,
	"alias" text NOT NULL,
	"tag_id" text NOT NULL,
	"team_id" uuid NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vm_tags" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"sandbox_ids" text[] NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_tokens" ADD CONSTRAINT "host_tokens_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "port_policies" ADD CONSTRAINT "port_policies_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_hosts" ADD CONSTRAINT "preview_hosts_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_tag_id_vm_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."vm_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_tags" ADD CONSTRAINT "vm_tags_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_team" ON "api_keys" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "host_tokens_hash" ON "host_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "host_tokens_sandbox" ON "host_tokens" USING btree ("sandbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_aliases_name" ON "vm_aliases" USING btree ("namespace","alias");