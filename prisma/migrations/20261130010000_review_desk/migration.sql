-- Days on which a reviewer is away, replies that reviewers keep, and for whom a substitute holds a request.

CREATE TABLE "portal"."review_absence" (
    "id" UUID NOT NULL,
    "reviewer_id" UUID NOT NULL,
    "substitute_id" UUID NOT NULL,
    "from_on" TEXT NOT NULL,
    "until_on" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "review_absence_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "review_absence_until_on_idx" ON "portal"."review_absence"("until_on");
ALTER TABLE "portal"."review_absence" ADD CONSTRAINT "review_absence_reviewer_id_fkey"
  FOREIGN KEY ("reviewer_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "portal"."review_absence" ADD CONSTRAINT "review_absence_substitute_id_fkey"
  FOREIGN KEY ("substitute_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "portal"."saved_reply" (
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "saved_reply_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "portal"."saved_reply" ADD CONSTRAINT "saved_reply_created_by_id_fkey"
  FOREIGN KEY ("created_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "portal"."registration" ADD COLUMN "covers_for_id" UUID;
ALTER TABLE "portal"."production_key_request" ADD COLUMN "covers_for_id" UUID;
