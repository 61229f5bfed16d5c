-- CreateTable
CREATE TABLE "portal"."bulk_export" (
    "id" UUID NOT NULL,
    "practice_id" UUID NOT NULL,
    "running_practice_id" UUID,
    "client_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "plan" JSONB NOT NULL,
    "since" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "polled_at" TIMESTAMPTZ(3),
    "transaction_time" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "links_end_at" TIMESTAMPTZ(3),
    "files" JSONB NOT NULL DEFAULT '[]',
    "manifest" TEXT,
    "failure" TEXT,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_export_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "bulk_export_running_practice_id_key" ON "portal"."bulk_export"("running_practice_id");

-- CreateIndex
CREATE INDEX "bulk_export_practice_id_created_at_idx" ON "portal"."bulk_export"("practice_id", "created_at");

-- CreateIndex
CREATE INDEX "bulk_export_client_id_created_at_idx" ON "portal"."bulk_export"("client_id", "created_at");

-- CreateIndex
CREATE INDEX "bulk_export_removed_at_links_end_at_idx" ON "portal"."bulk_export"("removed_at", "links_end_at");

-- AddForeignKey
ALTER TABLE "portal"."bulk_export" ADD CONSTRAINT "bulk_export_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."bulk_export" ADD CONSTRAINT "bulk_export_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One at a time in a practice is what the unique column says; that it says it of every running one, this.
ALTER TABLE "portal"."bulk_export" ADD CONSTRAINT bulk_export_state CHECK (
  state IN ('running', 'complete', 'failed', 'cancelled') AND
  (running_practice_id IS NOT NULL) = (state = 'running') AND
  (running_practice_id IS NULL OR running_practice_id = practice_id) AND
  (manifest IS NOT NULL OR state NOT IN ('complete', 'failed'))
);
