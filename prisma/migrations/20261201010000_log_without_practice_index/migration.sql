-- No query asks for the requests of a practice: its record of access is log.phi_audit. Every row paid for this index.
DROP INDEX log.activity_practice;
