/** The rows of the table: what a request costs, as a multiple of what Node itself needs to answer anything. */
import { boundAndVerdict } from './aims.ts'
import type { Client } from './clients.ts'
import type { Figure } from './figures.ts'
import {
  cheapest,
  type Effort,
  measureFloor,
  measureLowRate,
  measureRow,
  type RowRounds,
  type Target,
  totalMicros,
} from './measure.ts'
import { type Context, type Row, rows } from './rows.ts'

const connectionsUsual = 16

type Processes = { floor: Target; server: Target }

/**
 * @param only parts of names of rows, with commas between them
 * @param atLowRate measured again as a user finds a server that has just been idle
 */
export async function reportRows(
  client: Client,
  processes: Processes,
  context: Context,
  { only, atLowRate, ...effort }: Effort & { only: string; atLowRate: boolean },
): Promise<Figure[]> {
  console.log(
    `\n${connectionsUsual} connections unless said, ${effort.rounds} rounds of ${effort.seconds} s, each after a round of the floor;` +
      '\nCPU in µs per request, the cheapest of the rounds\n',
  )
  print(['', 'req/s', 'p50 ms', 'p99 ms', 'client', 'Node', 'PostgreSQL', 'floor', '× floor', 'aim', ''])
  // Until its code is compiled.
  for (let round = 0; round < 3; round += 1) await measureFloor(client, processes.floor)
  const figures: Figure[] = []
  const measured = rows.filter(({ name }) => only.split(',').some((part) => name.includes(part)))
  for (const row of measured) {
    await assertExpected(row, processes.server.origin, context)
    const requests = row.requests(context)
    const { connections = connectionsUsual, warmUp } = row
    const rounds = await measureRow(client, processes, { requests, connections, warmUp }, effort)
    const figure = figureOf(row.name, rounds)
    printRow(figure, rounds)
    figures.push(figure)
  }
  if (!atLowRate) return figures
  console.log('\nOne request every 20 ms after ten idle seconds, beside the floor at the same rate\n')
  for (const { name, requests } of measured.filter(({ connections }) => connections === undefined))
    for (const count of [connectionsUsual, 1]) {
      const rounds = await measureLowRate(client, processes, {
        requests: requests(context),
        connections: count,
      })
      const figure = figureOf(`${name}, low rate, ${count} connection${count === 1 ? '' : 's'}`, rounds)
      printRow(figure, rounds)
      figures.push(figure)
    }
  return figures
}

async function assertExpected({ name, requests, expected }: Row, origin: string, context: Context) {
  const [request] = requests(context)
  const { path = '', ...init } = request ?? {}
  const response = await fetch(origin + path, { ...init, redirect: 'manual' })
  const body = await response.text()
  if (!response.ok || !expected(body))
    throw new Error(
      `${name}: not what is to be measured (${response.status} ${response.headers.get('location')}): ${body.slice(0, 500)}`,
    )
}

function figureOf(name: string, { floor, row }: RowRounds): Figure {
  const ratio = (cost: number, least: number) => cost / least
  return {
    name,
    unit: '×',
    value: ratio(totalMicros(cheapest(row)), totalMicros(cheapest(floor))),
    rounds: row.map((round, at) => ratio(totalMicros(round), totalMicros(floor[at] ?? round))),
  }
}

function printRow(figure: Figure, { floor, row }: RowRounds): void {
  const best = cheapest(row)
  const { PostgreSQL = null, ...node } = best.micros
  const whole = (value: number | null) => (value === null || Number.isNaN(value) ? '–' : value.toFixed(0))
  print([
    figure.name,
    whole(best.perSecond),
    best.p50Ms.toFixed(1),
    best.p99Ms.toFixed(1),
    whole(best.clientMicros),
    whole(Object.values(node).reduce<number>((sum, each) => sum + (each ?? Number.NaN), 0)),
    whole(PostgreSQL),
    totalMicros(cheapest(floor)).toFixed(1),
    figure.value.toFixed(1),
    ...boundAndVerdict(figure),
  ])
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(28) + rest.map((each) => each.padStart(11)).join(''))
}
