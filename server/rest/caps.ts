/**
 * Enforces the daily limits and hours that a practice has set for a key. They are checked before the operation, and again if
 * the key was reloaded meanwhile. Patients are counted when the response is known.
 */
import type pg from 'pg'
import type { ApiKeyPrincipal } from '../auth/principal.ts'
import { Problem } from '../contract/http/problems.ts'
import { capSentences, isWithinHours, type KeyCaps } from '../contract/keys/key-caps.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import { dateIn, endIn, minutesIn } from '../domain/business-days/calendar-date.ts'
import { readCapDay, takeCall, takePatients } from '../domain/practices/key-caps.ts'
import type { Authentication } from './authentication.ts'
import type { Call } from './call.ts'

type Dependencies = {
  pool: pg.Pool
  clock: () => Date
  authentication: Pick<Authentication, 'confirm'>
}

type Touched = Readonly<{ patientId?: string | null; patientIds?: readonly string[] | undefined }>

export function createCaps({ pool, clock, authentication }: Dependencies) {
  /**
   * Counts the call once.
   * @throws Problem `outside_hours`, or `rate_limited` until the end of the day in the practice's time zone
   */
  async function check(call: Call): Promise<void> {
    const { principal } = call
    if (principal === null || principal.caps === null || call.caps?.version === principal.version) return
    const problem = await problemOf(call, principal.caps)
    if (problem === null) return
    // The cached caps may be outdated, so the database decides before a refusal.
    await authentication.confirm(call)
    if (call.principal?.version === principal.version) throw problem
    await check(call)
  }

  async function problemOf(call: Call, caps: KeyCaps): Promise<Problem | null> {
    const now = clock()
    const { hours, callsPerDay, zone } = caps
    if (hours !== null && !isWithinHours(hours, minutesIn(zone, now)))
      return new Problem('outside_hours', { message: sentenceOf({ ...caps, ...noDay }) })
    let calls = call.caps?.calls ?? null
    if (callsPerDay !== null) {
      calls ??= await takeCall(pool, dayOf(caps, now), callsPerDay)
      if (calls === null || calls > callsPerDay)
        return overDay(caps, now, 'calls_a_day', { ...caps, patientsPerDay: null, hours: null })
    }
    call.caps = { version: versionOf(call), calls }
    return null
  }

  /**
   * Called before a response is sent, and in the transaction of a write.
   * @throws Problem `rate_limited` if there are too many patients for the day; then none is counted
   */
  async function checkPatients(
    principal: ApiKeyPrincipal | null,
    { patientId, patientIds }: Touched,
    database: pg.Pool | pg.PoolClient = pool,
  ): Promise<void> {
    const caps = principal?.caps ?? null
    if (caps === null || caps.patientsPerDay === null) return
    const patients = patientIds ?? (patientId ? [patientId] : [])
    if (patients.length === 0) return
    const now = clock()
    if (!(await takePatients(database, dayOf(caps, now), patients, caps.patientsPerDay)))
      throw overDay(caps, now, 'patients_a_day', { ...caps, callsPerDay: null, hours: null })
  }

  /** Today's counts, and when the next day begins. */
  async function readUse(caps: KeyCaps) {
    const now = clock()
    const day = dayOf(caps, now)
    return { date: day.day, ...(await readCapDay(pool, day)), resetsAt: nextDay(caps.zone, now) }
  }

  return { check, checkPatients, readUse }
}

export type Caps = ReturnType<typeof createCaps>

const noDay = { callsPerDay: null, patientsPerDay: null } as const

const dayOf = ({ id, zone }: KeyCaps, now: Date) => ({ capId: id, day: dateIn(zone, now) })

/** The beginning of the next day in a time zone. */
const nextDay = (zone: string, now: Date): Date => new Date(endIn(zone, dateIn(zone, now)).getTime() + 1_000)

function overDay(caps: KeyCaps, now: Date, detail: RefusalReason, exceeded: KeyCaps): Problem {
  const wait = nextDay(caps.zone, now).getTime() - now.getTime()
  return new Problem('rate_limited', {
    message: sentenceOf(exceeded),
    detail,
    retryAfterSeconds: Math.ceil(wait / 1_000),
  })
}

function sentenceOf(exceeded: KeyCaps): string {
  return `The practice caps this key. ${capSentences(exceeded).join(' ')}.`
}

function versionOf({ principal }: Call): number {
  if (principal === null) throw new Problem('internal', { detail: 'caps of no key' })
  return principal.version
}
