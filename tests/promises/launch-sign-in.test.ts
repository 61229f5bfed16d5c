/** Simulated launches whose person signs in on the real page and decides on the real consent page. */
import { describe, expect, test } from 'vitest'
import type { LaunchKind } from '../../server/contract/lab/launch-lab.ts'
import { signInAddress } from '../../server/contract/lab/sandbox-sign-ins.ts'
import { readScopes } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import type { NewSimulation } from '../../server/lab/launches/simulations.ts'
import { type SmartAnswer, smartStack } from '../support/smart-http.ts'

const patientId = 'pt-wren-testwell'
const scopes = {
  clinician: 'openid fhirUser launch offline_access user/Patient.rs user/Observation.rs',
  patient: 'openid fhirUser launch launch/patient offline_access patient/Patient.rs patient/Observation.rs',
}

const apps = new Map<string, RegisteredClient>()

const appOf = (audience: 'patient' | 'clinician') => ({
  scope: scopes[audience],
  audience,
  everyPractice: false,
  launchUrl: 'https://app.example/launch',
})

const stack = await smartStack()
const made = await stack.createOrganization()
// Who starts a launch and who opens the app sit at one address.
const developer = { ...made.developer, ip: '192.0.2.1' }
const organizationId = made.organizationId
for (const audience of ['patient', 'clinician'] as const)
  apps.set(audience, (await stack.createClient({ ...appOf(audience), organizationId })).client)
const { iss } = await stack.services.launchLab.choices(organizationId, developer)
const practice = iss.split('/').at(-1) ?? ''
const { id: practiceId } = await stack.services.prisma.practice.findUniqueOrThrow({
  where: { slug: practice },
})

const audienceOf = (kind: LaunchKind) =>
  kind === 'ehr' || kind === 'standalone-clinician' ? 'clinician' : 'patient'
const appFor = (kind: LaunchKind) => apps.get(audienceOf(kind)) as RegisteredClient

function start(kind: LaunchKind, change: Partial<NewSimulation> = {}) {
  return stack.services.launchLab.start(
    {
      organizationId,
      kind,
      app: appFor(kind).clientId,
      signIn: 'on_page',
      patientId,
      // Left aside: who signs in is found out on the page.
      practitionerId: 'pr-ines-placeholder',
      encounterId: null,
      intent: null,
      needPatientBanner: true,
      fault: null,
      ...change,
    },
    developer,
  )
}

const authorize = (kind: LaunchKind, launch?: string | null) =>
  stack.authorize({
    client: appFor(kind),
    scope: scopes[audienceOf(kind)],
    practice,
    change: launch ? { launch } : {},
  })

/** Somebody who has a sign-in at every sandbox. */
async function person(localPart: string): Promise<Actor> {
  const email = signInAddress(localPart, practice)
  const { id } = await stack.services.prisma.account.findFirstOrThrow({ where: { email } })
  return stack.actorOf(id)
}

/** As the consent page does it; what is left out is not ticked. */
async function allow(answer: SmartAnswer, actor: Actor, ticked?: string, chosen: string | null = null) {
  const handle = stack.handleOf(answer)
  const offered = await stack.services.authorizations.get(handle)
  const { redirectTo } = await stack.services.launchedConsent.approve(handle, actor, {
    patientId: chosen,
    scopes: ticked === undefined ? offered.scopes : readScopes(ticked),
    offlineAccess: true,
  })
  return new URL(redirectTo)
}

const tokenOf = async (kind: LaunchKind, back: URL) =>
  (await stack.exchange(back.searchParams.get('code') ?? '', appFor(kind), { practice })).body

const stepsOf = async (id: string) =>
  (await stack.services.launchLab.get({ organizationId, id }, developer)).steps
const namesOf = async (id: string) => (await stepsOf(id)).map(({ step, ok }) => `${step} ${ok}`)

