/** Lists of keys and requests of more than one page; app/shared/list-pages.test.ts has every list of the portal. */
import { expect, test } from 'vitest'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { pageRows } from '../../contract/portal/paging.ts'

const keyCount = 600
const requestCount = 300
const { makeTeam } = createTeams(() => services)

const services = await testServices()
const { organizationId, owner } = await makeTeam()
const { id: practiceId } = await services.prisma.practice.findFirstOrThrow()
const now = services.clock()
await services.prisma.$executeRaw`
  INSERT INTO portal.api_key (id, name, prefix, secret_hash, level, environment, practice_id, organization_id,
    created_by_id, created_at, expires_at)
  SELECT gen_random_uuid(), 'Import ' || place, 'svc_t' || lpad(place::text, 7, '0'), place::text::bytea, 'read_only',
    'sandbox', ${practiceId}::uuid, ${organizationId}::uuid, ${owner.accountId}::uuid,
    ${now}::timestamptz - place * interval '1 millisecond', ${now}::timestamptz + interval '1 day'
  FROM generate_series(0, ${keyCount - 1}) AS place`
await services.prisma.$executeRaw`
  INSERT INTO portal.sandbox_key_request (id, organization_id, requested_by_id, name, project_description,
    technical_contact, level, terms_version, terms_sha256, state, claim_expires_at, idempotency_key, created_at,
    updated_at)
  SELECT gen_random_uuid(), ${organizationId}::uuid, ${owner.accountId}::uuid, 'Nightly ' || place, 'Reads patients.',
    ${owner.email}, 'read_only', '1.0', repeat('0', 64),
    CASE WHEN place = ${requestCount - 1} THEN 'ready_to_claim' ELSE 'needs_info' END,
    ${now}::timestamptz + interval '1 day', 'large ' || place, ${now}::timestamptz - place * interval '1 millisecond',
    ${now}
  FROM generate_series(0, ${requestCount - 1}) AS place`

test('keys are listed a page at a time, searched over all pages, and the last one can be opened', async () => {
  const mine = { organizationId, accountId: owner.accountId }
  const page = (q: string, number: number) =>
    services.keys.listPage({ ...mine, show: 'current', ask: { q, page: number } })

  const total = keyCount + requestCount
  const first = await page('', 1)
  expect(first).toMatchObject({ total, pages: total / pageRows, counts: { current: total, ended: 0 } })
  const keys = await page('', requestCount / pageRows + 1)
  expect(keys.rows.map(({ name }) => name).slice(0, 2)).toEqual(['Import 0', 'Import 1'])
  const last = (await page('', total / pageRows)).rows.at(-1)
  expect(last?.name).toBe('Import 599')
  expect((await page('import 598', 1)).rows.map(({ name }) => name)).toEqual(['Import 598'])
  expect((await page('svc_t0000597', 1)).total).toBe(1)
  expect((await page('%', 1)).total).toBe(0)
  expect(await services.keys.list({ ...mine, keyId: last?.id })).toMatchObject([{ name: 'Import 599' }])
})

test('every request is listed, a page at a time, and the oldest can still be claimed', async () => {
  const mine = { organizationId, accountId: owner.accountId }
  const { keys } = services

  const asked = { ...mine, show: 'sandbox' as const, production: [] }
  const last = await keys.listPage({ ...asked, ask: { q: '', page: requestCount / pageRows } })
  expect(last.rows).toHaveLength(pageRows)
  expect(last.rows.at(-1)).toMatchObject({ kind: 'request', name: 'Nightly 299', mayReveal: true })
  expect(await keys.countClaimable(mine)).toBe(1)
})
