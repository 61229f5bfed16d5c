-- What the Status API tells: the last result of every check, what people set by hand, and with what the checks knock.
CREATE TABLE "portal"."status_check" (
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "status_check_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "portal"."status_override" (
    "id" UUID NOT NULL,
    "component" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "set_by_id" UUID NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    CONSTRAINT "status_override_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "status_override_component_until_idx" ON "portal"."status_override"("component", "until");
ALTER TABLE "portal"."status_override" ADD CONSTRAINT "status_override_set_by_id_fkey"
  FOREIGN KEY ("set_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "portal"."probe_credential" (
    "name" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "sealed" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "probe_credential_pkey" PRIMARY KEY ("name")
);
