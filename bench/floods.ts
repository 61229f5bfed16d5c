/** FHIR reads of one caller beside floods of others, and whether the installation says meanwhile that it is well. */
import { setTimeout as pause } from 'node:timers/promises'
import { boundAndVerdict } from './aims.ts'
import { measureBeside } from './beside.ts'
import type { Undo } from './clean-up.ts'
import { type Client, type Load, startClient } from './clients.ts'
import { type Figure, median } from './figures.ts'
import type { BenchRequest } from './measure.ts'
import { type Context, rows, strangers } from './rows.ts'

const connections = 16
/** As many addresses as connections: each is a caller of its own. */
const callers = strangers.slice(0, connections)
/** The status API answers each of them a few times a minute. */
const visitors = strangers.slice(connections).values()
/** A flood is stopped by its end, so it lasts a little longer than the reads beside it. */
const floodExtraSeconds = 1
/** Services are checked once a minute. */
const firstCheckMs = 90_000

type Flood = { name: string; requests: (context: Context) => BenchRequest[] }

const floods: readonly Flood[] = [
  {
    name: 'reads beside a flood of the documentation',
    requests: () =>
      callers.map((headers, at) => ({ path: at % 2 === 0 ? '/docs/rest' : '/docs/paging', headers })),
  },
  {
    name: 'reads beside pages with an unknown session',
    requests: () =>
      callers.map((headers) => ({
        path: '/docs/rest',
        headers: { ...headers, cookie: 'sandpiper-developer=unknown' },
      })),
  },
  {
    name: 'reads beside CCDs of one key',
    requests: ({ callers, fhir }) => [
      { path: `/sandbox/api/v1/patients/${fhir.longPatient}/ccda`, headers: callers[0]?.headers ?? {} },
    ],
  },
  {
    name: 'reads beside a flood of /authorize',
    requests: ({ fhirCallers }) =>
      callers.map((headers) => ({
        path: `${fhirCallers[0]?.base}/authorize?response_type=code&client_id=unknown&scope=openid`,
        headers,
      })),
  },
]

/** @param effort `rounds` of `seconds`, alone and beside */
export async function reportFloods(
  undo: Undo,
  client: Client,
  origin: string,
  context: Context,
  effort: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const reads = rows.find(({ name }) => name === 'FHIR read')?.requests(context) ?? []
  const others = startClient()
  undo(() => others.stop())
  await waitForFirstCheck(origin)
  console.log(
    `\nFHIR reads, one after the other, alone and beside ${connections} connections, by turns: ` +
      `95th percentile, the middle of ${effort.rounds} rounds\n`,
  )
  print(['', 'alone ms', 'beside ms', '× alone', 'aim', '', 'statuses of the flood'])
  const figures: Figure[] = []
  for (const { name, requests } of floods) {
    const statuses: Record<string, number> = {}
    const health = await watchHealth(origin)
    const { figure, alone, beside } = await measureBeside(name, { client, origin, reads }, effort, () =>
      begin(
        others,
        { origin, requests: requests(context), seconds: effort.seconds + floodExtraSeconds },
        statuses,
      ),
    ).finally(() => health.stop())
    const p95 = (loads: readonly Load[]) => median(loads.map(({ p95Ms }) => p95Ms)).toFixed(1)
    print([
      name,
      p95(alone),
      p95(beside),
      figure.value.toFixed(1),
      ...boundAndVerdict(figure),
      [...Object.entries(statuses).map(([status, count]) => `${count} × ${status}`), ...health.faults()].join(
        ', ',
      ),
    ])
    figures.push(figure)
  }
  return figures
}

function begin(
  others: Client,
  order: { origin: string; requests: BenchRequest[]; seconds: number },
  statuses: Record<string, number>,
): () => Promise<void> {
  const ended = others.run({ ...order, connections })
  ended.catch(() => {})
  return async () => {
    const load = await ended
    for (const [status, count] of Object.entries(load.statuses))
      statuses[status] = (statuses[status] ?? 0) + count
    if (load.failed > 0) statuses.failed = (statuses.failed ?? 0) + load.failed
  }
}

/** What the status API says of each service; null while it says nothing. */
async function readStates(origin: string): Promise<Map<string, string> | null> {
  const headers = visitors.next().value
  const response = await fetch(`${origin}/api/v1/system/status`, headers ? { headers } : {})
  const body = (await response.json()) as { services: { id: string; status: string }[] }
  return response.ok ? new Map(body.services.map(({ id, status }) => [id, status])) : null
}

/** A server that has just been started has checked nothing yet. */
async function waitForFirstCheck(origin: string): Promise<void> {
  const until = Date.now() + firstCheckMs
  while (![...((await readStates(origin)) ?? new Map()).values()].includes('operational')) {
    if (Date.now() > until) throw new Error('no service became operational')
    await pause(500)
  }
}

/** Asks twice a second whether the installation is ready, and whether its status shows what it showed before. */
async function watchHealth(origin: string) {
  const faults = new Set<string>()
  const before = await readStates(origin)
  const look = async () => {
    const [ready, states] = await Promise.all([fetch(`${origin}/readyz`), readStates(origin)])
    await ready.arrayBuffer()
    if (ready.status !== 200) faults.add(`/readyz ${ready.status}`)
    if (!states) faults.add('no status')
    for (const [id, state] of states ?? []) if (state !== before?.get(id)) faults.add(`${id} ${state}`)
  }
  const timer = setInterval(() => void look().catch((error) => faults.add(String(error))), 500)
  return { stop: () => clearInterval(timer), faults: () => [...faults] }
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(46) + rest.map((each) => each.padStart(11)).join(''))
}
