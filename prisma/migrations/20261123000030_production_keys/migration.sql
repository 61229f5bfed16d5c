-- Requests for production keys, what happened to them, why a key does not work for now; people of practices invited.
-- AlterTable
ALTER TABLE "portal"."api_key" ADD COLUMN     "papers_until" TIMESTAMPTZ(3),
ADD COLUMN     "production_request_id" UUID;

-- CreateTable
CREATE TABLE "portal"."security_profile" (
    "organization_id" UUID NOT NULL,
    "answers" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_by_id" UUID NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "security_profile_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "portal"."production_key_request" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "practice_id" UUID,
    "practice_slug" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "name" TEXT NOT NULL,
    "level" "portal"."key_level" NOT NULL,
    "justification" TEXT NOT NULL DEFAULT '',
    "purposes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "data_classes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "term_days" INTEGER NOT NULL,
    "signatory_id" UUID,
    "signatory_name" TEXT NOT NULL DEFAULT '',
    "signatory_title" TEXT NOT NULL DEFAULT '',
    "profile" JSONB,
    "submitted_at" TIMESTAMPTZ(3),
    "invited_at" TIMESTAMPTZ(3),
    "reinvites" INTEGER NOT NULL DEFAULT 0,
    "reminders" INTEGER NOT NULL DEFAULT 0,
    "sponsor_id" UUID,
    "sponsored_at" TIMESTAMPTZ(3),
    "sponsor_ended_at" TIMESTAMPTZ(3),
    "practice_signatory_id" UUID,
    "practice_signatory_name" TEXT NOT NULL DEFAULT '',
    "practice_signatory_title" TEXT NOT NULL DEFAULT '',
    "practice_party" JSONB,
    "usage_agreement_id" UUID,
    "baa_id" UUID,
    "silent_since" TIMESTAMPTZ(3),
    "claimed_by_id" UUID,
    "first_approval" JSONB,
    "proposal" JSONB,
    "excluded_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "rejected_at" TIMESTAMPTZ(3),
    "clock_received_on" TEXT,
    "clock_due_on" TEXT,
    "clock_due_at" TIMESTAMPTZ(3),
    "clock_paused_on" TEXT,
    "clock_remaining" INTEGER,
    "clock_stopped_at" TIMESTAMPTZ(3),
    "clock_used_days" INTEGER,
    "approved_at" TIMESTAMPTZ(3),
    "claim_expires_at" TIMESTAMPTZ(3),
    "reissues" INTEGER NOT NULL DEFAULT 0,
    "revealed_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "reminded_days" INTEGER,
    "renews_id" UUID,
    "open_renewal_of_id" UUID,
    "certified_at" TIMESTAMPTZ(3),
    "recertify_reminders" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "production_key_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."production_key_event" (
    "id" BIGSERIAL NOT NULL,
    "request_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "from" TEXT,
    "to" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "codes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "text" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "idempotency_key" TEXT,

    CONSTRAINT "production_key_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."production_key_item" (
    "id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "round" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "production_key_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."production_key_suspension" (
    "id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "cause" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "by_id" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by_id" UUID,

    CONSTRAINT "production_key_suspension_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."practice_invitation" (
    "id" UUID NOT NULL,
    "practice_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "portal"."practice_role" NOT NULL,
    "state" TEXT NOT NULL,
    "invited_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "practice_invitation_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "production_key_request_open_renewal_of_id_key" ON "portal"."production_key_request"("open_renewal_of_id");

-- CreateIndex
CREATE INDEX "production_key_request_organization_id_updated_at_idx" ON "portal"."production_key_request"("organization_id", "updated_at");

-- CreateIndex
CREATE INDEX "production_key_request_practice_id_state_idx" ON "portal"."production_key_request"("practice_id", "state");

-- CreateIndex
CREATE INDEX "production_key_request_state_updated_at_idx" ON "portal"."production_key_request"("state", "updated_at");

-- CreateIndex
CREATE INDEX "production_key_event_request_id_id_idx" ON "portal"."production_key_event"("request_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "production_key_event_request_id_idempotency_key_key" ON "portal"."production_key_event"("request_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "production_key_item_request_id_round_idx" ON "portal"."production_key_item"("request_id", "round");

-- CreateIndex
CREATE INDEX "production_key_suspension_request_id_ended_at_idx" ON "portal"."production_key_suspension"("request_id", "ended_at");

-- CreateIndex
CREATE INDEX "practice_invitation_practice_id_state_idx" ON "portal"."practice_invitation"("practice_id", "state");

-- CreateIndex
CREATE INDEX "api_key_production_request_id_idx" ON "portal"."api_key"("production_request_id");

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_production_request_id_fkey" FOREIGN KEY ("production_request_id") REFERENCES "portal"."production_key_request"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."security_profile" ADD CONSTRAINT "security_profile_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_request" ADD CONSTRAINT "production_key_request_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_request" ADD CONSTRAINT "production_key_request_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_request" ADD CONSTRAINT "production_key_request_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_request" ADD CONSTRAINT "production_key_request_renews_id_fkey" FOREIGN KEY ("renews_id") REFERENCES "portal"."production_key_request"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_event" ADD CONSTRAINT "production_key_event_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "portal"."production_key_request"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_item" ADD CONSTRAINT "production_key_item_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "portal"."production_key_request"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."production_key_suspension" ADD CONSTRAINT "production_key_suspension_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "portal"."production_key_request"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_invitation" ADD CONSTRAINT "practice_invitation_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;
