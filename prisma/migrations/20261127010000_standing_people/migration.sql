-- The standing people of a sandbox practice: accounts of its own, with one password that its developers see.
-- older release: it writes neither column, so no row of its own can break the reference.
ALTER TABLE "portal"."account" ADD COLUMN "sandbox_practice_id" UUID;
ALTER TABLE "portal"."practice" ADD COLUMN "sealed_people_password" BYTEA;

CREATE INDEX "account_sandbox_practice_id_idx" ON "portal"."account"("sandbox_practice_id");
ALTER TABLE "portal"."account" ADD CONSTRAINT "account_sandbox_practice_id_fkey" FOREIGN KEY ("sandbox_practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;
