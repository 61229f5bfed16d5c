/** The REST API as its callers meet it: a search with a real key, and a patient that is saved. */
import { randomUUID } from 'node:crypto'
import { canaryFamily } from '../../domain/status/canary-records.ts'
import type { ProbeKey } from '../../domain/status/probe-key.ts'
import type { Status } from '../../domain/status/status.ts'
import { type Answer, type HttpProbe, slowMs } from './http-probe.ts'
import { type Finding, found } from './probe.ts'

type Dependencies = {
  base: string
  httpProbe: HttpProbe
  clock: () => Date
  status: Pick<Status, 'forgetCanaries'>
}

export function createRestProbe({ base, httpProbe, clock, status }: Dependencies) {
  const headers = ({ key }: ProbeKey) => ({ authorization: `Bearer ${key}` })

  async function search(key: ProbeKey): Promise<Finding> {
    const answer = await httpProbe(`${base}/api/v1/patients?limit=1`, { headers: headers(key) })
    const page = answer.body as { data?: unknown } | undefined
    if (answer.status !== 200 || !Array.isArray(page?.data))
      return found('down', 'Searches are not answered.')
    return inTime(answer, 'Searches answer.', 'Searches answer slowly.')
  }

  /**
   * One patient a day: the same Idempotency-Key gives the same patient again, and every such answer has written the
   * practice's record of access. If it was deleted since, it is created again.
   */
  async function save(key: ProbeKey): Promise<Finding> {
    const day = clock().toISOString().slice(0, 10)
    const first = await post(key, `status-check-${day}`)
    const answer = first.status === 404 ? await post(key, `status-check-${day}-${randomUUID()}`) : first
    const { id } = (answer.body ?? {}) as { id?: unknown }
    if (answer.status !== 201 || typeof id !== 'string') return found('down', 'Records cannot be saved.')
    await status.forgetCanaries(key.datasetId, id)
    return inTime(answer, 'Records can be saved.', 'Records are saved slowly.')
  }

  function post(key: ProbeKey, once: string): Promise<Answer> {
    return httpProbe(`${base}/api/v1/patients`, {
      method: 'POST',
      headers: { ...headers(key), 'content-type': 'application/json', 'idempotency-key': once },
      body: JSON.stringify({ name: { family: canaryFamily, given: ['Canary'] }, birthDate: '1970-01-01' }),
    })
  }

  /** Whether several processes count limits together, as they say it themselves. */
  async function limits(): Promise<Finding> {
    const { body } = await httpProbe(`${base}/readyz`)
    return (body as { limits?: unknown } | undefined)?.limits === 'per_process'
      ? found('degraded', 'Requests are answered. Limits are counted by each server for itself for now.')
      : found('operational', 'Limits are counted.')
  }

  return { search, save, limits }
}

function inTime({ milliseconds }: Answer, well: string, slow: string): Finding {
  return milliseconds > slowMs ? found('degraded', slow) : found('operational', well)
}
