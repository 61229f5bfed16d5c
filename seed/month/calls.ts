/**
 * Writes thirty days of calls in bulk: the activity of keys and apps, and the access record. The same day and seed give the
 * same calls. Each caller has its own hours, habits and errors.
 */

import { createHash } from 'node:crypto'
import { type CountedRecord, insertRecords } from '../../server/audit/log-rows.ts'
import { fhirTypeNumbers } from '../../server/contract/fhir/numbers.ts'
import type { RefusalReason } from '../../server/contract/keys/refusal-reasons.ts'
import { type OperationId, operations } from '../../server/contract/rest/operations.ts'
import { readNames } from '../../server/domain/patients/read-own-patient.ts'
import { type Chance, createRandomness } from '../randomness.ts'
import { registrationOf } from './apps.ts'
import { who } from './people.ts'
import { calledProductionKey } from './production-keys.ts'
import type { calledKeys } from './sandbox-keys.ts'
import type { Days, Scene } from './scene.ts'

/** The kinds of calls of a caller, with their shares. */
type Habit = Readonly<{
  operation: OperationId
  share: number
  /** Refused calls. */
  refusals?: readonly (readonly [share: number, status: number, code: RefusalReason])[]
}>

type Caller = Readonly<{
  /** Calls per day at the beginning and at the end of the month. */
  callsADay: readonly [number, number]
  hours: readonly [number, number]
  weekends: boolean
  /** Days before today of the first call. */
  since: number
  ip: string
  habits: readonly Habit[]
}>

const notFound = [0.04, 404, 'not_found'] as const

const callers: Readonly<Record<(typeof calledKeys)[number] | typeof calledProductionKey, Caller>> = {
  'Chart sync': {
    callsADay: [14, 42],
    hours: [8, 18],
    weekends: false,
    since: 32,
    ip: '203.0.113.41',
    habits: [
      { operation: 'getContext', share: 0.1 },
      { operation: 'listPatients', share: 0.35, refusals: [[0.08, 400, 'validation:birthdate']] },
      { operation: 'getPatient', share: 0.45, refusals: [notFound] },
      { operation: 'getCcda', share: 0.1 },
    ],
  },
  'Nightly import': {
    callsADay: [30, 34],
    hours: [2, 4],
    weekends: true,
    since: 30,
    ip: '203.0.113.42',
    habits: [
      { operation: 'listPatients', share: 0.5, refusals: [[0.02, 503, 'unavailable']] },
      { operation: 'getPatient', share: 0.4 },
      { operation: 'createDocument', share: 0.1, refusals: [[1, 403, 'read_only']] },
    ],
  },
  'Reminder prototype': {
    callsADay: [6, 16],
    hours: [9, 17],
    weekends: false,
    since: 29,
    ip: '203.0.113.57',
    habits: [
      { operation: 'listPatients', share: 0.6 },
      { operation: 'listPractitioners', share: 0.4, refusals: [notFound] },
    ],
  },
  'Measures notebook': {
    callsADay: [50, 18],
    hours: [13, 20],
    weekends: true,
    since: 31,
    ip: '203.0.113.73',
    habits: [
      { operation: 'listPatients', share: 0.7, refusals: [[0.22, 429, 'rate_limited_key']] },
      { operation: 'getPatient', share: 0.3, refusals: [notFound] },
    ],
  },
  [calledProductionKey]: {
    callsADay: [28, 36],
    hours: [1, 3],
    weekends: true,
    since: 37,
    ip: '203.0.113.44',
    habits: [
      { operation: 'listPatients', share: 0.2 },
      { operation: 'getPatient', share: 0.75, refusals: [[0.02, 404, 'not_found']] },
      { operation: 'listPractitioners', share: 0.05 },
    ],
  },
}

type PeopleApp = Readonly<{
  name: string
  slug: string
  since: number
  callsADay: number
  type: string
  audience: 'patient' | 'clinician'
  people: number
  purpose: string
}>

/** Apps that people use at the two practices all month. */
const apps: readonly PeopleApp[] = [
  {
    name: 'Larkfield Growth Curves',
    slug: 'juniper-point',
    since: 15,
    callsADay: 12,
    type: 'Observation',
    audience: 'clinician',
    people: 1,
    purpose: 'treatment',
  },
  {
    name: 'Brightmeadow Family Hub',
    slug: 'harbor-family',
    since: 12,
    callsADay: 18,
    type: 'Patient',
    audience: 'patient',
    people: 4,
    purpose: 'patient_request',
  },
]

const seed = 42
const batch = 2_000

