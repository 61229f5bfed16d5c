/**
 * From the authorize page to the records: what was granted is what reads, no less and no more, as the certification
 * suites walk it (single patient API, groups 1, 2 and 9).
 */
import { describe, expect, test } from 'vitest'
import { type FhirType, registryRow } from '../../server/contract/fhir/registry.ts'
import { boxNames, chooseScopes, describeScopes, pickName } from '../../server/contract/smart/scope-labels.ts'
import { formatScopes, readScopes, type Scope } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { SmartAnswer } from '../support/smart-http.ts'
import { noClientId, personStack, standalone } from '../support/smart-person.ts'

const patientId = 'pt-wren-testwell'
const terminology = 'http://terminology.hl7.org/CodeSystem'
const usCore = 'http://hl7.org/fhir/us/core/CodeSystem'

const world = await personStack()

const read = (path: string, token: string): Promise<SmartAnswer> =>
  world.stack.send(path.startsWith('http') ? path : world.stack.at(path), {
    headers: { authorization: `Bearer ${token}` },
  })

const typesOf = (scope: string) =>
  readScopes(scope).flatMap((each) => (each.kind === 'resource' ? [each.type] : []))

/** A first search as a client sends it: by patient wherever the type has one. */
function firstSearch(type: string): string {
  const byPatient = registryRow(type as FhirType).parameters.some(({ name }) => name === 'patient')
  return byPatient ? `${type}?patient=${patientId}` : `${type}?_count=1`
}

/** Every part of every type and the rest, as the page has them ticked. */
const allPicks = (offered: readonly Scope[]) => describeScopes(offered, 'own').lines.flatMap(boxNames)

/** The person allows what is chosen of what the app asked for. */
async function allow(scope: string, types: readonly string[], picks?: readonly string[]) {
  const { stack, client, wren, withSecret } = world
  const answer = await stack.authorize({ client, scope })
  const offered = (await stack.services.authorizations.get(stack.handleOf(answer))).scopes
  const back = await stack.decide(answer, wren, {
    patientId,
    scopes: chooseScopes(offered, { types, picks: picks ?? allPicks(offered), lasting: true }),
    offlineAccess: true,
  })
  const code = back.searchParams.get('code') ?? ''
  const { body } = await stack.exchange(code, client, { change: noClientId, ...withSecret() })
  return body
}

test('a token with fhirUser and no scope for its type reads the resource that fhirUser names, and no other', async () => {
  const { stack, practiceId } = world
  const launchAs = async (scope: string) => {
    const { client } = await stack.createClient({ scope, audience: 'clinician' })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    const back = await stack.decide(await stack.authorize({ client, scope }), ines)
    return (await stack.exchange(back.searchParams.get('code') ?? '', client)).body
  }
  const { body: patients } = await world.launch('openid fhirUser launch/patient patient/Condition.rs')
  const { body: without } = await world.launch('openid launch/patient patient/Condition.rs')
  const clinicians = await launchAs('openid fhirUser')

  const statusOf = async (path: string, body: { access_token: string }) =>
    (await read(path, body.access_token)).status

  expect((await read(fhirUserOf(patients), patients.access_token)).body.id).toBe(patientId)
  expect((await read(fhirUserOf(clinicians), clinicians.access_token)).body.id).toBe('pr-ines-placeholder')
  expect(await statusOf(`Patient/${patientId}`, without)).toBe(403)
  expect(await statusOf(`Patient?_id=${patientId}`, patients)).toBe(403)
  expect(await statusOf('Patient/pt-marlo-testwell', patients)).toBe(403)
  expect(await statusOf(`Patient/${patientId}/$everything`, patients)).toBe(403)
  expect(await statusOf('Practitioner/pr-theo-sample', clinicians)).toBe(403)
  expect(await statusOf(`Patient/${patientId}`, clinicians)).toBe(403)
})

