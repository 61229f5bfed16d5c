-- When other data took the place of the practice's: whoever asks for what changed since an earlier time gets all.
ALTER TABLE "portal"."practice" ADD COLUMN "data_replaced_at" TIMESTAMPTZ(3);
