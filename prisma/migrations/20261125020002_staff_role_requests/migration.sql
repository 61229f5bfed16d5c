-- Staff roles that one operator requests and another one approves.
ALTER TABLE "portal"."account" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "portal"."staff_role_request" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" "portal"."staff_role" NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_role_request_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "staff_role_request_other_person" CHECK ("requested_by_id" <> "account_id"),
    CONSTRAINT "staff_role_request_two_persons"
      CHECK ("state" <> 'approved' OR ("decided_by_id" IS NOT NULL AND "decided_by_id" NOT IN ("requested_by_id", "account_id")))
);

CREATE INDEX "staff_role_request_account_id_state_idx" ON "portal"."staff_role_request"("account_id", "state");
CREATE UNIQUE INDEX "staff_role_request_one_open" ON "portal"."staff_role_request"("account_id") WHERE "state" = 'open';

ALTER TABLE "portal"."staff_role_request" ADD CONSTRAINT "staff_role_request_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "portal"."staff_role_request" ADD CONSTRAINT "staff_role_request_requested_by_id_fkey"
  FOREIGN KEY ("requested_by_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
