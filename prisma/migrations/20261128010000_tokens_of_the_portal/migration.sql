-- Who got an access token in the portal; null for one that an app got by itself.
ALTER TABLE "portal"."access_token" ADD COLUMN "issued_by_id" UUID;
