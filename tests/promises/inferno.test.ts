/** Apps and presets for the Inferno test kits, at a fresh organization's sandbox. */
import { describe, expect, test } from 'vitest'
import { conformancePersonId } from '../../server/contract/lab/conformance-person.ts'
import {
  type InfernoRole,
  infernoClientId,
  infernoKitNames,
  infernoKits,
  infernoPreset,
  infernoRoles,
  publicInferno,
  secretPlaceholder,
} from '../../server/contract/lab/inferno-kits.ts'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'
import { createTeams } from '../support/team.ts'

const local = 'http://localhost:4567'
const teams = createTeams(() => stack.services)

const stack = await restStack()

const redirects = {
  g10: `${publicInferno}/custom/smart/redirect`,
  'us-core': `${publicInferno}/custom/smart/redirect`,
  'smart-stu2': `${publicInferno}/custom/smart_stu2/redirect`,
  'smart-stu2-2': `${publicInferno}/custom/smart_stu2_2/redirect`,
  bulk: null,
} as const

type Input = {
  name: string
  value: { client_id?: string; client_secret?: string; requested_scopes?: string }
}
const inputsOf = (preset: string) => (JSON.parse(preset) as { inputs: Input[] }).inputs
const inputOf = (preset: string, name: string) => inputsOf(preset).find((each) => each.name === name)?.value

