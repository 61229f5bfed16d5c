-- CreateEnum
CREATE TYPE "portal"."client_audience" AS ENUM ('patient', 'clinician', 'backend');

-- CreateEnum
CREATE TYPE "portal"."client_authentication" AS ENUM ('none', 'client_secret_basic', 'private_key_jwt');

-- AlterTable
ALTER TABLE "portal"."patient_login" ADD COLUMN     "related_person_id" TEXT;

-- AlterTable
ALTER TABLE "portal"."practice" ADD COLUMN     "fhir_audiences" "portal"."client_audience"[] DEFAULT ARRAY['patient', 'clinician', 'backend']::"portal"."client_audience"[],
ADD COLUMN     "fhir_types" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "portal"."session" ADD COLUMN     "second_factor_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "portal"."client" (
    "id" TEXT NOT NULL,
    "app_id" UUID NOT NULL,
    "organization_id" UUID,
    "environment" "portal"."environment" NOT NULL,
    "audience" "portal"."client_audience" NOT NULL,
    "authentication" "portal"."client_authentication" NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "homepage" TEXT,
    "logo_url" TEXT,
    "launch_url" TEXT,
    "redirect_uris" TEXT[],
    "scope" TEXT NOT NULL,
    "jwks_url" TEXT,
    "jwks" JSONB,
    "every_practice" BOOLEAN NOT NULL DEFAULT false,
    "introspects_all" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."client_secret" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."client_practice" (
    "client_id" TEXT NOT NULL,
    "practice_id" UUID NOT NULL,
    "enabled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_practice_pkey" PRIMARY KEY ("client_id","practice_id")
);

-- CreateTable
CREATE TABLE "portal"."jwks_cache" (
    "url" TEXT NOT NULL,
    "jwks" JSONB,
    "fetched_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,
    "failure" TEXT,

    CONSTRAINT "jwks_cache_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "portal"."signing_key" (
    "kid" TEXT NOT NULL,
    "algorithm" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private" BYTEA NOT NULL,
    "slot" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "portal"."launch_context" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "practice_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "patient_id" TEXT,
    "encounter_id" TEXT,
    "practitioner_id" TEXT,
    "intent" TEXT,
    "need_patient_banner" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "launch_context_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."authorization_request" (
    "id" UUID NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "client_id" TEXT NOT NULL,
    "practice_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "nonce" TEXT,
    "code_challenge" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "launch_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."grant" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "practice_id" UUID NOT NULL,
    "audience" "portal"."client_audience" NOT NULL,
    "account_id" UUID,
    "session_id" UUID,
    "scope" TEXT NOT NULL,
    "patient_id" TEXT,
    "encounter_id" TEXT,
    "fhir_user" TEXT,
    "intent" TEXT,
    "need_patient_banner" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3),
    "activated_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoke_reason" TEXT,

    CONSTRAINT "grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."authorization_code" (
    "code_hash" BYTEA NOT NULL,
    "grant_id" UUID NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "nonce" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateTable
CREATE TABLE "portal"."access_token" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "grant_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."refresh_token" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "grant_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "rotated_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."used_assertion" (
    "client_id" TEXT NOT NULL,
    "jti" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_assertion_pkey" PRIMARY KEY ("client_id","jti")
);

