-- Whether AI assistants may write with a key: its owner's switch, off until somebody moves it.
ALTER TABLE "portal"."api_key" ADD COLUMN "mcp_writes" BOOLEAN NOT NULL DEFAULT false,
  ADD CONSTRAINT "api_key_mcp_writes_full" CHECK (NOT "mcp_writes" OR "level" = 'full');
