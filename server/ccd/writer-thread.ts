/** A thread that writes documents: a long chart takes seconds to write, and no other request waits for it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { asProblem, isProblem } from '../contract/http/problems.ts'
import { createPool } from '../store/pool.ts'
import { patientPool } from '../store/retry.ts'
import { createStore } from '../store/store.ts'
import { yieldToRequests } from '../threads.ts'
import { createChart } from './chart.ts'
import { writeDocument } from './document.ts'
import { writePage } from './page.ts'
import { type WriteOrder, type WriterMessage, writerConnections } from './writers.ts'

/** A piece this long is worth a message. Little is written ahead of the reader: a credential may end meanwhile. */
const pieceCharacters = 16 * 1024

yieldToRequests()

const { connectionString } = workerData as { connectionString: string }
const pool = createPool({
  connectionString,
  max: writerConnections,
  waitMs: patientPool.waitMs,
  applicationName: 'sandpiper-ccd',
})
const store = createStore({ pool, clock: () => new Date() })

parentPort?.on('message', ({ order, port }: { order: WriteOrder; port: MessagePort }) => {
  void write(order, port)
})

async function write({ format, chart: options }: WriteOrder, port: MessagePort): Promise<void> {
  const reader = readerOf(port)
  const say = (message: WriterMessage) => port.postMessage(message)
  try {
    const chart = createChart({ ...options, store })
    let gathered = ''
    for await (const piece of format === 'xml' ? writeDocument(chart) : writePage(chart)) {
      gathered += piece
      if (gathered.length < pieceCharacters) continue
      say({ kind: 'piece', text: gathered })
      gathered = ''
      if (!(await reader.isReady())) return
    }
    if (gathered !== '') say({ kind: 'piece', text: gathered })
    say({ kind: 'end' })
  } catch (thrown) {
    const cause = asProblem(thrown)
    const problem = isProblem(cause) ? cause : null
    say({
      kind: 'failed',
      problem: problem && {
        kind: problem.kind,
        ...(problem.detail !== undefined && { detail: problem.detail }),
        ...(problem.retryAfterSeconds !== undefined && { retryAfterSeconds: problem.retryAfterSeconds }),
      },
      message: thrown instanceof Error ? thrown.message : String(thrown),
    })
  }
}

function readerOf(port: MessagePort) {
  /** Pieces that were not taken yet. */
  let ahead = 0
  let isGone = false
  let wake = () => {}
  port.on('message', () => {
    ahead--
    wake()
  })
  port.on('close', () => {
    isGone = true
    wake()
  })

  /** Waits until the piece that was sent is taken. @returns false when no one reads any more */
  async function isReady(): Promise<boolean> {
    ahead++
    while (ahead > 0 && !isGone)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return !isGone
  }

  return { isReady }
}
