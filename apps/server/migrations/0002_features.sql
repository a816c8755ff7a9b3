CREATE TYPE "public"."device_grant_status" AS ENUM('pending', 'approved', 'denied');--> statement-breakpoint
CREATE TYPE "public"."port_visibility" AS ENUM('private', 'workspace', 'public');--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'google';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'apple';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'oidc';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'saml';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'workos';--> statement-breakpoint
CREATE TABLE "command_line_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_grants" (
	"device_hash" text PRIMARY KEY NOT NULL,
	"user_code_hash" text NOT NULL,
	"program" text NOT NULL,
	"address" text NOT NULL,
	"status" "device_grant_status" DEFAULT 'pending' NOT NULL,
	"user_id" uuid,
	"interval_seconds" integer NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"settings" jsonb NOT NULL,
	"sealed_secret" text,
	"enforced" boolean DEFAULT false NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso_domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"domain" text NOT NULL,
	"proof" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"subject" text NOT NULL,
	"data" jsonb NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_credentials" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"login" text NOT NULL,
	"name" text,
	"avatar_url" text NOT NULL,
	"scopes" text[] NOT NULL,
	"sealed_token" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_webhook_inbox" (
	"delivery_id" text PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"payload" jsonb NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "git_sign_in_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_check_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_check_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"head_sha" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"conclusion" text,
	"details_url" text,
	"title" text,
	"summary" text,
	"started_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "git_collaborators" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_collaborators_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"permission" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"guid" uuid NOT NULL,
	"hook_id" bigint NOT NULL,
	"event" text NOT NULL,
	"action" text,
	"payload" text NOT NULL,
	"attempts" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"status_code" integer,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_hooks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_hooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"url" text NOT NULL,
	"secret" text,
	"events" text[] NOT NULL,
	"active" boolean NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_issue_comments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_issue_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pull_id" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"body" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_memberships" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_memberships_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"role" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_organizations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_organizations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1000000000 CACHE 1),
	"login" text NOT NULL,
	"key" text NOT NULL,
	"name" text,
	"description" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_protections" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_protections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"branch" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_pulls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_pulls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"body" text,
	"state" text NOT NULL,
	"draft" boolean NOT NULL,
	"author_id" bigint NOT NULL,
	"head_repository_id" bigint,
	"head_label" text NOT NULL,
	"head_ref" text NOT NULL,
	"head_sha" text NOT NULL,
	"base_ref" text NOT NULL,
	"base_sha" text NOT NULL,
	"merged" boolean NOT NULL,
	"merged_by_id" bigint,
	"merge_commit_sha" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"merged_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "git_repositories" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_repositories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" bigint NOT NULL,
	"owner_login" text NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"private" boolean NOT NULL,
	"parent_id" bigint,
	"default_branch" text NOT NULL,
	"archived" boolean NOT NULL,
	"next_number" integer NOT NULL,
	"pushed_at" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_review_comments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_review_comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pull_id" bigint NOT NULL,
	"review_id" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"body" text NOT NULL,
	"path" text NOT NULL,
	"side" text NOT NULL,
	"line" integer NOT NULL,
	"start_line" integer,
	"start_side" text,
	"commit_id" text NOT NULL,
	"diff_hunk" text NOT NULL,
	"in_reply_to_id" bigint,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_review_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_review_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pull_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_reviews" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_reviews_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"pull_id" bigint NOT NULL,
	"author_id" bigint NOT NULL,
	"state" text NOT NULL,
	"body" text NOT NULL,
	"commit_id" text NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_statuses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "git_statuses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" bigint NOT NULL,
	"sha" text NOT NULL,
	"state" text NOT NULL,
	"context" text NOT NULL,
	"description" text,
	"target_url" text,
	"creator_id" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
