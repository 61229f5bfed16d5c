-- Whether the simulator signs the chosen person in, or somebody signs in on the page.
ALTER TABLE "portal"."launch_simulation" ADD COLUMN "sign_in" TEXT NOT NULL DEFAULT 'at_once';
