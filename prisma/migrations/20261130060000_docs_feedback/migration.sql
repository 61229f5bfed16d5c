-- Whether a page of the documentation helped, and what readers wrote about it. Without address and account.
-- older release: it shows no question and stores nothing here.
CREATE TABLE "portal"."docs_feedback" (
    "id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "helpful" BOOLEAN NOT NULL,
    "text" TEXT,
    "edited" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "docs_feedback_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "docs_feedback_at_idx" ON "portal"."docs_feedback"("at");
