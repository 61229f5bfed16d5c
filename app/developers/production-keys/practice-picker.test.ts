/** The choice of a practice for a production key: what it lists, and which practices can be chosen. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/server-runtime'
import { beforeAll, expect, test } from 'vitest'
import type { Practice } from '../../../prisma/generated/client/client.ts'
import { pageRows } from '../../../server/contract/portal/paging.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { loader } from './production-form.route.tsx'

let services: TestServices
let accountId: string
let slug: string

const practice = (name: string, more: Partial<Practice> & { datasetId: number }) => ({
  slug: name.toLowerCase().replaceAll(' ', '-'),
  name,
  environment: 'production' as const,
  fhirEnabled: true,
  inDirectory: true,
  purpose: 'office',
  createdAt: services.clock(),
  ...more,
})

beforeAll(async () => {
  services = await testServices()
  const { prisma, clock } = services
  const { organizationId, owner } = await createTeams(() => services).makeTeam()
  accountId = owner.accountId
  ;({ slug } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }))
  const { datasetId } = await prisma.practice.findFirstOrThrow({ where: { environment: 'production' } })
  const own = { datasetId }
  await prisma.practice.createMany({
    data: [
      practice('Ottermere Clinic', own),
      practice('Ottermere Annex', { ...own, inDirectory: false }),
      practice('Ottermere Closed', { ...own, state: 'suspended' as const }),
      practice('Ottermere Unattended', own),
      practice('Ottermere Sandbox', { ...own, environment: 'sandbox' as const }),
      ...Array.from({ length: pageRows }, (_, at) => practice(`Sampleton Clinic ${at}`, own)),
    ],
  })
  const admin = await prisma.account.create({
    data: {
      realm: 'practice',
      email: 'admin@ottermere.example',
      name: 'Theo Placeholder',
      passwordHash: 'none',
      emailVerifiedAt: clock(),
      createdAt: clock(),
    },
  })
  const attended = await prisma.practice.findMany({
    where: { slug: { in: ['ottermere-clinic', 'ottermere-annex', 'ottermere-closed'] } },
  })
  await prisma.practiceMembership.createMany({
    data: attended.map(({ id }) => ({
      practiceId: id,
      accountId: admin.id,
      role: 'admin' as const,
      createdAt: clock(),
    })),
  })
  await prisma.organizationDomain.create({
    data: {
      organizationId,
      domain: 'heronmere.example',
      mailbox: 'security',
      requestedById: accountId,
      requestedAt: clock(),
      verifiedAt: clock(),
    },
  })
})

async function load(query = '') {
  const account = await services.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  const now = services.clock()
  const session = {
    id: randomUUID(),
    accountId,
    account,
    authenticatedAt: now,
    mfaState: 'done',
    mfaAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  }
  const context = {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) } },
    correlationId: 'c1',
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
  const request = new Request(`https://portal.example/page${query}`)
  return (await loader({ request, params: { organization: slug }, context })) as Awaited<
    ReturnType<typeof loader>
  >
}

const namesOf = async (query: string) => (await load(query)).picker?.listed.rows.map(({ name }) => name)

test('the list is the public directory, a page at a time, searched by name', async () => {
  const { picker, practice: chosen } = await load()

  expect(chosen).toBeNull()
  expect(picker?.listed.rows).toHaveLength(pageRows)
  expect(picker?.listed.total).toBeGreaterThan(pageRows)
  expect(await namesOf('?q=ottermere')).toEqual(['Ottermere Clinic', 'Ottermere Unattended'])
  expect(await namesOf('?q=no-such-practice')).toEqual([])
  expect(Object.keys(picker?.listed.rows[0] ?? {})).toEqual(['slug', 'name', 'npi', 'place'])
})

test('a practice of the list can be chosen, and one that is on no list by its login slug', async () => {
  expect((await load('?practice=ottermere-clinic')).practice).toEqual({
    slug: 'ottermere-clinic',
    name: 'Ottermere Clinic',
  })
  expect((await load('?practice=%20Ottermere-Annex%20')).practice?.name).toBe('Ottermere Annex')
})

test.each([
  ['nobody-at-all', 'No practice has this login slug.'],
  ['ottermere-sandbox', 'No practice has this login slug.'],
  ['ottermere-closed', 'is suspended'],
  ['ottermere-unattended', 'no admin on file'],
  ['%00', null],
])('%s is refused with the reason, and the list is there', async (typed, reason) => {
  const { practice: chosen, picker } = await load(`?practice=${typed}`)

  expect(chosen).toBeNull()
  expect(picker?.listed.rows.length).toBeGreaterThan(0)
  if (reason === null) expect(picker?.wrong).toBeNull()
  else expect(picker?.wrong).toContain(reason)
})

test('no practice is looked up before a domain is confirmed', async () => {
  await services.prisma.organizationDomain.updateMany({ data: { verifiedAt: null } })

  expect(await load('?practice=ottermere-clinic')).toMatchObject({ practice: null, picker: null })
})
