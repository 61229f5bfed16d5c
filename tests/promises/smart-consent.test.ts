/** What people leave out on the consent page stays out: in refreshes, and when the same app asks again. */
import { describe, expect, test } from 'vitest'
import {
  chooseGroups,
  consentGroups,
  firstChoice,
  groupScopes,
} from '../../server/contract/smart/consent-groups.ts'
import { chooseScopes } from '../../server/contract/smart/scope-labels.ts'
import { covers } from '../../server/contract/smart/scope-narrowing.ts'
import { readScopes } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { SmartAnswer } from '../support/smart-http.ts'
import { noClientId, personStack } from '../support/smart-person.ts'

const patientId = 'pt-wren-testwell'
const asked = 'openid fhirUser launch/patient offline_access patient/*.rs'

const world = await personStack()

const newPerson = (id = patientId) => world.stack.createPatientPerson(world.practiceId, id)
const open = (scope = asked, client = world.client) => world.stack.authorize({ client, scope })

/** The groups and what of them is ticked when the person sees the page. */
async function pageOf(answer: SmartAnswer, actor: Actor, id: string | null = patientId) {
  const { authorizations } = world.stack.services
  const handle = world.stack.handleOf(answer)
  const { scopes, realm } = await authorizations.get(handle)
  const groups = groupScopes(scopes, 'own')
  const earlier = await authorizations.lastChoice(handle, actor, id)
  return { scopes, groups, first: firstChoice(groups, realm, earlier), earlier }
}

/** The person unticks groups of what the page shows, ticks others, and allows the rest for long. */
async function allow(
  actor: Actor,
  { without = [], also = [] }: { without?: string[]; also?: string[] },
  scope = asked,
) {
  const { stack, client, withSecret } = world
  const answer = await open(scope)
  const { scopes, groups, first } = await pageOf(answer, actor)
  const ticked = [...first.groups, ...also].filter((id) => !without.includes(id))
  const chosen = chooseGroups(groups, { groups: ticked, boxes: first.boxes })
  const back = await stack.decide(answer, actor, {
    patientId,
    scopes: chooseScopes(scopes, { ...chosen, lasting: true }),
    offlineAccess: true,
  })
  const code = back.searchParams.get('code') ?? ''
  const { body } = await stack.exchange(code, client, { change: noClientId, ...withSecret() })
  return body as { access_token: string; refresh_token: string; scope: string }
}

const readStatus = async (path: string, token: string) =>
  (await world.stack.send(world.stack.at(path), { headers: { authorization: `Bearer ${token}` } })).status

/** Statuses of a first search of each, in order. */
const searches = (types: readonly string[], token: string) =>
  Promise.all(types.map((type) => readStatus(`${type}?patient=${patientId}`, token)))

describe('two groups that a person left out', () => {
  const refusedTypes = [
    'MedicationRequest',
    'MedicationDispense',
    'DocumentReference',
    'QuestionnaireResponse',
  ]

  test('stay out of every refreshed token, whatever the app asks for', async () => {
    const body = await allow(await newPerson(), { without: ['medications', 'documents'] })
    const { status, body: next } = await world.refresh(body.refresh_token)

    expect(status).toBe(200)
    expect(new Set(next.scope.split(' '))).toEqual(new Set(body.scope.split(' ')))
    expect(await searches([...refusedTypes, 'Condition'], next.access_token)).toEqual([
      403, 403, 403, 403, 200,
    ])
    for (const scope of [asked, 'patient/MedicationRequest.rs', 'patient/*.read']) {
      const wider = await world.refresh(next.refresh_token, { scope })
      expect([wider.status, wider.body.error], scope).toEqual([400, 'invalid_scope'])
    }
    expect((await world.refresh(next.refresh_token)).status).toBe(200)
  })

  test('stay out of tokens given before, when the person allows more the next time', async () => {
    const person = await newPerson()
    const body = await allow(person, { without: ['medications', 'documents'] })
    const wider = await allow(person, { also: ['medications', 'documents'] })
    const { body: next } = await world.refresh(body.refresh_token)

    expect(await searches(refusedTypes.slice(0, 3), wider.access_token)).toEqual([200, 200, 200])
    expect(await searches(refusedTypes, next.access_token)).toEqual([403, 403, 403, 403])
  })

  test('are unticked when the same app asks again, and everything else is ticked', async () => {
    const person = await newPerson()
    await allow(person, { without: ['medications', 'documents'], also: ['sensitive'] })

    const again = await pageOf(await open(), person)

    const left = Object.keys(consentGroups).filter((id) => !['medications', 'documents'].includes(id))
    expect(again.first.groups).toEqual(left)
    const granted = await allow(person, {})
    expect(await searches(refusedTypes, granted.access_token)).toEqual([403, 403, 403, 200])
    expect(
      readScopes(granted.scope).some((scope) => covers(readScopes('patient/Observation.rs'), scope)),
    ).toBe(true)
  })

  test('are remembered after the person stopped the app', async () => {
    const person = await newPerson()
    await allow(person, { without: ['medications', 'documents'] })
    const { grants } = world.stack.services
    const [app] = await grants.listForAccount(person.accountId)
    await grants.revoke(app?.grantId ?? '', person)

    const { first } = await pageOf(await open(), person)
    expect(first.groups).not.toContain('medications')
    expect(first.groups).not.toContain('documents')
  })

  test('are remembered as left out also when the app is registered for less meanwhile', async () => {
    const person = await newPerson()
    await allow(person, { without: ['medications'] })
    const { prisma } = world.stack.services
    await prisma.grant.updateMany({
      where: { accountId: person.accountId },
      data: { scope: 'patient/Patient.rs' },
    })

    const { first } = await pageOf(await open(), person)
    expect(first.groups).toEqual(
      Object.keys(consentGroups).filter((id) => !['medications', 'sensitive'].includes(id)),
    )
  })
})

