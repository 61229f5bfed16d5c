-- Which organization was emailed about the end of which operation.
-- older release: it sends no such emails.
CREATE TABLE "portal"."deprecation_notice" (
    "ending" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deprecation_notice_pkey" PRIMARY KEY ("ending", "kind", "organization_id")
);
