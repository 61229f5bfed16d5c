/** Clients of the REST API that write patients without pause, and a ledger of what was acknowledged to them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeKey, prefixOf } from '../../server/contract/keys/key-format.ts'
import type { Services } from '../../server/services.ts'
import { addAccount, signedIn } from '../support/people.ts'

type PatientWriters = {
  datasetId: number
  /** Before the first of them wrote. */
  patientsBefore: number
  /** Patients by the Idempotency-Key of their request, once it was answered with 201. */
  acknowledged: ReadonlyMap<string, string>
  /** How often each status came; 0 for no response. */
  statuses: ReadonlyMap<number, number>
  /** Responses that no client can act on. */
  faults: readonly string[]
  /** When the last request was sent that was not served, by `performance.now()`. */
  lastRefusedAt: () => number
  /** Does something while no request is open: each that began was acknowledged, and none begins. */
  between: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Every request that began is repeated until it is acknowledged; then they end. */
  stop: () => Promise<void>
}

/** Makes a sandbox practice with records of its own, and starts its clients. */
export async function startPatientWriters(
  services: Services,
  { origin, count }: { origin: string; count: number },
): Promise<PatientWriters> {
  const { prisma, clock, organizations, sandboxes, store } = services
  const { id: accountId } = await addAccount(services, 'developer')
  const organization = await organizations.create(
    { name: 'Samplewood Health Apps' },
    signedIn(() => services, accountId)(),
  )
  const practice = await sandboxes.ensure(organization.id, { writable: true })
  const { Patient: patientsBefore = 0 } = await store.datasets.counts(practice.datasetId)

  async function issueKey(): Promise<string> {
    const key = makeKey('sandbox', randomBytes)
    await prisma.apiKey.create({
      data: {
        prefix: prefixOf(key),
        secretHash: createHash('sha256').update(key).digest(),
        name: 'Load test',
        level: 'full',
        environment: 'sandbox',
        practiceId: practice.id,
        organizationId: organization.id,
        createdById: accountId,
        createdAt: clock(),
        expiresAt: new Date(clock().getTime() + 86_400_000),
      },
    })
    return key
  }

  const acknowledged = new Map<string, string>()
  const statuses = new Map<number, number>()
  const faults: string[] = []
  let lastRefusedAt = 0
  let stopping = false
  let paused = false
  let writing = 0

  async function write(key: string): Promise<void> {
    while (!stopping) {
      while (paused) await sleep(20)
      const once = randomUUID()
      writing++
      while (!(await send(key, once))) await sleep(200)
      writing--
      await sleep(150)
    }
  }

  async function send(key: string, once: string): Promise<boolean> {
    const sentAt = performance.now()
    const body = { name: { family: 'Testwell', given: ['Rowan'] }, birthDate: '1970-01-01' }
    const response = await fetch(`${origin}/sandbox/api/v1/patients`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': once,
      },
      body: JSON.stringify(body),
    }).catch(() => null)
    const text = await response?.text().catch(() => null)
    const status = text === null || text === undefined ? 0 : (response?.status ?? 0)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 201) {
      acknowledged.set(once, JSON.parse(text ?? '').id)
      return true
    }
    lastRefusedAt = Math.max(lastRefusedAt, sentAt)
    const canWait = response?.headers.has('retry-after')
    if (status !== 0 && !(canWait && (status === 503 || status === 429)))
      faults.push(`${status} ${text?.slice(0, 300)}`)
    return false
  }

  const running: Promise<void>[] = []
  for (let client = 0; client < count; client++) running.push(write(await issueKey()))

  return {
    datasetId: practice.datasetId,
    patientsBefore,
    acknowledged,
    statuses,
    faults,
    lastRefusedAt: () => lastRefusedAt,
    async between(work) {
      paused = true
      try {
        while (writing > 0) await sleep(20)
        return await work()
      } finally {
        paused = false
      }
    },
    async stop() {
      stopping = true
      await Promise.all(running)
    },
  }
}
