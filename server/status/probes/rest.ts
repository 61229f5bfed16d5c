/** The REST API as its callers meet it: a search with a real key, and a patient that is saved. */
import { randomUUID } from 'node:crypto'
import type { Core } from '../../domain/core.ts'
import { canaryFamily, forgetCanaries } from '../../domain/status/canary.ts'
import type { ProbeKey } from '../../domain/status/probe-key.ts'
import { type Answer, type Finding, found, httpProbe, reached, slowMs } from './probe.ts'

const headers = ({ key }: ProbeKey) => ({ authorization: `Bearer ${key}` })

export async function searchPatients(core: Core, key: ProbeKey): Promise<Finding> {
  const answer = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/api/v1/patients?limit=1`, {
    headers: headers(key),
  })
  const page = answer.body as { data?: unknown } | undefined
  if (answer.status !== 200 || !Array.isArray(page?.data)) return found('down', 'Searches fail.')
  return inTime(answer, 'Searches work.', 'Searches are slow.')
}

/**
 * One patient a day: the same Idempotency-Key gives the same patient again, and every such answer has written the
 * practice's record of access. If it was deleted since, it is created again.
 */
export async function savePatient(core: Core, key: ProbeKey): Promise<Finding> {
  const day = core.clock().toISOString().slice(0, 10)
  const first = await post(core, key, `status-check-${day}`)
  const answer = first.status === 404 ? await post(core, key, `status-check-${day}-${randomUUID()}`) : first
  const { id } = (answer.body ?? {}) as { id?: unknown }
  if (answer.status !== 201 || typeof id !== 'string') return found('down', 'Records cannot be saved.')
  await forgetCanaries(core, key.datasetId, id)
  return inTime(answer, 'Records can be saved.', 'Saving records is slow.')
}

function post(core: Core, key: ProbeKey, once: string): Promise<Answer> {
  return httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/api/v1/patients`, {
    method: 'POST',
    headers: { ...headers(key), 'content-type': 'application/json', 'idempotency-key': once },
    body: JSON.stringify({ name: { family: canaryFamily, given: ['Canary'] }, birthDate: '1970-01-01' }),
  })
}

/** Whether several processes count limits together, as they say it themselves. */
export async function lookAtLimits(core: Core): Promise<Finding> {
  const { body } = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/readyz`)
  return (body as { limits?: unknown } | undefined)?.limits === 'per_process'
    ? found('degraded', 'Requests work. Each server currently counts limits on its own.')
    : found('operational', 'Rate limits work.')
}

/** Whether the server that answers refuses requests under load, as it says itself. */
export async function lookAtLoad(core: Core, origin: string): Promise<Finding> {
  const { body } = await httpProbe(core, `${reached(core, origin)}/readyz`)
  return (body as { load?: unknown } | undefined)?.load === 'shedding'
    ? found('degraded', 'Under heavy load: some requests are refused and work when they are sent again.')
    : found('operational', 'Requests are served.')
}

function inTime({ milliseconds }: Answer, well: string, slow: string): Finding {
  return milliseconds > slowMs ? found('degraded', slow) : found('operational', well)
}

/** The MCP server as an assistant meets it: a tool is called with a real key, and its answer is that key's practice. */
const message = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_context', arguments: {} },
}

export async function lookAtMcp(core: Core, { key }: ProbeKey): Promise<Finding> {
  const { status, body, milliseconds } = await httpProbe(
    core,
    `${reached(core, core.env.REST_ORIGIN)}/api/v1/mcp`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify(message),
    },
  )
  if (status !== 200 || practiceOf(body) === undefined) return found('down', 'MCP tools are not responding.')
  return milliseconds > slowMs
    ? found('degraded', 'MCP tools respond slowly.')
    : found('operational', 'MCP tools work.')
}

function practiceOf(body: unknown): unknown {
  type Answer = { result?: { structuredContent?: { data?: { practice?: { id?: unknown } } } } }
  return (body as Answer | undefined)?.result?.structuredContent?.data?.practice?.id
}
