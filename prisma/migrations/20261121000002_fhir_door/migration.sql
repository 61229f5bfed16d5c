-- What the FHIR door needs of the portal and of the logs.

-- Which app asked: in the app's activity, and in the practice's record of access.
ALTER TABLE log.activity ADD COLUMN IF NOT EXISTS client_id text;
ALTER TABLE log.phi_audit ADD COLUMN IF NOT EXISTS client_id text;
CREATE INDEX IF NOT EXISTS activity_client ON log.activity (client_id, at DESC, id DESC) WHERE client_id IS NOT NULL;

-- Higher limits granted to an app on request, in place of the table's own.
CREATE TABLE "portal"."client_limit" (
    "client_id" TEXT NOT NULL,
    "burst" INTEGER NOT NULL,
    "sustained" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_limit_pkey" PRIMARY KEY ("client_id")
);
ALTER TABLE "portal"."client_limit" ADD CONSTRAINT client_limit_positive CHECK (burst > 0 AND sustained >= burst);

-- A slug stands behind /r4/, where the directory has an address of its own.
ALTER TABLE "portal"."practice" ADD CONSTRAINT practice_slug_not_reserved CHECK (slug <> 'endpoints');