-- CreateTable
CREATE TABLE "portal"."assertion_attempt" (
    "id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "report" JSONB NOT NULL,

    CONSTRAINT "assertion_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."practice_system_authorization" (
    "id" UUID NOT NULL,
    "practice_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "scope" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by_id" UUID,
    "reason" TEXT,
    "grant_id" UUID,

    CONSTRAINT "practice_system_authorization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."totp_secret" (
    "account_id" UUID NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER,

    CONSTRAINT "totp_secret_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "portal"."recovery_code" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "client_organization_id_created_at_idx" ON "portal"."client"("organization_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "client_app_id_environment_key" ON "portal"."client"("app_id", "environment");

-- CreateIndex
CREATE INDEX "client_secret_client_id_idx" ON "portal"."client_secret"("client_id");

-- CreateIndex
CREATE INDEX "client_practice_practice_id_idx" ON "portal"."client_practice"("practice_id");

-- CreateIndex
CREATE UNIQUE INDEX "signing_key_slot_key" ON "portal"."signing_key"("slot");

-- CreateIndex
CREATE UNIQUE INDEX "launch_context_token_hash_key" ON "portal"."launch_context"("token_hash");

-- CreateIndex
CREATE INDEX "launch_context_expires_at_idx" ON "portal"."launch_context"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_request_expires_at_idx" ON "portal"."authorization_request"("expires_at");

-- CreateIndex
CREATE INDEX "grant_account_id_idx" ON "portal"."grant"("account_id");

-- CreateIndex
CREATE INDEX "grant_practice_id_audience_idx" ON "portal"."grant"("practice_id", "audience");

-- CreateIndex
CREATE INDEX "grant_client_id_idx" ON "portal"."grant"("client_id");

-- CreateIndex
CREATE INDEX "authorization_code_grant_id_idx" ON "portal"."authorization_code"("grant_id");

-- CreateIndex
CREATE INDEX "authorization_code_expires_at_idx" ON "portal"."authorization_code"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "access_token_token_hash_key" ON "portal"."access_token"("token_hash");

-- CreateIndex
CREATE INDEX "access_token_grant_id_idx" ON "portal"."access_token"("grant_id");

-- CreateIndex
CREATE INDEX "access_token_expires_at_idx" ON "portal"."access_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_token_token_hash_key" ON "portal"."refresh_token"("token_hash");

-- CreateIndex
CREATE INDEX "refresh_token_grant_id_idx" ON "portal"."refresh_token"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "portal"."refresh_token"("expires_at");

-- CreateIndex
CREATE INDEX "used_assertion_expires_at_idx" ON "portal"."used_assertion"("expires_at");

-- CreateIndex
CREATE INDEX "assertion_attempt_client_id_at_idx" ON "portal"."assertion_attempt"("client_id", "at");

-- CreateIndex
CREATE INDEX "assertion_attempt_at_idx" ON "portal"."assertion_attempt"("at");

-- CreateIndex
CREATE INDEX "practice_system_authorization_client_id_idx" ON "portal"."practice_system_authorization"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "practice_system_authorization_practice_id_client_id_key" ON "portal"."practice_system_authorization"("practice_id", "client_id");

-- CreateIndex
CREATE INDEX "recovery_code_account_id_idx" ON "portal"."recovery_code"("account_id");

-- AddForeignKey
ALTER TABLE "portal"."client" ADD CONSTRAINT "client_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."client_secret" ADD CONSTRAINT "client_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."client_practice" ADD CONSTRAINT "client_practice_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."client_practice" ADD CONSTRAINT "client_practice_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."launch_context" ADD CONSTRAINT "launch_context_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."launch_context" ADD CONSTRAINT "launch_context_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."authorization_request" ADD CONSTRAINT "authorization_request_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."authorization_request" ADD CONSTRAINT "authorization_request_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."authorization_request" ADD CONSTRAINT "authorization_request_launch_id_fkey" FOREIGN KEY ("launch_id") REFERENCES "portal"."launch_context"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."grant" ADD CONSTRAINT "grant_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."grant" ADD CONSTRAINT "grant_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."grant" ADD CONSTRAINT "grant_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."authorization_code" ADD CONSTRAINT "authorization_code_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "portal"."grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."access_token" ADD CONSTRAINT "access_token_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "portal"."grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."refresh_token" ADD CONSTRAINT "refresh_token_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "portal"."grant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."used_assertion" ADD CONSTRAINT "used_assertion_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."assertion_attempt" ADD CONSTRAINT "assertion_attempt_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_system_authorization" ADD CONSTRAINT "practice_system_authorization_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_system_authorization" ADD CONSTRAINT "practice_system_authorization_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "portal"."client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_system_authorization" ADD CONSTRAINT "practice_system_authorization_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "portal"."grant"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."totp_secret" ADD CONSTRAINT "totp_secret_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."recovery_code" ADD CONSTRAINT "recovery_code_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Which app a request of the SMART, FHIR and bulk doors is logged to: its wire client_id.
ALTER TABLE log.activity ADD COLUMN client_id text CHECK (length(client_id) <= 128);
CREATE INDEX activity_client ON log.activity (client_id, at DESC, id DESC) WHERE client_id IS NOT NULL;
