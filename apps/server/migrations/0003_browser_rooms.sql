CREATE TABLE "room_documents" (
	"sandbox_id" text NOT NULL,
	"shortid" text NOT NULL,
	"text" text NOT NULL,
	"text_revision" integer NOT NULL,
	"last_accepted" text NOT NULL,
	"revision" integer NOT NULL,
	"saved" text NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "room_documents_sandbox_id_shortid_pk" PRIMARY KEY("sandbox_id","shortid")
);
--> statement-breakpoint
CREATE TABLE "room_operations" (
	"sandbox_id" text NOT NULL,
	"shortid" text NOT NULL,
	"revision" integer NOT NULL,
	"operation" text NOT NULL,
	"client" text,
	"sequence" integer,
	CONSTRAINT "room_operations_sandbox_id_shortid_revision_pk" PRIMARY KEY("sandbox_id","shortid","revision")
);
--> statement-breakpoint
ALTER TABLE "room_documents" ADD CONSTRAINT "room_documents_module" FOREIGN KEY ("sandbox_id","shortid") REFERENCES "public"."sandbox_modules"("sandbox_id","shortid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "room_operations" ADD CONSTRAINT "room_operations_document" FOREIGN KEY ("sandbox_id","shortid") REFERENCES "public"."room_documents"("sandbox_id","shortid") ON DELETE cascade ON UPDATE no action;