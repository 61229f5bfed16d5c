-- The explorer: keys that the server mints and keeps sealed, and what each person asked with them.
ALTER TABLE "portal"."api_key" ADD COLUMN "explorer" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "explorer_session_id" UUID,
  ADD CONSTRAINT "api_key_explorer_session" CHECK ("explorer" OR "explorer_session_id" IS NULL),
  ADD CONSTRAINT "api_key_explorer_sandbox" CHECK (NOT "explorer" OR "environment" = 'sandbox');
CREATE INDEX "api_key_explorer_expires_at_idx" ON "portal"."api_key"("explorer", "expires_at");

CREATE TABLE "portal"."explorer_key" (
    "holder" TEXT NOT NULL,
    "practice_id" UUID NOT NULL,
    "level" "portal"."key_level" NOT NULL,
    "mcp_writes" BOOLEAN NOT NULL,
    "key_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "explorer_key_pkey" PRIMARY KEY ("holder", "practice_id", "level", "mcp_writes")
);
CREATE INDEX "explorer_key_expires_at_idx" ON "portal"."explorer_key"("expires_at");

CREATE TABLE "portal"."explorer_call" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "interface" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "practice_slug" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "correlation_id" UUID,
    "request" JSONB NOT NULL,
    CONSTRAINT "explorer_call_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "explorer_call_account_id_at_idx" ON "portal"."explorer_call"("account_id", "at");
CREATE INDEX "explorer_call_at_idx" ON "portal"."explorer_call"("at");
ALTER TABLE "portal"."explorer_call" ADD CONSTRAINT "explorer_call_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
