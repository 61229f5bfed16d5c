/**
 * Subscriptions to status emails. An address gets no updates before its owner has used the link in the first email. The
 * link in every later email shows and ends the subscription, and works as long as it exists. Ending it deletes the row.
 */
import { createHash } from 'node:crypto'
import type { StatusSubscription } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import { type ComponentId, componentIds, components } from '../../contract/status/components.ts'
import { keptComponents, subscriptionConfirmHours } from '../../contract/status/subscriptions.ts'
import * as throttle from '../accounts/throttle.ts'
import { networkOf, type Throttled } from '../accounts/throttle.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import type { LinkState } from '../link-tokens/link-tokens.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'

type Subscribed = { email: string; components: ComponentId[] }
type SubscriptionRequest = { email: string; components?: ComponentId[] }

const kind = 'confirm_subscription' as const
const hourMs = 3_600_000

/** Does the same work for known and unknown addresses. A confirmed subscription goes on unchanged. */
export async function subscribe(
  core: Core,
  { email, components: askedComponents = [] }: SubscriptionRequest,
  context: Context,
): Promise<{ kind: 'mail_sent' } | Throttled> {
  const { clock, prisma, mail } = core
  const refused = await throttle.take(core, [
    { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
    { rule: 'mailAddress', subject: ['status', email] },
  ])
  if (refused !== null) return refused
  const now = clock()
  const token = makeToken(core, email)
  await prisma.$transaction(async (tx) => {
    const { id } = await tx.statusSubscription.upsert({
      where: { email },
      create: { email, askedComponents, createdAt: now, ...token },
      update: { askedComponents },
      select: { id: true },
    })
    // A repeated request stays open as long as its new link.
    await tx.statusSubscription.updateMany({ where: { id, confirmedAt: null }, data: { createdAt: now } })
    const expiresAt = new Date(now.getTime() + subscriptionConfirmHours * hourMs)
    const link = await linkTokens.issue(core, tx, { kind, subjectId: id, expiresAt, now })
    await mail.enqueue(tx, {
      template: 'status-confirm',
      to: email,
      props: { about: wordsOf(askedComponents), expiresAt: expiresAt.toISOString() },
      links: { confirmUrl: paths.confirmSubscription(link) },
      correlationId: context.correlationId,
    })
  })
  return { kind: 'mail_sent' }
}

/** The state of the first email's link. Reading changes nothing. */
export async function findConfirmation(
  core: Core,
  token: string,
): Promise<{ kind: LinkState['kind'] } & Partial<Subscribed>> {
  const { prisma } = core
  const state = await linkTokens.check(core, token, kind)
  if (state.kind !== 'live') return { kind: state.kind }
  const row = await prisma.statusSubscription.findUnique({ where: { id: state.link.subjectId ?? '' } })
  if (row === null) return { kind: 'expired' }
  return { kind: 'live', email: row.email, components: keptComponents(row.askedComponents) }
}

/** Starts the notifications. @returns the path of the page to change or end them; null for a dead link */
export async function confirmSubscription(core: Core, token: string): Promise<string | null> {
  const { prisma, clock } = core
  return prisma.$transaction(async (tx) => {
    const state = await linkTokens.consume(core, tx, token, kind)
    if (state.kind !== 'live') return null
    const row = await tx.statusSubscription.findUnique({ where: { id: state.link.subjectId ?? '' } })
    if (row === null) return null
    const newToken = manageLink(core, row) === null ? makeToken(core, row.email) : {}
    const confirmed = await tx.statusSubscription.update({
      where: { id: row.id },
      data: {
        confirmedAt: row.confirmedAt ?? clock(),
        components: row.askedComponents,
        ...newToken,
      },
    })
    return manageLink(core, confirmed)
  })
}

/** The subscription of an email's link; null if it has ended. */
export async function findSubscription(core: Core, token: string): Promise<Subscribed | null> {
  const row = await find(core, token)
  return row && { email: row.email, components: keptComponents(row.components) }
}

export async function changeSubscription({ prisma }: Core, token: string, chosen: ComponentId[]) {
  const { count } = await prisma.statusSubscription.updateMany({
    where: { tokenHash: hash(token), confirmedAt: { not: null } },
    data: { components: chosen, askedComponents: chosen },
  })
  return count === 1
}

/** Deletes the subscription. */
export async function endSubscription({ prisma }: Core, token: string): Promise<boolean> {
  const { count } = await prisma.statusSubscription.deleteMany({ where: { tokenHash: hash(token) } })
  return count === 1
}

/** The tick: deletes requests that were not confirmed. */
export async function forgetUnconfirmed({ prisma }: Core, now: Date): Promise<number> {
  const before = new Date(now.getTime() - subscriptionConfirmHours * hourMs)
  const { count } = await prisma.statusSubscription.deleteMany({
    where: { confirmedAt: null, createdAt: { lt: before } },
  })
  return count
}

/** Seals tokens with the keyring's first key, if an older key sealed them. */
export async function resealSubscriptions({ prisma, keyring }: Core): Promise<number> {
  const rows = await prisma.statusSubscription.findMany({ orderBy: { id: 'asc' } })
  const old = rows.flatMap(({ id, email, sealedToken }) => {
    const sealed = keyring.reseal(sealedToken, sealContext(email))
    return sealed === null ? [] : [{ id, sealed }]
  })
  for (const { id, sealed } of old)
    await prisma.statusSubscription.updateMany({ where: { id }, data: { sealedToken: sealed } })
  return old.length
}

/** A page of confirmed subscriptions, by id. */
export function listSubscribers({ prisma }: Core, after: string | undefined, take: number) {
  return prisma.statusSubscription.findMany({
    where: {
      confirmedAt: { not: null },
      ...(after !== undefined && { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take,
  })
}

const find = ({ prisma }: Core, token: string) =>
  prisma.statusSubscription.findFirst({ where: { tokenHash: hash(token), confirmedAt: { not: null } } })

/** Null if the key that sealed the token is gone; a new confirmation creates another token. */
export function manageLink({ keyring }: Core, { sealedToken, email }: StatusSubscription): string | null {
  const token = keyring.openText(sealedToken, sealContext(email))
  return token === null ? null : paths.statusSubscription(token)
}

function makeToken({ randomBytes, keyring }: Core, email: string) {
  const token = Buffer.from(randomBytes(32)).toString('base64url')
  const sealedToken = keyring.seal(Buffer.from(token, 'ascii'), sealContext(email))
  return { tokenHash: hash(token), sealedToken }
}

/** The components as an email names them. */
export function wordsOf(chosen: readonly ComponentId[]): string {
  if (chosen.length === 0 || chosen.length === componentIds.length) return 'all components'
  return chosen.map((id) => components[id].name).join(', ')
}

const sealContext = (email: string) => `status subscription ${email}`

const hash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())
