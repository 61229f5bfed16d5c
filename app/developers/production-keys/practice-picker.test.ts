/** The choice of a practice for a production key: what it lists, and which practices can be chosen. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Practice } from '../../../prisma/generated/client/client.ts'
import { pageRows } from '../../../server/contract/portal/paging.ts'
import { testServices } from '../../../tests/support/services.ts'
import { signedInContext } from '../../../tests/support/signed-in-context.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { action, loader } from './production-form.route.tsx'

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

const services = await testServices()
const { prisma, clock } = services
const { organizationId, owner } = await createTeams(() => services).makeTeam()
const accountId = owner.accountId
const { slug } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
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

async function argsOf(query: string, fields?: Record<string, string>) {
  const context = await signedInContext(services, accountId)
  const body = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const request = new Request(`https://portal.example/page${query}`, body)
  return { request, params: { organization: slug }, context }
}

const load = async (query = '') => (await loader(await argsOf(query))) as Awaited<ReturnType<typeof loader>>

const namesOf = async (query: string) => (await load(query)).listed?.rows.map(({ name }) => name)

/** As the page sends it. @returns where it leads, or the refusal */
async function choose(practice: string) {
  const fields = { intent: 'choose', version: '0', idempotencyKey: randomUUID(), practice }
  const answer = (await action(await argsOf('', fields))) as
    | Response
    | { data: { wrong: { message: string; fields: Record<string, string> } } }
  return answer instanceof Response
    ? { to: answer.headers.get('location'), wrong: null }
    : { to: null, wrong: answer.data.wrong }
}

test('the list is the public directory, a page at a time, searched by name', async () => {
  const { listed } = await load()

  expect(listed?.rows).toHaveLength(pageRows)
  expect(listed?.total).toBeGreaterThan(pageRows)
  expect(await namesOf('?q=ottermere')).toEqual(['Ottermere Clinic', 'Ottermere Unattended'])
  expect(await namesOf('?q=no-such-practice')).toEqual([])
  expect(Object.keys(listed?.rows[0] ?? {})).toEqual(['slug', 'name', 'npi', 'place'])
})

test('a practice of the list begins a draft, and so does one that is on no list by its login slug', async () => {
  for (const [typed, stored] of [
    ['ottermere-clinic', 'ottermere-clinic'],
    [' Ottermere-Annex ', 'ottermere-annex'],
  ] as const) {
    const { to } = await choose(typed)
    const id = /production-keys\/([0-9a-f-]{36})\/form\?step=use$/.exec(to ?? '')?.[1]
    expect(
      await services.prisma.productionKeyRequest.findUniqueOrThrow({ where: { id: id ?? '' } }),
    ).toMatchObject({ practiceSlug: stored, state: 'draft', requestedById: accountId })
  }
})

test.each([
  ['nobody-at-all', 'No practice has this login slug.'],
  ['ottermere-sandbox', 'No practice has this login slug.'],
  ['ottermere-closed', 'is currently suspended'],
  ['ottermere-unattended', 'no admin on file'],
  ['', 'login slug'],
])('“%s” is refused with the reason, and begins nothing', async (typed, reason) => {
  const before = await services.prisma.productionKeyRequest.count()
  const { to, wrong } = await choose(typed)

  expect(to).toBeNull()
  expect(wrong?.fields.practice).toContain(reason)
  expect(await services.prisma.productionKeyRequest.count()).toBe(before)
})

test('no practice is listed or asked before a domain is confirmed', async () => {
  await services.prisma.organizationDomain.updateMany({ data: { verifiedAt: null } })

  expect(await load()).toMatchObject({ needsDomain: true, listed: null })
  expect((await choose('ottermere-clinic')).wrong?.message).toContain('confirm a domain')
})
