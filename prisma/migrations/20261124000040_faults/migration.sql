-- Faults on demand: of one sandbox key or app, for a while. What was injected stands beside the call in the log.
CREATE TABLE "portal"."fault_switch" (
  "id" UUID NOT NULL,
  "organization_id" UUID NOT NULL,
  "key_id" UUID,
  "client_id" TEXT,
  "steps" JSONB NOT NULL,
  "repeats" BOOLEAN NOT NULL,
  "taken" INTEGER NOT NULL DEFAULT 0,
  "created_by_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "fault_switch_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "fault_switch_whose" CHECK (("key_id" IS NULL) <> ("client_id" IS NULL)),
  CONSTRAINT "fault_switch_a_day" CHECK ("ends_at" <= "created_at" + interval '24 hours')
);
CREATE INDEX "fault_switch_ends_at_idx" ON "portal"."fault_switch" ("ends_at");
CREATE INDEX "fault_switch_organization_id_created_at_idx" ON "portal"."fault_switch" ("organization_id", "created_at");
ALTER TABLE "portal"."fault_switch"
  ADD CONSTRAINT "fault_switch_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "fault_switch_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "portal"."api_key" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "fault_switch_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The step that was injected, as it is written; null: the call was left alone.
ALTER TABLE log.activity ADD COLUMN fault text CHECK (length(fault) <= 200);

-- Bulk lab: an export that seems slow, that fails in part, whose links end early.
ALTER TABLE "portal"."bulk_export"
  ADD COLUMN "lab" JSONB,
  ADD COLUMN "ready_at" TIMESTAMPTZ(3),
  ADD COLUMN "issues" JSONB NOT NULL DEFAULT '[]';
