-- Minutes of an hour that a component spent in a state: what the status page shows of a service in its first days.
-- older release: it writes no hours. The page then shows those minutes as not checked, for two days at most.
CREATE TABLE "portal"."status_hour" (
    "component" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "minutes" INTEGER NOT NULL,

    CONSTRAINT "status_hour_pkey" PRIMARY KEY ("component", "hour", "state")
);

CREATE INDEX "status_hour_hour_idx" ON "portal"."status_hour"("hour");