/** @returns the number of written rows */
export async function writeCalls(scene: Scene, days: Days): Promise<number> {
  const random = createRandomness(seed)
  const records: CountedRecord[] = []
  for (const [name, caller] of Object.entries(callers)) {
    const key = await scene.prisma.apiKey.findFirst({
      where: { name, rotatedAt: null },
      include: { practice: true },
    })
    if (!key) throw new Error(`the month has no key “${name}”`)
    const patients = await patientsOf(scene, key.practice.datasetId)
    records.push(...callsOf(key, caller, { chance: random.stream('calls', name), days, patients }))
  }
  for (const app of apps) records.push(...(await usesOf(scene, days, app, random.stream('app', app.name))))
  records.sort((one, other) => (one.activity?.at.getTime() ?? 0) - (other.activity?.at.getTime() ?? 0))
  for (let from = 0; from < records.length; from += batch)
    await scene.pool.query(insertRecords(records.slice(from, from + batch)))
  return records.length
}

type Activity = NonNullable<CountedRecord['activity']>
type Access = NonNullable<CountedRecord['access']>
/** The fields that both log rows of a call share. */
type Shared = Pick<Activity, 'at' | 'correlationId'> & { readonly practiceId: string }

function recordOf(
  shared: Shared,
  activity: Omit<Activity, keyof Shared | 'claimedPrefix' | 'clientCorrelationId'>,
  access: Omit<Access, keyof Shared>,
): CountedRecord {
  return {
    count: 1,
    activity: { ...shared, claimedPrefix: null, clientCorrelationId: null, ...activity },
    access: { ...shared, ...access },
  }
}

type Chosen = Readonly<{ chance: Chance; days: Days; patients: readonly string[] }>

function callsOf(
  {
    id: keyId,
    environment,
    practiceId,
  }: Readonly<{ id: string; environment: 'sandbox' | 'production'; practiceId: string }>,
  caller: Caller,
  { chance, days, patients }: Chosen,
): CountedRecord[] {
  const { habits, ip } = caller
  return timesOf(caller, chance, days).map((at) => {
    const habit = pickHabit(habits, chance)
    const { method, path, access } = operations[habit.operation]
    const refused = habit.refusals?.find(([share]) => chance.happens(share))
    const [, status, refusal] = refused ?? [0, method === 'POST' ? 201 : 200, null]
    const isServed = refusal === null
    const isRead = path.includes('{id}')
    const correlationId = uuidOf(chance)
    const durationMs = durationOf(chance, path)
    const patientId = isRead && isServed && patients.length > 0 ? chance.pick(patients) : null
    const count = isServed ? (isRead ? 1 : chance.integer(3, 20)) : 0
    const { action, resourceType } = access
    return recordOf(
      { at, practiceId, correlationId },
      {
        ...{ door: 'rest', environment, keyId, method, route: path, status, ip },
        ...{ durationMs, refusal, fromBrowser: false },
      },
      {
        ...{ principalKind: 'api_key', principalId: keyId, action, resourceType, patientId, count },
        purpose: 'operations',
        outcome: isServed ? 'served' : status >= 500 ? 'failed' : 'refused',
      },
    )
  })
}

/** Reads and searches of people who use an app at a practice. */
async function usesOf(scene: Scene, days: Days, app: PeopleApp, chance: Chance): Promise<CountedRecord[]> {
  const { name, slug, since, callsADay, type, audience, people, purpose } = app
  const { productionClientId } = await registrationOf(scene, name)
  const clientId = productionClientId ?? ''
  const practice = await scene.prisma.practice.findUniqueOrThrow({ where: { slug } })
  const { id: practiceId } = practice
  const patients = await patientsOf(scene, practice.datasetId)
  const began = days.back(since, '07:30')
  const users = await connectPeople(scene, days, { clientId, practice, audience, people, since: began })
  const ip = '203.0.113.90'
  const callers: Caller = {
    callsADay: [callsADay, callsADay],
    hours: [8, 19],
    weekends: true,
    since,
    ip,
    habits: [],
  }
  return timesOf(callers, chance, days).map((at) => {
    const [correlationId, principalId] = [uuidOf(chance), chance.pick(users)]
    const ofPatient = audience === 'patient' ? principalId.slice('Patient/'.length) : chance.pick(patients)
    const isSearch = chance.happens(0.7)
    const isRefused = chance.happens(0.03)
    const patientId = isRefused ? null : ofPatient
    const durationMs = durationOf(chance, type)
    const count = isRefused ? 0 : isSearch ? chance.integer(1, 12) : 1
    const route = `/r4/{practice}/${type}${isSearch ? '' : '/{id}'}`
    const [status, refusal] = isRefused ? [401, 'token_expired'] : [200, null]
    return recordOf(
      { at, practiceId, correlationId },
      {
        ...{ door: 'fhir', environment: 'production', keyId: null, clientId, method: 'GET', route },
        ...{ status, ip, durationMs, refusal, fromBrowser: true },
      },
      {
        ...{ principalKind: 'smart_token', principalId, clientId, resourceType: type, patientId, count },
        action: isSearch ? 'search' : 'read',
        purpose,
        outcome: isRefused ? 'refused' : 'served',
      },
    )
  })
}