test('with all types granted every one of them is searched; with three left ticked every other is refused', async () => {
  const all = typesOf(standalone)
  const ticked = ['Patient', 'Condition', 'Observation']
  const whole = await allow(standalone, all)
  const narrowed = await allow(standalone, ticked)

  const statuses = async (token: string) =>
    Object.fromEntries(
      await Promise.all(all.map(async (type) => [type, (await read(firstSearch(type), token)).status])),
    )

  expect(all).toHaveLength(26)
  expect(new Set(typesOf(whole.scope))).toEqual(new Set(all))
  expect(await statuses(whole.access_token)).toEqual(Object.fromEntries(all.map((type) => [type, 200])))
  expect(new Set(typesOf(narrowed.scope))).toEqual(new Set(ticked))
  expect(await statuses(narrowed.access_token)).toEqual(
    Object.fromEntries(all.map((type) => [type, ticked.includes(type) ? 200 : 403])),
  )
})

describe('granular scopes', () => {
  // Which records they let through is in the conformance test of granular scopes.
  test('asked for come back as asked, and no whole type beside them', async () => {
    const scopes = [
      'launch/patient',
      'patient/Patient.rs',
      `patient/Condition.rs?category=${terminology}/condition-category|problem-list-item`,
      `patient/Condition.rs?category=${usCore}/condition-category|health-concern`,
      `patient/Observation.rs?category=${terminology}/observation-category|laboratory`,
      `patient/Observation.rs?category=${usCore}/us-core-category|sdoh`,
    ]
    const { body } = await world.launch(scopes.join(' '))

    expect(new Set(body.scope.split(' '))).toEqual(new Set(scopes))
  })

  test('take the place of a whole type when the person picks parts of it on the consent page', async () => {
    const picked = [
      `Condition?category=${terminology}/condition-category|problem-list-item`,
      `Observation?category=${terminology}/observation-category|laboratory`,
      `Observation?category=${terminology}/observation-category|survey`,
    ]
    const asked = 'launch/patient patient/Condition.rs patient/Observation.rs patient/Patient.rs'
    const { scope } = await allow(asked, ['Condition', 'Observation', 'Patient'], picked)

    const granular = picked.map((each) => each.replace('?', '.rs?'))
    expect(new Set(scope.split(' '))).toEqual(
      new Set(['launch/patient', 'patient/Patient.rs', ...granular.map((each) => `patient/${each}`)]),
    )
  })

  test('are granted when the person picks every part of a type, and the whole type only when that is ticked, too', async () => {
    const asked = 'launch/patient patient/Condition.rs patient/Observation.rs patient/Patient.rs'
    const { lines } = describeScopes(readScopes(asked), 'own')
    const parts = lines.flatMap(({ type, picks }) => picks.map(({ filter }) => pickName(type, filter)))
    const types = ['Condition', 'Observation', 'Patient']

    const granular = await allow(asked, types, parts)
    const whole = await allow(asked, types, lines.flatMap(boxNames))
    // The rest alone cannot be granted: no scope says "in none of these categories".
    const restOnly = await allow(asked, types, ['Condition?*', 'Observation?*'])

    const scopes = granular.scope.split(' ')
    expect(new Set(scopes)).toEqual(
      new Set([
        'launch/patient',
        'patient/Patient.rs',
        ...parts.map((each) => `patient/${each.replace('?', '.rs?')}`),
      ]),
    )
    expect(scopes.filter((each: string) => each.startsWith('patient/Condition.rs?'))).toHaveLength(3)
    expect(new Set(whole.scope.split(' '))).toEqual(new Set(asked.split(' ')))
    expect(restOnly.scope).toBe('launch/patient patient/Patient.rs')
  })
})

