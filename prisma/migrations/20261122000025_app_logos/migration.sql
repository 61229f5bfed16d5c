-- Pictures of apps: re-encoded by us, named by the SHA-256 of their bytes, never changed.
CREATE TABLE "portal"."app_logo" (
    "hash" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "bytes" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "app_logo_pkey" PRIMARY KEY ("organization_id", "hash")
);
CREATE INDEX "app_logo_hash_idx" ON "portal"."app_logo"("hash");
ALTER TABLE "portal"."app_logo" ADD CONSTRAINT "app_logo_organization_id_fkey"
  FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
