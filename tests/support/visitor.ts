/** Somebody who opens the portal, with an address and a network of their own. */
import { randomUUID } from 'node:crypto'
import type { PortalSession } from '../../server/auth/sessions.ts'
import { isProblem } from '../../server/contract/http/problems.ts'
import type { Realm } from '../../server/contract/portal/realms.ts'
import type { Context } from '../../server/domain/actor.ts'
import { tokenMailedTo } from './mailed.ts'
import type { TestServices } from './services.ts'

export const password = 'teal heron over marsh'
export const otherPassword = 'grey plover at low tide'

let networks = 0

export function createVisitor(services: TestServices) {
  networks += 1
  const email = `robin-${randomUUID().slice(0, 8)}@samplewood.example`
  const context: Context = {
    ip: `198.51.${100 + Math.floor(networks / 250)}.${networks % 250}`,
    userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    correlationId: randomUUID(),
  }

  const signUp = (form: { name?: string; email?: string; password?: string } = {}) =>
    services.accounts.signUp({ name: 'Robin Testwell', email, password, ...form }, context)

  const signIn = (form: { realm?: Realm; email?: string; password?: string } = {}) =>
    services.accounts.signIn({ realm: 'developer', email, password, ...form }, context)

  const findAccount = () =>
    services.prisma.account.findUnique({ where: { realm_email: { realm: 'developer', email } } })

  const verify = (form: { token: string; password?: string }) =>
    services.accounts.verifyEmail({ password, ...form }, context)

  /** Signs up and confirms the address. @returns the account's id */
  async function makeVerified(): Promise<string> {
    await signUp()
    const verified = await verify({ token: await tokenMailedTo(services, email) })
    if (verified.kind !== 'verified') throw new Error(verified.kind)
    return verified.accountId
  }

  async function readSession(cookie: string): Promise<PortalSession | null> {
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const request = new Request('https://portal.example/', { headers })
    return (await services.sessions.read(request, 'developer'))?.session ?? null
  }

  async function signedIn(): Promise<PortalSession> {
    const answer = await signIn()
    if (answer.kind !== 'signed_in') throw new Error(answer.kind)
    const session = await readSession(answer.cookie)
    if (!session) throw new Error('no session')
    return session
  }

  /** Runs the job that the newest request for a link left behind. */
  async function runLinkJob(): Promise<void> {
    const { rows } = await services.database.ownerPool.query(
      `SELECT payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE t.identifier = 'send-account-link' ORDER BY j.id DESC LIMIT 1`,
    )
    await services.accounts.sendLink(rows[0].payload)
  }

  return {
    email,
    context,
    signUp,
    signIn,
    findAccount,
    verify,
    makeVerified,
    readSession,
    signedIn,
    runLinkJob,
  }
}

export type Visitor = ReturnType<typeof createVisitor>

/** The kind of the Problem that work ends with, `none` when it succeeds. */
export function kindOfProblem(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (isProblem(error) ? error.kind : String(error)),
  )
}