describe('an app that a person allowed more than once', () => {
  const scope = 'launch/patient patient/Patient.rs'
  const reading = (bodies: readonly { access_token: string }[]) =>
    Promise.all(
      bodies.map(async ({ access_token }) => (await read(`Patient/${patientId}`, access_token)).status),
    )
  const newPerson = () => world.stack.createPatientPerson(world.practiceId, patientId)
  const listOf = ({ accountId }: Actor) => world.stack.services.grants.listForAccount(accountId)

  /** The person allows all of it to the app with the secret. */
  async function allowAs(actor: Actor, asked = scope) {
    const { stack, client, withSecret } = world
    const code = await stack.obtainCode({ client, scope: asked, actor, patientId })
    return { code, exchange: () => stack.exchange(code, client, { change: noClientId, ...withSecret() }) }
  }
  const launchAs = async (actor: Actor, asked = scope) =>
    (await (await allowAs(actor, asked)).exchange()).body

  test('is one app on their list, with all that it can read, and stops with all its tokens at one press', async () => {
    const { grants } = world.stack.services
    const person = await newPerson()
    const given = [
      await launchAs(person, `${scope} offline_access`),
      await launchAs(person, `${scope} patient/Condition.rs`),
    ]
    const apps = await listOf(person)

    expect(apps.map(({ records }) => records)).toEqual([[{ patientId, scopes: expect.any(Array) }]])
    expect(
      formatScopes(apps[0]?.records[0]?.scopes ?? [])
        .split(' ')
        .sort(),
    ).toEqual(['launch/patient', 'offline_access', 'patient/Condition.rs', 'patient/Patient.rs'].sort())
    expect(apps[0]).toMatchObject({ offline: true, firstGrantedAt: expect.any(Date) })
    // The second did not take the place of the first: the same app may run on two devices.
    expect(await reading(given)).toEqual([200, 200])

    expect(await grants.revoke(apps[0]?.grantId ?? '', person)).toEqual({ kind: 'revoked' })

    expect(await reading(given)).toEqual([401, 401])
    expect((await world.refresh(given[0].refresh_token)).status).toBe(400)
    expect(await listOf(person)).toEqual([])
    expect(await grants.revoke(apps[0]?.grantId ?? '', person)).toEqual({ kind: 'already_ended' })
  })

  test('gets nothing for a code that it had not exchanged when the person stopped it', async () => {
    const person = await newPerson()
    await launchAs(person)
    const { exchange } = await allowAs(person)
    const [app] = await listOf(person)

    await world.stack.services.grants.revoke(app?.grantId ?? '', person)

    const { status, body } = await exchange()
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  })

  test('goes on for everyone else, and another app goes on for the same person', async () => {
    const { stack, publicApp } = world
    const [person, other] = [await newPerson(), await newPerson()]
    const ofOtherApp = await stack.exchange(
      await stack.obtainCode({ client: publicApp, scope, actor: person, patientId }),
      publicApp,
    )
    const given = [await launchAs(person), await launchAs(other), ofOtherApp.body]
    const [app] = await listOf(person)
    expect(app?.client.clientId).toBe(world.client.clientId)

    await stack.services.grants.revoke(app?.grantId ?? '', person)

    expect(await reading(given)).toEqual([401, 200, 200])
  })

  test('is stopped whole by the practice’s administrator, too, and the console counts each person once', async () => {
    const { stack, practiceId, client } = world
    const { prisma, practiceConsole, grants } = stack.services
    const admin = await stack.createAdmin(practiceId)
    const peopleOf = async () => {
      const { listed } = await practiceConsole.read(practiceId, admin, { group: 'apps' })
      const app = listed.rows.find(({ id }) => id === client.clientId)
      return app?.kind === 'app' ? app.people : 0
    }
    const before = await peopleOf()
    const person = await newPerson()
    const given = [await launchAs(person), await launchAs(person)]
    const seen = await peopleOf()
    const oldest = await prisma.grant.findFirstOrThrow({
      where: { accountId: person.accountId },
      orderBy: { id: 'asc' },
    })

    await grants.revoke(oldest.id, admin)

    expect([seen - before, (await peopleOf()) - before]).toEqual([1, 0])
    expect(await reading(given)).toEqual([401, 401])
  })
})

/** What the id_token says, unverified: that is another test's. */
function claimsOf({ id_token }: { id_token: string }): { iss: string; sub: string; fhirUser: string } {
  return JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

const fhirUserOf = (body: { id_token: string }) => claimsOf(body).fhirUser