describe('a launch from the EHR', () => {
  test('asks for a sign-in; the launch names patient and visit, and whoever signed in is fhirUser', async () => {
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { id: practiceId },
    })
    const { rows } = await stack.services.pool.query<{ id: string }>(
      `SELECT id FROM clinical.resource WHERE dataset_id = $1
       AND content LIKE '%"resourceType":"Encounter"%' AND content LIKE '%"Patient/${patientId}"%' LIMIT 1`,
      [datasetId],
    )
    const encounterId = rows[0]?.id ?? ''
    const { id, launch } = await start('ehr', { encounterId, intent: 'reconcile-medications' })

    const answer = await authorize('ehr', launch)

    const nell = await person('nell.testerby')
    const { authorizations } = stack.services
    expect(await authorizations.get(stack.handleOf(answer))).toMatchObject({
      realm: 'practice',
      launch: { patientId },
      needsPatientChoice: false,
    })
    expect(await authorizations.eligibility(stack.handleOf(answer), nell)).toEqual({ kind: 'eligible' })
    const token = await tokenOf('ehr', await allow(answer, nell))
    const { patient, encounter, intent } = token
    expect([patient, encounter, intent]).toEqual([patientId, encounterId, 'reconcile-medications'])
    const claims = JSON.parse(Buffer.from(token.id_token.split('.')[1], 'base64url').toString())
    expect(claims.fhirUser).toMatch(new RegExp(`/r4/${practice}/Practitioner/pr-nell-testerby$`))
    const read = await stack.send(stack.at(`Patient/${patientId}`, practice), {
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    expect(read.status).toBe(200)
    expect(await namesOf(id)).toEqual(['launched true', 'authorize true', 'consent true', 'token true'])
    const consent = (await stepsOf(id))[2]
    expect(consent?.note).toBe('Practitioner/pr-nell-testerby allowed it.')
    expect(JSON.stringify(await stepsOf(id))).not.toContain(token.access_token)
  })

  test('is in the log when the person does not allow it, or goes away before signing in', async () => {
    const said = await start('ehr')
    const away = await start('ehr')
    const { launchedConsent } = stack.services

    const { redirectTo } = await launchedConsent.deny(
      stack.handleOf(await authorize('ehr', said.launch)),
      await person('ines.placeholder'),
    )
    await launchedConsent.deny(stack.handleOf(await authorize('ehr', away.launch)), null)

    expect(new URL(redirectTo).searchParams.get('error')).toBe('access_denied')
    for (const { id } of [said, away])
      expect(await namesOf(id)).toEqual(['launched true', 'authorize true', 'consent false'])
  })

  test('is decided by clinicians of the practice only', async () => {
    const { launch } = await start('ehr')
    const answer = await authorize('ehr', launch)
    const handle = stack.handleOf(answer)
    const elsewhere = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })
    const strangers = [
      await person('theo.placeholder'),
      await person('wren.testwell'),
      await stack.createClinician(elsewhere.id, 'pr-nell-testerby'),
    ]

    for (const stranger of strangers) {
      expect(await stack.services.authorizations.eligibility(handle, stranger)).toEqual({
        kind: 'not_of_practice',
      })
      await expect(allow(answer, stranger)).rejects.toMatchObject({ kind: 'forbidden' })
    }
  })
})

test('a person with access to the patient decides on a launch from the patient portal', async () => {
  const { launch } = await start('portal', { patientId: 'pt-juno-testwell' })
  const answer = await authorize('portal', launch)
  const { eligibility } = stack.services.authorizations

  for (const other of ['wren.testwell', 'zoe.munoz', 'ines.placeholder'])
    expect(await eligibility(stack.handleOf(answer), await person(other))).toEqual({
      kind: 'not_of_practice',
    })
  await expect(allow(answer, await person('wren.testwell'), undefined, patientId)).rejects.toMatchObject({
    kind: 'forbidden',
  })
  // Of another patient than the launch's, whatever the form says.
  const token = await tokenOf(
    'portal',
    await allow(answer, await person('marlo.testwell'), undefined, 'pt-marlo-testwell'),
  )
  expect(token.patient).toBe('pt-juno-testwell')
})

test('an app that opens by itself lets the person choose, and its log has the decision', async () => {
  const { id } = await start('standalone-patient')

  const answer = await authorize('standalone-patient')

  const marlo = await person('marlo.testwell')
  const back = await allow(answer, marlo, undefined, 'pt-pip-testwell')
  expect((await tokenOf('standalone-patient', back)).patient).toBe('pt-pip-testwell')
  expect(await namesOf(id)).toEqual(['authorize true', 'consent true', 'token true'])
})
