-- The address an account is to have, once its link was used.
ALTER TABLE "portal"."account" ADD COLUMN "pending_email" TEXT;
