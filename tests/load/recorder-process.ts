/** Answers requests as the interfaces do, with the real recorder and nothing else, to be killed: kill-recorder.long.test.ts. */
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccessRow, ActivityRow } from '../../server/audit/log-rows.ts'
import { createRecorder } from '../../server/audit/recorder.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import { newCorrelationId } from '../../server/http/correlation.ts'

const { LOG_DATABASE = '', KEY_ID = randomUUID(), PRACTICE_ID = randomUUID() } = process.env
const recorder = createRecorder({ connectionString: LOG_DATABASE, log: { error: () => {} } })

function activity(at: Date, correlationId: string, status: number): ActivityRow {
  return {
    at,
    door: 'rest',
    environment: 'sandbox',
    keyId: KEY_ID,
    claimedPrefix: null,
    practiceId: PRACTICE_ID,
    method: 'GET',
    route: '/patients/{id}',
    status,
    ip: '192.0.2.1',
    correlationId,
    clientCorrelationId: null,
    durationMs: 1,
    refusal: status === 200 ? null : 'rateLimited',
    fromBrowser: false,
  }
}

function access(at: Date, correlationId: string): AccessRow {
  return {
    at,
    practiceId: PRACTICE_ID,
    principalKind: 'api_key',
    principalId: KEY_ID,
    action: 'read',
    resourceType: 'Patient',
    patientId: 'wren-testwell',
    count: 1,
    purpose: 'operations',
    outcome: 'served',
    correlationId,
  }
}

const server = http.createServer(async (request, response) => {
  const at = new Date()
  const correlationId = newCorrelationId(at)
  let status = request.url === '/refused' ? 429 : 200
  if (status === 429) recorder.note({ activity: activity(at, correlationId, status) })
  else {
    try {
      await recorder.commit({
        activity: activity(at, correlationId, status),
        access: access(at, correlationId),
      })
    } catch (error) {
      if (!isProblem(error)) throw error
      status = error.status
    }
  }
  response.writeHead(status, { 'x-correlation-id': correlationId, 'content-length': 2_000 })
  response.end('x'.repeat(2_000))
})

server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
