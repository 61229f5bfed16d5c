-- A launch that anybody makes at the demonstration practice: of no organization, known to the browser that made it.
-- older release: it reads launches of an organization or of an app it is asked about; to an app that nobody registered it
-- answers with an error until that process is replaced.

ALTER TABLE "portal"."launch_simulation" ALTER COLUMN "organization_id" DROP NOT NULL;
ALTER TABLE "portal"."launch_simulation" ALTER COLUMN "created_by_id" DROP NOT NULL;

-- Of the key that the browser holds.
ALTER TABLE "portal"."launch_simulation" ADD COLUMN "key_hash" BYTEA;
-- The most that is granted.
ALTER TABLE "portal"."launch_simulation" ADD COLUMN "scope" TEXT;
-- The authorize request that used the launch.
ALTER TABLE "portal"."launch_simulation" ADD COLUMN "request_id" UUID;

CREATE INDEX "launch_simulation_key_hash_created_at_idx" ON "portal"."launch_simulation"("key_hash", "created_at");
CREATE INDEX "launch_simulation_request_id_idx" ON "portal"."launch_simulation"("request_id");
CREATE INDEX "launch_simulation_opened_from_idx" ON "portal"."launch_simulation"("opened_from");

-- Why a step was refused: the paragraph of the specification belongs to it.
ALTER TABLE "portal"."launch_step" ADD COLUMN "refusal" TEXT;
