/** Clients that use an installation through its proxy without pause, and a ledger of what was acknowledged to them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startPatientWriters } from '../../tests/load/patient-writers.ts'
import { demonstration, smartSupport } from '../../tests/support/smart.ts'
import type { Installation } from './installation.ts'
import type { Step } from './report.ts'

const writerCount = 4
const readerCount = 4
const readPauseMs = 60
/** An access token is good for five minutes. */
const tokenMs = 200_000

type Counts = {
  served: number
  /** 503 with Retry-After. */
  refused: number
  /** No response, or one without its end. */
  cut: number
}

/** Until what began has its end, on a machine that is busy with other things, too. */
const patienceMs = 120_000

export type Load = {
  counts: () => Counts
  /** When the last request was sent that was not served, by `performance.now()`. */
  lastRefusedAt: () => number
  /** Compares the ledger with the database while no write is open. */
  audit: () => Promise<Audit>
  /** Responses that no client can act on. */
  faults: () => readonly string[]
}

type Running = Load & { stop: () => Promise<void> }

type Audit = { acknowledged: number; lost: number; doubled: number }

/**
 * Does something under load, and looks at the ledger in the end: nothing is lost, nothing doubled, and there was no
 * response that a client cannot act on.
 */
export async function underLoad(
  installation: Installation,
  step: Step,
  work: (load: Load) => Promise<unknown>,
): Promise<Load> {
  const load = await startLoad(installation)
  try {
    await work(load)
  } finally {
    await load.stop()
  }
  await promiseLedger(load, step)
  return load
}

/** REST writers with an Idempotency-Key, in a sandbox of their own, and readers of FHIR. */
async function startLoad(installation: Installation): Promise<Running> {
  const { services, origin } = installation
  const writers = await retry(() => startPatientWriters(services, { origin, count: writerCount }))
  const readers = await startReaders(installation)

  async function compare(): Promise<Audit> {
    const ids = [...writers.acknowledged.values()]
    const { Patient: patients = 0 } = await services.store.datasets.counts(writers.datasetId)
    const { rows } = await services.pool.query<{ found: number }>(
      'SELECT count(*)::int AS found FROM clinical.resource WHERE dataset_id = $1 AND id = ANY ($2)',
      [writers.datasetId, ids],
    )
    return {
      acknowledged: ids.length,
      lost: ids.length - (rows[0]?.found ?? 0),
      doubled: patients - writers.patientsBefore - ids.length,
    }
  }

  return {
    counts() {
      const count = (status: number) => writers.statuses.get(status) ?? 0
      const { served, refused, cut } = readers.counts
      return { served: served + count(201), refused: refused + count(503), cut: cut + count(0) }
    },
    lastRefusedAt: () => Math.max(writers.lastRefusedAt(), readers.lastRefusedAt()),
    audit: () =>
      inTime(
        'a write',
        writers.between(() => retry(compare)),
      ),
    faults: () => [
      ...writers.faults,
      ...readers.faults,
      ...(writers.statuses.has(429) ? ['a writer got 429'] : []),
    ],
    async stop() {
      await inTime('a write', Promise.all([writers.stop(), readers.stop()]))
    },
  }
}

/** Again while it fails: what this process asks of the database, which may be away or busy. */
export async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const began = performance.now(); ; await sleep(500)) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() - began > patienceMs) throw error
    }
  }
}

/** @throws Error when the clients repeat a request in vain */
export function inTime<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const late = sleep(patienceMs, null, { ref: false }).then(() => {
    throw new Error(`${what} that began has not ended after ${patienceMs / 1_000} s`)
  })
  return Promise.race([work, late])
}

