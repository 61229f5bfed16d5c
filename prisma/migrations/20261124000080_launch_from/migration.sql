-- An app that is opened by itself brings no launch value: the launch waits for a browser of where it was started.
ALTER TABLE "portal"."launch_simulation" ADD COLUMN "opened_from" BYTEA;
