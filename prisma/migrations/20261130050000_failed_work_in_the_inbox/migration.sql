-- What operations decided about a failed mail, and the last token request of an app, for the inbox.
ALTER TABLE "portal"."outbox_mail" ADD COLUMN "left_unsent_at" TIMESTAMPTZ(3);

CREATE INDEX activity_smart ON log.activity (client_id, at DESC) WHERE client_id IS NOT NULL AND door = 'smart';
