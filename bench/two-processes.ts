/**
 * `node --import tsx bench/two-processes.ts`: FHIR reads by one API process and by two, with limits counted in Valkey or
 * Redis: CPU per request of all processes together, and how many are answered. One process is asked twice: by as many
 * connections as the two have together, and by as many as each of them has. Two installations of one process each, which
 * share nothing but the machine, tell how much of the difference is the machine's: a busy machine needs more CPU for a request.
 */
import { parseArgs } from 'node:util'
import { findFreePort } from '../scripts/setup/free-port.mjs'
import { createTestRedis } from '../tests/support/redis.ts'
import { verdictOn } from './aims.ts'
import { makeCallers } from './callers.ts'
import { type Undo, withCleanUp } from './clean-up.ts'
import { type Client, type Load, startClient } from './clients.ts'
import { makeFhirCallers } from './fhir-callers.ts'
import { findFhirRecords } from './fhir-records.ts'
import { type Figure, median, saveFigures } from './figures.ts'
import { createInstallation } from './installation.ts'
import { type BenchRequest, measureOnce, type Round, type Target, totalMicros } from './measure.ts'
import { rows } from './rows.ts'

/** As of the other rows: no limit is reached. */
const PRACTICES = 60
/** Of two clients together; with one process both ask it. */
const connectionsOfTwo = 32
const connectionsOfEach = connectionsOfTwo / 2

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    figures: { type: 'string' },
  },
})
const effort = { rounds: Number(values.rounds), seconds: Number(values.seconds) }

await withCleanUp(async (undo) => {
  const [first, second] = [await begin(undo), await begin(undo)]
  const api = [await first.startApi(), await first.startApi()] as const
  const one = targetOf([first, api[0]], [first, api[0]])
  const two = targetOf([first, api[0]], [first, api[1]])
  const apart = targetOf([first, api[0]], [second, await second.startApi()])
  const clients = [startClient(), startClient()]
  for (const client of clients) undo(() => client.stop())
  const { seconds } = effort
  const measure = (target: Halves, connections: number) =>
    measureOnce(asOne(clients, target.halves), target, { requests: first.requests, connections, seconds })
  const measured: Record<'allOnOne' | 'halfOnOne' | 'two' | 'apart', Round[]> = {
    allOnOne: [],
    halfOnOne: [],
    two: [],
    apart: [],
  }
  // The first ones compile the code.
  for (let round = -2; round < effort.rounds; round += 1) {
    const found = {
      allOnOne: await measure(one, connectionsOfTwo),
      halfOnOne: await measure(one, connectionsOfEach),
      two: await measure(two, connectionsOfTwo),
      apart: await measure(apart, connectionsOfTwo),
    }
    if (round < 0) continue
    measured.allOnOne.push(found.allOnOne)
    measured.halfOnOne.push(found.halfOnOne)
    measured.two.push(found.two)
    measured.apart.push(found.apart)
  }
  print([
    'processes, connections',
    'req/s',
    'p50 ms',
    'p99 ms',
    'client',
    'Node',
    'PostgreSQL',
    'Redis',
    'together',
  ])
  printRow(`one, ${connectionsOfTwo}`, measured.allOnOne)
  printRow(`one, ${connectionsOfEach}`, measured.halfOnOne)
  printRow(`two, ${connectionsOfEach} each`, measured.two)
  printRow('two installations', measured.apart)
  const figures = [
    figureOf('CPU with two API processes', measured.two, measured.allOnOne),
    figureOf('CPU with two API processes, each as busy as the one', measured.two, measured.halfOnOne),
    figureOf('CPU with two API processes, beside two installations', measured.two, measured.apart),
  ]
  console.log('\nCPU per request of all processes:')
  for (const figure of figures)
    console.log(`${figure.name}: ${figure.value.toFixed(2)} ×${verdictOn(figure)}`)
  saveFigures(values.figures, figures)
})

function figureOf(name: string, two: readonly Round[], one: readonly Round[]): Figure {
  return {
    name,
    unit: '×',
    value: median(two.map(totalMicros)) / median(one.map(totalMicros)),
    rounds: two.map((round, at) => totalMicros(round) / totalMicros(one[at] as Round)),
  }
}

