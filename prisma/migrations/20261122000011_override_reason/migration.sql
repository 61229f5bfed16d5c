-- Why a state was set by hand, for our own people; the summary is for everybody.
ALTER TABLE "portal"."status_override" ADD COLUMN "reason" TEXT NOT NULL DEFAULT '';
