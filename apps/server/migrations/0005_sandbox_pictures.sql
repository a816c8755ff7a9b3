ALTER TABLE "sandboxes" DROP COLUMN "screenshot_url";--> statement-breakpoint
ALTER TABLE "sandboxes" DROP COLUMN "screenshot_at";