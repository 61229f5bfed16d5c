-- Entries of an inbox that somebody put off, and what the inbox looks up besides.

CREATE TABLE "portal"."inbox_snooze" (
    "account_id" UUID NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "inbox_snooze_pkey" PRIMARY KEY ("account_id", "subject_kind", "subject_id")
);
CREATE INDEX "inbox_snooze_until_idx" ON "portal"."inbox_snooze"("until");
ALTER TABLE "portal"."inbox_snooze" ADD CONSTRAINT "inbox_snooze_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Keys of an organization by their end, and steps by who made them.
CREATE INDEX "api_key_organization_id_expires_at_idx" ON "portal"."api_key"("organization_id", "expires_at");
CREATE INDEX "workflow_event_actor_id_at_idx" ON "portal"."workflow_event"("actor_id", "at");
