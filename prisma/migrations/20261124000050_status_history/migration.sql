-- A check turns its row only when two rounds say so: what the last round found, beside what is told.
ALTER TABLE "portal"."status_check" ADD COLUMN "seen_state" TEXT, ADD COLUMN "seen_summary" TEXT;
UPDATE "portal"."status_check" SET "seen_state" = "state", "seen_summary" = "summary";
ALTER TABLE "portal"."status_check" ALTER COLUMN "seen_state" SET NOT NULL, ALTER COLUMN "seen_summary" SET NOT NULL;

-- Every component as it was last written down, and the minute that is being counted.
CREATE TABLE "portal"."status_component" (
    "component" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "minute" TIMESTAMPTZ(3),
    "minute_state" TEXT,
    CONSTRAINT "status_component_pkey" PRIMARY KEY ("component")
);

-- Every change of a component's published state.
CREATE TABLE "portal"."status_change" (
    "id" UUID NOT NULL,
    "component" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "status_change_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "status_change_cause" CHECK ("cause" IN ('automatic', 'override', 'incident'))
);
CREATE INDEX "status_change_at_idx" ON "portal"."status_change"("at");

-- Minutes of a UTC day that a component spent in a state. A minute without a check is in no row.
CREATE TABLE "portal"."status_day" (
    "component" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "state" TEXT NOT NULL,
    "minutes" INTEGER NOT NULL,
    CONSTRAINT "status_day_pkey" PRIMARY KEY ("component", "day", "state"),
    CONSTRAINT "status_day_minutes" CHECK ("minutes" <= 1440)
);
CREATE INDEX "status_day_day_idx" ON "portal"."status_day"("day");
