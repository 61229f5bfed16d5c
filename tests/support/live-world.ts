/** A few people, apps and practices whose credentials rest on every source that a credential can rest on. */
import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'

export const worldNow = new Date('2026-11-20T12:00:00.000Z')
const tomorrow = '2026-11-21T12:00:00.000Z'

/** Ids by name: rows, and the credentials among them. */
export type World = Readonly<Record<(typeof names)[number], string>>

const names = [
  ...['developer', 'patient', 'clinician', 'org', 'otherOrg', 'sandbox', 'office', 'session'],
  ...['everywhere', 'listed', 'own', 'visiting'],
  ...['key', 'explorerKey'],
  ...['patientGrant', 'clinicianGrant', 'systemGrant', 'explorerGrant', 'visitingGrant'],
  ...['patientToken', 'clinicianToken', 'systemToken', 'explorerToken', 'visitingToken'],
  'endedStop',
] as const

/** All of its credentials are good at `worldNow`. */
export async function makeWorld(db: Pick<pg.Pool, 'query'>, datasetId: number): Promise<World> {
  const world = Object.fromEntries(names.map((name) => [name, randomUUID()])) as World
  for (const each of ['developer', 'patient', 'clinician'] as const) {
    const realm = each === 'developer' ? 'developer' : each === 'patient' ? 'patient' : 'practice'
    await insert(db, 'account', {
      id: world[each],
      realm,
      email: `${world[each]}@dev.example`,
      name: 'Wren Testwell',
      password_hash: '-',
    })
  }
  for (const each of ['org', 'otherOrg'] as const)
    await insert(db, 'organization', {
      id: world[each],
      slug: world[each],
      name: 'Example Apps',
      created_by_id: world.developer,
    })
  await insert(db, 'membership', {
    organization_id: world.org,
    account_id: world.developer,
    role: 'developer',
  })
  await insert(db, 'session', {
    id_hash: world.session,
    id: world.session,
    realm: 'developer',
    account_id: world.developer,
    authenticated_at: worldNow,
    last_seen_at: worldNow,
    expires_at: tomorrow,
    ip: '192.0.2.1',
    user_agent: '-',
  })
  await makePractices(db, world, datasetId)
  await makeKeys(db, world)
  await makeApps(db, world)
  await insert(db, 'practice_stop', {
    id: world.endedStop,
    practice_id: world.sandbox,
    organization_id: world.org,
    reason: 'A test of stops',
    started_at: worldNow,
    started_by_id: world.clinician,
    ended_at: worldNow,
    ended_by_id: world.clinician,
  })
  return world
}

async function makePractices(db: Pick<pg.Pool, 'query'>, world: World, datasetId: number): Promise<void> {
  const practice = {
    name: 'Example Practice',
    environment: 'sandbox',
    fhir_enabled: true,
    in_directory: false,
    dataset_id: datasetId,
  }
  const sandbox = { id: world.sandbox, purpose: 'organization_sandbox', organization_id: world.org }
  for (const own of [sandbox, { id: world.office, purpose: 'office' }])
    await insert(db, 'practice', { ...practice, slug: own.id, ...own })
  const person = { practice_id: world.sandbox }
  await insert(db, 'practice_membership', { ...person, account_id: world.clinician, role: 'clinician' })
  await insert(db, 'patient_login', {
    ...person,
    account_id: world.patient,
    patient_id: 'pt-1',
    relationship: 'self',
  })
}

async function makeKeys(db: Pick<pg.Pool, 'query'>, world: World): Promise<void> {
  for (const [id, own] of [
    [world.key, { papers_until: tomorrow }],
    [world.explorerKey, { explorer: true, explorer_session_id: world.session, organization_id: world.org }],
  ] as const)
    await insertKey(db, world, { id, ...own })
}

/** @param own columns that differ from a key of the sandbox */
export async function insertKey(
  db: Pick<pg.Pool, 'query'>,
  world: World,
  own: Readonly<Record<string, unknown>>,
): Promise<void> {
  await insert(db, 'api_key', {
    prefix: randomUUID().slice(0, 12),
    secret_hash: randomBytes(32),
    name: 'Test',
    level: 'full',
    environment: 'sandbox',
    practice_id: world.sandbox,
    created_by_id: world.developer,
    expires_at: tomorrow,
    ...own,
  })
}

async function makeApps(db: Pick<pg.Pool, 'query'>, world: World): Promise<void> {
  for (const [id, own] of [
    [world.everywhere, { every_practice: true }],
    [world.listed, {}],
    [world.own, { organization_id: world.org }],
    [world.visiting, { organization_id: world.otherOrg }],
  ] as const)
    await insert(db, 'client', {
      id,
      app_id: randomUUID(),
      environment: 'sandbox',
      audience: 'patient',
      authentication: 'none',
      name: 'App',
      redirect_uris: [],
      scope: '',
      ...own,
    })
  for (const [client_id, practice_id] of [
    [world.listed, world.sandbox],
    [world.visiting, world.office],
  ])
    await insert(db, 'client_practice', { client_id, practice_id, enabled_at: worldNow })
  const ofPatient = { account_id: world.patient, patient_id: 'pt-1' }
  for (const [id, token, client_id, audience, own] of [
    [world.patientGrant, world.patientToken, world.listed, 'patient', ofPatient],
    [
      world.clinicianGrant,
      world.clinicianToken,
      world.everywhere,
      'clinician',
      { account_id: world.clinician },
    ],
    [world.systemGrant, world.systemToken, world.own, 'backend', {}],
    [
      world.explorerGrant,
      world.explorerToken,
      world.everywhere,
      'backend',
      { explorer_session_id: world.session },
    ],
    [world.visitingGrant, world.visitingToken, world.visiting, 'backend', { practice_id: world.office }],
  ] as const) {
    await insert(db, '"grant"', { id, client_id, practice_id: world.sandbox, audience, scope: '', ...own })
    await insertToken(db, id, token)
  }
}

export async function insertToken(
  db: Pick<pg.Pool, 'query'>,
  grantId: string,
  id: string = randomUUID(),
): Promise<void> {
  await insert(db, 'access_token', {
    id,
    token_hash: randomBytes(32),
    grant_id: grantId,
    scope: '',
    expires_at: tomorrow,
  })
}

const undated: ReadonlySet<string> = new Set(['client_practice', 'practice_stop'])

async function insert(
  db: Pick<pg.Pool, 'query'>,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const all = undated.has(table) ? row : { created_at: worldNow, ...row }
  const columns = Object.keys(all)
  await db.query(
    `INSERT INTO portal.${table} (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(all),
  )
}
