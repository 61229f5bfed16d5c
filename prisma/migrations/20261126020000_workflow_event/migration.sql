-- One table for what happened to the subjects of all workflows.
CREATE TABLE "portal"."workflow_event" (
    "id" BIGSERIAL NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "event" TEXT NOT NULL,
    "from" TEXT,
    "to" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" UUID,
    "side" TEXT,
    "codes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "text" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "idempotency_key" TEXT,

    CONSTRAINT "workflow_event_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "workflow_event_subject_kind_subject_id_id_idx" ON "portal"."workflow_event"("subject_kind", "subject_id", "id");
CREATE INDEX "workflow_event_subject_kind_event_at_idx" ON "portal"."workflow_event"("subject_kind", "event", "at");
CREATE UNIQUE INDEX "workflow_event_subject_kind_subject_id_idempotency_key_key" ON "portal"."workflow_event"("subject_kind", "subject_id", "idempotency_key");

INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
SELECT 'production_key_request', request_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key
  FROM "portal"."production_key_event" ORDER BY id;
INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
SELECT 'registration', registration_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key
  FROM "portal"."registration_event" ORDER BY id;
INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key)
SELECT 'agreement', agreement_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key
  FROM "portal"."agreement_event" ORDER BY id;

-- While a release runs that knows the three tables only, each event is written to both: whoever writes one, the other
-- is written in the same transaction. The first one written is the one that copies.
CREATE FUNCTION "portal"."copy_workflow_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  IF TG_TABLE_NAME = 'production_key_event' THEN
    INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES ('production_key_request', NEW.request_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF TG_TABLE_NAME = 'registration_event' THEN
    INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES ('registration', NEW.registration_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF TG_TABLE_NAME = 'agreement_event' THEN
    INSERT INTO "portal"."workflow_event" (subject_kind, subject_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key)
    VALUES ('agreement', NEW.agreement_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.side, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'production_key_request' THEN
    INSERT INTO "portal"."production_key_event" (request_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'registration' THEN
    INSERT INTO "portal"."registration_event" (registration_id, at, event, "from", "to", actor_kind, actor_id, codes, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.codes, NEW.text, NEW.detail, NEW.idempotency_key);
  ELSIF NEW.subject_kind = 'agreement' THEN
    INSERT INTO "portal"."agreement_event" (agreement_id, at, event, "from", "to", actor_kind, actor_id, side, text, detail, idempotency_key)
    VALUES (NEW.subject_id, NEW.at, NEW.event, NEW."from", NEW."to", NEW.actor_kind, NEW.actor_id, NEW.side, NEW.text, NEW.detail, NEW.idempotency_key);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER "copy_event" AFTER INSERT ON "portal"."workflow_event" FOR EACH ROW EXECUTE FUNCTION "portal"."copy_workflow_event"();
CREATE TRIGGER "copy_event" AFTER INSERT ON "portal"."production_key_event" FOR EACH ROW EXECUTE FUNCTION "portal"."copy_workflow_event"();
CREATE TRIGGER "copy_event" AFTER INSERT ON "portal"."registration_event" FOR EACH ROW EXECUTE FUNCTION "portal"."copy_workflow_event"();
CREATE TRIGGER "copy_event" AFTER INSERT ON "portal"."agreement_event" FOR EACH ROW EXECUTE FUNCTION "portal"."copy_workflow_event"();
