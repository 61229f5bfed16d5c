/** Answers requests as the interfaces do, with the real recorder and the reads that record themselves, to be killed: kill-recorder.long.test.ts. */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AccessRow,
  type ActivityRow,
  type LogRecord,
  writtenWithRead,
} from '../../server/audit/log-rows.ts'
import { createRecorder } from '../../server/audit/recorder.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import { newCorrelationId } from '../../server/http/correlation.ts'
import { planRead } from '../../server/search/lists.ts'
import { createPool } from '../../server/store/pool.ts'
import { createStore } from '../../server/store/store.ts'

const { LOG_DATABASE = '', KEY_ID = randomUUID(), PRACTICE_ID = randomUUID() } = process.env
const [datasetId, patientId] = [1, 'wren-testwell']
const pool = createPool({ connectionString: LOG_DATABASE, max: 4 })
const store = createStore({ pool, clock: () => new Date() })
const recorder = createRecorder({ connectionString: LOG_DATABASE, log: { error: () => {} } })

function activity(at: Date, correlationId: string, status: number): ActivityRow {
  const request = { method: 'GET', route: '/patients/{id}', status, ip: '192.0.2.1', durationMs: 1 }
  const whose = { keyId: KEY_ID, claimedPrefix: null, practiceId: PRACTICE_ID, clientCorrelationId: null }
  const refusal = status === 200 ? null : 'rateLimited'
  const [door, environment] = ['rest', 'sandbox'] as const
  return { at, door, environment, correlationId, refusal, fromBrowser: false, ...request, ...whose }
}

function access(at: Date, correlationId: string): AccessRow {
  const what = { action: 'read', resourceType: 'Patient', patientId, count: 1, purpose: 'operations' }
  const who = { practiceId: PRACTICE_ID, principalKind: 'api_key', principalId: KEY_ID } as const
  return { at, correlationId, outcome: 'served', ...what, ...who }
}

/** Records with the statement that reads, or by the recorder. */
async function record(at: Date, records: LogRecord, reads: boolean): Promise<void> {
  const own = { practiceId: PRACTICE_ID, datasetId, now: at }
  const liveness = { kind: 'api_key', keyId: KEY_ID, keyVersion: 0, ...own } as const
  const written = reads ? writtenWithRead(records) : undefined
  if (written === undefined) return recorder.commit(records)
  const plan = planRead('Patient', patientId)
  const { resource, isRecorded } = await store.read(datasetId, plan, liveness, written)
  if (resource === null || !isRecorded) throw new Error('nothing was read')
}

const server = http.createServer(async (request, response) => {
  const at = new Date()
  const correlationId = newCorrelationId(at)
  let status = request.url === '/refused' ? 429 : 200
  if (status === 429) recorder.note({ activity: activity(at, correlationId, status) })
  else {
    try {
      const records = { activity: activity(at, correlationId, status), access: access(at, correlationId) }
      await record(at, records, request.url === '/read')
    } catch (error) {
      if (!isProblem(error)) throw error
      status = error.status
    }
  }
  response.writeHead(status, { 'x-correlation-id': correlationId, 'content-length': 2_000 })
  response.end('x'.repeat(2_000))
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
