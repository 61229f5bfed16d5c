/** FHIR reads of one caller beside floods of others, and whether the installation says meanwhile that it is well. */
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
/** A flood is stopped by its end, so it lasts a little longer than the reads beside it. */
const floodExtraSeconds = 1

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
  console.log(
    `\nFHIR reads, one after the other, alone and beside ${connections} connections, by turns: ` +
      `95th percentile, the middle of ${effort.rounds} rounds\n`,
  )
  print(['', 'alone ms', 'beside ms', '× alone', 'aim', '', 'statuses of the flood'])
  const figures: Figure[] = []
  for (const { name, requests } of floods) {
    const statuses: Record<string, number> = {}
    const health = watchHealth(origin)
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

/** Asks twice a second whether the installation is ready, and what its status page shows. */
function watchHealth(origin: string) {
  const faults = new Set<string>()
  const look = async () => {
    const [ready, status] = await Promise.all(
      ['/readyz', '/api/v1/system/status'].map((path) => fetch(origin + path)),
    )
    if (ready?.status !== 200) faults.add(`/readyz ${ready?.status}`)
    await ready?.arrayBuffer()
    if (status?.status !== 200) {
      await status?.arrayBuffer()
      return
    }
    const { services } = (await status.json()) as { services: { id: string; status: string }[] }
    for (const { id, status: state } of services) if (state !== 'operational') faults.add(`${id} ${state}`)
  }
  const timer = setInterval(() => void look().catch((error) => faults.add(String(error))), 500)
  return { stop: () => clearInterval(timer), faults: () => [...faults] }
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(46) + rest.map((each) => each.padStart(11)).join(''))
}
