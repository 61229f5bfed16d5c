/** One round of status checks: probes every component and both checks of a practice as clients would. */

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
  inTime,
  lookOutside,
  reached,
  worstOf,
} from './probe.ts'
import { lookAtSignIn, lookAtSmart, type SmartProbes } from './smart.ts'

/** Runs every probe and saves the results with one timestamp. */
export async function run(core: Core): Promise<void> {
  const at = core.clock()
  const findings = await probeAll(core)
  const rows = Object.entries(findings).map(([name, finding]) => ({ name: name as CheckName, ...finding }))
  await saveChecks(core, rows, at)
  const down = rows.filter(({ state }) => state === 'down').map(({ name }) => name)
  if (down.length > 0) core.log.warn({ down }, 'status checks failed')
}

async function probeAll(core: Core): Promise<Record<CheckName, Finding>> {
  const { env } = core
  const { academy, chartvoyant_app: app, ai } = env.WATCHED_URLS
  const canary = await getCanary(core)
  const [search, saving, limits, mcp] = canary
    ? await probeRest(core, await getProbeKey(core, canary))
    : [noCanary, noCanary, noCanary, noCanary]
  const { smart, fhir } = await probeSmart(core, canary)
  const restLoad = await probeLoad(core, env.REST_ORIGIN)
  const fhirLoad = await probeLoad(core, env.FHIR_ORIGIN)
  return {
    academy: await lookOutside(core, academy),
    demo: await probeDemo(core),
    chartvoyant_app: await lookOutside(core, app),
    api: canary ? describeApi(worstOf(search, atMostDegraded(saving), limits, restLoad), search) : noCanary,
    mcp,
    fhir: underLoad(fhir, fhirLoad),
    smart: underLoad(smart, fhirLoad),
    ai: await lookOutside(core, ai),
    [practiceChecks.signIn]: await lookAtSignIn(core),
    [practiceChecks.saving]: saving,
  }
}

async function probeRest(core: Core, key: ProbeKey): Promise<[Finding, Finding, Finding, Finding]> {
  return Promise.all([
    searchPatients(core, key),
    savePatient(core, key),
    probeLimits(core),
    probeMcp(core, key),
  ])
}

const probeSmart = async (core: Core, canary: Canary | null): Promise<SmartProbes> =>
  canary === null ? { smart: noCanary, fhir: noCanary } : lookAtSmart(core, canary)

async function probeDemo(core: Core): Promise<Finding> {
  const { env } = core
  if (!env.demoSignIns) return found('disabled', 'Turned off.')
  const { status } = await httpProbe(core, `${reached(core, env.PUBLIC_ORIGIN)}/`)
  return status === 200
    ? found('operational', 'The demo works.')
    : found('down', 'The demo is not responding.')
}

const noCanary = found('not_available', 'Not checked: there is no canary practice.')

/** Load degrades only what works: a failed or skipped check keeps its state. */
const underLoad = (finding: Finding, load: Finding): Finding =>
  finding.state === 'operational' ? worstOf(finding, load) : finding

function describeApi(worst: Finding, search: Finding): Finding {
  if (worst.state === 'operational') return found('operational', 'Searches work and records can be saved.')
  return worst.summary === search.summary || search.state === 'down'
    ? worst
    : found(worst.state, `${search.summary} ${worst.summary}`)
}

// The REST API, probed as clients use it: a search and a new patient, with a real key.

const headers = ({ key }: ProbeKey) => ({ authorization: `Bearer ${key}` })

async function searchPatients(core: Core, key: ProbeKey): Promise<Finding> {
  const response = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/api/v1/patients?limit=1`, {
    headers: headers(key),
  })
  const page = response.body as { data?: unknown } | undefined
  if (response.status !== 200 || !Array.isArray(page?.data)) return found('down', 'Searches fail.')
  return inTime(response, 'Searches work.', 'Searches are slow.')
}

/**
 * Creates one patient a day: later probes repeat the Idempotency-Key, and each response still writes the record of
 * access. After a 404 the patient was deleted, so the probe creates another one.
 */
async function savePatient(core: Core, key: ProbeKey): Promise<Finding> {
  const day = core.clock().toISOString().slice(0, 10)
  const first = await post(core, key, `status-check-${day}`)
  const response = first.status === 404 ? await post(core, key, `status-check-${day}-${randomUUID()}`) : first
  const { id } = (response.body ?? {}) as { id?: unknown }
  if (response.status !== 201 || typeof id !== 'string') return found('down', 'Records cannot be saved.')
  await forgetCanaries(core, key.datasetId, id)
  return inTime(response, 'Records can be saved.', 'Saving records is slow.')
}

function post(core: Core, key: ProbeKey, idempotencyKey: string): Promise<Answer> {
  return httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/api/v1/patients`, {
    method: 'POST',
    headers: { ...headers(key), 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ name: { family: canaryFamily, given: ['Canary'] }, birthDate: '1970-01-01' }),
  })
}

/** Whether the server processes count rate limits together, from /readyz. */
async function probeLimits(core: Core): Promise<Finding> {
  const { body } = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/readyz`)
  return (body as { limits?: unknown } | undefined)?.limits === 'per_process'
    ? found('degraded', 'Requests work. Each server currently counts limits on its own.')
    : found('operational', 'Rate limits work.')
}

/** Whether the server refuses requests because of its load, from /readyz. */
async function probeLoad(core: Core, origin: string): Promise<Finding> {
  const { body } = await httpProbe(core, `${reached(core, origin)}/readyz`)
  return (body as { load?: unknown } | undefined)?.load === 'shedding'
    ? found('degraded', 'Under heavy load: some requests are refused and work when they are sent again.')
    : found('operational', 'Requests are served.')
}

/** Calls a tool of the MCP server with a real key, as an assistant would. The result must name the key's practice. */
const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_context', arguments: {} },
}

async function probeMcp(core: Core, key: ProbeKey): Promise<Finding> {
  const response = await httpProbe(core, `${reached(core, core.env.REST_ORIGIN)}/api/v1/mcp`, {
    method: 'POST',
    headers: {
      ...headers(key),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify(toolCall),
  })
  if (response.status !== 200 || practiceId(response.body) === undefined)
    return found('down', 'MCP tools are not responding.')
  return inTime(response, 'MCP tools work.', 'MCP tools respond slowly.')
}

function practiceId(body: unknown): unknown {
  type Answer = { result?: { structuredContent?: { data?: { practice?: { id?: unknown } } } } }
  return (body as Answer | undefined)?.result?.structuredContent?.data?.practice?.id
}
