-- Launches of the simulator: whom it signs in, what it does wrong, and a log of the whole exchange.
CREATE TABLE "portal"."launch_simulation" (
  "id" UUID NOT NULL,
  "organization_id" UUID NOT NULL,
  "practice_id" UUID NOT NULL,
  "client_id" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "fault" TEXT,
  "account_id" UUID,
  "patient_id" TEXT,
  "launch_hash" BYTEA,
  "created_by_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "fault_used_at" TIMESTAMPTZ(3),
  "grant_id" UUID,
  CONSTRAINT "launch_simulation_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "launch_simulation_launch_hash_key" ON "portal"."launch_simulation" ("launch_hash");
CREATE INDEX "launch_simulation_client_id_created_at_idx" ON "portal"."launch_simulation" ("client_id", "created_at");
CREATE INDEX "launch_simulation_grant_id_idx" ON "portal"."launch_simulation" ("grant_id");
CREATE INDEX "launch_simulation_organization_id_created_at_idx" ON "portal"."launch_simulation" ("organization_id", "created_at");
ALTER TABLE "portal"."launch_simulation"
  ADD CONSTRAINT "launch_simulation_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "launch_simulation_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "launch_simulation_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "portal"."launch_step" (
  "id" BIGSERIAL NOT NULL,
  "simulation_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "step" TEXT NOT NULL,
  "ok" BOOLEAN NOT NULL,
  "sent" JSONB NOT NULL,
  "came" JSONB NOT NULL,
  "note" TEXT,
  CONSTRAINT "launch_step_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "launch_step_simulation_id_id_idx" ON "portal"."launch_step" ("simulation_id", "id");
ALTER TABLE "portal"."launch_step"
  ADD CONSTRAINT "launch_step_simulation_id_fkey" FOREIGN KEY ("simulation_id") REFERENCES "portal"."launch_simulation" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The private keys of the example backend apps, sealed.
CREATE TABLE "portal"."launch_example_key" (
  "client_id" TEXT NOT NULL,
  "sealed" BYTEA NOT NULL,
  CONSTRAINT "launch_example_key_pkey" PRIMARY KEY ("client_id")
);
ALTER TABLE "portal"."launch_example_key"
  ADD CONSTRAINT "launch_example_key_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
