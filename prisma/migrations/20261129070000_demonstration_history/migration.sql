-- Whether a demonstration has a made-up history, and how far it was made.
-- older release: it neither reads nor writes this table.
CREATE TABLE "portal"."demonstration" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "state" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "steps" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "demonstration_pkey" PRIMARY KEY ("id")
);
