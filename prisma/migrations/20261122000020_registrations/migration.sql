-- Registrations of apps, their clocks, what was asked and answered, and the domains of an organization.
-- CreateTable
CREATE TABLE "portal"."registration" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "created_by_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "parent_id" UUID,
    "open_for_id" UUID,
    "subject_id" TEXT,
    "requested" JSONB,
    "reason" TEXT,
    "form" JSONB NOT NULL,
    "submitted_number" INTEGER,
    "serving_number" INTEGER,
    "authenticity" TEXT NOT NULL DEFAULT 'pending',
    "configuration" TEXT NOT NULL DEFAULT 'pending',
    "checked" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "terms_version" TEXT,
    "terms_sha256" TEXT,
    "received_at" TIMESTAMPTZ(3),
    "silent_since" TIMESTAMPTZ(3),
    "reminders" INTEGER NOT NULL DEFAULT 0,
    "claimed_by_id" UUID,
    "claimed_at" TIMESTAMPTZ(3),
    "excluded_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "proposal" JSONB,
    "rejected_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "sandbox_client_id" TEXT,
    "production_client_id" TEXT,
    "probe_attempts" INTEGER NOT NULL DEFAULT 0,
    "probe_due_at" TIMESTAMPTZ(3),
    "probe_failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "registration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."registration_version" (
    "registration_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "form" JSONB NOT NULL,
    "by_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "registration_version_pkey" PRIMARY KEY ("registration_id","number")
);

-- CreateTable
CREATE TABLE "portal"."registration_clock" (
    "id" UUID NOT NULL,
    "registration_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "received_on" TEXT NOT NULL,
    "due_on" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_on" TEXT,
    "remaining" INTEGER,
    "stopped_at" TIMESTAMPTZ(3),
    "used_days" INTEGER,
    "escalated" INTEGER NOT NULL DEFAULT 0,
    "breached_at" TIMESTAMPTZ(3),

    CONSTRAINT "registration_clock_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."registration_pause" (
    "id" UUID NOT NULL,
    "clock_id" UUID NOT NULL,
    "paused_at" TIMESTAMPTZ(3) NOT NULL,
    "remaining" INTEGER NOT NULL,
    "resumed_at" TIMESTAMPTZ(3),
    "due_on" TEXT,

    CONSTRAINT "registration_pause_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."registration_item" (
    "id" UUID NOT NULL,
    "registration_id" UUID NOT NULL,
    "round" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "visible_earlier" BOOLEAN NOT NULL DEFAULT false,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "asked_by_id" UUID NOT NULL,
    "answer" TEXT,
    "answered_at" TIMESTAMPTZ(3),
    "answered_by_id" UUID,

    CONSTRAINT "registration_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."registration_event" (
    "id" BIGSERIAL NOT NULL,
    "registration_id" UUID NOT NULL,
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

    CONSTRAINT "registration_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."registration_note" (
    "id" UUID NOT NULL,
    "registration_id" UUID NOT NULL,
    "by_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "registration_note_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."organization_domain" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "mailbox" TEXT NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "organization_domain_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "registration_open_for_id_key" ON "portal"."registration"("open_for_id");

-- CreateIndex
CREATE UNIQUE INDEX "registration_sandbox_client_id_key" ON "portal"."registration"("sandbox_client_id");

-- CreateIndex
CREATE UNIQUE INDEX "registration_production_client_id_key" ON "portal"."registration"("production_client_id");

-- CreateIndex
CREATE INDEX "registration_organization_id_updated_at_idx" ON "portal"."registration"("organization_id", "updated_at");

-- CreateIndex
CREATE INDEX "registration_state_updated_at_idx" ON "portal"."registration"("state", "updated_at");

-- CreateIndex
CREATE INDEX "registration_parent_id_idx" ON "portal"."registration"("parent_id");

-- CreateIndex
CREATE INDEX "registration_clock_registration_id_idx" ON "portal"."registration_clock"("registration_id");

-- CreateIndex
CREATE INDEX "registration_clock_stopped_at_due_at_idx" ON "portal"."registration_clock"("stopped_at", "due_at");

-- CreateIndex
CREATE INDEX "registration_pause_clock_id_idx" ON "portal"."registration_pause"("clock_id");

-- CreateIndex
CREATE INDEX "registration_item_registration_id_round_idx" ON "portal"."registration_item"("registration_id", "round");

-- CreateIndex
CREATE INDEX "registration_event_registration_id_id_idx" ON "portal"."registration_event"("registration_id", "id");

-- CreateIndex
CREATE INDEX "registration_event_event_at_idx" ON "portal"."registration_event"("event", "at");

-- CreateIndex
CREATE UNIQUE INDEX "registration_event_registration_id_idempotency_key_key" ON "portal"."registration_event"("registration_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "registration_note_registration_id_at_idx" ON "portal"."registration_note"("registration_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "organization_domain_organization_id_domain_key" ON "portal"."organization_domain"("organization_id", "domain");

-- AddForeignKey
ALTER TABLE "portal"."registration" ADD CONSTRAINT "registration_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration" ADD CONSTRAINT "registration_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration" ADD CONSTRAINT "registration_claimed_by_id_fkey" FOREIGN KEY ("claimed_by_id") REFERENCES "portal"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration" ADD CONSTRAINT "registration_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "portal"."registration"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_version" ADD CONSTRAINT "registration_version_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "portal"."registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_clock" ADD CONSTRAINT "registration_clock_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "portal"."registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_pause" ADD CONSTRAINT "registration_pause_clock_id_fkey" FOREIGN KEY ("clock_id") REFERENCES "portal"."registration_clock"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_item" ADD CONSTRAINT "registration_item_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "portal"."registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_event" ADD CONSTRAINT "registration_event_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "portal"."registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_note" ADD CONSTRAINT "registration_note_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "portal"."registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."registration_note" ADD CONSTRAINT "registration_note_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."organization_domain" ADD CONSTRAINT "organization_domain_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
