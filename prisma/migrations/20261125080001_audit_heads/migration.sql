-- The signed heads of the audit chain, as they were written to files outside the database.
CREATE TABLE "portal"."audit_head" (
    "sequence" BIGINT NOT NULL,
    "follows" BIGINT NOT NULL,
    "chain_number" BIGINT NOT NULL,
    "chain_hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "mac" BYTEA NOT NULL,
    "written_to" TEXT[] NOT NULL DEFAULT '{}',
    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("sequence")
);
