/** Owners and admins of an organization administer their own sandbox practice from the portal, and no other practice. */
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

test('FHIR is switched off and on for everybody, and only the switch is', async () => {
  const { fhirPolicy } = stack.services
  const { clientId, token } = await makeBackend()
  await stack.services.ownSandboxSystems.allow(clientId, lab.owner.actor)
  const bearer = await token()

  await fhirPolicy.set(lab.practiceId, { ...everything, enabled: false }, withoutProof(admin))
  expect((await fhir(lab.slug, 'Patient?_id=pt-wren-testwell', bearer)).status).toBe(403)
  await fhirPolicy.set(lab.practiceId, everything, lab.owner.actor)

  expect((await fhir(lab.slug, 'Patient?_id=pt-wren-testwell', bearer)).status).toBe(200)
  expect(await fhirPolicy.get(lab.practiceId, admin.actor)).toEqual({
    ...everything,
    audiences: [...everything.audiences].sort(),
  })
  expect(await audited('practice.fhir_policy_changed')).toEqual([admin.accountId, lab.owner.accountId])
})

test('the record of access says who read what, and the changes who made them', async () => {
  const { practiceAudit } = stack.services
  const { clientId, token } = await makeBackend()
  await stack.services.ownSandboxSystems.allow(clientId, lab.owner.actor)
  await fhir(lab.slug, 'Patient?_id=pt-juno-testwell', await token())

  const { rows } = await practiceAudit.access(
    lab.practiceId,
    { patientId: 'pt-juno-testwell', limit: 10 },
    admin.actor,
  )
  const { rows: changes } = await practiceAudit.changes(lab.practiceId, { limit: 5 }, admin.actor)

  expect(rows[0]).toMatchObject({ action: 'search', resourceType: 'Patient', outcome: 'served' })
  expect(changes.map(({ action }) => action)).toContain('system_authorization.granted')
})

test('what a person allowed is listed with the person, and ended for the practice', async () => {
  const { services } = stack
  const smart = smartSupport(services)
  const { client } = await smart.createClient({
    scope: 'launch/patient patient/*.rs',
    organizationId: lab.organizationId,
  })
  const { access_token: bearer } = await smart.issueToken({
    practice: lab.slug,
    scope: 'launch/patient patient/*.rs',
    patientId: 'pt-wren-testwell',
    client,
  })
  expect((await fhir(lab.slug, 'Patient/pt-wren-testwell', bearer)).status).toBe(200)

  const [grant] = await services.practiceGrants.list(lab.practiceId, admin.actor)
  expect(grant).toMatchObject({ clientId: client.clientId, patientId: 'pt-wren-testwell' })
  const strangers = await makeLab()
  await expect(services.grants.revoke(grant?.grantId ?? '', strangers.owner.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
  await services.grants.revoke(grant?.grantId ?? '', withoutProof(admin))

  expect((await fhir(lab.slug, 'Patient/pt-wren-testwell', bearer)).status).toBe(401)
  expect(await services.practiceGrants.list(lab.practiceId, admin.actor)).toEqual([])
  const [row] = await services.prisma.auditEvent.findMany({
    where: { action: 'grant.revoked', actorId: admin.accountId },
  })
  expect(row?.detail).toMatchObject({ reason: 'practice' })
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
      () => services.fhirPolicy.get(lab.practiceId, actor),
      () => services.fhirPolicy.set(lab.practiceId, { ...everything, enabled: false }, actor),
      () => services.practiceAudit.access(lab.practiceId, { limit: 1 }, actor),
      () => services.practiceAudit.changes(lab.practiceId, { limit: 1 }, actor),
      () => services.practiceGrants.list(lab.practiceId, actor),
    ])
      await expect(attempt(), `${who} ${attempt}`).rejects.toMatchObject({
        kind: expect.stringMatching(/^(not_found|forbidden)$/),
      })
  expect(await state()).toBe(before)
})

test('a production practice, the demonstration and a production app are out of reach, whoever owns them', async () => {
  const { services } = stack
  const { prisma } = services
  const { clientId } = await makeBackend()
  // Were a production practice ever to belong to the organization, it would still not be its sandbox.
  const office = await prisma.practice.findUniqueOrThrow({ where: { slug: 'juniper-point' } })
  await prisma.practice.update({
    where: { id: office.id },
    data: { organizationId: lab.organizationId, purpose: 'organization_sandbox' },
  })
  const shown = await prisma.practice.findUniqueOrThrow({ where: { slug: 'sandpiper-demonstration' } })

  for (const { id } of [office, shown]) {
    await expect(services.fhirPolicy.set(id, everything, lab.owner.actor)).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(services.practiceAudit.access(id, { limit: 1 }, lab.owner.actor)).rejects.toMatchObject({
      kind: 'not_found',
    })
    await expect(services.practiceGrants.list(id, lab.owner.actor)).rejects.toMatchObject({
      kind: 'not_found',
    })
  }
  await prisma.practice.update({
    where: { id: office.id },
    data: { organizationId: null, purpose: office.purpose },
  })
  await prisma.client.update({ where: { id: clientId }, data: { environment: 'production' } })
  await expect(services.ownSandboxSystems.allow(clientId, lab.owner.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
})

test('the organization cannot invite staff to the practice, or sponsor keys for it', async () => {
  const { services } = stack

  await expect(
    services.practiceStaff.invite(
      { practiceId: lab.practiceId, email: 'kim@samplewood.example', role: 'admin' },
      lab.owner.actor,
    ),
  ).rejects.toMatchObject({ kind: 'not_found' })
  await expect(services.practiceConsole.requests(lab.practiceId, lab.owner.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
})
