/**
 * Who is emailed about the status. Nothing is sent to an address before its owner used the link of the first mail; the
 * link in every later one shows and ends the subscription, and lives as long as it does. Ending deletes the row.
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
type Asked = { email: string; components?: ComponentId[] }

const kind = 'confirm_subscription' as const
const hourMs = 3_600_000

/** The same answer and the same work whether or not the address is known. What was confirmed before goes on. */
export async function subscribe(
  core: Core,
  { email, components: askedComponents = [] }: Asked,
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
    // Requested again, it stays open as long as the new link.
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

/** What a link of the first mail is worth; reading changes nothing. */
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

/** Notifications start now. @returns the page on which it is changed and ended; null for a dead link */
export async function confirmSubscription(core: Core, token: string): Promise<string | null> {
  const { prisma, clock } = core
  return prisma.$transaction(async (tx) => {
    const state = await linkTokens.consume(core, tx, token, kind)
    if (state.kind !== 'live') return null
    const row = await tx.statusSubscription.findUnique({ where: { id: state.link.subjectId ?? '' } })
    if (row === null) return null
    const fresh = manageLink(core, row) === null ? makeToken(core, row.email) : {}
    const confirmed = await tx.statusSubscription.update({
      where: { id: row.id },
      data: {
        confirmedAt: row.confirmedAt ?? clock(),
        components: row.askedComponents,
        ...fresh,
      },
    })
    return manageLink(core, confirmed)
  })
}

/** By the link in every email; null when the subscription has ended. */
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

/** Nothing of it is kept. */
export async function endSubscription({ prisma }: Core, token: string): Promise<boolean> {
  const { count } = await prisma.statusSubscription.deleteMany({ where: { tokenHash: hash(token) } })
  return count === 1
}

/** Tick: requests whose mail no one answered. */
export async function forgetUnconfirmed({ prisma }: Core, now: Date): Promise<number> {
  const before = new Date(now.getTime() - subscriptionConfirmHours * hourMs)
  const { count } = await prisma.statusSubscription.deleteMany({
    where: { confirmedAt: null, createdAt: { lt: before } },
  })
  return count
}

/** Seals under the keyring's first key what an older one sealed. */
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

/** Confirmed ones in the order of their ids, a page at a time. */
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

/** Null when the key that sealed it is gone; a new confirmation makes another. */
export function manageLink({ keyring }: Core, { sealedToken, email }: StatusSubscription): string | null {
  const token = keyring.openText(sealedToken, sealContext(email))
  return token === null ? null : paths.statusSubscription(token)
}

function makeToken({ randomBytes, keyring }: Core, email: string) {
  const token = Buffer.from(randomBytes(32)).toString('base64url')
  const sealedToken = keyring.seal(Buffer.from(token, 'ascii'), sealContext(email))
  return { tokenHash: hash(token), sealedToken }
}

/** In the words of a mail. */
export function wordsOf(chosen: readonly ComponentId[]): string {
  if (chosen.length === 0 || chosen.length === componentIds.length) return 'all components'
  return chosen.map((id) => components[id].name).join(', ')
}

const sealContext = (email: string) => `status subscription ${email}`

const hash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest())
