CREATE TYPE "public"."device_grant_status" AS ENUM('pending', 'approved', 'denied');--> statement-breakpoint
CREATE TYPE "public"."subscription_interval" AS ENUM('monthly', 'yearly');--> statement-breakpoint
CREATE TYPE "public"."subscription_origin" AS ENUM('legacy', 'patron', 'pilot');--> statement-breakpoint
CREATE TYPE "public"."subscription_provider" AS ENUM('stripe', 'local');--> statement-breakpoint
CREATE TYPE "public"."subscription_status" AS ENUM('active', 'cancelled', 'incomplete', 'incomplete_expired', 'paused', 'trialing', 'unknown', 'unpaid');--> statement-breakpoint
CREATE TYPE "public"."subscription_type" AS ENUM('personal_pro', 'team_pro');--> statement-breakpoint
CREATE TYPE "public"."comment_reference_type" AS ENUM('code', 'image', 'user', 'preview');--> statement-breakpoint
CREATE TYPE "public"."live_permission" AS ENUM('read', 'write');--> statement-breakpoint
CREATE TYPE "public"."outbox_channel" AS ENUM('event', 'mail', 'webhook');--> statement-breakpoint
CREATE TYPE "public"."registry_auth_type" AS ENUM('basic', 'bearer');--> statement-breakpoint
CREATE TYPE "public"."registry_type" AS ENUM('custom', 'github', 'npm');--> statement-breakpoint
CREATE TYPE "public"."git_provider" AS ENUM('github');--> statement-breakpoint
CREATE TYPE "public"."sandbox_authorization" AS ENUM('none', 'read', 'comment', 'write_project', 'write_code', 'owner');--> statement-breakpoint
CREATE TYPE "public"."port_visibility" AS ENUM('private', 'workspace', 'public');--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'google';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'apple';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'oidc';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'saml';--> statement-breakpoint
ALTER TYPE "public"."identity_provider" ADD VALUE 'workos';--> statement-breakpoint
ALTER TYPE "public"."member_authorization" ADD VALUE 'none';--> statement-breakpoint
CREATE TABLE "editor_settings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"settings" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "album_sandboxes" (
	"album_id" uuid NOT NULL,
	"sandbox_id" text NOT NULL,
	"position" integer NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "album_sandboxes_album_id_sandbox_id_pk" PRIMARY KEY("album_id","sandbox_id")
);
--> statement-breakpoint
CREATE TABLE "albums" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"curated_at" timestamp (3) with time zone,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"team_id" uuid,
	"sandbox_id" text,
	"user_id" uuid,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"amount" integer NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"type" "subscription_type" NOT NULL,
	"plan" text NOT NULL,
	"addons" text[] DEFAULT '{}' NOT NULL,
	"status" "subscription_status" NOT NULL,
	"origin" "subscription_origin",
	"provider" "subscription_provider" NOT NULL,
	"reference" text,
	"billing_interval" "subscription_interval" NOT NULL,
	"currency" text DEFAULT 'USD' NOT NULL,
	"quantity" integer DEFAULT 1 NOT NULL,
	"unit_price" integer NOT NULL,
	"cancel_at" timestamp (3) with time zone,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"next_bill_date" timestamp (3) with time zone,
	"trial_start" timestamp (3) with time zone,
	"trial_end" timestamp (3) with time zone,
	"payment_method_attached" boolean DEFAULT false NOT NULL,
	"upcoming" jsonb,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"path" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comment_reads" (
	"user_id" uuid NOT NULL,
	"comment_id" uuid NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "comment_reads_user_id_comment_id_pk" PRIMARY KEY("user_id","comment_id")
);
--> statement-breakpoint
CREATE TABLE "comment_references" (
	"id" uuid PRIMARY KEY NOT NULL,
	"comment_id" uuid NOT NULL,
	"type" "comment_reference_type" NOT NULL,
	"resource" text NOT NULL,
	"metadata" jsonb NOT NULL,
	"is_anchor" boolean DEFAULT false NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "comments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"parent_comment_id" uuid,
	"content" text,
	"is_resolved" boolean DEFAULT false NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "badges" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feature_flags" (
	"name" text PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "survey_answers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"answers" jsonb NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_feature_flags" (
	"name" text NOT NULL,
	"team_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	CONSTRAINT "team_feature_flags_team_id_name_pk" PRIMARY KEY("team_id","name")
);
--> statement-breakpoint
CREATE TABLE "user_badges" (
	"user_id" uuid NOT NULL,
	"badge_id" text NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_badges_user_id_badge_id_pk" PRIMARY KEY("user_id","badge_id")
);
--> statement-breakpoint
CREATE TABLE "user_feature_flags" (
	"name" text NOT NULL,
	"user_id" uuid NOT NULL,
	"enabled" boolean NOT NULL,
	CONSTRAINT "user_feature_flags_user_id_name_pk" PRIMARY KEY("user_id","name")
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
CREATE TABLE "live_session_guests" (
	"session_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"permission" "live_permission",
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "live_session_guests_session_id_user_id_pk" PRIMARY KEY("session_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "live_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"vm_id" text NOT NULL,
	"host_id" uuid,
	"default_permission" "live_permission" NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"stopped_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email_comment_mention" boolean DEFAULT true NOT NULL,
	"email_comment_reply" boolean DEFAULT true NOT NULL,
	"email_marketing" boolean DEFAULT false NOT NULL,
	"email_new_comment" boolean DEFAULT true NOT NULL,
	"email_sandbox_invite" boolean DEFAULT true NOT NULL,
	"email_team_invite" boolean DEFAULT true NOT NULL,
	"email_team_request" boolean DEFAULT true NOT NULL,
	"in_app_pr_review_received" boolean DEFAULT true NOT NULL,
	"in_app_pr_review_request" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"read" boolean DEFAULT false NOT NULL,
	"archived" boolean DEFAULT false NOT NULL,
	"counted" boolean DEFAULT true NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" "outbox_channel" NOT NULL,
	"name" text NOT NULL,
	"payload" jsonb NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE TABLE "private_registries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"registry_type" "registry_type" NOT NULL,
	"registry_url" text,
	"auth_type" "registry_auth_type",
	"sealed_auth_key" text,
	"enabled_scopes" text[] DEFAULT '{}' NOT NULL,
	"limit_to_scopes" boolean NOT NULL,
	"proxy_enabled" boolean NOT NULL,
	"sandpack_trusted_domains" text[] DEFAULT '{}' NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "branch_accesses" (
	"user_id" uuid NOT NULL,
	"branch_id" text NOT NULL,
	"last_accessed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "branch_accesses_user_id_branch_id_pk" PRIMARY KEY("user_id","branch_id")
);
--> statement-breakpoint
CREATE TABLE "branches" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"contribution" boolean DEFAULT false NOT NULL,
	"owner_id" uuid,
	"source_branch" text,
	"protected" boolean DEFAULT false NOT NULL,
	"upstream" boolean DEFAULT false NOT NULL,
	"ai_consent" boolean,
	"vm_tier" integer,
	"last_commit" jsonb,
	"status" jsonb,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" "git_provider" NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"team_id" uuid,
	"repository" jsonb NOT NULL,
	"repository_synced_at" timestamp (3) with time zone,
	"app_installed" boolean DEFAULT false NOT NULL,
	"ai_consent" boolean,
	"vm_tier" integer,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pull_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" "git_provider" NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"number" integer NOT NULL,
	"state" text NOT NULL,
	"head_branch" text NOT NULL,
	"base_branch" text NOT NULL,
	"pull_request" jsonb NOT NULL,
	"reviews" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"review_comments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"comments" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"synced_at" timestamp (3) with time zone NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "custom_templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"title" text,
	"description" text,
	"color" text,
	"icon_url" text,
	"published" boolean DEFAULT false NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"username" text NOT NULL,
	"repo" text NOT NULL,
	"branch" text NOT NULL,
	"path" text DEFAULT '' NOT NULL,
	"commit_sha" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_collaborators" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"authorization" "sandbox_authorization" NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_directories" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"shortid" text NOT NULL,
	"title" text NOT NULL,
	"directory_shortid" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"email" text NOT NULL,
	"authorization" "sandbox_authorization" NOT NULL,
	"token" text NOT NULL,
	"invited_by_id" uuid,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_likes" (
	"user_id" uuid NOT NULL,
	"sandbox_id" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_likes_user_id_sandbox_id_pk" PRIMARY KEY("user_id","sandbox_id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_modules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"shortid" text NOT NULL,
	"title" text NOT NULL,
	"directory_shortid" text,
	"code" text DEFAULT '' NOT NULL,
	"is_binary" boolean DEFAULT false NOT NULL,
	"upload_id" uuid,
	"sha" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_picks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text NOT NULL,
	"curator_id" uuid,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "template_bookmarks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"template_id" uuid NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sandbox_id" text,
	"project_id" uuid,
	"name" text NOT NULL,
	"sealed_value" text NOT NULL,
	"created_by_id" uuid,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content_type" text NOT NULL,
	"object_size" integer NOT NULL,
	"sha256" text NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid,
	"email" text,
	"authorization" "member_authorization" NOT NULL,
	"invited_by_id" uuid,
	"token_hash" text,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "team_requests" (
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"inserted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_requests_team_id_user_id_pk" PRIMARY KEY("team_id","user_id")
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
ALTER TABLE "git_accounts" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pending_users" ADD COLUMN "team_id" uuid;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "chosen_alias" text;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "collection_id" uuid;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "environment" text;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "entry" text;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "source_id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "git_id" uuid;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "original_git_id" uuid;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "base_git_id" uuid;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "pr_number" integer;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "external_resources" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "always_on" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "ai_consent" boolean;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "prevent_sandbox_export" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "prevent_sandbox_leaving" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "vm_tier" integer;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "screenshot_url" text;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "screenshot_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD COLUMN "like_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
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
ALTER TABLE "team_members" ADD COLUMN "team_manager" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "team_members" ADD COLUMN "is_primary" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "shortid" text DEFAULT substr(replace(gen_random_uuid()::text, '-', ''), 1, 12) NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "invite_token" text DEFAULT replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "use_cases" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "frozen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "default_authorization" "member_authorization" DEFAULT 'write' NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "minimum_privacy" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "prevent_sandbox_export" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "prevent_sandbox_leaving" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "ai_private_repositories" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "ai_private_sandboxes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "ai_public_repositories" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "ai_public_sandboxes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "on_demand_spending_limit" integer;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "usage_billing_beta" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "bio" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "social_links" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "curator_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "experiments" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "metadata" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "beta_access" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "featured_sandbox_ids" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "showcased_sandbox_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "survey_seen_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "survey_answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "editor_settings" ADD CONSTRAINT "editor_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "command_line_codes" ADD CONSTRAINT "command_line_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_grants" ADD CONSTRAINT "device_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_connections" ADD CONSTRAINT "sso_connections_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_domains" ADD CONSTRAINT "sso_domains_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "album_sandboxes" ADD CONSTRAINT "album_sandboxes_album_id_albums_id_fk" FOREIGN KEY ("album_id") REFERENCES "public"."albums"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "album_sandboxes" ADD CONSTRAINT "album_sandboxes_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "albums" ADD CONSTRAINT "albums_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD CONSTRAINT "credit_entries_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collections" ADD CONSTRAINT "collections_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_reads" ADD CONSTRAINT "comment_reads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_reads" ADD CONSTRAINT "comment_reads_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comment_references" ADD CONSTRAINT "comment_references_comment_id_comments_id_fk" FOREIGN KEY ("comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_parent_comment_id_comments_id_fk" FOREIGN KEY ("parent_comment_id") REFERENCES "public"."comments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "survey_answers" ADD CONSTRAINT "survey_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_feature_flags" ADD CONSTRAINT "team_feature_flags_name_feature_flags_name_fk" FOREIGN KEY ("name") REFERENCES "public"."feature_flags"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_feature_flags" ADD CONSTRAINT "team_feature_flags_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_badges" ADD CONSTRAINT "user_badges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_badges" ADD CONSTRAINT "user_badges_badge_id_badges_id_fk" FOREIGN KEY ("badge_id") REFERENCES "public"."badges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_feature_flags" ADD CONSTRAINT "user_feature_flags_name_feature_flags_name_fk" FOREIGN KEY ("name") REFERENCES "public"."feature_flags"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_feature_flags" ADD CONSTRAINT "user_feature_flags_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "live_session_guests" ADD CONSTRAINT "live_session_guests_session_id_live_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."live_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_session_guests" ADD CONSTRAINT "live_session_guests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "live_sessions" ADD CONSTRAINT "live_sessions_host_id_users_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "private_registries" ADD CONSTRAINT "private_registries_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branch_accesses" ADD CONSTRAINT "branch_accesses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branch_accesses" ADD CONSTRAINT "branch_accesses_branch_id_branches_id_fk" FOREIGN KEY ("branch_id") REFERENCES "public"."branches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "custom_templates" ADD CONSTRAINT "custom_templates_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_collaborators" ADD CONSTRAINT "sandbox_collaborators_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_collaborators" ADD CONSTRAINT "sandbox_collaborators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_directories" ADD CONSTRAINT "sandbox_directories_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_invitations" ADD CONSTRAINT "sandbox_invitations_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_invitations" ADD CONSTRAINT "sandbox_invitations_invited_by_id_users_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_likes" ADD CONSTRAINT "sandbox_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_likes" ADD CONSTRAINT "sandbox_likes_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_modules" ADD CONSTRAINT "sandbox_modules_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_picks" ADD CONSTRAINT "sandbox_picks_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_picks" ADD CONSTRAINT "sandbox_picks_curator_id_users_id_fk" FOREIGN KEY ("curator_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_bookmarks" ADD CONSTRAINT "template_bookmarks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_bookmarks" ADD CONSTRAINT "template_bookmarks_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_invited_by_id_users_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_requests" ADD CONSTRAINT "team_requests_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_requests" ADD CONSTRAINT "team_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_tokens" ADD CONSTRAINT "host_tokens_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "port_policies" ADD CONSTRAINT "port_policies_sandbox_id_sandboxes_id_fk" FOREIGN KEY ("sandbox_id") REFERENCES "public"."sandboxes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "preview_hosts" ADD CONSTRAINT "preview_hosts_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_tag_id_vm_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."vm_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_aliases" ADD CONSTRAINT "vm_aliases_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vm_tags" ADD CONSTRAINT "vm_tags_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "editor_settings_name" ON "editor_settings" USING btree ("user_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "device_grants_user_code" ON "device_grants" USING btree ("user_code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_connections_team" ON "sso_connections" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_team" ON "sso_domains" USING btree ("team_id","domain");--> statement-breakpoint
CREATE UNIQUE INDEX "sso_domains_verified" ON "sso_domains" USING btree ("domain") WHERE "sso_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX "albums_user" ON "albums" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_entries_team" ON "audit_entries" USING btree ("team_id","at");--> statement-breakpoint
CREATE INDEX "audit_entries_actor" ON "audit_entries" USING btree ("actor_id","at");--> statement-breakpoint
CREATE INDEX "audit_entries_at" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_reference" ON "credit_entries" USING btree ("team_id","kind","reference");--> statement-breakpoint
CREATE INDEX "credit_entries_team" ON "credit_entries" USING btree ("team_id","inserted_at");--> statement-breakpoint
CREATE INDEX "subscriptions_team" ON "subscriptions" USING btree ("team_id","inserted_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_reference" ON "subscriptions" USING btree ("provider","reference");--> statement-breakpoint
CREATE UNIQUE INDEX "collections_path" ON "collections" USING btree ("team_id","path");--> statement-breakpoint
CREATE INDEX "collections_team" ON "collections" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "comment_references_comment" ON "comment_references" USING btree ("comment_id");--> statement-breakpoint
CREATE INDEX "comments_sandbox" ON "comments" USING btree ("sandbox_id","inserted_at");--> statement-breakpoint
CREATE INDEX "comments_parent" ON "comments" USING btree ("parent_comment_id");--> statement-breakpoint
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
CREATE UNIQUE INDEX "live_sessions_running" ON "live_sessions" USING btree ("vm_id") WHERE "live_sessions"."stopped_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","inserted_at");--> statement-breakpoint
CREATE INDEX "outbox_open" ON "outbox" USING btree ("channel","next_attempt_at") WHERE "outbox"."done_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_done" ON "outbox" USING btree ("done_at");--> statement-breakpoint
CREATE UNIQUE INDEX "private_registries_team" ON "private_registries" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "branch_accesses_recent" ON "branch_accesses" USING btree ("user_id","last_accessed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "branches_name" ON "branches" USING btree ("project_id","name") WHERE not "branches"."contribution";--> statement-breakpoint
CREATE UNIQUE INDEX "branches_contribution" ON "branches" USING btree ("project_id","owner_id","name") WHERE "branches"."contribution";--> statement-breakpoint
CREATE UNIQUE INDEX "projects_team" ON "projects" USING btree ("team_id","provider",lower("owner"),lower("name")) WHERE "projects"."team_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_read_only" ON "projects" USING btree ("provider",lower("owner"),lower("name")) WHERE "projects"."team_id" is null;--> statement-breakpoint
CREATE INDEX "projects_repository" ON "projects" USING btree ("provider",lower("owner"),lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "pull_requests_number" ON "pull_requests" USING btree ("provider",lower("owner"),lower("name"),"number");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_templates_sandbox" ON "custom_templates" USING btree ("sandbox_id");--> statement-breakpoint
CREATE INDEX "gits_place" ON "gits" USING btree ("username","repo","branch");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_collaborators_user" ON "sandbox_collaborators" USING btree ("sandbox_id","user_id");--> statement-breakpoint
CREATE INDEX "sandbox_collaborators_of" ON "sandbox_collaborators" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_directories_shortid" ON "sandbox_directories" USING btree ("sandbox_id","shortid");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_directories_title" ON "sandbox_directories" USING btree ("sandbox_id",coalesce("directory_shortid", ''),"title");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_invitations_email" ON "sandbox_invitations" USING btree ("sandbox_id",lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_invitations_token" ON "sandbox_invitations" USING btree ("token");--> statement-breakpoint
CREATE INDEX "sandbox_likes_sandbox" ON "sandbox_likes" USING btree ("sandbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_modules_shortid" ON "sandbox_modules" USING btree ("sandbox_id","shortid");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_modules_title" ON "sandbox_modules" USING btree ("sandbox_id",coalesce("directory_shortid", ''),"title");--> statement-breakpoint
CREATE INDEX "sandbox_picks_sandbox" ON "sandbox_picks" USING btree ("sandbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "template_bookmarks_user" ON "template_bookmarks" USING btree ("user_id","template_id") WHERE "template_bookmarks"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "template_bookmarks_team" ON "template_bookmarks" USING btree ("team_id","template_id") WHERE "template_bookmarks"."team_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "secrets_sandbox" ON "secrets" USING btree ("sandbox_id","name") WHERE "secrets"."sandbox_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "secrets_project" ON "secrets" USING btree ("project_id","name") WHERE "secrets"."project_id" is not null;--> statement-breakpoint
CREATE INDEX "secrets_creator" ON "secrets" USING btree ("created_by_id");--> statement-breakpoint
CREATE INDEX "uploads_user" ON "uploads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "uploads_content" ON "uploads" USING btree ("sha256");--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_user" ON "team_invitations" USING btree ("team_id","user_id") WHERE "team_invitations"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_email" ON "team_invitations" USING btree ("team_id",lower("email")) WHERE "team_invitations"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_token" ON "team_invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "team_invitations_invitee" ON "team_invitations" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_team" ON "api_keys" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "host_tokens_hash" ON "host_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "host_tokens_sandbox" ON "host_tokens" USING btree ("sandbox_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vm_aliases_name" ON "vm_aliases" USING btree ("namespace","alias");--> statement-breakpoint
ALTER TABLE "pending_users" ADD CONSTRAINT "pending_users_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_collection_id_collections_id_fk" FOREIGN KEY ("collection_id") REFERENCES "public"."collections"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_git_id_gits_id_fk" FOREIGN KEY ("git_id") REFERENCES "public"."gits"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_original_git_id_gits_id_fk" FOREIGN KEY ("original_git_id") REFERENCES "public"."gits"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandboxes" ADD CONSTRAINT "sandboxes_base_git_id_gits_id_fk" FOREIGN KEY ("base_git_id") REFERENCES "public"."gits"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_link_user_id_users_id_fk" FOREIGN KEY ("link_user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sandboxes_author" ON "sandboxes" USING btree ("author_id","updated_at");--> statement-breakpoint
CREATE INDEX "sandboxes_collection" ON "sandboxes" USING btree ("collection_id");--> statement-breakpoint
CREATE INDEX "sandboxes_forked_from" ON "sandboxes" USING btree ("forked_from_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandboxes_chosen_alias" ON "sandboxes" USING btree (lower("chosen_alias"));--> statement-breakpoint
CREATE INDEX "sandboxes_search" ON "sandboxes" USING gin (to_tsvector('simple', coalesce("title", '') || ' ' || coalesce("description", '')));--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_next_token" ON "sessions" USING btree ("next_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_previous_token" ON "sessions" USING btree ("previous_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "team_members_primary" ON "team_members" USING btree ("user_id") WHERE "team_members"."is_primary";--> statement-breakpoint
CREATE UNIQUE INDEX "teams_shortid" ON "teams" USING btree ("shortid");--> statement-breakpoint
CREATE UNIQUE INDEX "teams_invite_token" ON "teams" USING btree ("invite_token");