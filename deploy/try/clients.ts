/** Those who use an installation: its first people, the four parties of a key, a FHIR client that others wrote. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'fhir-kit-client'
import { demonstration, smartSupport } from '../../tests/support/smart.ts'
import { type JoinedStack, joinedStackVariable } from '../../tests/support/stack.ts'
import type { Installation } from './installation.ts'
import type { Step } from './report.ts'

/** The emails of step 4 of the page have arrived, and their links lead to a form. */
export async function meetFirstPeople({ parts, origin }: Installation, { promise }: Step): Promise<void> {
  for (const to of ['kim@clinic.example', 'ines@clinic.example', 'theo@fennmoor.example']) {
    const { links, subject } = await parts.mails.waitFor({ to }, { timeoutMs: 60_000 })
    const link = links.find((each) => each.startsWith(origin)) ?? ''
    promise(`${to} got “${subject}”, and its link opens`, link !== '' && (await fetch(link)).ok)
  }
}

/** What doctor says; faults break a promise. */
export async function askDoctor({ operator }: Installation, { note, promise }: Step): Promise<void> {
  const said = await operator.shell('as sandpiper sandpiper doctor').catch((error: Error) => error.message)
  for (const line of said
    .trim()
    .split('\n')
    .filter((each) => !/^ok\b/i.test(each)))
    note(`doctor: ${line}`)
  promise('sandpiper doctor finds no fault', !/^fault/im.test(said) && !said.startsWith('Command failed'))
}

export async function watch({ prometheus }: Installation, { promise }: Step): Promise<void> {
  const ask = async (path: string) => (await (await fetch(`${prometheus}/api/v1/${path}`)).json()).data
  async function countUp(): Promise<number> {
    const { activeTargets } = await ask('targets')
    return activeTargets.filter(({ health }: { health: string }) => health === 'up').length
  }
  // On a machine that is busy with other things, too.
  for (let rounds = 0; rounds < 30 && (await countUp()) < 3; rounds++) await sleep(2_000)
  // Two rounds of evaluations.
  await sleep(5_000)
  const up = await countUp()
  const { groups } = await ask('rules')
  const rules: { health: string; state?: string; name: string; labels: Record<string, string> }[] =
    groups.flatMap(({ rules: each }: { rules: unknown[] }) => each)
  promise(`Prometheus scrapes ${up} of 3 processes`, up === 3)
  const sound = rules.filter(({ health }) => health === 'ok').length
  promise(`Prometheus evaluates ${sound} of ${rules.length} rules`, sound === rules.length && sound >= 30)
  const pages = rules.filter(({ state, labels }) => state === 'firing' && labels.severity === 'page')
  promise(`nobody is called: ${pages.map(({ name }) => name).join(', ') || 'no alert'}`, pages.length === 0)
}

/** The journey of the suite, in four browsers, through the proxy. */
export async function runFourParties(installation: Installation, { note, promise }: Step): Promise<void> {
  const { parts, origin, operator } = installation
  const joined: JoinedStack = {
    origin,
    ownerUrl: installation.ownerUrl(),
    mailPort: Number(new URL(parts.mails.url).port),
    logFile: operator.logFile,
  }
  // The journey reads the emails itself, on the same port.
  await parts.mails.goDown()
  const child = spawn(
    'npx',
    ['playwright', 'test', 'production-key.spec.ts', '--reporter=line', '--retries=1'],
    {
      env: { ...process.env, NODE_ENV: 'test', [joinedStackVariable]: JSON.stringify(joined) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'exit')
  await parts.mails.comeBack()
  if (code !== 0) note(said.slice(-6_000))
  promise(
    'a developer asks for a production key, the practice sponsors it, both sign, a reviewer approves it, and it works as narrowed (tests/journeys/production-key.spec.ts)',
    code === 0,
  )
}

/** fhir-kit-client: statement, read, search and pages to the end, compared with the database. */
export async function runFhirClient({ services, origin }: Installation, { promise }: Step): Promise<void> {
  const patientId = 'pt-wren-testwell'
  const { access_token: bearerToken } = await smartSupport(services).issueToken({
    scope: 'patient/*.rs',
    patientId,
  })
  const client = new Client({ baseUrl: `${origin}/r4/${demonstration}`, bearerToken })
  const { fhirVersion } = await client.capabilityStatement()
  promise('fhir-kit-client reads the capability statement', fhirVersion === '4.0.1')
  const { id } = await client.read({ resourceType: 'Patient', id: patientId })
  promise('fhir-kit-client reads a patient', id === patientId)
  let page: unknown = await client.search({ resourceType: 'Observation', searchParams: { _count: '7' } })
  const { total } = page as { total?: number }
  let seen = 0
  while (page) {
    seen += (page as { entry?: unknown[] }).entry?.length ?? 0
    page = await client.nextPage({ bundle: page as never })
  }
  promise(`fhir-kit-client pages through ${seen} of ${total} observations`, seen === total && seen > 7)
}
