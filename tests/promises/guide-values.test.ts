/** Whose sandbox and app the snippets of a guide show: the reader's own, and nobody else's. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { loader as readGuide } from '../../app/docs/frame.route.tsx'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'
import { createTeams, type Person } from '../support/team.ts'

const teams = createTeams(() => stack.services)

const stack = await restStack()
const { services } = stack
const team = await teams.makeTeam()
const owner = team.owner
const organizationId = team.organizationId
const { slug } = await services.sandboxes.ensure(organizationId, { writable: false })
const base = services.addresses.fhirBase(slug)
const other = await teams.makeTeam()
const create = async (of: string, scope: string) => {
  services.advance(1_000)
  return (await smartSupport(services).createClient({ scope, organizationId: of })).client.clientId
}
const clients = {
  diary: await create(organizationId, 'launch/patient patient/*.rs'),
  steps: await create(organizationId, 'launch/patient patient/*.rs'),
  nightly: await create(organizationId, 'system/*.rs'),
  foreign: await create(other.organizationId, 'launch/patient patient/*.rs'),
}

async function cookieOf({ accountId }: Person): Promise<string> {
  const visit = { accountId, realm: 'developer' as const, ip: '203.0.113.9', userAgent: 'vitest' }
  return (await stack.services.sessions.start(visit)).cookie.split(';')[0] ?? ''
}

async function open(page: string, reader: Person | null) {
  const cookie = reader ? await cookieOf(reader) : ''
  const request = new Request(`https://portal.example/docs/${page}`, { headers: { cookie } })
  const context = { services: stack.services, correlationId: 'c1', clientIp: '203.0.113.9' }
  const args = { request, params: {}, context: context as unknown as AppLoadContext }
  return { guide: await readGuide(args), args }
}

const valuesOf = async (page: string, reader: Person | null) =>
  (await open(page, reader)).guide.addresses.own ?? null

test('a visitor sees nobody’s values', async () => {
  expect(await valuesOf('patient-app', null)).toBeNull()
  expect(await valuesOf('fhir', null)).toBeNull()
})

test('a member sees the newest app of the kind that the guide builds, or the one they choose', async () => {
  expect(await valuesOf('patient-app', owner)).toMatchObject({ base, clientId: clients.steps })
  expect(await valuesOf(`patient-app?app=${clients.diary}`, owner)).toMatchObject({ clientId: clients.diary })
  expect(await valuesOf('backend', owner)).toMatchObject({ base, clientId: clients.nightly })
  expect(await valuesOf('ehr-launch', owner)).toEqual({ base, clientId: null, redirectUri: null })
})

test('an app of another organization, and one of another kind, is not shown', async () => {
  for (const clientId of [clients.foreign, clients.nightly, 'no-such-app'])
    expect(await valuesOf(`patient-app?app=${clientId}`, owner)).toMatchObject({ clientId: clients.steps })
})

test('who is in no organization, and who has left, sees what a visitor sees', async () => {
  const member = await teams.addMember(organizationId, 'viewer')
  expect(await valuesOf('fhir', member)).toMatchObject({ base })
  await stack.services.prisma.membership.deleteMany({ where: { accountId: member.accountId } })

  expect(await valuesOf('fhir', member)).toBeNull()
  expect(await valuesOf('fhir', await teams.makePerson())).toBeNull()
})
