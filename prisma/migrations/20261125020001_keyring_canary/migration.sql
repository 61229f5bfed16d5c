-- One row for each key of ENCRYPTION_KEYS that sealed something here: a start with another key is refused.
CREATE TABLE "portal"."keyring_canary" (
    "key_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "keyring_canary_pkey" PRIMARY KEY ("key_id")
);
