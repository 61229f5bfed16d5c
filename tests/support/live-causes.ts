/**
 * Every change that a credential can die or come alive of. A test compares the columns with those that
 * portal.live_source reads: a source without a row here fails it.
 */
import type { World } from './live-world.ts'

export interface LiveCause {
  readonly name: string
  /** Columns of the view's sources that it changes. */
  readonly columns: readonly string[]
  readonly sql: (world: World) => string
  /** What ends by it; back when it is undone. */
  readonly ends: readonly (keyof World)[]
  /** Takes it back. */
  readonly undo: (world: World) => string
}

const allTokens = ['patientToken', 'clinicianToken', 'systemToken', 'explorerToken'] as const
const everything = ['key', 'explorerKey', ...allTokens] as const
const ofSession = ['explorerKey', 'explorerToken'] as const

/** One column of one row, and back to what it is in the world. */
function set(
  table: string,
  row: keyof World,
  column: string,
  value: string,
  before: string,
  ends: readonly (keyof World)[],
): LiveCause {
  const to = (text: string) => (world: World) =>
    `UPDATE portal.${table} SET ${column} = ${text} WHERE id = '${world[row]}'`
  return {
    name: `${table}.${column} of ${row} is ${value}`,
    columns: [`${table.replaceAll('"', '')}.${column}`],
    sql: to(value),
    ends,
    undo: to(before),
  }
}

/** A row that goes, and comes back as it was. */
function without(
  table: string,
  columns: readonly string[],
  where: (world: World) => string,
  values: (world: World) => string,
  ends: readonly (keyof World)[],
): LiveCause {
  return {
    name: `no row in ${table} for ${ends.join(', ')}`,
    columns: columns.map((column) => `${table}.${column}`),
    sql: (world) => `DELETE FROM portal.${table} WHERE ${where(world)}`,
    ends,
    undo: (world) =>
      `INSERT INTO portal.${table} SELECT * FROM json_populate_record(null::portal.${table}, '${values(world)}')`,
  }
}

const then = `'2026-11-20 12:00:00+00'`
const tomorrow = `'2026-11-21 12:00:00+00'`
const at = '2026-11-20T12:00:00Z'

const roles = {
  member: without(
    'membership',
    ['organization_id', 'account_id'],
    (world) => `account_id = '${world.developer}'`,
    (world) =>
      JSON.stringify({
        organization_id: world.org,
        account_id: world.developer,
        role: 'developer',
        created_at: at,
      }),
    ofSession,
  ),
  session: without(
    'session',
    ['id'],
    (world) => `id = '${world.session}'`,
    (world) =>
      JSON.stringify({
        id_hash: world.session,
        id: world.session,
        realm: 'developer',
        account_id: world.developer,
        created_at: at,
        authenticated_at: at,
        last_seen_at: at,
        expires_at: '2026-11-21T12:00:00Z',
        ip: '192.0.2.1',
        user_agent: '-',
      }),
    ofSession,
  ),
  clinician: without(
    'practice_membership',
    ['practice_id', 'account_id'],
    (world) => `account_id = '${world.clinician}'`,
    (world) =>
      JSON.stringify({
        practice_id: world.sandbox,
        account_id: world.clinician,
        role: 'clinician',
        created_at: at,
      }),
    ['clinicianToken'],
  ),
  patient: without(
    'patient_login',
    ['practice_id', 'account_id'],
    (world) => `account_id = '${world.patient}'`,
    (world) =>
      JSON.stringify({
        practice_id: world.sandbox,
        account_id: world.patient,
        patient_id: 'pt-1',
        relationship: 'self',
        created_at: at,
      }),
    ['patientToken'],
  ),
  enabled: without(
    'client_practice',
    ['client_id', 'practice_id'],
    (world) => `client_id = '${world.listed}'`,
    (world) => JSON.stringify({ client_id: world.listed, practice_id: world.sandbox, enabled_at: at }),
    ['patientToken'],
  ),
}

