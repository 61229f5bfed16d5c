/** FHIR reads beside exports that end while they run, as a ratio to the same reads alone. */

import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { hashToken, randomToken } from '../server/auth/random-token.ts'
import { populationGroupId } from '../server/domain/practices/population-group.ts'
import { measureBeside } from './beside.ts'
import type { Undo } from './clean-up.ts'
import { type Load, startClient } from './clients.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { type Figure, median } from './figures.ts'
import { startBuiltServer } from './installation.ts'
import type { BenchRequest } from './measure.ts'

/** So many practices, with four tokens each, keep their limits however fast the reads are. */
const practices = 30

type Options = {
  folder: string
  environment: Readonly<Record<string, string>>
  cluster: string
  /** Its data is read, and exported. */
  practiceId: string
  resources: number
  type: string
}

/** @throws Error when no export ended while reads ran: they would have been beside nothing */
export async function measureReads(undo: Undo, options: Options): Promise<Figure> {
  const owner = new pg.Pool({ connectionString: options.environment.DATABASE_MIGRATION_URL, max: 1 })
  owner.on('error', () => {})
  undo(() => owner.end())
  const reads = await makeRequests(owner, options)
  const token = await makeBackendToken(owner, options)
  await owner.query('VACUUM ANALYZE')
  const { origin } = await startBuiltServer(undo, options)
  const client = startClient()
  undo(() => client.stop())
  let ended = 0
  const name = 'reads beside exports'
  const effort = { rounds: 3, seconds: 8 }
  const { figure, alone, beside } = await measureBeside(name, { client, origin, reads }, effort, () => {
    let exporting = true
    const exports = exportAgainAndAgain({ origin, token, goesOn: () => exporting, onEnd: () => ended++ })
    exports.catch(() => {})
    return async () => {
      exporting = false
      await exports
    }
  })
  if (ended === 0) throw new Error('no export ended while reads ran: take fewer resources')
  const p95 = (loads: readonly Load[]) => median(loads.map(({ p95Ms }) => p95Ms)).toFixed(1)
  console.log(
    `${'FHIR reads, 95th percentile'.padEnd(30)} ${p95(alone)} ms alone, ${p95(beside)} ms beside exports, ` +
      `${figure.value.toFixed(1)} × alone; ${ended} exports ended meanwhile`,
  )
  return figure
}

async function makeRequests(
  owner: pg.Pool,
  { practiceId, resources, type }: Options,
): Promise<BenchRequest[]> {
  const slugs = Array.from({ length: practices }, (_, at) => `bench-reads-${at}`)
  for (const slug of slugs) {
    await owner.query(
      `INSERT INTO portal.practice
         (id, slug, name, environment, fhir_enabled, in_directory, purpose, dataset_id, created_at)
       SELECT $1, $2, 'Bench Practice', 'sandbox', true, false, 'office', dataset_id, now()
         FROM portal.practice WHERE id = $3`,
      [randomUUID(), slug, practiceId],
    )
  }
  const callers = await makeFhirCallers(owner, slugs)
  return callers.map(({ base, headers }, at) => ({
    path: `${base}/${type}/obs-${1 + ((at * 7_919) % resources)}`,
    headers,
  }))
}

async function makeBackendToken(owner: pg.Pool, { practiceId, type }: Options): Promise<string> {
  const token = randomToken('access_token', randomBytes)
  const [clientId, grantId, scope] = ['bench-export', randomUUID(), `system/${type}.rs`]
  await owner.query(
    `INSERT INTO portal.client (id, app_id, environment, audience, authentication, name, redirect_uris, scope,
       every_practice, created_at)
     VALUES ($1, $2, 'sandbox', 'backend', 'private_key_jwt', 'Bench', '{}', $3, true, now())`,
    [clientId, randomUUID(), scope],
  )
  await owner.query(
    `INSERT INTO portal."grant" (id, client_id, practice_id, audience, scope, created_at, activated_at)
     VALUES ($1, $2, $3, 'backend', $4, now(), now())`,
    [grantId, clientId, practiceId, scope],
  )
  await owner.query(
    `INSERT INTO portal.access_token (id, token_hash, grant_id, scope, created_at, expires_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '1 day')`,
    [randomUUID(), hashToken(token), grantId, scope],
  )
  return token
}

type Exports = { origin: string; token: string; goesOn: () => boolean; onEnd: () => void }

/** An export that is cut short by the end of the round is deleted. */
async function exportAgainAndAgain({ origin, token, goesOn, onEnd }: Exports): Promise<void> {
  const headers = {
    accept: 'application/fhir+json',
    prefer: 'respond-async',
    authorization: `Bearer ${token}`,
    'x-forwarded-for': '198.18.255.1',
  }
  while (goesOn()) {
    const begun = await fetch(`${origin}/r4/bench/Group/${populationGroupId}/$export`, { headers })
    if (begun.status !== 202) throw new Error(`the kick-off answers ${begun.status} ${await begun.text()}`)
    const status = begun.headers.get('content-location') ?? ''
    for (let code = 202; code === 202 && goesOn(); ) {
      await pause(1_200)
      const answer = await fetch(status, { headers })
      code = answer.status
      const text = await answer.text()
      if (code === 200 && JSON.parse(text).error.length > 0) throw new Error('the export has failed')
      if (code !== 200 && code !== 202) throw new Error(`the status answers ${code} ${text}`)
      if (code === 200) onEnd()
    }
    await fetch(status, { method: 'DELETE', headers })
  }
}
