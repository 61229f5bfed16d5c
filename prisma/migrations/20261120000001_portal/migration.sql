-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "portal";

-- CreateEnum
CREATE TYPE "portal"."realm" AS ENUM ('developer', 'staff', 'practice', 'patient');

-- CreateEnum
CREATE TYPE "portal"."staff_role" AS ENUM ('reviewer', 'ops');

-- CreateEnum
CREATE TYPE "portal"."practice_role" AS ENUM ('admin', 'signatory', 'clinician');

-- CreateEnum
CREATE TYPE "portal"."organization_role" AS ENUM ('owner', 'admin', 'developer', 'viewer');

-- CreateEnum
CREATE TYPE "portal"."environment" AS ENUM ('sandbox', 'production');

-- CreateEnum
CREATE TYPE "portal"."key_level" AS ENUM ('read_only', 'full');

-- CreateEnum
CREATE TYPE "portal"."practice_state" AS ENUM ('active', 'suspended');

-- CreateTable
CREATE TABLE "portal"."account" (
    "id" UUID NOT NULL,
    "realm" "portal"."realm" NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "email_verified_at" TIMESTAMPTZ(3),
    "staff_role" "portal"."staff_role",
    "disabled_at" TIMESTAMPTZ(3),
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."session" (
    "id_hash" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "realm" "portal"."realm" NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "portal"."link_token" (
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" UUID,
    "subject_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."throttle" (
    "key" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key","window_start")
);

-- CreateTable
CREATE TABLE "portal"."organization" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "blocked_at" TIMESTAMPTZ(3),

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."membership" (
    "organization_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" "portal"."organization_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("organization_id","account_id")
);

-- CreateTable
CREATE TABLE "portal"."invitation" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "portal"."organization_role" NOT NULL,
    "state" TEXT NOT NULL,
    "invited_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."practice" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "environment" "portal"."environment" NOT NULL,
    "state" "portal"."practice_state" NOT NULL DEFAULT 'active',
    "fhir_enabled" BOOLEAN NOT NULL,
    "in_directory" BOOLEAN NOT NULL,
    "purpose" TEXT NOT NULL,
    "dataset_id" INTEGER NOT NULL,
    "organization_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "practice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."practice_membership" (
    "practice_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" "portal"."practice_role" NOT NULL,
    "practitioner_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "practice_membership_pkey" PRIMARY KEY ("practice_id","account_id","role")
);

-- CreateTable
CREATE TABLE "portal"."patient_login" (
    "practice_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "patient_id" TEXT NOT NULL,
    "relationship" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "patient_login_pkey" PRIMARY KEY ("practice_id","account_id","patient_id")
);

-- CreateTable
CREATE TABLE "portal"."sandbox_key_request" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "requested_by_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "project_description" TEXT NOT NULL,
    "technical_contact" TEXT NOT NULL,
    "level" "portal"."key_level" NOT NULL,
    "terms_version" TEXT NOT NULL,
    "terms_sha256" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "idempotency_key" TEXT NOT NULL,
    "practice_id" UUID,
    "claim_expires_at" TIMESTAMPTZ(3),
    "reissues" INTEGER NOT NULL DEFAULT 0,
    "revealed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_key_request_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."api_key" (
    "id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "level" "portal"."key_level" NOT NULL,
    "environment" "portal"."environment" NOT NULL,
    "practice_id" UUID NOT NULL,
    "organization_id" UUID,
    "request_id" UUID,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by_id" UUID,
    "revoke_reason" TEXT,
    "suspended_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."outbox_mail" (
    "id" UUID NOT NULL,
    "template" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "props" JSONB NOT NULL,
    "sealed_links" BYTEA,
    "message_id" TEXT NOT NULL,
    "thread_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "last_error" TEXT,
    "correlation_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sending_at" TIMESTAMPTZ(3),
    "sending_by" TEXT,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_mail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."mailbox_message" (
    "id" UUID NOT NULL,
    "outbox_id" UUID NOT NULL,
    "to_address" TEXT NOT NULL,
    "from_address" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "headers" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailbox_message_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "portal"."audit_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "organization_id" UUID,
    "practice_id" UUID,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT,
    "detail" JSONB NOT NULL,
    "ip" TEXT,
    "correlation_id" TEXT,
    "chain_hash" BYTEA,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_realm_email_key" ON "portal"."account"("realm", "email");

-- CreateIndex
CREATE UNIQUE INDEX "session_id_key" ON "portal"."session"("id");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "portal"."session"("account_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "portal"."session"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "link_token_token_hash_key" ON "portal"."link_token"("token_hash");

-- CreateIndex
CREATE INDEX "link_token_kind_subject_id_idx" ON "portal"."link_token"("kind", "subject_id");

-- CreateIndex
CREATE INDEX "link_token_account_id_kind_idx" ON "portal"."link_token"("account_id", "kind");

-- CreateIndex
CREATE INDEX "link_token_expires_at_idx" ON "portal"."link_token"("expires_at");

-- CreateIndex
CREATE INDEX "throttle_window_start_idx" ON "portal"."throttle"("window_start");

-- CreateIndex
CREATE UNIQUE INDEX "organization_slug_key" ON "portal"."organization"("slug");

-- CreateIndex
CREATE INDEX "membership_account_id_idx" ON "portal"."membership"("account_id");

-- CreateIndex
CREATE INDEX "invitation_organization_id_idx" ON "portal"."invitation"("organization_id");

-- CreateIndex
CREATE INDEX "invitation_state_expires_at_idx" ON "portal"."invitation"("state", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "practice_slug_key" ON "portal"."practice"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "practice_organization_id_environment_key" ON "portal"."practice"("organization_id", "environment");

-- CreateIndex
CREATE INDEX "practice_membership_account_id_idx" ON "portal"."practice_membership"("account_id");

-- CreateIndex
CREATE INDEX "patient_login_account_id_idx" ON "portal"."patient_login"("account_id");

-- CreateIndex
CREATE INDEX "sandbox_key_request_state_claim_expires_at_idx" ON "portal"."sandbox_key_request"("state", "claim_expires_at");

-- CreateIndex
CREATE INDEX "sandbox_key_request_organization_id_created_at_idx" ON "portal"."sandbox_key_request"("organization_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sandbox_key_request_organization_id_idempotency_key_key" ON "portal"."sandbox_key_request"("organization_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_prefix_key" ON "portal"."api_key"("prefix");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_secret_hash_key" ON "portal"."api_key"("secret_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_request_id_key" ON "portal"."api_key"("request_id");

-- CreateIndex
CREATE INDEX "api_key_organization_id_created_at_idx" ON "portal"."api_key"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "api_key_practice_id_idx" ON "portal"."api_key"("practice_id");

-- CreateIndex
CREATE INDEX "api_key_expires_at_idx" ON "portal"."api_key"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_mail_message_id_key" ON "portal"."outbox_mail"("message_id");

-- CreateIndex
CREATE INDEX "outbox_mail_state_next_attempt_at_idx" ON "portal"."outbox_mail"("state", "next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "mailbox_message_outbox_id_key" ON "portal"."mailbox_message"("outbox_id");

-- CreateIndex
CREATE INDEX "mailbox_message_at_idx" ON "portal"."mailbox_message"("at");

-- CreateIndex
CREATE INDEX "audit_event_organization_id_id_idx" ON "portal"."audit_event"("organization_id", "id");

-- CreateIndex
CREATE INDEX "audit_event_practice_id_id_idx" ON "portal"."audit_event"("practice_id", "id");

-- CreateIndex
CREATE INDEX "audit_event_subject_kind_subject_id_idx" ON "portal"."audit_event"("subject_kind", "subject_id");

-- AddForeignKey
ALTER TABLE "portal"."session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."link_token" ADD CONSTRAINT "link_token_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."organization" ADD CONSTRAINT "organization_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."membership" ADD CONSTRAINT "membership_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."membership" ADD CONSTRAINT "membership_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."invitation" ADD CONSTRAINT "invitation_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."invitation" ADD CONSTRAINT "invitation_invited_by_id_fkey" FOREIGN KEY ("invited_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice" ADD CONSTRAINT "practice_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_membership" ADD CONSTRAINT "practice_membership_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."practice_membership" ADD CONSTRAINT "practice_membership_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."patient_login" ADD CONSTRAINT "patient_login_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."patient_login" ADD CONSTRAINT "patient_login_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "portal"."account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."sandbox_key_request" ADD CONSTRAINT "sandbox_key_request_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."sandbox_key_request" ADD CONSTRAINT "sandbox_key_request_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."sandbox_key_request" ADD CONSTRAINT "sandbox_key_request_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_practice_id_fkey" FOREIGN KEY ("practice_id") REFERENCES "portal"."practice"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "portal"."organization"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "portal"."sandbox_key_request"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "portal"."account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "portal"."api_key" ADD CONSTRAINT "api_key_revoked_by_id_fkey" FOREIGN KEY ("revoked_by_id") REFERENCES "portal"."account"("id") ON DELETE SET NULL ON UPDATE CASCADE;