describe('a choice is remembered', () => {
  test('of what the person decided last', async () => {
    const person = await newPerson()
    await allow(person, { without: ['vitals'] })
    world.stack.services.advance(60_000)
    await allow(person, { without: ['visits'], also: ['vitals'] })

    const { first } = await pageOf(await open(), person)
    expect(first.groups).toContain('vitals')
    expect(first.groups).not.toContain('visits')
  })

  test('for the same person, the same app and the same record only', async () => {
    const { stack, practiceId, publicApp } = world
    const parent = await newPerson()
    await stack.services.prisma.patientLogin.create({
      data: {
        practiceId,
        accountId: parent.accountId,
        patientId: 'pt-juno-testwell',
        relationship: 'parent',
        createdAt: stack.services.clock(),
      },
    })
    await allow(parent, { without: ['medications'] })

    const ofOther = await pageOf(await open(), await newPerson())
    const ofChild = await pageOf(await open(), parent, 'pt-juno-testwell')
    const ofOtherApp = await pageOf(await open(asked, publicApp), parent)
    expect([ofOther, ofChild, ofOtherApp].map(({ earlier }) => earlier)).toEqual([null, null, null])
    expect((await pageOf(await open(), parent)).earlier).not.toBeNull()
  })

  test('for a clinician across patients', async () => {
    const { stack, practiceId } = world
    const scope = 'launch/patient patient/Patient.rs patient/Condition.rs patient/Goal.rs'
    const { client } = await stack.createClient({ scope, audience: 'clinician' })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    await stack.decide(await open(scope, client), ines, {
      patientId,
      scopes: readScopes('patient/Patient.rs patient/Condition.rs'),
    })

    const { first, earlier } = await pageOf(await open(scope, client), ines, 'pt-juno-testwell')
    expect(earlier?.refused).toEqual(['Goal'])
    expect(first.boxes).not.toContain('Goal')
  })

  test('nothing is remembered of a no, and a first question starts with all but sensitive records', async () => {
    const person = await newPerson()
    const { first } = await pageOf(await open(), person)
    expect(first.groups).toEqual(Object.keys(consentGroups).filter((id) => id !== 'sensitive'))
    await world.stack.services.authorizations.deny(world.stack.handleOf(await open()), person)
    expect((await pageOf(await open(), person)).earlier).toBeNull()
  })

  test('is told only to the browser of the request', async () => {
    const person = await newPerson()
    await allow(person, {})
    const handle = world.stack.handleOf(await open())
    await expect(
      world.stack.services.authorizations.lastChoice({ ...handle, cookieHeader: null }, person, patientId),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })
})

test('sensitive records are granted to a patient’s app only when the person ticks them', async () => {
  const without = await allow(await newPerson(), {})
  const within = await allow(await newPerson(), { also: ['sensitive'] })

  expect(without.scope).toContain('observation-category|laboratory')
  expect(without.scope).not.toMatch(/survey|social-history|sdoh|QuestionnaireResponse|Observation\.rs( |$)/)
  expect(new Set(within.scope.split(' '))).toEqual(new Set(asked.split(' ')))
  expect(await searches(['QuestionnaireResponse'], without.access_token)).toEqual([403])
})

describe('the list of allowed apps', () => {
  const lastOf = async ({ accountId }: Actor) => {
    const { grants, lastReads } = world.stack.services
    const apps = await grants.listForAccount(accountId)
    const lastReadOf = await lastReads(apps, { accountId })
    return apps.flatMap(({ records }) => records.map(lastReadOf))
  }

  test('says when an app last read the record, of the reader’s own authorizations', async () => {
    const { stack } = world
    const [person, other] = [await newPerson(), await newPerson('pt-juno-testwell')]
    const scope = 'launch/patient patient/Condition.rs'
    const { client } = await stack.createClient({ scope })
    const code = await stack.obtainCode({ client, scope, actor: person, patientId })
    const { body } = await stack.exchange(code, client)
    expect(await lastOf(person)).toEqual([null])

    stack.services.advance(60_000)
    const at = stack.services.clock()
    expect(await readStatus(`Condition?patient=${patientId}`, body.access_token)).toBe(200)
    stack.services.advance(60_000)
    // A refused request reads nothing.
    expect(await readStatus('QuestionnaireResponse', body.access_token)).toBe(403)

    expect(await lastOf(person)).toEqual([at])
    expect(await lastOf(other)).toEqual([])
  })

  test('doesn’t say what the app reads for another person who acts for the same patient', async () => {
    const { stack, practiceId } = world
    const [self, parent] = [
      await newPerson('pt-juno-testwell'),
      await stack.createPatientPerson(practiceId, 'pt-juno-testwell', 'parent'),
    ]
    const scope = 'launch/patient patient/Patient.rs'
    const launchAs = async (actor: Actor) => {
      const answer = await stack.authorize({ client: world.publicApp, scope })
      const back = await stack.decide(answer, actor, { patientId: 'pt-juno-testwell' })
      return (await stack.exchange(back.searchParams.get('code') ?? '', world.publicApp)).body
    }
    await launchAs(parent)
    const body = await launchAs(self)
    expect(await readStatus('Patient/pt-juno-testwell', body.access_token)).toBe(200)

    expect(await lastOf(self)).toEqual([expect.any(Date)])
    expect(await lastOf(parent)).toEqual([null])
  })
})
