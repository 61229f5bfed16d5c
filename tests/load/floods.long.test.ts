/**
 * Three floods of 16 connections beside the reads of others, against one process and against the three that `npm start`
 * runs. Rounds alone and beside the flood alternate, so that a busy machine slows both; the middle round decides.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makeCallers } from '../../bench/callers.ts'
import { makeFhirCallers } from '../../bench/fhir-callers.ts'
import { practiceBatches } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { createPool } from '../../server/store/pool.ts'
import { createStore } from '../../server/store/store.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { type FloodRequest, quantile, readFor, startFlood, statusOf } from './floods.ts'

const ratioMax = 3
const rounds = 5
const roundMs = 2_500
const readers = 4
const practices = 8
const longPatient = 'pt-cal-notareal'
const observations = 10_000
const datasetOfLongChart = 'flood-0'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-floods-'))
const table: string[][] = []

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  const line = ([first = '', ...rest]: string[]) =>
    first.padEnd(30) + rest.map((each) => each.padStart(13)).join('')
  const heads = ['', 'p95 alone ms', 'beside ms', 'ratio', 'reads', 'flood']
  console.log([heads, ...table].map(line).join('\n'))
})

describe.each([
  ['one process', false],
  ['three processes', true],
])('%s', (mode, apart) => {
  let stack: Stack
  let reads: FloodRequest[]
  let floods: Record<string, FloodRequest[]>

  beforeAll(async () => {
    const environment = { TRUSTED_PROXY_CIDRS: '127.0.0.1/32', DATABASE_POOL: '16' }
    stack = await startStack(inject('testServer'), join(folder, mode.replace(' ', '-')), {
      apart,
      environment,
    })
    await loadLongChart(stack)
    const keys = await makeCallers(stack.owner, practices, {
      slug: 'flood',
      records: 'sandpiper-demonstration',
      level: 'read_only',
    })
    const slugs = Array.from({ length: practices }, (_, index) => `flood-${index}`)
    const tokens = await makeFhirCallers(stack.owner, slugs)
    await pointAtLongChart(stack)
    reads = readsOf(keys, tokens)
    floods = await floodsOf(stack, tokens)
    await readFor(3_000, stack.origin, reads, readers)
  })

  afterAll(async () => {
    await stack.stop()
  })

  test.each(['public pages', 'one token’s CCD', '/authorize'])('%s', async (name) => {
    const flood = floods[name] ?? []
    const alone: number[] = []
    const beside: number[] = []
    const ready: number[] = []
    const statuses: Record<string, number> = {}
    const sent: Record<string, number> = {}
    const add = (to: Record<string, number>, from: Record<string, number>) => {
      for (const [status, count] of Object.entries(from)) to[status] = (to[status] ?? 0) + count
    }
    for (let round = 0; round < rounds; round++) {
      const quiet = await readFor(roundMs, stack.origin, reads, readers)
      const stop = startFlood(stack.origin, flood)
      await pause(500)
      const [busy, status] = await Promise.all([
        readFor(roundMs, stack.origin, reads, readers),
        pause(roundMs / 2).then(() => statusOf(stack.origin, { path: '/readyz', headers: {} })),
      ])
      add(sent, await stop())
      add(statuses, quiet.statuses)
      add(statuses, busy.statuses)
      ready.push(status)
      alone.push(quantile(quiet.times, 0.95))
      beside.push(quantile(busy.times, 0.95))
      await pause(500)
    }
    const ratio = quantile(
      beside.map((ms, at) => ms / (alone[at] as number)),
      0.5,
    )
    const shown = (counts: Record<string, number>) =>
      Object.entries(counts)
        .map(([status, count]) => `${status}×${count}`)
        .join(' ')
    table.push([
      `${mode}, ${name}`,
      quantile(alone, 0.5).toFixed(1),
      quantile(beside, 0.5).toFixed(1),
      ratio.toFixed(2),
      shown(statuses),
      `  ${shown(sent)}`,
    ])

    expect(Object.keys(statuses)).toEqual(['200'])
    expect(ready).toEqual(Array(rounds).fill(200))
    expect(ratio).toBeLessThanOrEqual(ratioMax)
  })

  test('no status row turned', async () => {
    const { rows } = await stack.owner.query(
      `SELECT component, to_state, summary FROM portal.status_change WHERE to_state IN ('degraded', 'down')`,
    )
    expect(rows).toEqual([])
    expect(stack.log()).not.toContain('checks of the Status API found')
    const checked = await stack.owner.query(
      `SELECT name FROM portal.status_check WHERE state = 'operational'`,
    )
    expect(checked.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['api', 'fhir', 'smart']))
  })
})

function readsOf(
  keys: readonly { headers: { authorization: string } }[],
  tokens: Awaited<ReturnType<typeof makeFhirCallers>>,
): FloodRequest[] {
  const others = tokens.filter(({ base }) => !base.endsWith(datasetOfLongChart))
  return others.flatMap(({ base, headers }, at) => {
    const key = keys[at % keys.length]?.headers.authorization ?? ''
    return [
      { path: `${base}/Patient/pt-wren-testwell`, headers },
      {
        path: '/sandbox/api/v1/patients/pt-wren-testwell',
        headers: { ...headers, authorization: key },
      },
    ]
  })
}

/** Each connection from an address of its own, so that no limit of an address ends the flood. */
async function floodsOf(
  { owner, origin }: Stack,
  tokens: Awaited<ReturnType<typeof makeFhirCallers>>,
): Promise<Record<string, FloodRequest[]>> {
  const token = tokens.find(({ base }) => base.endsWith(datasetOfLongChart))
  if (!token) throw new Error('no token of the practice with the long chart')
  const app = randomUUID()
  const redirect = 'https://app.example/callback'
  await owner.query(
    `INSERT INTO portal.client (id, app_id, environment, audience, authentication, name, redirect_uris, scope,
       every_practice, created_at)
     VALUES ($1, $2, 'sandbox', 'patient', 'none', 'Flood', $3, 'launch/patient patient/*.rs', true, now())`,
    [app, randomUUID(), [redirect]],
  )
  const authorize = new URLSearchParams({
    response_type: 'code',
    client_id: app,
    redirect_uri: redirect,
    scope: 'launch/patient patient/*.rs',
    state: 'a-state-of-some-length-1234567890',
    aud: `${origin}${token.base}`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const pages = ['/', '/docs', '/docs/rest', '/docs/fhir', '/status', '/docs/limits']
  const from = (at: number) => ({ 'x-forwarded-for': `198.19.1.${at}` })
  const each = (request: (at: number) => FloodRequest) => Array.from({ length: 16 }, (_, at) => request(at))
  return {
    'public pages': each((at) => ({
      path: pages[at % pages.length] as string,
      headers: { ...from(at), 'accept-encoding': 'gzip' },
    })),
    'one token’s CCD': [
      {
        path: `${token.base}/Patient/${longPatient}/$ccda`,
        headers: { ...token.headers, 'accept-encoding': 'gzip' },
      },
    ],
    '/authorize': each((at) => ({ path: `${token.base}/authorize?${authorize}`, headers: from(at) })),
  }
}

let datasetId = 0

async function loadLongChart({ owner }: Stack): Promise<void> {
  const { connectionString } = owner.options as { connectionString: string }
  const pool = createPool({ connectionString, max: 4, statementTimeoutMs: 0 })
  const store = createStore({ pool, clock: () => new Date() })
  datasetId = await store.datasets.create({ name: 'flood', kind: 'practice', source: 'flood' })
  const options = { seed: 42, patients: 1, asOf: '2026-11-15', longChart: observations }
  const load = store.beginLoad(datasetId)
  for (const { resources } of practiceBatches(getPractice('sandpiper-demonstration'), options))
    await load.add(resources)
  await load.end()
  await store.adoptOrphans(datasetId)
  await store.datasets.markReady(datasetId)
  await pool.end()
  await owner.query('VACUUM (ANALYZE) clinical.resource')
}

async function pointAtLongChart({ owner }: Stack): Promise<void> {
  await owner.query('UPDATE portal.practice SET dataset_id = $1 WHERE slug = $2', [
    datasetId,
    datasetOfLongChart,
  ])
}
