-- Who is told by mail, and of what. Nothing is sent before the link of the first mail was used; the row ends with
-- the subscription.
CREATE TABLE "portal"."status_subscription" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    -- None: all of them.
    "components" TEXT[],
    -- What the last form asked for; it counts once its mail was answered.
    "asked_components" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    -- Of the link that stands in every mail: its hash, and itself sealed by the keyring.
    "token_hash" BYTEA NOT NULL,
    "sealed_token" BYTEA NOT NULL,
    CONSTRAINT "status_subscription_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "status_subscription_email_key" ON "portal"."status_subscription"("email");
CREATE UNIQUE INDEX "status_subscription_token_hash_key" ON "portal"."status_subscription"("token_hash");