/** A row that becomes another's. */
function turn(
  table: string,
  column: string,
  where: (world: World) => string,
  [value, before]: readonly [(world: World) => string, (world: World) => string],
  ends: readonly (keyof World)[],
): LiveCause {
  const to = (text: (world: World) => string) => (world: World) =>
    `UPDATE portal.${table} SET ${column} = ${text(world)} WHERE ${where(world)}`
  return {
    name: `${table}.${column} changes under ${ends.join(', ')}`,
    columns: [`${table.replaceAll('"', '')}.${column}`],
    sql: to(value),
    ends,
    undo: to(before),
  }
}

const idOf = (name: keyof World) => (world: World) => `'${world[name]}'`
const whereId = (name: keyof World) => (world: World) => `id = '${world[name]}'`
const ofAccount = (name: keyof World) => (world: World) => `account_id = '${world[name]}'`

const ofOrg = ['explorerKey', 'systemToken'] as const

/** The practice stops it, and ends the stop. */
function stop(
  practice: keyof World,
  target: { column: 'client_id' | 'key_id' | 'organization_id'; row: keyof World } | null,
  ends: readonly (keyof World)[],
): LiveCause {
  const of = (world: World) => (target ? `${target.column} = '${world[target.row]}'` : allAccess)
  const [column, value] = target ? [`, ${target.column}`, idOf(target.row)] : ['', () => '']
  return {
    name: `a stop of ${target?.row ?? 'everything'} at ${practice}`,
    columns: ['practice_id', 'client_id', 'key_id', 'organization_id', 'ended_at'].map(
      (each) => `practice_stop.${each}`,
    ),
    sql: (world) =>
      `INSERT INTO portal.practice_stop (id, practice_id, reason, started_at, started_by_id${column})
       VALUES (gen_random_uuid(), '${world[practice]}', 'A test of stops', ${then}, '${world.clinician}'${target ? `, ${value(world)}` : ''})`,
    ends,
    undo: (world) =>
      `UPDATE portal.practice_stop SET ${ended(world)}
       WHERE practice_id = '${world[practice]}' AND ended_at IS NULL AND ${of(world)}`,
  }
}

const ended = ({ clinician }: World) => `ended_at = ${then}, ended_by_id = '${clinician}'`
const allAccess = 'num_nonnulls(client_id, key_id, organization_id) = 0'

