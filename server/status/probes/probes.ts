/** One round of checks: every component and both checks of a practice, looked at as clients would, then kept. */
import type { Logger } from 'pino'
import { type CheckName, practiceChecks } from '../../contract/status/components.ts'
import type { Canary } from '../../domain/status/canary.ts'
import type { ProbeKey } from '../../domain/status/probe-key.ts'
import type { Status } from '../../domain/status/status.ts'
import type { Env } from '../../env.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { createHttpProbe, type HttpProbe, type Send } from './http-probe.ts'
import { createMcpProbe } from './mcp.ts'
import { createOutsideProbe } from './outside.ts'
import { atMostDegraded, type Finding, found, worstOf } from './probe.ts'
import { createRestProbe } from './rest.ts'
import { createSignInProbe } from './sign-in.ts'
import { createSmartProbe, type SmartProbes } from './smart.ts'

type ProbeDependencies = {
  env: Env
  clock: () => Date
  log: Pick<Logger, 'warn'>
  mail: Pick<Mail, 'check'>
  outbound: Outbound
  status: Pick<
    Status,
    'saveChecks' | 'getCanary' | 'getProbeKey' | 'forgetCanaries' | 'signProbeAssertion' | 'findCanaryPatient'
  >
  /** How our own server is reached: over the wire, unless a test has it at hand. */
  send?: Send
}

export function createProbes({ env, clock, log, mail, outbound, status, send = fetch }: ProbeDependencies) {
  const httpProbe = createHttpProbe(send)
  const reached = (origin: string) => env.PROBE_ORIGIN ?? origin
  const rest = createRestProbe({ base: reached(env.REST_ORIGIN), httpProbe, clock, status })
  const lookAtMcp = createMcpProbe({ base: reached(env.REST_ORIGIN), httpProbe })
  const signIn = createSignInProbe({ base: reached(env.PUBLIC_ORIGIN), httpProbe, mail })
  const lookAtSmart = createSmartProbe({ base: reached(env.FHIR_ORIGIN), httpProbe, status })
  const academy = createOutsideProbe(env.ACADEMY_URL, outbound)
  const app = createOutsideProbe(env.CHARTVOYANT_APP_URL, outbound)
  const ai = createOutsideProbe(env.AI_URL, outbound)

  async function look(): Promise<Record<CheckName, Finding>> {
    const canary = await status.getCanary()
    const [search, saving, limits, mcp] = canary
      ? await askRest(await status.getProbeKey(canary))
      : [noCanary, noCanary, noCanary, noCanary]
    const { smart, fhir } = await askSmart(canary)
    return {
      academy: await academy(),
      demo: await lookAtDemo(httpProbe),
      chartvoyant_app: await app(),
      api: canary ? wordsOfApi(worstOf(search, atMostDegraded(saving), limits), search) : noCanary,
      mcp,
      fhir,
      smart,
      ai: await ai(),
      [practiceChecks.signIn]: await signIn(),
      [practiceChecks.saving]: saving,
    }
  }

  async function askRest(key: ProbeKey): Promise<[Finding, Finding, Finding, Finding]> {
    return Promise.all([rest.search(key), rest.save(key), rest.limits(), lookAtMcp(key)])
  }

  async function askSmart(canary: Canary | null): Promise<SmartProbes> {
    return canary === null ? { smart: noCanary, fhir: noCanary } : lookAtSmart(canary)
  }

  async function lookAtDemo(ask: HttpProbe): Promise<Finding> {
    if (!env.demoSignIns) return found('disabled', 'Off on purpose.')
    const { status: answer } = await ask(`${reached(env.PUBLIC_ORIGIN)}/`)
    return answer === 200
      ? found('operational', 'The demo answers.')
      : found('down', 'The demo does not answer.')
  }

  /** Looks at everything and keeps what was found, all of one moment. */
  async function run(): Promise<void> {
    const at = clock()
    const findings = await look()
    const rows = Object.entries(findings).map(([name, finding]) => ({ name: name as CheckName, ...finding }))
    await status.saveChecks(rows, at)
    const down = rows.filter(({ state }) => state === 'down').map(({ name }) => name)
    if (down.length > 0) log.warn({ down }, 'checks of the Status API found what does not answer')
  }

  return { run }
}

export type Probes = ReturnType<typeof createProbes>

const noCanary = found('not_available', 'Not checked: there is no canary practice.')

function wordsOfApi(worst: Finding, search: Finding): Finding {
  if (worst.state === 'operational') return found('operational', 'Searches answer and records can be saved.')
  return worst.summary === search.summary || search.state === 'down'
    ? worst
    : found(worst.state, `${search.summary} ${worst.summary}`)
}
