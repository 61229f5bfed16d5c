/** A server over a real connection, a developer's organization with a key and an app, and faults for both. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import { faultHeader } from '../../server/contract/lab/faults.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { listen } from '../../server/start/listen.ts'
import { type IssuedKey, type RestStack, restStack } from './rest.ts'
import { smartSupport } from './smart.ts'

/** Hooks of the file that calls it; what they make stands in the answer once the tests run. */
export function faultLab() {
  const lab = {} as FaultLabStack
  /** Who waits because of a fault; ends when the test says so. */
  const waiting: { milliseconds: number; end: () => void }[] = []
  let server: Awaited<ReturnType<typeof listen>>

  beforeAll(async () => {
    const port = await findFreePort()
    const origin = `http://127.0.0.1:${port}`
    const stack = await restStack({
      environment: { PUBLIC_ORIGIN: origin, PORT: String(port), DATABASE_POOL: '2' },
      pause: (milliseconds) => new Promise((end) => void waiting.push({ milliseconds, end })),
    })
    const { services, app } = stack
    const portal = { handler: async () => new Response() }
    server = await listen({ env: services.env, app, portal })
    const support = smartSupport(services)
    const { developer, organizationId } = await support.createOrganization()
    const practice = await services.sandboxes.ensure(organizationId, { writable: true })
    const { client } = await support.createClient({
      scope: 'user/*.rs patient/*.rs',
      audience: 'clinician',
      organizationId,
      everyPractice: false,
    })
    const asked = { practice: practice.slug, scope: 'user/*.rs', audience: 'clinician' as const, client }
    const { access_token: token } = await support.issueToken(asked)
    const made = { stack, origin, developer, organizationId, practiceSlug: practice.slug }
    Object.assign(lab, { ...made, clientId: client.clientId, token, waiting })
  })

  afterAll(() => server.close(1_000))

  beforeEach(async () => {
    // A budget of its own for every test, and no switch of the one before.
    lab.stack.services.advance(120_000)
    lab.key = await lab.ownKey()
  })

  return Object.assign(lab, {
    async ownKey(): Promise<IssuedKey> {
      const issued = await lab.stack.issueKey({ practice: lab.practiceSlug, level: 'full' })
      const data = { organizationId: lab.organizationId }
      await lab.stack.services.prisma.apiKey.update({ where: { id: issued.id }, data })
      return issued
    },
    rest: (path: string, fault: string | null = null): Promise<Response> =>
      fetch(`${lab.origin}/sandbox/api/v1${path}`, { headers: withFault(lab.key.key, fault) }),
    fhir: (path: string, fault: string | null = null): Promise<Response> =>
      fetch(`${lab.origin}/r4/${lab.practiceSlug}/${path}`, { headers: withFault(lab.token, fault) }),
    switchOn: (script: string, { repeats = false, target = `key:${lab.key.id}`, minutes = 60 } = {}) =>
      lab.stack.services.faultAdmin.switchOn(
        { organizationId: lab.organizationId, target, script, minutes, repeats },
        lab.developer,
      ),
    /** What was written down, newest first. */
    async logged(whose: { keyId: string } | { clientId: string }) {
      await lab.stack.services.recorder.flush()
      return (await lab.stack.services.activityLog.page({ ...whose, limit: 10 })).rows
    },
    /** The newest row of the practice's record of access. */
    async accessed() {
      await lab.stack.services.recorder.flush()
      const { rows } = await lab.stack.services.pool.query(
        'SELECT outcome, count, patient_id FROM log.phi_audit WHERE principal_id = $1 ORDER BY at DESC, id DESC LIMIT 1',
        [lab.key.id],
      )
      return rows
    },
  })
}

function withFault(credential: string, fault: string | null): Record<string, string> {
  return { authorization: `Bearer ${credential}`, ...(fault !== null && { [faultHeader]: fault }) }
}

type FaultLabStack = {
  stack: RestStack
  origin: string
  developer: Actor
  organizationId: string
  practiceSlug: string
  clientId: string
  token: string
  key: IssuedKey
  waiting: { milliseconds: number; end: () => void }[]
  ownKey(): Promise<IssuedKey>
}
