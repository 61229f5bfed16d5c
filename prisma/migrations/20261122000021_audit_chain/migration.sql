-- The place of a sealed row in the chain: rows commit in another order than that of their ids.
ALTER TABLE "portal"."audit_event" ADD COLUMN "chain_number" BIGINT;
CREATE UNIQUE INDEX "audit_event_chain_number_key" ON "portal"."audit_event"("chain_number");
