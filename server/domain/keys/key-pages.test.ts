/** Lists at the size to expect of a large organization: ten thousand keys, five thousand apps. */
import { beforeAll, expect, test } from 'vitest'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { createTeams, type Person } from '../../../tests/support/team.ts'
import { firstPage, pageRows } from '../../contract/portal/paging.ts'

const keyCount = 10_000
const appCount = 5_000
const requestCount = 300
let services: TestServices
let organizationId: string
let owner: Person
const { makeTeam } = createTeams(() => services)

beforeAll(async () => {
  services = await testServices()
  ;({ organizationId, owner } = await makeTeam())
  const { practice } = services.prisma
  const { id: practiceId } = await practice.findFirstOrThrow()
  const now = services.clock()
  const keys = Array.from({ length: keyCount }, (_, place) => ({
    name: `Import ${place}`,
    prefix: `svc_t${String(place).padStart(7, '0')}`,
    secretHash: Buffer.from(`hash ${place}`),
    level: 'read_only' as const,
    environment: 'sandbox' as const,
    practiceId,
    organizationId,
    createdById: owner.accountId,
    createdAt: new Date(now.getTime() - place),
    expiresAt: new Date(now.getTime() + 86_400_000),
  }))
  // In parts, each well within the limit of a statement.
  for (let from = 0; from < keyCount; from += 200)
    await services.prisma.apiKey.createMany({ data: keys.slice(from, from + 200) })
  await services.prisma.sandboxKeyRequest.createMany({
    data: Array.from({ length: requestCount }, (_, place) => ({
      organizationId,
      requestedById: owner.accountId,
      name: `Nightly ${place}`,
      projectDescription: 'Reads the patients of one practice.',
      technicalContact: owner.email,
      level: 'read_only' as const,
      termsVersion: '1.0',
      termsSha256: '0'.repeat(64),
      // The oldest waits to be claimed.
      state: place === requestCount - 1 ? 'ready_to_claim' : 'needs_info',
      claimExpiresAt: new Date(now.getTime() + 86_400_000),
      idempotencyKey: `large ${place}`,
      createdAt: new Date(now.getTime() - place),
      updatedAt: now,
    })),
  })
  await services.prisma.registration.createMany({
    data: Array.from({ length: appCount }, (_, place) => ({
      kind: 'app' as const,
      organizationId,
      createdById: owner.accountId,
      name: `Tidepath ${place}`,
      state: 'draft' as const,
      form: {},
      createdAt: now,
      updatedAt: new Date(now.getTime() - place),
    })),
  })
}, 120_000)

test('ten thousand keys are listed a page at a time, and searched over all pages', async () => {
  const mine = { organizationId, accountId: owner.accountId }
  const page = (q: string, number: number) =>
    services.keys.listPage({ ...mine, ended: false, ask: { q, page: number } })

  const first = await page('', 1)
  expect(first).toMatchObject({
    total: keyCount,
    pages: keyCount / pageRows,
    counts: { live: keyCount, suspended: 0, ended: 0 },
  })
  expect(first.rows.map(({ name }) => name).slice(0, 2)).toEqual(['Import 0', 'Import 1'])
  expect(first.rows).toHaveLength(pageRows)
  expect((await page('', 200)).rows.at(-1)?.name).toBe('Import 9999')
  expect((await page('import 9999', 1)).rows.map(({ name }) => name)).toEqual(['Import 9999'])
  expect((await page('svc_t0009998', 1)).total).toBe(1)
  expect((await page('%', 1)).total).toBe(0)
})

test('a key beyond the first five hundred can be opened', async () => {
  const { id } = await services.prisma.apiKey.findFirstOrThrow({ where: { name: 'Import 9999' } })
  const mine = { organizationId, accountId: owner.accountId }

  expect(await services.keys.list({ ...mine, keyId: id })).toMatchObject([{ id, name: 'Import 9999' }])
  expect(await services.keys.list({ ...mine, keyId: 'none' })).toEqual([])
})

test('five thousand apps are listed a page at a time, and searched over all pages', async () => {
  const page = (q: string, number: number) =>
    services.registrations.listPage(organizationId, { q, page: number }, owner)

  const last = await page('', 100)
  expect(last).toMatchObject({ total: appCount, page: 100, pages: 100 })
  expect(last.rows.at(-1)?.name).toBe('Tidepath 4999')
  expect((await page('tidepath 4999', 1)).rows.map(({ name }) => name)).toEqual(['Tidepath 4999'])
})

test('every request is listed, a page at a time, and the oldest can still be claimed', async () => {
  const mine = { organizationId, accountId: owner.accountId }
  const { keys } = services

  const last = await keys.listRequests({ ...mine, ask: { q: '', page: 6 } })
  expect([last.total, last.pages, last.rows.at(-1)?.name]).toEqual([requestCount, 6, 'Nightly 299'])
  const claimable = await keys.listRequests({ ...mine, states: ['ready_to_claim'], ask: firstPage })
  expect(claimable.rows).toMatchObject([{ name: 'Nightly 299', mayReveal: true }])
  expect(await keys.countClaimable(mine)).toBe(1)
})
