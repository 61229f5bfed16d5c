/** One round of checks: every component and both checks of a practice, looked at as clients would, then kept. */

import { randomUUID } from 'node:crypto'
import { type CheckName, practiceChecks } from '../../contract/status/components.ts'
import type { Core } from '../../domain/core.ts'
import { type Canary, canaryFamily, forgetCanaries, getCanary } from '../../domain/status/canary.ts'
import { saveChecks } from '../../domain/status/check-results.ts'
import { getProbeKey, type ProbeKey } from '../../domain/status/probe-key.ts'
import {
  type Answer,
  atMostDegraded,
  type Finding,
  found,
  httpProbe,
  lookOutside,
  reached,
  slowMs,
  worstOf,
} from './probe.ts'
import { lookAtSignIn, lookAtSmart, type SmartProbes } from './smart.ts'

/** Looks at everything and keeps what was found, all of one moment. */
export async function run(core: Core): Promise<void> {
  const at = core.clock()
  const findings = await look(core)
  const rows = Object.entries(findings).map(([name, finding]) => ({ name: name as CheckName, ...finding }))
  await saveChecks(core, rows, at)
  const down = rows.filter(({ state }) => state === 'down').map(({ name }) => name)
  if (down.length > 0) core.log.warn({ down }, 'checks of the Status API found what does not answer')
}

async function look(core: Core): Promise<Record<CheckName, Finding>> {
  const { env } = core
  const { academy, chartvoyant_app: app, ai } = env.WATCHED_URLS
  const canary = await getCanary(core)
  const [search, saving, limits, mcp] = canary
    ? await askRest(core, await getProbeKey(core, canary))
    : [noCanary, noCanary, noCanary, noCanary]
  const { smart, fhir } = await askSmart(core, canary)
  const restLoad = await lookAtLoad(core, env.REST_ORIGIN)
  const fhirLoad = await lookAtLoad(core, env.FHIR_ORIGIN)
  return {
    academy: await lookOutside(core, academy),
    demo: await lookAtDemo(core),
    chartvoyant_app: await lookOutside(core, app),
    api: canary ? wordsOfApi(worstOf(search, atMostDegraded(saving), limits, restLoad), search) : noCanary,
    mcp,
    fhir: underLoad(fhir, fhirLoad),
    smart: underLoad(smart, fhirLoad),
    ai: await lookOutside(core, ai),
    [practiceChecks.signIn]: await lookAtSignIn(core),
    [practiceChecks.saving]: saving,
  }
}

async function askRest(core: Core, key: ProbeKey): Promise<[Finding, Finding, Finding, Finding]> {
  return Promise.all([
    searchPatients(core, key),
    savePatient(core, key),
    lookAtLimits(core),
    lookAtMcp(core, key),
  ])
}

async function askSmart(core: Core, canary: Canary | null): Promise<SmartProbes> {
  return canary === null ? { smart: noCanary, fhir: noCanary } : lookAtSmart(core, canary)
}

async function lookAtDemo(core: Core): Promise<Finding> {
  const { env } = core
  if (!env.demoSignIns) return found('disabled', 'Off on purpose.')
  const { status } = await httpProbe(core, `${reached(core, env.PUBLIC_ORIGIN)}/`)
  return status === 200
    ? found('operational', 'The demo works.')
    : found('down', 'The demo is not responding.')
}

const noCanary = found('not_available', 'Not checked: there is no canary practice.')

/** What was not checked stays so. */
function underLoad(finding: Finding, load: Finding): Finding {
  return finding.state === 'operational' ? worstOf(finding, load) : finding
}

function wordsOfApi(worst: Finding, search: Finding): Finding {
  if (worst.state === 'operational') return found('operational', 'Searches work and records can be saved.')
  return worst.summary === search.summary || search.state === 'down'
    ? worst
    : found(worst.state, `${search.summary} ${worst.summary}`)
}

// The REST API as its callers meet it: a search with a real key, and a patient that is saved.

const headers = ({ key }: ProbeKey) => ({ authorization: `Bearer ${key}` })

async function searchPatients(core: Core, key: ProbeKey): Promise<Finding> {
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
async function savePatient(core: Core, key: ProbeKey): Promise<Finding> {
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
async function lookAtLimits(core: Core): Promise<Finding> {
  const { body } = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/readyz`)
  return (body as { limits?: unknown } | undefined)?.limits === 'per_process'
    ? found('degraded', 'Requests work. Each server currently counts limits on its own.')
    : found('operational', 'Rate limits work.')
}

/** Whether the server that answers refuses requests under load, as it says itself. */
async function lookAtLoad(core: Core, origin: string): Promise<Finding> {
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

async function lookAtMcp(core: Core, { key }: ProbeKey): Promise<Finding> {
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