export const liveCauses: readonly LiveCause[] = [
  stop('sandbox', null, everything),
  stop('sandbox', { column: 'organization_id', row: 'org' }, ofOrg),
  stop('office', { column: 'organization_id', row: 'otherOrg' }, ['visitingToken']),
  stop('sandbox', { column: 'client_id', row: 'listed' }, ['patientToken']),
  stop('sandbox', { column: 'key_id', row: 'key' }, ['key']),
  {
    name: 'a stop that had ended begins again',
    columns: ['practice_stop.ended_at'],
    sql: ({ endedStop }) =>
      `UPDATE portal.practice_stop SET ended_at = NULL, ended_by_id = NULL WHERE id = '${endedStop}'`,
    ends: ofOrg,
    undo: (world) => `UPDATE portal.practice_stop SET ${ended(world)} WHERE id = '${world.endedStop}'`,
  },
  set('api_key', 'key', 'revoked_at', then, 'NULL', ['key']),
  set('api_key', 'key', 'suspended_at', then, 'NULL', ['key']),
  set('api_key', 'key', 'expires_at', then, tomorrow, ['key']),
  set('api_key', 'key', 'papers_until', then, 'NULL', ['key']),
  turn(
    'api_key',
    'organization_id',
    whereId('explorerKey'),
    [idOf('otherOrg'), idOf('org')],
    ['explorerKey'],
  ),
  turn(
    'api_key',
    'explorer_session_id',
    whereId('explorerKey'),
    [() => 'gen_random_uuid()', idOf('session')],
    ['explorerKey'],
  ),
  set('access_token', 'systemToken', 'revoked_at', then, 'NULL', ['systemToken']),
  set('access_token', 'systemToken', 'expires_at', then, tomorrow, ['systemToken']),
  set('"grant"', 'patientGrant', 'revoked_at', then, 'NULL', ['patientToken']),
  set('"grant"', 'systemGrant', 'audience', `'patient'`, `'backend'`, ['systemToken']),
  set('"grant"', 'patientGrant', 'patient_id', `'pt-2'`, `'pt-1'`, ['patientToken']),
  turn(
    '"grant"',
    'account_id',
    whereId('patientGrant'),
    [idOf('clinician'), idOf('patient')],
    ['patientToken'],
  ),
  turn('"grant"', 'client_id', whereId('patientGrant'), [idOf('visiting'), idOf('listed')], ['patientToken']),
  turn(
    '"grant"',
    'practice_id',
    whereId('visitingGrant'),
    [idOf('sandbox'), idOf('office')],
    ['visitingToken'],
  ),
  turn(
    '"grant"',
    'explorer_session_id',
    whereId('systemGrant'),
    [() => 'gen_random_uuid()', () => 'NULL'],
    ['systemToken'],
  ),
  set('client', 'own', 'suspended_at', then, 'NULL', ['systemToken']),
  set('client', 'own', 'removed_at', then, 'NULL', ['systemToken']),
  set('client', 'own', 'environment', `'production'`, `'sandbox'`, ['systemToken']),
  set('client', 'everywhere', 'every_practice', 'false', 'true', ['clinicianToken', 'explorerToken']),
  turn('client', 'organization_id', whereId('own'), [idOf('otherOrg'), idOf('org')], ['systemToken']),
  roles.enabled,
  turn(
    'client_practice',
    'practice_id',
    (world) => `client_id = '${world.listed}'`,
    [idOf('office'), idOf('sandbox')],
    ['patientToken'],
  ),
  set('practice', 'sandbox', 'state', `'suspended'`, `'active'`, everything),
  set('practice', 'sandbox', 'fhir_enabled', 'false', 'true', allTokens),
  set('practice', 'sandbox', 'fhir_audiences', `'{patient,clinician}'`, `'{patient,clinician,backend}'`, [
    'systemToken',
    'explorerToken',
  ]),
  set('practice', 'sandbox', 'environment', `'production'`, `'sandbox'`, allTokens),
  set('practice', 'office', 'purpose', `'organization_sandbox'`, `'office'`, ['visitingToken']),
  turn(
    'practice',
    'organization_id',
    whereId('sandbox'),
    [idOf('otherOrg'), idOf('org')],
    ['systemToken', 'explorerToken'],
  ),
  set('account', 'patient', 'disabled_at', then, 'NULL', ['patientToken']),
  set('account', 'developer', 'disabled_at', then, 'NULL', ofSession),
  set('session', 'session', 'expires_at', then, tomorrow, ofSession),
  turn('session', 'account_id', whereId('session'), [idOf('patient'), idOf('developer')], ofSession),
  roles.session,
  roles.member,
  turn(
    'membership',
    'role',
    ofAccount('developer'),
    [() => `'viewer'`, () => `'developer'`],
    ['explorerKey'],
  ),
  roles.clinician,
  turn(
    'practice_membership',
    'role',
    ofAccount('clinician'),
    [() => `'signatory'`, () => `'clinician'`],
    ['clinicianToken'],
  ),
  roles.patient,
  turn(
    'patient_login',
    'patient_id',
    ofAccount('patient'),
    [() => `'pt-2'`, () => `'pt-1'`],
    ['patientToken'],
  ),
]

/** Changes that leave a credential good, for another principal than the one that is cached. */
export const liveChanges: readonly Omit<LiveCause, 'ends'>[] = [
  set('api_key', 'key', 'version', '1', '0', []),
  set('api_key', 'explorerKey', 'level', `'read_only'`, `'full'`, []),
  set('practice', 'sandbox', 'dataset_id', 'dataset_id + 1', 'dataset_id - 1', []),
  set('practice', 'sandbox', 'fhir_types', `'{Patient}'`, `'{}'`, []),
  turn('api_key', 'practice_id', whereId('key'), [idOf('office'), idOf('sandbox')], []),
  turn('access_token', 'grant_id', whereId('systemToken'), [idOf('visitingGrant'), idOf('systemGrant')], []),
]

/** Join columns that never change: nothing but their row's birth and end. */
export const identities: readonly string[] = [
  ...['api_key', 'access_token', 'grant', 'client', 'practice', 'account'].map((table) => `${table}.id`),
]
