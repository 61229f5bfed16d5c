-- How much of a production review's clock somebody was told of, and when it was found overdue.
ALTER TABLE "portal"."production_key_request"
  ADD COLUMN "clock_escalated" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "clock_breached_at" TIMESTAMPTZ(3);
