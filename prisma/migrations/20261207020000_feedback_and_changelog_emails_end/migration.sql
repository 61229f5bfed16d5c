-- “Was this page helpful?” and the changelog by email are no longer offered. Who was subscribed to the changelog alone
-- gets no email any more, so the address goes. The columns with the topics stay for the release before.
-- older release: everything but these two keeps working: a click on “Yes” or “No” fails, and its changelog job, too.
DROP TABLE "portal"."docs_feedback";
DROP TABLE "portal"."changelog_day";
DELETE FROM "portal"."status_subscription" WHERE NOT "topics" @> ARRAY['status'];
