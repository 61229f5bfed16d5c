-- Agreements: what was offered, by whom it was signed and with what evidence, and the executed documents.
-- CreateTable
CREATE TABLE "portal"."agreement" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "practice_id" UUID,
    "request_id" UUID,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "number" INTEGER NOT NULL DEFAULT 1,
    "rejected_number" INTEGER,
    "level" "portal"."key_level",
    "data_classes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "purposes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "replaces_id" UUID,
    "open_for_id" UUID,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "active_at" TIMESTAMPTZ(3) NOT NULL,
    "reminders" INTEGER NOT NULL DEFAULT 0,
    "executed_at" TIMESTAMPTZ(3),
    "effective_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "reminded_days" INTEGER,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "ended_by_side" TEXT,
    "ended_by_id" UUID,
    "retain_until" TIMESTAMPTZ(3),

    CONSTRAINT "agreement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."agreement_signatory" (
    "agreement_id" UUID NOT NULL,
    "side" TEXT NOT NULL,
    "account_id" UUID,
    "legal_name" TEXT NOT NULL,
    "title" TEXT NOT NULL,

    CONSTRAINT "agreement_signatory_pkey" PRIMARY KEY ("agreement_id","side")
);

-- CreateTable
CREATE TABLE "portal"."agreement_version" (
    "agreement_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "template_name" TEXT,
    "template_version" TEXT,
    "template_sha256" TEXT,
    "fields" JSONB NOT NULL,
    "clauses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "markdown" TEXT,
    "file_name" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "sha256" TEXT NOT NULL,
    "by_side" TEXT,
    "by_id" UUID,
    "comment" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agreement_version_pkey" PRIMARY KEY ("agreement_id","number")
);

-- CreateTable
CREATE TABLE "portal"."agreement_signature" (
    "id" UUID NOT NULL,
    "agreement_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "side" TEXT NOT NULL,
    "account_id" UUID,
    "legal_name" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "authority" TEXT NOT NULL,
    "consent" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "clauses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "policy_version" TEXT,
    "policy_sha256" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "authenticated_ago_seconds" INTEGER,

    CONSTRAINT "agreement_signature_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."agreement_executed" (
    "agreement_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "document_sha256" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "executed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agreement_executed_pkey" PRIMARY KEY ("agreement_id")
);

-- CreateTable
CREATE TABLE "portal"."agreement_event" (
    "id" BIGSERIAL NOT NULL,
    "agreement_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "from" TEXT,
    "to" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "side" TEXT,
    "text" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "idempotency_key" TEXT,

    CONSTRAINT "agreement_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."agreement_return_task" (
    "agreement_id" UUID NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "reminded_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "statement" TEXT,
    "legal_name" TEXT,
    "title" TEXT,
    "attested_by_id" UUID,
    "attested_at" TIMESTAMPTZ(3),

    CONSTRAINT "agreement_return_task_pkey" PRIMARY KEY ("agreement_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agreement_open_for_id_key" ON "portal"."agreement"("open_for_id");

-- CreateIndex
CREATE INDEX "agreement_organization_id_kind_idx" ON "portal"."agreement"("organization_id", "kind");

-- CreateIndex
CREATE INDEX "agreement_practice_id_kind_idx" ON "portal"."agreement"("practice_id", "kind");

-- CreateIndex
CREATE INDEX "agreement_request_id_idx" ON "portal"."agreement"("request_id");

-- CreateIndex
CREATE INDEX "agreement_state_active_at_idx" ON "portal"."agreement"("state", "active_at");

-- CreateIndex
CREATE INDEX "agreement_state_ends_at_idx" ON "portal"."agreement"("state", "ends_at");

-- CreateIndex
CREATE INDEX "agreement_signatory_account_id_idx" ON "portal"."agreement_signatory"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "agreement_signature_agreement_id_number_side_key" ON "portal"."agreement_signature"("agreement_id", "number", "side");

-- CreateIndex
CREATE UNIQUE INDEX "agreement_executed_sha256_key" ON "portal"."agreement_executed"("sha256");

-- CreateIndex
CREATE INDEX "agreement_executed_document_sha256_idx" ON "portal"."agreement_executed"("document_sha256");

-- CreateIndex
CREATE INDEX "agreement_event_agreement_id_id_idx" ON "portal"."agreement_event"("agreement_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agreement_event_agreement_id_idempotency_key_key" ON "portal"."agreement_event"("agreement_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "agreement_return_task_attested_at_due_at_idx" ON "portal"."agreement_return_task"("attested_at", "due_at");

-- AddForeignKey
ALTER TABLE "portal"."agreement" ADD CONSTRAINT "agreement_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement" ADD CONSTRAINT "agreement_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement" ADD CONSTRAINT "agreement_replaces_id_fkey" FOREIGN KEY ("replaces_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_signatory" ADD CONSTRAINT "agreement_signatory_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_version" ADD CONSTRAINT "agreement_version_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_signature" ADD CONSTRAINT "agreement_signature_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_executed" ADD CONSTRAINT "agreement_executed_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_event" ADD CONSTRAINT "agreement_event_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."agreement_return_task" ADD CONSTRAINT "agreement_return_task_agreement_id_fkey" FOREIGN KEY ("agreement_id") REFERENCES "portal"."agreement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was offered, signed and executed is written once. The server's role may neither change nor delete it
-- (store/roles.ts); this holds for everybody else.
CREATE FUNCTION "portal"."refuse_rewriting"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'portal.% is written once', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "written_once" BEFORE UPDATE ON "portal"."agreement_version"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_rewriting"();
CREATE TRIGGER "written_once" BEFORE UPDATE ON "portal"."agreement_signature"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_rewriting"();
CREATE TRIGGER "written_once" BEFORE UPDATE ON "portal"."agreement_executed"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_rewriting"();

-- Kept until six years after the last day on which it was in force; one that never ended is kept.
CREATE FUNCTION "portal"."refuse_before_retention"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM "portal"."agreement" a
    WHERE a."id" = OLD."agreement_id" AND a."executed_at" IS NOT NULL
      AND (a."ended_at" IS NULL OR a."retain_until" IS NULL OR a."retain_until" > now())
  ) THEN
    RAISE EXCEPTION 'portal.% is kept until its retention ends', TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "kept" BEFORE DELETE ON "portal"."agreement_version"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_before_retention"();
CREATE TRIGGER "kept" BEFORE DELETE ON "portal"."agreement_signature"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_before_retention"();
CREATE TRIGGER "kept" BEFORE DELETE ON "portal"."agreement_executed"
  FOR EACH ROW EXECUTE FUNCTION "portal"."refuse_before_retention"();