type Site = Awaited<ReturnType<typeof begin>>
type Api = Awaited<ReturnType<Site['startApi']>>
type Half = { origin: string; requests: readonly BenchRequest[] }
type Halves = Target & { halves: readonly Half[] }

/** An installation with its callers, a Redis of its own, and no process yet. */
async function begin(undo: Undo) {
  const { owner, postgres, startApi } = await createInstallation(undo)
  await makeCallers(owner, PRACTICES, {
    slug: 'bench',
    records: 'sandpiper-demonstration',
    level: 'read_only',
  })
  const slugs = Array.from({ length: PRACTICES }, (_, index) => `bench-${index}`)
  const fhirCallers = await makeFhirCallers(owner, slugs)
  const fhir = await findFhirRecords(owner)
  const redis = createTestRedis(await findFreePort())
  undo(() => redis.remove())
  const read = rows.find(({ name }) => name === 'FHIR read')
  if (!read) throw new Error('the row of FHIR reads is gone')
  const requests = read.requests({
    fhirCallers,
    fhir,
    callers: [],
    writers: [],
    patientIds: [],
    visitors: { developer: [], staff: [], practice: [] },
  })
  return { requests, postgres, redis, startApi: () => startApi({ REDIS_URL: redis.url }) }
}

/** Each half of the connections asks a process, with half of its installation's callers. */
function targetOf(...asked: readonly (readonly [Site, Api])[]): Halves {
  const sites = [...new Set(asked.map(([site]) => site))]
  const halves = asked.map(([site, { origin }], at) => ({
    origin,
    requests: site.requests.filter((_, index) => index % asked.length === at),
  }))
  return {
    origin: halves[0]?.origin ?? '',
    halves,
    processes: () => ({
      Node: [...new Set(asked.map(([, { pid }]) => pid))],
      PostgreSQL: sites.flatMap(({ postgres }) => postgres()),
      Redis: sites.map(({ redis }) => redis.pid() ?? 0),
    }),
  }
}

/** Clients that ask at once, each for its half of the connections. */
function asOne(clients: readonly Client[], halves: readonly Half[]): Client {
  return {
    run: async (order) =>
      together(
        await Promise.all(
          clients.map((client, at) =>
            client.run({
              ...order,
              origin: halves[at]?.origin ?? '',
              requests: [...(halves[at]?.requests ?? [])],
              connections: order.connections / clients.length,
            }),
          ),
        ),
      ),
    stop: async () => {},
  }
}

function together(loads: readonly Load[]): Load {
  const sum = (of: (load: Load) => number) => loads.reduce((all, load) => all + of(load), 0)
  const mean = (of: (load: Load) => number) => sum(of) / loads.length
  const statuses: Record<string, number> = {}
  for (const load of loads)
    for (const [status, count] of Object.entries(load.statuses))
      statuses[status] = (statuses[status] ?? 0) + count
  return {
    statuses,
    seconds: Math.max(...loads.map(({ seconds }) => seconds)),
    failed: sum(({ failed }) => failed),
    cpuMicros: sum(({ cpuMicros }) => cpuMicros),
    p50Ms: mean(({ p50Ms }) => p50Ms),
    p95Ms: mean(({ p95Ms }) => p95Ms),
    p99Ms: mean(({ p99Ms }) => p99Ms),
  }
}

/** The middle of the rounds. */
function printRow(name: string, rounds: readonly Round[]): void {
  const middle = (of: (round: Round) => number, digits = 0) => median(rounds.map(of)).toFixed(digits)
  const cpu = (of: string) => middle(({ micros }) => micros[of] ?? Number.NaN)
  print([
    name,
    middle(({ perSecond }) => perSecond),
    middle(({ p50Ms }) => p50Ms, 1),
    middle(({ p99Ms }) => p99Ms, 1),
    middle(({ clientMicros }) => clientMicros),
    cpu('Node'),
    cpu('PostgreSQL'),
    cpu('Redis'),
    middle(totalMicros),
  ])
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(24) + rest.map((each) => each.padStart(11)).join(''))
}
