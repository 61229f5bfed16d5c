/** The 99th percentile of reads of the built server while it exports, as a ratio to that of the same reads before. */

import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../scripts/setup/free-port.mjs'
import { startServer } from '../scripts/setup/server-process.mjs'
import { hashToken, randomToken } from '../server/auth/random-token.ts'
import { populationGroupId } from '../server/domain/practices/population-group.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { type BenchRequest, measure } from './measure.ts'

/** So many practices, with four tokens each, keep their limits however fast the reads are. */
const practices = 30
const effort = { seconds: 10, connections: 16, warmUp: 2_000 }

type Options = {
  client: pg.Client
  folder: string
  environment: Readonly<Record<string, string>>
  /** Its data is read, and exported. */
  practiceId: string
  resources: number
  type: string
}

export async function measureReads(options: Options): Promise<void> {
  const { client, folder, environment } = options
  const owner = new pg.Pool({ connectionString: environment.DATABASE_MIGRATION_URL, max: 1 })
  const requests = await makeRequests(owner, options)
  const token = await makeBackendToken(owner, options)
  const port = await findFreePort()
  const logFile = join(folder, 'server.log')
  const server = await startServer({
    environment: {
      ...environment,
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
      // Each caller has an address of its own.
      TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
      ROLE: 'all',
      SMTP_URL: 'smtp://127.0.0.1:9',
    },
    host: '127.0.0.1',
    port,
    logFile,
  })
  try {
    const target = { origin: server.origin, requests, nodePid: server.pid, postgresPids: () => [] }
    await client.query('VACUUM ANALYZE')
    const alone = await measure(target, effort)
    let exporting = true
    const exports = exportAgainAndAgain(server.origin, token, () => exporting)
    const beside = await measure(target, effort).finally(() => {
      exporting = false
    })
    const ended = await exports
    const row = (name: string, { requestsPerSecond, p50Ms, p99Ms }: typeof alone) =>
      `${name.padEnd(30)} ${requestsPerSecond.toFixed(0)}/s, median ${p50Ms} ms, 99th percentile ${p99Ms} ms`
    console.log(row('FHIR reads alone', alone))
    console.log(row('FHIR reads beside exports', beside))
    console.log(
      `  99th percentile ${(beside.p99Ms / alone.p99Ms).toFixed(1)} × that without, ${ended} exports ended meanwhile`,
    )
  } finally {
    await server.stop()
    await owner.end()
  }
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

/** @returns how many ended */
async function exportAgainAndAgain(origin: string, token: string, goesOn: () => boolean): Promise<number> {
  const headers = {
    accept: 'application/fhir+json',
    prefer: 'respond-async',
    authorization: `Bearer ${token}`,
    'x-forwarded-for': '198.18.255.1',
  }
  let ended = 0
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
      if (code === 200) ended += 1
    }
    await fetch(status, { method: 'DELETE', headers })
  }
  return ended
}
