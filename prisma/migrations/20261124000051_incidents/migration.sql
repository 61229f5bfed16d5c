-- What operations tell everybody of an incident or of maintenance. A check opens none, and none changes a check.
CREATE TABLE "portal"."incident" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" UUID NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "post_mortem" TEXT,
    "post_mortem_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "incident_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "incident_kind" CHECK ("kind" IN ('incident', 'maintenance'))
);
CREATE INDEX "incident_ended_at_idx" ON "portal"."incident"("ended_at");
ALTER TABLE "portal"."incident" ADD CONSTRAINT "incident_created_by_id_fkey"
  FOREIGN KEY ("created_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The components it is about; as_checked: told of, and left to its checks.
CREATE TABLE "portal"."incident_component" (
    "incident_id" UUID NOT NULL,
    "component" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    CONSTRAINT "incident_component_pkey" PRIMARY KEY ("incident_id", "component")
);
ALTER TABLE "portal"."incident_component" ADD CONSTRAINT "incident_component_incident_id_fkey"
  FOREIGN KEY ("incident_id") REFERENCES "portal"."incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "portal"."incident_update" (
    "id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "stage" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    -- Null: the platform itself, at the hour that was announced.
    "by_id" UUID,
    "edited_at" TIMESTAMPTZ(3),
    CONSTRAINT "incident_update_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "incident_update_incident_id_at_idx" ON "portal"."incident_update"("incident_id", "at");
ALTER TABLE "portal"."incident_update" ADD CONSTRAINT "incident_update_incident_id_fkey"
  FOREIGN KEY ("incident_id") REFERENCES "portal"."incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "portal"."incident_update" ADD CONSTRAINT "incident_update_by_id_fkey"
  FOREIGN KEY ("by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What stood there before it was edited: an update, or the post-mortem.
CREATE TABLE "portal"."incident_revision" (
    "id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "update_id" UUID,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "by_id" UUID NOT NULL,
    CONSTRAINT "incident_revision_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "incident_revision_incident_id_at_idx" ON "portal"."incident_revision"("incident_id", "at");
ALTER TABLE "portal"."incident_revision" ADD CONSTRAINT "incident_revision_incident_id_fkey"
  FOREIGN KEY ("incident_id") REFERENCES "portal"."incident"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "portal"."incident_revision" ADD CONSTRAINT "incident_revision_by_id_fkey"
  FOREIGN KEY ("by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
