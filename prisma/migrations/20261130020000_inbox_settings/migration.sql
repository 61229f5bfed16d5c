-- Whether an inbox comes by email, in which zone, and for which date it was decided last.

CREATE TABLE "portal"."inbox_setting" (
    "account_id" UUID NOT NULL,
    "digest" BOOLEAN NOT NULL DEFAULT true,
    "time_zone" TEXT,
    "digest_on" TEXT,
    CONSTRAINT "inbox_setting_pkey" PRIMARY KEY ("account_id")
);
ALTER TABLE "portal"."inbox_setting" ADD CONSTRAINT "inbox_setting_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
