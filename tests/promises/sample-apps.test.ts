/** The sample apps of `examples/` at a fresh organization's sandbox: registered by one button, the backend system let in. */
import { describe, expect, test } from 'vitest'
import { sampleAppsForm } from '../../server/contract/forms/sample-apps.ts'
import { sampleAppNames, sampleClientId } from '../../server/contract/lab/sample-apps.ts'
import { makeAssertionKey } from '../support/assertion.ts'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'
import { createTeams } from '../support/team.ts'

const teams = createTeams(() => stack.services)

const stack = await restStack()

const keySet = async () => {
  const key = await makeAssertionKey('ES384')
  return { keys: [{ ...key.publicJwk }] }
}
const clientsOf = (organizationId: string) =>
  stack.services.prisma.client.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
const stateOf = async (organizationId: string, clientId: string) =>
  (
    await stack.services.prisma.practiceSystemAuthorization.findFirst({
      where: { clientId, practice: { organizationId } },
    })
  )?.state ?? null

test('without keys the button registers the patient app alone, and twice is once', async () => {
  const { organizationId, owner } = await teams.makeTeam()

  for (const _ of [1, 2])
    await stack.services.sampleApps.register({ organizationId, jwks: null }, owner.actor)

  const rows = await clientsOf(organizationId)
  expect(rows.map(({ id }) => id)).toEqual([sampleClientId('patient', organizationId)])
  expect(rows[0]).toMatchObject({
    environment: 'sandbox',
    audience: 'patient',
    authentication: 'none',
    redirectUris: ['http://127.0.0.1:8001/'],
    everyPractice: false,
  })
})

test('with keys it registers all three, lets the backend system in, and later keys take the place of these', async () => {
  const { sampleApps: samples } = stack.services
  const { organizationId, owner } = await teams.makeTeam()
  await samples.register({ organizationId, jwks: null }, owner.actor)
  const [first, second] = [await keySet(), await keySet()]

  await samples.register({ organizationId, jwks: first }, owner.actor)
  await samples.register({ organizationId, jwks: second }, owner.actor)
  await samples.register({ organizationId, jwks: null }, owner.actor)

  const rows = await clientsOf(organizationId)
  expect(rows.map(({ id }) => id)).toEqual(
    sampleAppNames.map((name) => sampleClientId(name, organizationId)).sort(),
  )
  expect(rows.map(({ audience, jwks }) => [audience, jwks])).toEqual([
    ['backend', second],
    ['clinician', second],
    ['patient', null],
  ])
  expect(rows.map(({ launchUrl }) => launchUrl)).toEqual([null, 'http://127.0.0.1:8002/launch', null])
  const { apps, base, practice } = await samples.describe(organizationId, owner.actor)
  expect(base).toContain(practice)
  expect(apps.map(({ registered, allowed }) => [registered, allowed])).toEqual([
    [true, null],
    [true, null],
    [true, true],
  ])
})

test('a backend system that was stopped stays out when the button is pressed again', async () => {
  const { sampleApps: samples, ownSandboxSystems } = stack.services
  const { organizationId, owner } = await teams.makeTeam()
  const clientId = sampleClientId('backend', organizationId)
  const jwks = await keySet()
  await samples.register({ organizationId, jwks }, owner.actor)
  await ownSandboxSystems.stop(clientId, owner.actor)

  await samples.register({ organizationId, jwks }, owner.actor)

  expect(await stateOf(organizationId, clientId)).toBe('revoked')
})

test('an app that was removed is not brought back', async () => {
  const { sampleApps: samples, prisma, clock } = stack.services
  const { organizationId, owner } = await teams.makeTeam()
  await samples.register({ organizationId, jwks: null }, owner.actor)
  const id = sampleClientId('patient', organizationId)
  await prisma.client.update({ where: { id }, data: { removedAt: clock() } })

  const refused = samples.register({ organizationId, jwks: null }, owner.actor)

  await expect(refused).rejects.toMatchObject({ kind: 'conflict' })
  const { apps } = await samples.describe(organizationId, owner.actor)
  expect(apps.map(({ registered }) => registered)).toEqual([false, false, false])
})

test('a developer registers them; an owner or admin lets the backend system in', async () => {
  const { sampleApps: samples } = stack.services
  const { organizationId, owner } = await teams.makeTeam()
  const developer = await teams.addMember(organizationId, 'developer')
  const clientId = sampleClientId('backend', organizationId)
  const jwks = await keySet()

  await samples.register({ organizationId, jwks }, developer.actor)
  expect(await stateOf(organizationId, clientId)).toBeNull()
  await samples.register({ organizationId, jwks: null }, owner.actor)

  expect(await stateOf(organizationId, clientId)).toBe('granted')
})

test('a patient’s and a system’s token are given at the organization’s own sandbox', async () => {
  const { sampleApps: samples } = stack.services
  const { organizationId, owner } = await teams.makeTeam()
  await samples.register({ organizationId, jwks: await keySet() }, owner.actor)
  const { practice } = await samples.describe(organizationId, owner.actor)

  const issue = (name: 'patient' | 'backend', scope: string, patientId?: string) => {
    const client = { clientId: sampleClientId(name, organizationId) }
    return smartSupport(stack.services).issueToken({
      practice,
      scope,
      client,
      ...(patientId && { patientId }),
    })
  }
  expect((await issue('patient', 'patient/*.rs', 'pt-wren-testwell')).scope).toBe('patient/*.rs')
  expect((await issue('backend', 'system/*.rs')).scope).toBe('system/*.rs')
})

test('a viewer registers nothing, and nobody else learns of it', async () => {
  const { sampleApps: samples } = stack.services
  const { organizationId } = await teams.makeTeam()
  const viewer = await teams.addMember(organizationId, 'viewer')
  const { owner: stranger } = await teams.makeTeam()
  const order = { organizationId, jwks: null }

  await expect(samples.register(order, viewer.actor)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(samples.register(order, stranger.actor)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(samples.describe(organizationId, stranger.actor)).rejects.toMatchObject({ kind: 'not_found' })
  expect(await clientsOf(organizationId)).toEqual([])
})

describe('the key set', () => {
  test('with a private key is refused, and registers nothing', async () => {
    const { organizationId, owner } = await teams.makeTeam()
    const { keys } = await keySet()
    const jwks = { keys: [{ ...keys[0], d: 'a-private-part' }] }

    const refused = stack.services.sampleApps.register({ organizationId, jwks }, owner.actor)

    await expect(refused).rejects.toMatchObject({ kind: 'validation', field: 'jwks' })
    expect(await clientsOf(organizationId)).toEqual([])
  })

  test.each(['no JSON', '[]', '{"keys":{}}', 'null'])('%s is refused in the form', (jwks) => {
    const { error } = sampleAppsForm.safeParse({ jwks })

    expect(error?.issues[0]?.path).toEqual(['jwks'])
  })

  test.each(['', '  ', undefined])('may be left out', (jwks) => {
    expect(sampleAppsForm.parse({ jwks })).toEqual({ jwks: null })
  })
})