ALTER TABLE "identities" ALTER COLUMN "avatar_url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_users" ALTER COLUMN "avatar_url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_users" ADD COLUMN "team_id" uuid;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "next_token_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "next_offered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "previous_token_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "rotated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "label" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "provider" text DEFAULT 'github' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "nonce" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "link_user_id" uuid;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "git_accounts" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "command_line_codes" ADD CONSTRAINT "command_line_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_grants" ADD CONSTRAINT "device_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_domains" ADD CONSTRAINT "sso_domains_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_credentials" ADD CONSTRAINT "git_credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_sign_in_links" ADD CONSTRAINT "git_sign_in_links_account_id_git_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."git_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_check_runs" ADD CONSTRAINT "git_check_runs_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_collaborators" ADD CONSTRAINT "git_collaborators_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_deliveries" ADD CONSTRAINT "git_deliveries_hook_id_git_hooks_id_fk" FOREIGN KEY ("hook_id") REFERENCES "public"."git_hooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_hooks" ADD CONSTRAINT "git_hooks_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_issue_comments" ADD CONSTRAINT "git_issue_comments_pull_id_git_pulls_id_fk" FOREIGN KEY ("pull_id") REFERENCES "public"."git_pulls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_memberships" ADD CONSTRAINT "git_memberships_organization_id_git_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."git_organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_protections" ADD CONSTRAINT "git_protections_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_pulls" ADD CONSTRAINT "git_pulls_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_review_comments" ADD CONSTRAINT "git_review_comments_pull_id_git_pulls_id_fk" FOREIGN KEY ("pull_id") REFERENCES "public"."git_pulls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_review_requests" ADD CONSTRAINT "git_review_requests_pull_id_git_pulls_id_fk" FOREIGN KEY ("pull_id") REFERENCES "public"."git_pulls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_reviews" ADD CONSTRAINT "git_reviews_pull_id_git_pulls_id_fk" FOREIGN KEY ("pull_id") REFERENCES "public"."git_pulls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "git_statuses" ADD CONSTRAINT "git_statuses_repository_id_git_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."git_repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_tokens" ADD CONSTRAINT "host_tokens_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "port_policies" ADD CONSTRAINT "port_policies_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_hosts" ADD CONSTRAINT "preview_hosts_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_tag_id_vm_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."vm_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_tags" ADD CONSTRAINT "vm_tags_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_grants_user_code" ON "device_grants" USING btree ("user_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_connections_team" ON "sso_connections" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_team" ON "sso_domains" USING btree ("team_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_verified" ON "sso_domains" USING btree ("domain") WHERE "sso_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX "events_transaction" ON "events" USING btree ("transaction");--> statement-breakpoint
CREATE INDEX "events_inserted" ON "events" USING btree ("inserted_at");--> statement-breakpoint
CREATE INDEX "git_webhook_inbox_open" ON "git_webhook_inbox" USING btree ("handled_at");--> statement-breakpoint
CREATE INDEX "git_check_runs_sha" ON "git_check_runs" USING btree ("repository_id","head_sha");--> statement-breakpoint
CREATE UNIQUE INDEX "git_collaborators_both" ON "git_collaborators" USING btree ("repository_id","account_id");--> statement-breakpoint
CREATE INDEX "git_collaborators_account" ON "git_collaborators" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "git_deliveries_due" ON "git_deliveries" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "git_deliveries_hook" ON "git_deliveries" USING btree ("hook_id");--> statement-breakpoint
CREATE INDEX "git_hooks_repository" ON "git_hooks" USING btree ("repository_id");--> statement-breakpoint
CREATE INDEX "git_issue_comments_pull" ON "git_issue_comments" USING btree ("pull_id");--> statement-breakpoint
CREATE UNIQUE INDEX "git_memberships_both" ON "git_memberships" USING btree ("organization_id","account_id");--> statement-breakpoint
CREATE INDEX "git_memberships_account" ON "git_memberships" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "git_organizations_key" ON "git_organizations" USING btree ("key");--> statement-breakpoint
CREATE UNIQUE INDEX "git_protections_branch" ON "git_protections" USING btree ("repository_id","branch");--> statement-breakpoint
CREATE UNIQUE INDEX "git_pulls_number" ON "git_pulls" USING btree ("repository_id","number");--> statement-breakpoint
CREATE INDEX "git_pulls_head" ON "git_pulls" USING btree ("head_repository_id","head_ref");--> statement-breakpoint
CREATE UNIQUE INDEX "git_repositories_key" ON "git_repositories" USING btree ("key");--> statement-breakpoint
CREATE INDEX "git_repositories_owner" ON "git_repositories" USING btree ("owner_kind","owner_id");--> statement-breakpoint
CREATE INDEX "git_repositories_parent" ON "git_repositories" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "git_review_comments_pull" ON "git_review_comments" USING btree ("pull_id");--> statement-breakpoint
CREATE UNIQUE INDEX "git_review_requests_both" ON "git_review_requests" USING btree ("pull_id","account_id");--> statement-breakpoint
CREATE INDEX "git_reviews_pull" ON "git_reviews" USING btree ("pull_id");--> statement-breakpoint
CREATE INDEX "git_statuses_sha" ON "git_statuses" USING btree ("repository_id","sha");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_team" ON "api_keys" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "host_tokens_hash" ON "host_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "host_tokens_sandbox" ON "host_tokens" USING btree ("sandbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_aliases_name" ON "vm_aliases" USING btree ("namespace","alias");--> statement-breakpoint
ALTER TABLE "pending_users" ADD CONSTRAINT "pending_users_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_link_user_id_users_id_fk" FOREIGN KEY ("link_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_next_token" ON "sessions" USING btree ("next_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_previous_token" ON "sessions" USING btree ("previous_token_hash");