/** The times of a caller's calls. The number changes slowly from day to day, and offices are closed on weekends. */
function timesOf({ callsADay, hours, weekends, since }: Caller, chance: Chance, days: Days): Date[] {
  const [first, last] = callsADay
  const [from, to] = hours
  const times = Array.from({ length: since + 1 }, (_, index) => since - index).flatMap((back) => {
    const noon = days.back(back, '12:00')
    const isWeekend = [0, 6].includes(noon.getUTCDay())
    if (isWeekend && !weekends) return []
    const expected = first + ((last - first) * (since - back)) / Math.max(1, since)
    const count = Math.round(expected * (0.75 + chance.next() / 2))
    return Array.from({ length: count }, () => {
      const minute = chance.integer(0, 59)
      const at = days.back(back, `${chance.integer(from, to - 1)}:${String(minute).padStart(2, '0')}`)
      return new Date(at.getTime() + chance.integer(0, 59_999))
    })
  })
  return times.filter((at) => at < days.end).sort((one, other) => one.getTime() - other.getTime())
}

function pickHabit(habits: readonly Habit[], chance: Chance): Habit {
  let left = chance.next()
  const found = habits.find(({ share }) => {
    left -= share
    return left < 0
  })
  return found ?? (habits[0] as Habit)
}

const durationOf = (chance: Chance, route: string) =>
  Math.round(10 * (route.includes('ccda') ? 90 + 200 * chance.next() : 4 + 30 * chance.next() ** 3)) / 10

async function patientsOf({ pool }: Scene, datasetId: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT DISTINCT patient_id AS id FROM clinical.resource
       WHERE dataset_id = $1 AND patient_id IS NOT NULL AND NOT deleted ORDER BY id LIMIT 12`,
    [datasetId],
  )
  return rows.map(({ id }) => id)
}

/** A UUID from the repeatable stream, in the form of a random one. */
function uuidOf(chance: Chance): string {
  const hex = Array.from({ length: 8 }, () => chance.integer(0, 0xffff).toString(16).padStart(4, '0')).join(
    '',
  )
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

type Use = Readonly<{
  clientId: string
  practice: Readonly<{ id: string; slug: string; datasetId: number }>
  audience: 'patient' | 'clinician'
  people: number
  since: Date
}>

const refreshMs = 90 * 86_400_000

/**
 * Creates the users of an app at a practice, each with an account and a grant for the app. Users of patient apps are patients.
 * @returns their references, such as `Patient/1`
 */
async function connectPeople(scene: Scene, days: Days, use: Use): Promise<string[]> {
  const { clientId, practice, audience, people, since } = use
  const { prisma, pool } = scene
  const [type, realm] =
    audience === 'patient' ? (['Patient', 'patient'] as const) : (['Practitioner', 'practice'] as const)
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM clinical.resource WHERE dataset_id = $1 AND type = $2 AND NOT deleted ORDER BY id LIMIT $3',
    [practice.datasetId, fhirTypeNumbers[type], people],
  )
  const references = rows.map(({ id }) => `${type}/${id}`)
  const names = await readNames(scene, practice.datasetId, references)
  // They sign in with the password of all demonstration people.
  const { passwordHash } = await prisma.account.findFirstOrThrow({ where: { isDemo: true, email: who.theo } })
  const { scope } = await prisma.client.findUniqueOrThrow({ where: { id: clientId } })
  for (const { id } of rows) {
    const fhirUser = `${type}/${id}`
    const email = `${id}@${practice.slug}.example`
    const name = names.get(fhirUser) ?? ''
    const { id: accountId } = await prisma.account.upsert({
      where: { realm_email: { realm, email } },
      create: {
        ...{ realm, email, name, passwordHash, isDemo: true },
        ...{ createdAt: since, emailVerifiedAt: since },
      },
      update: {},
    })
    const place = { practiceId: practice.id, accountId, createdAt: since }
    const skipDuplicates = true
    if (audience === 'patient') {
      const data = { ...place, patientId: id, relationship: 'self' } as const
      await prisma.patientLogin.createMany({ data, skipDuplicates })
    } else {
      const data = { ...place, role: 'clinician', practitionerId: id } as const
      await prisma.practiceMembership.createMany({ data, skipDuplicates })
    }
    if ((await prisma.grant.count({ where: { clientId, accountId } })) > 0) continue
    const tokenHash = createHash('sha256').update(`${clientId} ${accountId}`).digest()
    const expiresAt = new Date(days.end.getTime() + refreshMs)
    await prisma.grant.create({
      data: {
        ...{ ...place, clientId, audience, scope, fhirUser, activatedAt: since, authenticatedAt: since },
        patientId: audience === 'patient' ? id : null,
        refreshTokens: { create: { tokenHash, scope, createdAt: days.end, expiresAt } },
      },
    })
  }
  return references
}
