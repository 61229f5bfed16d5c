-- Two people who change how a practice may be used do not write over each other.
ALTER TABLE "portal"."practice" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 0;
