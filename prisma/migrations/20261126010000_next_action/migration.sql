-- When something is next due for a request, an agreement or a registration. The tick reads it in its order.
-- 1970 means "look at it at the next tick": every row that is there begins with it, and every new one.
ALTER TABLE "portal"."production_key_request" ADD COLUMN "next_action_at" TIMESTAMPTZ(3) DEFAULT '1970-01-01 00:00:00+00';
ALTER TABLE "portal"."agreement" ADD COLUMN "next_action_at" TIMESTAMPTZ(3) DEFAULT '1970-01-01 00:00:00+00';
ALTER TABLE "portal"."registration" ADD COLUMN "next_action_at" TIMESTAMPTZ(3) DEFAULT '1970-01-01 00:00:00+00';

CREATE INDEX "production_key_request_next_action_at_id_idx" ON "portal"."production_key_request"("next_action_at", "id");
CREATE INDEX "agreement_next_action_at_id_idx" ON "portal"."agreement"("next_action_at", "id");
CREATE INDEX "registration_next_action_at_id_idx" ON "portal"."registration"("next_action_at", "id");

-- Whoever changes a row without saying when it is next due, the release before included, has it looked at again.
CREATE FUNCTION "portal"."look_again"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.next_action_at IS NOT DISTINCT FROM OLD.next_action_at THEN
    NEW.next_action_at := '1970-01-01 00:00:00+00';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "look_again" BEFORE UPDATE ON "portal"."production_key_request"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again"();
CREATE TRIGGER "look_again" BEFORE UPDATE ON "portal"."agreement"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again"();
CREATE TRIGGER "look_again" BEFORE UPDATE ON "portal"."registration"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again"();

-- Clocks and tasks are rows of their own; they have deadlines, too.
CREATE FUNCTION "portal"."look_again_at_registration"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "portal"."registration" SET next_action_at = '1970-01-01 00:00:00+00' WHERE id = NEW.registration_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "look_again" AFTER INSERT OR UPDATE ON "portal"."registration_clock"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again_at_registration"();

CREATE FUNCTION "portal"."look_again_at_agreement"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "portal"."agreement" SET next_action_at = '1970-01-01 00:00:00+00' WHERE id = NEW.agreement_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER "look_again" AFTER INSERT OR UPDATE ON "portal"."agreement_return_task"
  FOR EACH ROW EXECUTE FUNCTION "portal"."look_again_at_agreement"();

-- A key that works stands on its practice and on the person who vouched.
CREATE FUNCTION "portal"."look_again_at_keys_of_practice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "portal"."production_key_request" SET next_action_at = '1970-01-01 00:00:00+00'
   WHERE practice_id = NEW.id AND state IN ('active', 'rotating', 'suspended');
  RETURN NULL;
END
$$;
CREATE TRIGGER "look_again" AFTER UPDATE OF "state" ON "portal"."practice"
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state)
  EXECUTE FUNCTION "portal"."look_again_at_keys_of_practice"();

CREATE FUNCTION "portal"."look_again_at_keys_of_sponsor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "portal"."production_key_request" SET next_action_at = '1970-01-01 00:00:00+00'
   WHERE sponsor_id = NEW.id AND state IN ('active', 'rotating', 'suspended');
  RETURN NULL;
END
$$;
CREATE TRIGGER "look_again" AFTER UPDATE OF "disabled_at" ON "portal"."account"
  FOR EACH ROW WHEN (OLD.disabled_at IS DISTINCT FROM NEW.disabled_at)
  EXECUTE FUNCTION "portal"."look_again_at_keys_of_sponsor"();
