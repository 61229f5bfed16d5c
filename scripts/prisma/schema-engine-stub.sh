#!/bin/sh
# Stands in for Prisma's native schema engine, which some networks cannot download.
# It must fail: with a stub that succeeds, `prisma migrate deploy` reports success and applies nothing.
echo "Prisma's native schema engine is not installed; use npm run db:migrate" >&2
exit 70
