/** Owners and admins let backend apps in at their own sandbox. All else there its practice admin does, as at any practice. */
import { expect, test } from 'vitest'
import { restStack } from '../support/rest.ts'
import { createLabs } from '../support/sandbox-lab.ts'
import { smartSupport } from '../support/smart.ts'
import type { Person } from '../support/team.ts'

const { makeLab, fhir, teams } = createLabs(() => stack)

const stack = await restStack()
const lab = await makeLab()
const admin = await teams.addMember(lab.organizationId, 'admin')

const everything = {
  enabled: true,
  audiences: ['patient', 'clinician', 'backend'],
  types: null,
} as const

async function makeBackend(of = lab) {
  const smart = smartSupport(stack.services)
  const { client } = await smart.createClient({ scope: 'system/*.rs', organizationId: of.organizationId })
  const token = async () =>
    (await smart.issueToken({ practice: of.slug, scope: 'system/*.rs', client })).access_token
  return { clientId: client.clientId, token }
}

/** Password given days ago and no second step, as most developers are. */
const withoutProof = ({ actor }: Person) => {
  const { mfa: _, ...rest } = actor
  return { ...rest, authenticatedAt: new Date(rest.authenticatedAt.getTime() - 5 * 86_400_000) }
}

async function audited(action: string, of = lab) {
  const rows = await stack.services.prisma.auditEvent.findMany({
    where: { action, practiceId: of.practiceId },
    orderBy: { id: 'asc' },
  })
  return rows.map(({ actorId }) => actorId)
}

test('a switch lets a backend app in at once, and shuts it out on its next request', async () => {
  const { services } = stack
  const { ownSandboxSystems } = services
  const { clientId, token } = await makeBackend()
  const mails = () => services.prisma.outboxMail.count()
  const before = await mails()
  await expect(token()).rejects.toThrow()

  const allowed = await ownSandboxSystems.allow(clientId, withoutProof(lab.owner))
  expect(allowed).toMatchObject({ state: 'granted', practice: { slug: lab.slug } })
  const bearer = await token()
  expect((await fhir(lab.slug, 'Patient?_id=pt-wren-testwell', bearer)).status).toBe(200)

  await ownSandboxSystems.stop(clientId, withoutProof(admin))
  expect((await fhir(lab.slug, 'Patient?_id=pt-wren-testwell', bearer)).status).toBe(401)
  await expect(token()).rejects.toThrow()

  await ownSandboxSystems.allow(clientId, admin.actor)
  await ownSandboxSystems.allow(clientId, admin.actor)
  expect((await fhir(lab.slug, 'Patient?_id=pt-wren-testwell', await token())).status).toBe(200)
  expect(await mails()).toBe(before)
  expect(await audited('system_authorization.granted')).toEqual([lab.owner.accountId, admin.accountId])
  expect(await audited('system_authorization.revoked')).toEqual([admin.accountId])
})

test('an app that was registered for more gets all of it when it is allowed again', async () => {
  const { prisma, ownSandboxSystems } = stack.services
  const { clientId } = await makeBackend()
  await prisma.client.update({ where: { id: clientId }, data: { scope: 'system/Patient.rs' } })
  expect((await ownSandboxSystems.allow(clientId, lab.owner.actor)).scopes).toHaveLength(1)
  await prisma.client.update({ where: { id: clientId }, data: { scope: 'system/*.rs' } })

  await ownSandboxSystems.stop(clientId, lab.owner.actor)
  const { id } = await ownSandboxSystems.allow(clientId, lab.owner.actor)

  const row = await prisma.practiceSystemAuthorization.findUniqueOrThrow({
    where: { id },
    include: { grant: true },
  })
  expect([row.scope, row.grant?.scope]).toEqual(['system/*.rs', 'system/*.rs'])
})

test('nobody asks their own sandbox, and what was asked before is answered by the switch', async () => {
  const { prisma, clock, backendAuthorizations, ownSandboxSystems } = stack.services
  const { clientId } = await makeBackend()
  const input = { clientId, practiceSlug: lab.slug, scope: 'system/*.rs', purpose: 'Reads in a test.' }

  await expect(backendAuthorizations.request(input, lab.owner.actor)).rejects.toMatchObject({
    kind: 'validation',
    field: 'practice',
  })
  await prisma.practiceSystemAuthorization.create({
    data: {
      practiceId: lab.practiceId,
      clientId,
      state: 'requested',
      scope: 'system/*.rs',
      purpose: 'Asked by an earlier release.',
      requestedAt: clock(),
    },
  })
  expect((await ownSandboxSystems.allow(clientId, lab.owner.actor)).state).toBe('granted')
})

test('developers, viewers, strangers and members who left change and read nothing', async () => {
  const { services } = stack
  const { prisma } = services
  const { clientId } = await makeBackend()
  const left = await teams.addMember(lab.organizationId, 'admin')
  await prisma.membership.deleteMany({ where: { accountId: left.accountId } })
  const disabled = await teams.addMember(lab.organizationId, 'owner')
  await prisma.account.update({ where: { id: disabled.accountId }, data: { disabledAt: services.clock() } })
  const people = {
    developer: await teams.addMember(lab.organizationId, 'developer'),
    viewer: await teams.addMember(lab.organizationId, 'viewer'),
    stranger: (await makeLab()).owner,
    left,
    disabled,
  }
  const state = async () =>
    JSON.stringify([
      await prisma.practice.findUnique({ where: { id: lab.practiceId } }),
      await prisma.practiceSystemAuthorization.findMany({ where: { clientId } }),
    ])
  const before = await state()

  for (const [who, { actor }] of Object.entries(people))
    for (const attempt of [
      () => services.ownSandboxSystems.allow(clientId, actor),
      () => services.ownSandboxSystems.stop(clientId, actor),
    ])
      await expect(attempt(), `${who} ${attempt}`).rejects.toMatchObject({
        kind: expect.stringMatching(/^(not_found|forbidden)$/),
      })
  expect(await state()).toBe(before)
})

test('an own sandbox never allows a production app, not even its organization’s own', async () => {
  const { prisma, ownSandboxSystems } = stack.services
  const { clientId } = await makeBackend()
  await prisma.client.update({ where: { id: clientId }, data: { environment: 'production' } })

  await expect(ownSandboxSystems.allow(clientId, lab.owner.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('the organization does nothing else at the practice: its sandbox has an admin for that', async () => {
  const { fhirPolicy, practiceAudit, practiceConsole, practiceStaff, practiceStops } = stack.services
  const { actor } = lab.owner
  const { practiceId } = lab
  const invitation = { practiceId, email: 'kim@samplewood.example', role: 'admin' } as const
  const stop = { practiceId, target: { scope: 'key', id: lab.keyId }, reason: 'A test of stops' } as const

  for (const attempt of [
    () => fhirPolicy.get(practiceId, actor),
    () => fhirPolicy.set(practiceId, everything, actor),
    () => practiceAudit.access(practiceId, { limit: 1 }, actor),
    () => practiceAudit.changes(practiceId, { limit: 1 }, actor),
    () => practiceConsole.read(practiceId, actor),
    () => practiceConsole.requests(practiceId, actor),
    () => practiceStaff.invite(invitation, actor),
    () => practiceStops.stop(stop, actor),
  ])
    await expect(attempt(), `${attempt}`).rejects.toMatchObject({ kind: 'not_found' })
})
