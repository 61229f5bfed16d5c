import { existsSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { afterAll, describe, expect, test } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { longTest } from '../../tests/support/slice.ts'
import { limits } from '../contract/http/limits.ts'
import { isProblem } from '../contract/http/problems.ts'
import { planRead } from '../search/lists.ts'
import { noLiveness } from '../store/liveness.ts'
import { wholeOf } from './ccd.ts'
import { createChart } from './chart.ts'
import { writeDocument } from './document.ts'
import { type CcdWriters, createCcdWriters, type WriteOrder } from './writers.ts'

const patientId = 'pt-otis-samplewood'
const opened: CcdWriters[] = []

function createWriters(options: Partial<Parameters<typeof createCcdWriters>[0]> = {}): CcdWriters {
  const writers = createCcdWriters({ connectionString: services.appUrl, ...options })
  opened.push(writers)
  return writers
}

const services = await testServices()
const { slug, name, datasetId } = await services.prisma.practice.findUniqueOrThrow({
  where: { slug: 'sandpiper-demonstration' },
})
const { resource } = await services.store.read(datasetId, planRead('Patient', patientId), noLiveness)
const now = services.clock()
const order: WriteOrder = {
  format: 'xml',
  chart: {
    liveness: noLiveness,
    practice: { slug, name, datasetId },
    patient: JSON.parse(String(resource?.content)),
    changedAt: now,
    firstAt: now,
    confidentiality: 0,
  },
}

afterAll(async () => {
  await Promise.all(opened.map((writers) => writers.close()))
})

/** `rate_limited`, `unavailable` … or that there was a place. */
function tryPlace(writers: CcdWriters, credential: string): string {
  try {
    writers.takePlace(credential).write(order)
    return 'a place'
  } catch (thrown) {
    if (!isProblem(thrown)) throw thrown
    expect(thrown.headers['Retry-After']).toBe(String(limits.documentsRetrySeconds))
    return thrown.kind
  }
}

/** What this thread has used of the processor, whoever else is busy: https://docs.kernel.org/scheduler/sched-stats.html */
const threadStat = '/proc/thread-self/schedstat'
const usedNanoseconds = (): number =>
  existsSync(threadStat)
    ? Number(readFileSync(threadStat, 'utf8').split(' ')[0])
    : performance.eventLoopUtilization().active

/** What this thread had to do in several rounds, after one that loads what is needed. */
async function busyWhile(write: () => Promise<unknown>): Promise<number> {
  await write()
  const before = usedNanoseconds()
  for (let round = 0; round < 8; round++) await write()
  return usedNanoseconds() - before
}

describe('documents', () => {
  test('are written in a thread, whole, several at a time', async () => {
    const writers = createWriters()

    const texts = await Promise.all(
      ['a', 'b', 'c'].map((who) => wholeOf(writers.takePlace(who).write(order))),
    )

    expect(texts[0]).toMatch(/^<\?xml .*<\/ClinicalDocument>\n$/s)
    expect(new Set(texts).size).toBe(1)
  })

  test('of one credential are four at a time, of all credentials twelve', async () => {
    const writers = createWriters()

    expect(Array.from({ length: 5 }, () => tryPlace(writers, 'a'))).toEqual([
      ...Array(4).fill('a place'),
      'rate_limited',
    ])
    expect(Array.from({ length: 9 }, (_, at) => tryPlace(writers, `other-${at}`))).toEqual([
      ...Array(8).fill('a place'),
      'unavailable',
    ])
  })

  test('give their place back at the end, when they are given up, and when nobody takes them', async () => {
    const writers = createWriters({ unreadMs: 30 })
    const [read, left, begun] = [1, 2, 3].map(() => writers.takePlace('a').write(order))
    if (!read || !left || !begun) throw new Error('no documents')
    writers.takePlace('a').write(order)
    expect(tryPlace(writers, 'a')).toBe('rate_limited')

    await Promise.all([wholeOf(read), left.return?.(), begun.next().then(() => begun.return?.())])
    await new Promise((resolve) => setTimeout(resolve, 60))

    const documents = Array.from({ length: 4 }, () => writers.takePlace('a').write(order))
    for (const document of documents) await document.return?.()
    expect(tryPlace(writers, 'a')).toBe('a place')
  })

  test('that are read too slowly are broken off, and their place is free', async () => {
    const writers = createWriters({ readWithinMs: 200 })
    const documents = [1, 2, 3, 4].map(() => writers.takePlace('a').write(order))
    const outcomes = documents.map(async (document) => {
      await document.next()
      await new Promise((resolve) => setTimeout(resolve, 300))
      return wholeOf(document)
    })

    const results = await Promise.allSettled(outcomes)

    expect(results.map((result) => result.status === 'rejected' && result.reason.kind)).toEqual(
      Array(4).fill('unavailable'),
    )
    expect(tryPlace(writers, 'a')).toBe('a place')
  })

  test('whose credential has ended fail as such', async () => {
    const writers = createWriters()
    const id = '00000000-0000-4000-8000-000000000000'
    const liveness = { kind: 'api_key', keyId: id, keyVersion: 1, practiceId: id, now: new Date() } as const
    const { chart } = order
    const ended = { ...chart, liveness: { ...liveness, datasetId: chart.practice.datasetId } }

    await expect(wholeOf(writers.takePlace('a').write({ ...order, chart: ended }))).rejects.toMatchObject({
      kind: 'unavailable',
      detail: 'the credential ended while the document was written',
    })
  })

  test('fail when their thread ends, and the next one has another thread', async () => {
    const writers = createWriters()
    const document = writers.takePlace('a').write(order)
    await document.next()

    await writers.close()

    await expect(wholeOf(document)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await wholeOf(writers.takePlace('a').write(order))).toContain('</ClinicalDocument>')
  })

  longTest('leave the thread of the requests free', async () => {
    const writers = createWriters()
    const writeHere = async () => {
      const chart = createChart({ ...order.chart, store: services.store })
      for await (const piece of writeDocument(chart)) expect(piece).not.toBe('')
    }

    const withThread = await busyWhile(() => wholeOf(writers.takePlace('a').write(order)))

    expect(withThread).toBeLessThan((await busyWhile(writeHere)) / 2)
  })
})
