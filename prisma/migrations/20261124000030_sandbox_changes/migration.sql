-- A developer resets, saves or restores the data of the organization's sandbox: what was asked, and how far it is.
CREATE TABLE "portal"."sandbox_change" (
    "id" UUID NOT NULL,
    "practice_id" UUID NOT NULL,
    "running_practice_id" UUID,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "asked_by_id" UUID NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "finished" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "dataset_id" INTEGER,
    "failure" TEXT,

    CONSTRAINT "sandbox_change_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sandbox_change_running_practice_id_key" ON "portal"."sandbox_change"("running_practice_id");
CREATE INDEX "sandbox_change_practice_id_asked_at_idx" ON "portal"."sandbox_change"("practice_id", "asked_at");
CREATE INDEX "sandbox_change_state_heard_at_idx" ON "portal"."sandbox_change"("state", "heard_at");
ALTER TABLE "portal"."sandbox_change" ADD CONSTRAINT "sandbox_change_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "portal"."sandbox_change" ADD CONSTRAINT "sandbox_change_asked_by_id_fkey" FOREIGN KEY ("asked_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
-- One at a time in a practice is what the unique column says; that it says it of every running one, this.
ALTER TABLE "portal"."sandbox_change" ADD CONSTRAINT sandbox_change_state CHECK (
  kind IN ('reset', 'save', 'restore') AND state IN ('running', 'done', 'failed') AND
  (running_practice_id IS NOT NULL) = (state = 'running') AND
  (running_practice_id IS NULL OR running_practice_id = practice_id) AND
  (ended_at IS NOT NULL) = (state <> 'running') AND
  (failure IS NOT NULL) = (state = 'failed') AND
  (state <> 'done' OR dataset_id IS NOT NULL)
);

-- When a practice went on to other data. Answers that began on this data end on it; then it is deleted.
ALTER TABLE clinical.dataset ADD COLUMN retired_at timestamptz(3);
