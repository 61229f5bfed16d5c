/** Rows of the record of access in eight months and now, and questions about them: random, and the same in every run. */
import type pg from 'pg'
import type { AccessFilter } from '../../server/audit/access-log.ts'
import { logPractice, monthStart } from './log-months.ts'

export const otherPractice = '0190a0a0-0000-7000-8000-00000000000a'
export const patients = ['a', 'b', '試"験\\', "o'd%"]
export const oldest = -8
export const rowCount = 450

/** Numbers below `n`, the same in every run. */
let state = 1
export const seed = (number: number) => {
  state = number
}
function random(n: number): number {
  state = (state * 48_271) % 2_147_483_647
  return state % n
}
export const oneOf = <Value>(values: readonly Value[]) => values[random(values.length)] as Value

/** Times are not in the order of ids, some are the same, and some are those at which months meet. */
function rowOf(number: number) {
  const month = Math.min(0, oldest + Math.floor(number / 50) + random(2))
  const start = monthStart(month).getTime()
  const at = oneOf([start, start - 1, start + random(20) * 86_400_000, start + random(2_000) * 1_000])
  const kind = oneOf(['one', 'one', 'list', 'export', 'unnamed'])
  return {
    at: new Date(Math.min(at, Date.now() - 60_000)),
    practice_id: random(4) === 0 ? otherPractice : logPractice,
    kind: oneOf(['api_key', 'session', 'smart_token']),
    who: oneOf(['k1', 'k2']),
    client: oneOf([null, 'app']),
    action: oneOf(['read', 'search', 'create']),
    type: oneOf(['Patient', 'Observation', 'Practitioner', null]),
    patient: kind === 'one' ? oneOf(patients) : null,
    patients: kind === 'list' ? [oneOf(patients), 'z'] : null,
    export: kind === 'export' ? 'cfcd2084-95d5-65ef-66e7-dff9f98764da' : null,
    count: random(3),
    purpose: oneOf(['care', 'request']),
    outcome: oneOf(['served', 'served', 'refused']),
    correlation: correlationOf(number),
  }
}

export const correlationOf = (number: number) => `0190a0a0-0000-7000-8000-${`${number}`.padStart(12, 'a')}`

export function randomFilter(): AccessFilter {
  const day = () => new Date(monthStart(oldest).getTime() + random(240) * 86_400_000)
  const some = <Value>(value: () => Value) => (random(3) === 0 ? value() : undefined)
  const filter = {
    principalId: some(() => oneOf(['k1', 'k3'])),
    action: some(() => 'read'),
    resourceType: some(() => 'Patient'),
    patientId: some(() => oneOf([...patients, 'z'])),
    outcome: some(() => oneOf(['served', 'refused'] as const)),
    correlationId: random(6) === 0 ? correlationOf(random(rowCount)).toUpperCase() : undefined,
    from: some(day),
    to: some(day),
    limit: 1 + random(60),
  }
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as AccessFilter
}

/** With the numbers from the first to the last, which is left out. */
export async function insertAccessRows(owner: pg.Pool, first: number, last: number): Promise<void> {
  const rows = Array.from({ length: last - first }, (_, index) => rowOf(first + index))
  await owner.query(
    `INSERT INTO log.phi_audit (at, practice_id, principal_kind, principal_id, client_id, action, resource_type, patient_id,
       patient_ids, export_id, count, purpose, outcome, correlation_id)
     SELECT at, practice_id, kind, who, client, action, type, patient, patients, export, count, purpose, outcome, correlation
     FROM json_to_recordset($1) AS r(at timestamptz, practice_id uuid, kind text, who text, client text, action text, type text,
       patient text, patients text[], export uuid, count int, purpose text, outcome text, correlation uuid)`,
    [JSON.stringify(rows)],
  )
}
