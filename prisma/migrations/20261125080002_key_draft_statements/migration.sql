-- The technical contact and the accepted version of the terms, where the email names them.
ALTER TABLE "portal"."key_draft" ADD COLUMN "technical_contact" TEXT;
ALTER TABLE "portal"."key_draft" ADD COLUMN "terms_version" TEXT;
