/**
 * Documents written in threads of their own, a bounded number at a time. A credential has its share of
 * the places, so that one caller's long charts leave room for others.
 */
import { availableParallelism } from 'node:os'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { limits } from '../contract/http/limits.ts'
import { Problem, type ProblemKind } from '../contract/http/problems.ts'
import type { RefusalReason } from '../contract/keys/refusal-reasons.ts'
import { startThread } from '../threads.ts'
import type { ChartOptions } from './chart.ts'

export type Pieces = AsyncIterableIterator<string, void>

/** For one document. It is given back when the document ends, or when no one took a piece for ten seconds. */
type Place = {
  /** Writes as the pieces are taken; `return` gives the place back as well. At most once. */
  write(order: WriteOrder): Pieces
  /** Of no use once something is written. */
  giveBack(): void
}

export type CcdWriters = ReturnType<typeof createCcdWriters>

type Options = {
  connectionString: string
  threadsMax?: number
  /** A document whose reader takes longer is broken off: a place is not for keeping. */
  readWithinMs?: number
  unreadMs?: number
}

/** One core is left to the thread of the requests. */
export const writerThreads: number = Math.max(1, Math.min(4, availableParallelism() - 1))

export function createCcdWriters({
  connectionString,
  threadsMax = writerThreads,
  readWithinMs = 300_000,
  unreadMs = 10_000,
}: Options) {
  const threads = new Map<Worker, Set<Reading>>()
  const places = new Map<string, number>()
  let taken = 0

  function takePlace(credential: string): Place {
    countPlace(credential)
    let order: WriteOrder | null = null
    let reading: Reading | null = null
    let end: { failure: unknown } | null = null
    let timer = setTimeout(() => finish(tooSlow()), unreadMs).unref()

    function finish(failure: unknown = null): void {
      if (end !== null) return
      end = { failure }
      clearTimeout(timer)
      reading?.close(failure)
      givePlace(credential)
    }

    async function next(): Promise<IteratorResult<string, void>> {
      if (end === null && reading === null && order !== null) {
        clearTimeout(timer)
        timer = setTimeout(() => finish(tooSlow()), readWithinMs).unref()
        reading = begin(order)
      }
      const value = end === null && reading !== null ? await reading.next().catch(finish) : null
      if (typeof value === 'string' && end === null) return { done: false, value }
      finish()
      const { failure } = end as unknown as { failure: unknown }
      if (failure !== null) throw failure
      return { done: true, value: undefined }
    }

    const pieces: Pieces = {
      next,
      return: async () => {
        finish()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
    return {
      write(wanted) {
        order = wanted
        return pieces
      },
      giveBack: () => finish(),
    }
  }

  function countPlace(credential: string): void {
    const own = places.get(credential) ?? 0
    if (own >= limits.documentsPerCredential) throw full('rate_limited', 'too_many_documents')
    if (taken >= limits.documentsPerProcess) throw full('unavailable', 'documents_busy')
    places.set(credential, own + 1)
    taken++
  }

  function givePlace(credential: string): void {
    const rest = (places.get(credential) ?? 1) - 1
    if (rest > 0) places.set(credential, rest)
    else places.delete(credential)
    taken--
  }

  /** At the thread with the least to do; another one is started while there may be more. */
  function begin(order: WriteOrder): Reading {
    const [least] = [...threads].sort(([, a], [, b]) => a.size - b.size)
    const [thread, readings] =
      least === undefined || (least[1].size > 0 && threads.size < threadsMax) ? addThread() : least
    const { port1, port2 } = new MessageChannel()
    const reading = createReading(port1, () => readings.delete(reading))
    readings.add(reading)
    thread.postMessage({ order, port: port2 }, [port2])
    return reading
  }

  function addThread(): [Worker, Set<Reading>] {
    const thread = startThread('server/ccd/writer-thread.ts', { workerData: { connectionString } })
    const readings = new Set<Reading>()
    threads.set(thread, readings)
    // Documents under way keep the process alive by their connections; an idle thread must not.
    thread.unref()
    const end = (error: unknown) => {
      threads.delete(thread)
      for (const reading of readings) reading.fail(broken('a writer ended', error))
    }
    thread.on('error', end)
    thread.on('exit', end)
    return [thread, readings]
  }

  async function close(): Promise<void> {
    await Promise.all([...threads.keys()].map((thread) => thread.terminate()))
  }

  return {
    /**
     * @param credential whose share of the places it is of
     * @throws Problem `rate_limited` or `unavailable` when there is no place
     */
    takePlace,
    close,
  }
}

type Reading = {
  /** The next piece; null at the end. */
  next(): Promise<string | null>
  fail(error: Error): void
  /** @param failure thrown to the reader of the next piece */
  close(failure: unknown): void
}

/** The pieces of one document, in the order in which they come. */
function createReading(port: MessagePort, onClose: () => void): Reading {
  const arrived: WriterMessage[] = []
  let failure: Error | null = null
  let wake = () => {}
  port.on('message', (message: WriterMessage) => {
    arrived.push(message)
    wake()
  })

  function fail(error: Error): void {
    failure ??= error
    wake()
  }

  async function next(): Promise<string | null> {
    for (;;) {
      if (failure !== null) throw failure
      const message = arrived.shift()
      if (message === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      if (message.kind === 'end') return null
      if (message.kind === 'failed') throw errorOf(message)
      port.postMessage('more')
      return message.text
    }
  }

  function close(failure: unknown): void {
    if (failure instanceof Error) fail(failure)
    port.close()
    onClose()
  }

  return { next, fail, close }
}

function errorOf({ problem, message }: Extract<WriterMessage, { kind: 'failed' }>): Error {
  if (problem === null) return new Error(`a document could not be written: ${message}`)
  const { kind, ...more } = problem
  return new Problem(kind, more)
}

const tooSlow = () => broken('the document was not read in time')

const broken = (detail: string, cause?: unknown): Problem =>
  new Problem('unavailable', { detail, retryAfterSeconds: 1, ...(cause !== undefined && { cause }) })

const full = (kind: 'rate_limited' | 'unavailable', detail: RefusalReason): Problem =>
  new Problem(kind, { detail, retryAfterSeconds: limits.documentsRetrySeconds })

// Messages between the request's thread and a writer's thread. All of them can be cloned.

/** Of each thread. */
export const writerConnections = 2

type CcdFormat = 'xml' | 'html'

/** One document to be written; its pieces go to the port that comes with it. */
export type WriteOrder = Readonly<{ format: CcdFormat; chart: Omit<ChartOptions, 'store'> }>

/** To the port, in this order: pieces, then one end or failure. Each piece is answered with `more`. */
export type WriterMessage =
  | Readonly<{ kind: 'piece'; text: string }>
  | Readonly<{ kind: 'end' }>
  /** Of a fault that is no problem of the contract only the message is known. */
  | Readonly<{
      kind: 'failed'
      problem: Readonly<{ kind: ProblemKind; detail?: string; retryAfterSeconds?: number }> | null
      message: string
    }>
