/** What reads feel of other work: their 95th percentile alone and beside it, by turns. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Load } from './clients.ts'
import { countAnswered } from './clients.ts'
import { type Figure, median } from './figures.ts'
import type { BenchRequest } from './measure.ts'

export type Beside = { figure: Figure; alone: readonly Load[]; beside: readonly Load[] }

/** Reads are sent one after the other, by a caller who waits for each response. */
const readConnections = 1
/** The other work has begun, and its first requests are over. */
const leadMs = 500

/**
 * @param start begins the other work and gives its end
 * @throws Error when a read is refused, alone or beside the other work
 */
export async function measureBeside(
  name: string,
  { client, origin, reads }: { client: Client; origin: string; reads: readonly BenchRequest[] },
  { rounds, seconds }: { rounds: number; seconds: number },
  start: () => () => Promise<void>,
): Promise<Beside> {
  const read = async () => {
    const load = await client.run({ origin, requests: [...reads], connections: readConnections, seconds })
    countAnswered(load, `${name}: ${reads[0]?.path}`)
    return load
  }
  await client.run({ origin, requests: [...reads], connections: readConnections, amount: 300 })
  const [alone, beside]: [Load[], Load[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await read())
    const stop = start()
    try {
      await pause(leadMs)
      beside.push(await read())
    } finally {
      await stop()
    }
  }
  const ratios = beside.map(({ p95Ms }, at) => p95Ms / (alone[at]?.p95Ms ?? Number.NaN))
  return { figure: { name, unit: '×', value: median(ratios), rounds: ratios }, alone, beside }
}
