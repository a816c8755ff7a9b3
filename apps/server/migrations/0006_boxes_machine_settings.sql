ALTER TABLE "projects" ADD COLUMN "idle_minutes" integer;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "vm_tier" integer;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "idle_minutes" integer;