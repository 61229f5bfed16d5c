/** One round of checks: every component and both checks of a practice, looked at as clients would, then kept. */
import { type CheckName, practiceChecks } from '../../contract/status/components.ts'
import type { Core } from '../../domain/core.ts'
import { type Canary, getCanary } from '../../domain/status/canary.ts'
import { saveChecks } from '../../domain/status/check-results.ts'
import { getProbeKey, type ProbeKey } from '../../domain/status/probe-key.ts'
import { atMostDegraded, type Finding, found, httpProbe, lookOutside, reached, worstOf } from './probe.ts'
import { lookAtLimits, lookAtLoad, lookAtMcp, savePatient, searchPatients } from './rest.ts'
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
