/** Rounds of the floor and of a row by turns, so that both meet the same moments of a busy machine. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, countAnswered, type Order } from './clients.ts'
import { type CpuTime, cpuBetween, cpuOf } from './cpu.ts'

export type BenchRequest = Order['requests'][number]

/** What is measured; who is asked anew each time, because processes come and go. */
export type Target = {
  origin: string
  processes: () => Record<string, number[]>
}

/** CPU per request, in microseconds. */
export type Round = {
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  clientMicros: number
  /** By the name that the target gives its processes; null where it cannot be read. */
  micros: Record<string, number | null>
}

export type Effort = {
  rounds: number
  /** Of a row in one round. */
  seconds: number
}

export type RowRounds = {
  /** One each: what the floor took just before. */
  floor: readonly Round[]
  row: readonly Round[]
}

const floorConnections = 16
/** A whole row of rounds of the floor costs as much as two rows, so they are short. */
const floorSeconds = 0.6

export type Row = { requests: readonly BenchRequest[]; connections: number; warmUp: number }

/** @throws Error when any answer is not 2xx */
export async function measureRow(
  client: Client,
  { floor, server }: { floor: Target; server: Target },
  { requests, connections, warmUp }: Row,
  { rounds, seconds }: Effort,
): Promise<RowRounds> {
  const load = { requests: [...requests], connections }
  const warmed = await client.run({ ...load, origin: server.origin, amount: Math.max(warmUp, connections) })
  countAnswered(warmed, requests[0]?.path ?? '')
  const result: { floor: Round[]; row: Round[] } = { floor: [], row: [] }
  for (let round = 0; round < rounds; round += 1) {
    result.floor.push(await measureFloor(client, floor))
    result.row.push(await measureOnce(client, server, { ...load, seconds }))
  }
  return result
}

/** What a request costs on a machine that has just been idle: one every 20 ms, on so many connections. */
const lowRate = { perSecond: 50, seconds: 4 }
const idleMs = 10_000

/** @throws Error when any answer is not 2xx */
export async function measureLowRate(
  client: Client,
  { floor, server }: { floor: Target; server: Target },
  { requests, connections }: Omit<Row, 'warmUp'>,
): Promise<RowRounds> {
  await pause(idleMs)
  const row = await measureOnce(client, server, { ...lowRate, requests: [...requests], connections })
  return {
    floor: [await measureOnce(client, floor, { ...lowRate, requests: [{ path: '/' }], connections })],
    row: [row],
  }
}

export async function measureFloor(
  client: Client,
  floor: Target,
  connections = floorConnections,
): Promise<Round> {
  return measureOnce(client, floor, { requests: [{ path: '/' }], connections, seconds: floorSeconds })
}

export async function measureOnce(
  client: Client,
  { origin, processes }: Target,
  load: Omit<Order, 'origin'>,
): Promise<Round> {
  const before = cpuByName(processes())
  const result = await client.run({ ...load, origin })
  const after = cpuByName(processes())
  const answered = countAnswered(result, load.requests[0]?.path ?? '')
  const micros = Object.entries(after).map(([name, time]) => {
    const used = cpuBetween(before[name] ?? null, time)
    return [name, used === null ? null : used / answered] as const
  })
  return {
    perSecond: answered / result.seconds,
    p50Ms: result.p50Ms,
    p95Ms: result.p95Ms,
    p99Ms: result.p99Ms,
    clientMicros: result.cpuMicros / answered,
    micros: Object.fromEntries(micros),
  }
}

function cpuByName(processes: Record<string, number[]>): Record<string, CpuTime | null> {
  return Object.fromEntries(Object.entries(processes).map(([name, pids]) => [name, cpuOf(pids)]))
}

/** Of all processes of a target, the client not among them. Not a number where CPU cannot be read. */
export function totalMicros({ micros }: Round): number {
  return Object.values(micros).reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0)
}

/** The round that cost least: what else the machine did only adds. */
export function cheapest(rounds: readonly Round[]): Round {
  const [first, ...others] = rounds
  if (!first) throw new Error('nothing was measured')
  return others.reduce((best, each) => (totalMicros(each) < totalMicros(best) ? each : best), first)
}
