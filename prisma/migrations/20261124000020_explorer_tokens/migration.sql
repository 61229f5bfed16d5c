-- Access tokens that the explorer obtained for sandbox people: sealed here, good while the session lasts that asked.
ALTER TABLE "portal"."grant" ADD COLUMN "explorer_session_id" UUID;

CREATE TABLE "portal"."explorer_token" (
    "holder" TEXT NOT NULL,
    "practice_id" UUID NOT NULL,
    "person" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "grant_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "explorer_token_pkey" PRIMARY KEY ("holder", "practice_id", "person", "scope"),
    CONSTRAINT "explorer_token_grant_id_fkey" FOREIGN KEY ("grant_id")
      REFERENCES "portal"."grant"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "explorer_token_grant_id_idx" ON "portal"."explorer_token"("grant_id");
CREATE INDEX "explorer_token_expires_at_idx" ON "portal"."explorer_token"("expires_at");
