-- What a subscription is about: the status, the changelog, or both. Those that exist are about the status.
-- older release: it emails every subscriber about the status; ending a subscription ends both.
ALTER TABLE "portal"."status_subscription" ADD COLUMN "topics" TEXT[] NOT NULL DEFAULT ARRAY['status']::TEXT[];
ALTER TABLE "portal"."status_subscription" ADD COLUMN "asked_topics" TEXT[] NOT NULL DEFAULT ARRAY['status']::TEXT[];

-- Days of the changelog that the server has seen, and when their subscribers were emailed.
CREATE TABLE "portal"."changelog_day" (
    "day" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "mailed_at" TIMESTAMPTZ(3),

    CONSTRAINT "changelog_day_pkey" PRIMARY KEY ("day")
);