async function introspect(practice: string, header: string, token: string) {
  const [, credential = ''] = header.split(': ')
  const answer = await stack.app.fetch(
    new Request(stack.services.addresses.introspect(practice), {
      method: 'POST',
      headers: { authorization: credential, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${token}`,
    }),
    { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
  )
  return { status: answer.status, body: await answer.json() }
}

test.each(infernoKitNames)(
  '%s: every role is registered once, with the addresses of its kit',
  async (kit) => {
    const { inferno, prisma } = stack.services
    const { organizationId, owner } = await teams.makeTeam()

    const secrets = await inferno.register({ organizationId, kit, inferno: publicInferno }, owner.actor)
    const again = await inferno.register({ organizationId, kit, inferno: local }, owner.actor)

    const rows = await prisma.client.findMany({ where: { organizationId }, orderBy: { id: 'asc' } })
    const confidential = infernoKits[kit].roles.filter(
      (role) => infernoRoles[role].authentication === 'client_secret_basic',
    )
    expect(rows.map(({ id }) => id)).toEqual(
      infernoKits[kit].roles.map((role) => infernoClientId(kit, role, organizationId)).sort(),
    )
    expect(rows.every(({ environment }) => environment === 'sandbox')).toBe(true)
    expect(rows.every(({ introspectsAll, everyPractice }) => !introspectsAll && !everyPractice)).toBe(true)
    expect(Object.keys(secrets).sort()).toEqual([...confidential].sort())
    expect(again).toEqual({})
    const people = rows.filter(({ audience }) => audience !== 'backend')
    const moved = redirects[kit]?.replace(publicInferno, local)
    expect(people.map(({ redirectUris }) => redirectUris)).toEqual(people.map(() => [moved]))
    expect(rows.filter(({ launchUrl }) => launchUrl).map(({ launchUrl }) => launchUrl)).toEqual(
      rows.filter(({ audience }) => audience === 'clinician').map(() => moved?.replace('redirect', 'launch')),
    )
    const ownApps = await stack.services.clients.listPage(
      organizationId,
      readPageAsk(new URLSearchParams()),
      owner.actor,
      {
        withoutIds: ['inferno-'],
      },
    )
    expect(ownApps.rows, 'guides show no app of a kit').toEqual([])
    const signing = rows.filter(({ authentication }) => authentication === 'private_key_jwt')
    for (const { jwksUrl, jwks } of signing) {
      expect(jwksUrl).toBeNull()
      expect((jwks as { keys: { alg: string }[] }).keys.map(({ alg }) => alg)).toEqual(['ES384', 'RS384'])
    }
  },
)

describe('the preset', () => {
  test('gives a token of the conformance person, and introspects it with its own credentials', async () => {
    const { inferno } = stack.services
    const { organizationId, owner } = await teams.makeTeam()
    const secrets = await inferno.register(
      { organizationId, kit: 'g10', inferno: publicInferno },
      owner.actor,
    )
    const facts = await inferno.describe(organizationId, owner.actor)
    const preset = infernoPreset('g10', { ...facts, secrets })
    const { client_id: clientId = '', requested_scopes: scope = '' } =
      inputOf(preset, 'standalone_smart_auth_info') ?? {}

    const issued = await smartSupport(stack.services).issueToken({
      practice: facts.practice,
      scope,
      client: { clientId },
      patientId: conformancePersonId,
    })

    const header = String(inputOf(preset, 'custom_authorization_header'))
    const { status, body } = await introspect(facts.practice, header, issued.access_token)
    expect([status, body.active, body.client_id]).toEqual([200, true, clientId])
    expect([body.patient, body.scope]).toEqual([conformancePersonId, issued.scope])
    expect(await introspect(facts.practice, header, 'unknown')).toEqual({
      status: 200,
      body: { active: false },
    })
    expect(facts.patientIds).toContain(conformancePersonId)
    expect(String(inputOf(preset, 'bulk_patient_ids_in_group')).split(',')).toEqual(facts.patientIds)
  })

  test.each(infernoKitNames)(
    '%s: names the suite, the base and the apps, and no secret once they are lost',
    async (kit) => {
      const { inferno } = stack.services
      const { organizationId, owner } = await teams.makeTeam()
      const secrets = await inferno.register({ organizationId, kit, inferno: publicInferno }, owner.actor)
      const facts = await inferno.describe(organizationId, owner.actor)

      const later = infernoPreset(kit, { ...facts, secrets: {} })
      const once = infernoPreset(kit, { ...facts, secrets })

      expect(JSON.parse(later)).toMatchObject({ test_suite_id: infernoKits[kit].suite })
      expect(inputsOf(later).map(({ value }) => value)).toContain(facts.base)
      const named = new Set(inputsOf(later).flatMap(({ value }) => value.client_id ?? []))
      expect([...named].sort()).toEqual(
        infernoKits[kit].roles.map((role) => infernoClientId(kit, role, organizationId)).sort(),
      )
      for (const [role, secret] of Object.entries(secrets) as [InfernoRole, string][]) {
        expect(once, role).toContain(secret)
        expect(later).not.toContain(secret)
        expect(later).toContain(secretPlaceholder)
      }
    },
  )
})

test.each(infernoKitNames.filter((kit) => infernoKits[kit].roles.some((role) => role === 'backend')))(
  '%s: an owner’s press lets the backend system in, a developer’s does not',
  async (kit) => {
    const { inferno, prisma } = stack.services
    const { organizationId, owner } = await teams.makeTeam()
    const developer = await teams.addMember(organizationId, 'developer')
    const order = { organizationId, kit, inferno: publicInferno }
    const where = { clientId: infernoClientId(kit, 'backend', organizationId) }

    await inferno.register(order, developer.actor)
    expect(await prisma.practiceSystemAuthorization.findMany({ where })).toEqual([])
    await inferno.register(order, owner.actor)

    expect(await prisma.practiceSystemAuthorization.findMany({ where })).toMatchObject([{ state: 'granted' }])
  },
)

test('a viewer registers nothing, and nobody else learns of it', async () => {
  const { inferno, prisma } = stack.services
  const { organizationId } = await teams.makeTeam()
  const viewer = await teams.addMember(organizationId, 'viewer')
  const { owner: stranger } = await teams.makeTeam()
  const order = { organizationId, kit: 'bulk', inferno: publicInferno } as const

  await expect(inferno.register(order, viewer.actor)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(inferno.register(order, stranger.actor)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(inferno.describe(organizationId, stranger.actor)).rejects.toMatchObject({ kind: 'not_found' })
  expect(await prisma.client.count({ where: { organizationId } })).toBe(0)
})
