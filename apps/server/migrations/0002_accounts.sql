CREATE TYPE "public"."device_grant_status" AS ENUM('pending', 'approved', 'denied');--> statement-breakpoint
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
CREATE TABLE "git_sign_in_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"account_id" bigint NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
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
ALTER TABLE "git_sign_in_links" ADD CONSTRAINT "git_sign_in_links_account_id_git_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."git_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_grants_user_code" ON "device_grants" USING btree ("user_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_connections_team" ON "sso_connections" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_team" ON "sso_domains" USING btree ("team_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_verified" ON "sso_domains" USING btree ("domain") WHERE "sso_domains"."verified_at" is not null;--> statement-breakpoint
ALTER TABLE "pending_users" ADD CONSTRAINT "pending_users_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_link_user_id_users_id_fk" FOREIGN KEY ("link_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_next_token" ON "sessions" USING btree ("next_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_previous_token" ON "sessions" USING btree ("previous_token_hash");