import autocannon from 'autocannon'
import { cpuOf } from './cpu.ts'

export type Measurement = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  /** CPU of Node and of PostgreSQL per request, in microseconds; null where it cannot be read. */
  nodeMicros: number | null
  postgresMicros: number | null
}

export type BenchRequest = {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

export type Target = {
  origin: string
  requests: BenchRequest[]
  nodePid: number
  /** Asked before and after: connections come and go. */
  postgresPids: () => number[]
}

/**
 * Warms up, then measures.
 * @throws Error when any answer is not 2xx: a refusal is quick, and would make a fine figure
 */
export async function measure(
  { origin, requests, nodePid, postgresPids }: Target,
  { seconds, connections, warmUp }: { seconds: number; connections: number; warmUp: number },
): Promise<Measurement> {
  const options = {
    url: origin,
    requests: requests.map((each) => ({ method: 'GET' as const, ...each })),
    connections,
  }
  await autocannon({ ...options, amount: warmUp })

  const node = cpuOf([nodePid])
  const postgres = cpuOf(postgresPids())
  const result = await autocannon({ ...options, duration: seconds })
  const answered = result['2xx']
  if (result.non2xx > 0 || result.errors > 0 || answered === 0)
    throw new Error(
      `${result.non2xx} of ${answered + result.non2xx} answers of ${requests[0]?.path} were refusals ` +
        `(${Object.keys(result.statusCodeStats ?? {}).join(', ')}), ${result.errors} connections failed`,
    )
  const perRequest = (before: number | null, after: number | null) =>
    before === null || after === null ? null : ((after - before) * 1_000) / answered
  return {
    requestsPerSecond: answered / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    nodeMicros: perRequest(node, cpuOf([nodePid])),
    postgresMicros: perRequest(postgres, cpuOf(postgresPids())),
  }
}
