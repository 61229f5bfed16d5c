-- A secret made on the way to another page is shown there once: the first page that shows it says so here.
ALTER TABLE "portal"."client_secret" ADD COLUMN "shown_at" TIMESTAMPTZ(3);
