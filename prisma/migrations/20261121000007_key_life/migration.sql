-- The life of a key: rotation, reminders, where it may be used from, limits of its own, review, drafts by mail.
ALTER TABLE "portal"."sandbox_key_request"
  ADD COLUMN "provided_at" TIMESTAMPTZ(3),
  ADD COLUMN "flags" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "review_codes" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "review_note" TEXT,
  ADD COLUMN "reviewed_by_id" UUID,
  ADD COLUMN "reviewed_at" TIMESTAMPTZ(3);
CREATE INDEX "sandbox_key_request_provided_at_idx" ON "portal"."sandbox_key_request"("provided_at");
ALTER TABLE "portal"."sandbox_key_request" ADD CONSTRAINT "sandbox_key_request_reviewed_by_id_fkey"
  FOREIGN KEY ("reviewed_by_id") REFERENCES "portal"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "portal"."api_key"
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "rotated_at" TIMESTAMPTZ(3),
  ADD COLUMN "own_expires_at" TIMESTAMPTZ(3),
  ADD COLUMN "replaces_id" UUID,
  ADD COLUMN "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "reminded_days" INTEGER,
  ADD COLUMN "leaked_at" TIMESTAMPTZ(3),
  -- What is no network would let nobody in, or everybody.
  ADD CONSTRAINT "api_key_allowed_networks_are_networks" CHECK ("allowed_networks"::cidr[] IS NOT NULL);
CREATE UNIQUE INDEX "api_key_replaces_id_key" ON "portal"."api_key"("replaces_id");
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_replaces_id_fkey"
  FOREIGN KEY ("replaces_id") REFERENCES "portal"."api_key"("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "portal"."key_limit_grant" (
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "burst" INTEGER NOT NULL CHECK ("burst" > 0),
    "sustained" INTEGER NOT NULL CHECK ("sustained" > 0),
    "reason" TEXT NOT NULL,
    "granted_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    CONSTRAINT "key_limit_grant_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "key_limit_grant_key_id_idx" ON "portal"."key_limit_grant"("key_id");
ALTER TABLE "portal"."key_limit_grant" ADD CONSTRAINT "key_limit_grant_key_id_fkey"
  FOREIGN KEY ("key_id") REFERENCES "portal"."api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "portal"."key_limit_grant" ADD CONSTRAINT "key_limit_grant_granted_by_id_fkey"
  FOREIGN KEY ("granted_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "portal"."key_draft" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "request_id" UUID,
    CONSTRAINT "key_draft_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "key_draft_message_id_key" ON "portal"."key_draft"("message_id");
CREATE INDEX "key_draft_expires_at_idx" ON "portal"."key_draft"("expires_at");

-- When a key was last used from a browser, where none belongs.
CREATE INDEX activity_browser ON log.activity (key_id, at DESC) WHERE from_browser AND key_id IS NOT NULL;

-- The server writes the log and cannot change it; what is older than a year it may have forgotten, by the
-- database's own clock, so many rows at a time. Days are kept a month longer than the requests they count.
CREATE FUNCTION log.forget_activity(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE gone integer;
BEGIN
  DELETE FROM log.activity WHERE id IN (
    SELECT id FROM log.activity WHERE at < now() - interval '1 year' ORDER BY at LIMIT most);
  GET DIAGNOSTICS gone = ROW_COUNT;
  DELETE FROM log.activity_day WHERE day < (now() - interval '13 months')::date;
  RETURN gone;
END $$;
REVOKE ALL ON FUNCTION log.forget_activity(integer) FROM PUBLIC;
