/**
 * What public pages take from the API: a FHIR read repeated alone, then beside a visitor who requests a page of the
 * documentation 19 times a second. The ratio of the two is the figure. `npm run bench -- --only pages`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../scripts/setup/folders.mjs'
import type { BenchRequest } from './measure.ts'

const page = '/docs/rest'
const pagesPerSecond = 19
const warmUp = 2_000

/** A visitor with a session's cookie is served a page of their own, a good cookie or not. */
const visitors: { name: string; headers: Record<string, string> }[] = [
  { name: 'pages without a session', headers: { 'x-forwarded-for': '198.19.255.1' } },
  {
    name: 'pages with an unknown session',
    headers: { 'x-forwarded-for': '198.19.255.2', cookie: 'sandpiper-session=unknown' },
  },
]

type Times = { medianMs: number; p99Ms: number; refused: number }

/** @param reads sent one after the other, over and over */
export async function reportPages(
  origin: string,
  reads: readonly BenchRequest[],
  seconds: number,
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const next = cycle(reads)
  try {
    for (let count = 0; count < warmUp; count++) await timeOf(origin, next(), agent)
    console.log(`\nOne FHIR read after the other, beside ${pagesPerSecond} requests a second of ${page}\n`)
    print(['', 'median ms', '× alone', 'p99 ms', '× alone', 'refused', 'pages'])
    const alone = await readFor(seconds, () => timeOf(origin, next(), agent))
    if (alone.refused > 0) throw new Error(`${alone.refused} reads were refused with nothing beside them`)
    printTimes('reads alone', alone, alone, '')
    for (const { name, headers } of visitors) {
      const stop = startPages(origin + page, headers)
      // A page is dearest until the compiler has seen it often.
      for (const [when, delayMs] of [
        ['at first', 1_000],
        ['later', 0],
      ] as const) {
        await pause(delayMs)
        const beside = await readFor(seconds, () => timeOf(origin, next(), agent))
        printTimes(`beside ${name}, ${when}`, beside, alone, when === 'later' ? await stop() : '')
      }
      await pause(1_000)
    }
  } finally {
    agent.destroy()
  }
}

/** @returns ends it; gives how often each status came */
function startPages(url: string, headers: Record<string, string>): () => Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'bench/page-sender.mjs')], {
    env: { ...process.env, URL_OF_PAGE: url, HEADERS: JSON.stringify(headers), RATE: String(pagesPerSecond) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const closed = once(child, 'close')
  return async () => {
    child.stdin.end()
    await closed
    const statuses = Object.entries(JSON.parse(output) as Record<string, number>)
    return statuses.map(([status, count]) => `${count} × ${status}`).join(', ')
  }
}

async function readFor(seconds: number, read: () => Promise<Read>): Promise<Times> {
  const until = performance.now() + seconds * 1_000
  const reads: Read[] = []
  while (performance.now() < until) reads.push(await read())
  // A refusal took its time, too.
  const times = reads.map(({ ms }) => ms)
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  const refused = reads.filter(({ status }) => status !== 200).length
  return { medianMs: at(0.5), p99Ms: at(0.99), refused }
}

/** `ms`: until the body has ended. */
type Read = { ms: number; status: number }

async function timeOf(origin: string, { path, headers }: BenchRequest, agent: http.Agent): Promise<Read> {
  const begun = performance.now()
  const status = await new Promise<number>((resolve, reject) => {
    http
      .get(origin + path, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      .once('error', reject)
  })
  return { ms: performance.now() - begun, status }
}

function cycle<T>(list: readonly T[]): () => T {
  let at = 0
  return () => list[at++ % list.length] as T
}

function printTimes(name: string, { medianMs, p99Ms, refused }: Times, alone: Times, pages: string): void {
  print([
    name,
    medianMs.toFixed(2),
    (medianMs / alone.medianMs).toFixed(1),
    p99Ms.toFixed(1),
    (p99Ms / alone.p99Ms).toFixed(1),
    String(refused),
    pages,
  ])
}

function print([first = '', ...rest]: string[]): void {
  console.log(first.padEnd(48) + rest.map((each) => each.padStart(10)).join('  '))
}
