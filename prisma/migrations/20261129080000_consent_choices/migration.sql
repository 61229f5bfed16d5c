-- What a person ticked and left out on the consent page, so that the next question of the same app starts with it.
-- Both are empty on grants of older releases, which remember nothing.
ALTER TABLE "portal"."grant" ADD COLUMN "chosen_boxes" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "portal"."grant" ADD COLUMN "refused_boxes" TEXT[] DEFAULT ARRAY[]::TEXT[];
