/** A flood of one kind beside the reads of others: how much longer do those take? */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import { ROOT } from '../../scripts/setup/folders.mjs'

export type FloodRequest = { path: string; headers: Record<string, string> }

const floodConnections = 16

/** @returns ends it; gives how often each status came */
export function startFlood(origin: string, requests: readonly FloodRequest[]) {
  const child = spawn(process.execPath, [join(ROOT, 'tests/load/flooder.mjs')], {
    env: {
      ...process.env,
      ORIGIN: origin,
      REQUESTS: JSON.stringify(requests),
      CONNECTIONS: String(floodConnections),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close')
  return async (): Promise<Record<string, number>> => {
    child.stdin.end()
    await closed
    return JSON.parse(output)
  }
}

type Reads = { times: number[]; statuses: Record<string, number> }

/** Reads on so many connections, each one request after the other. `ms`: until the body has ended. */
export async function readFor(
  ms: number,
  origin: string,
  reads: readonly FloodRequest[],
  connections: number,
): Promise<Reads> {
  const until = performance.now() + ms
  const times: number[] = []
  const statuses: Record<string, number> = {}
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const connection = async (first: number) => {
    for (let at = first; performance.now() < until; at += connections) {
      const begun = performance.now()
      const status = await statusOf(origin, reads[at % reads.length] as FloodRequest, agent)
      times.push(performance.now() - begun)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, each) => connection(each)))
  agent.destroy()
  return { times, statuses }
}

export async function statusOf(
  origin: string,
  { path, headers }: FloodRequest,
  agent?: http.Agent,
): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get(origin + path, { ...(agent && { agent }), headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      .once('error', reject)
  })
}

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