async function startReaders({ services, origin }: Installation) {
  const counts: Counts = { served: 0, refused: 0, cut: 0 }
  const faults: string[] = []
  let lastRefusedAt = 0
  let stopping = false
  let client: { clientId: string } | undefined
  let token = { text: '', issuedAt: Number.NEGATIVE_INFINITY }

  async function renew(): Promise<void> {
    const issued = await smartSupport(services)
      .issueToken({ scope: 'system/*.rs', ...(client && { client }) })
      // The database may be away.
      .catch(() => null)
    if (issued === null) return
    client = { clientId: issued.clientId }
    token = { text: issued.access_token, issuedAt: performance.now() }
  }

  async function read(path: string): Promise<void> {
    const sentAt = performance.now()
    const response = await fetch(`${origin}/r4/${demonstration}/${path}`, {
      headers: { authorization: `Bearer ${token.text}` },
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    if (typeof text === 'string' && response?.status === 200 && text.endsWith('}')) {
      counts.served++
      return
    }
    lastRefusedAt = Math.max(lastRefusedAt, sentAt)
    if (typeof text !== 'string') counts.cut++
    else if (response?.status === 503 && response.headers.has('retry-after')) counts.refused++
    else faults.push(`${path}: ${response?.status} ${text.slice(0, 300)}`)
  }

  const paths = [
    'Patient/pt-wren-testwell',
    'Observation?patient=pt-wren-testwell&_count=20',
    'Condition?patient=pt-wren-testwell',
  ]
  async function loop(): Promise<void> {
    for (let turn = 0; !stopping; turn++) {
      await read(paths[turn % paths.length] ?? '')
      await sleep(readPauseMs)
    }
  }
  async function renewInTime(): Promise<void> {
    while (!stopping) {
      if (performance.now() - token.issuedAt > tokenMs) await renew()
      await sleep(500)
    }
  }

  await renew()
  const running = [renewInTime(), ...Array.from({ length: readerCount }, loop)]
  return {
    counts,
    faults,
    lastRefusedAt: () => lastRefusedAt,
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}

async function promiseLedger(load: Load, { note, promise }: Step): Promise<void> {
  const { acknowledged, lost, doubled } = await load.audit()
  const { served, refused, cut } = load.counts()
  const faults = load.faults()
  note(`${served} requests served, ${refused} refused with 503 and Retry-After, ${cut} cut off`)
  promise(
    `of ${acknowledged} acknowledged writes ${lost} are lost and ${doubled} doubled`,
    lost === 0 && doubled === 0 && acknowledged > 0,
  )
  promise(`no other response: ${faults.slice(0, 3).join('; ') || 'none'}`, faults.length === 0)
}

/** What a rolling restart promises. */
export function promiseFewRefusals(load: Load, { promise }: Step): void {
  const { served, refused, cut } = load.counts()
  promise(
    `${refused + cut} of ${served + refused + cut} requests failed: fewer than 1 in 1,000, and none was cut off`,
    cut === 0 && refused * 1_000 < served + refused,
  )
}

/** Counts every response that nginx has logged since the installation started. */
export function promiseStatuses(accessLog: string, { note, promise }: Step): void {
  const counts = new Map<string, number>()
  const withoutRetryAfter: string[] = []
  const lines = accessLog.matchAll(/^(.*) (\d{3}) HTTP\/.* retry-after=(.*)$/gm)
  for (const [, asked = '', status = '', retryAfter] of lines) {
    counts.set(status, (counts.get(status) ?? 0) + 1)
    // A 503 of /readyz reports a state and refuses nothing.
    if (status === '503' && retryAfter === '-' && asked !== 'GET /readyz') withoutRetryAfter.push(asked)
  }
  const sorted = [...counts].sort(([a], [b]) => a.localeCompare(b))
  note(`nginx responded ${sorted.map(([status, count]) => `${count} × ${status}`).join(', ')}`)
  const others = sorted.filter(([status]) => status >= '500' && status !== '503')
  promise('of 5xx, there is only 503', others.length === 0 && sorted.length > 0)
  promise(
    `without Retry-After: ${[...new Set(withoutRetryAfter)].slice(0, 3).join('; ') || 'none'}`,
    withoutRetryAfter.length === 0,
  )
}
