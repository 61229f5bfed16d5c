/**
 * Who is told of changes by mail. Nothing is sent to an address before its owner used the link of the first mail; the
 * link in every later one shows and ends the subscription, and lives as long as it does. Ending deletes the row.
 */
import { createHash } from 'node:crypto'
import type { PrismaClient, StatusSubscription } from '../../../prisma/generated/client/client.ts'
import { paths } from '../../contract/portal/paths.ts'
import { type ComponentId, componentIds, components } from '../../contract/status/components.ts'
import { keptComponents, subscriptionConfirmHours } from '../../contract/status/subscriptions.ts'
import { type Keyring, SealError } from '../../keyring.ts'
import type { Mail } from '../../mail/mail.ts'
import { networkOf, type Throttle, type Throttled } from '../accounts/throttle.ts'
import type { Context } from '../actor.ts'
import type { LinkState, LinkTokens } from '../link-tokens/link-tokens.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  keyring: Keyring
  mail: Pick<Mail, 'enqueue'>
  linkTokens: LinkTokens
  throttle: Pick<Throttle, 'take'>
  randomBytes: (size: number) => Uint8Array
}

type Subscribed = { email: string; components: ComponentId[] }

const kind = 'confirm_subscription' as const
const hourMs = 3_600_000

export function createSubscriptions(dependencies: Dependencies) {
  const { prisma, clock, keyring, mail, linkTokens, throttle, randomBytes } = dependencies

  /** The same answer and the same work whether or not the address is known. What was confirmed before goes on. */
  async function subscribe(
    { email, components: asked }: Subscribed,
    context: Context,
  ): Promise<{ kind: 'mail_sent' } | Throttled> {
    const refused = await throttle.take([
      { rule: 'mailNetwork', subject: [networkOf(context.ip)] },
      { rule: 'mailAddress', subject: ['status', email] },
    ])
    if (refused !== null) return refused
    const now = clock()
    const kept = makeToken(email)
    await prisma.$transaction(async (tx) => {
      const { id } = await tx.statusSubscription.upsert({
        where: { email },
        create: { email, askedComponents: asked, createdAt: now, ...kept },
        update: { askedComponents: asked },
        select: { id: true },
      })
      // Asked for anew, it waits for its answer as long as the new link does.
      await tx.statusSubscription.updateMany({ where: { id, confirmedAt: null }, data: { createdAt: now } })
      const expiresAt = new Date(now.getTime() + subscriptionConfirmHours * hourMs)
      const link = await linkTokens.issue(tx, { kind, subjectId: id, expiresAt, now })
      await mail.enqueue(tx, {
        template: 'status-confirm',
        to: email,
        props: { about: wordsOf(asked), expiresAt: expiresAt.toISOString() },
        links: { confirmUrl: paths.confirmSubscription(link) },
        correlationId: context.correlationId,
      })
    })
    return { kind: 'mail_sent' }
  }

  /** What a link of the first mail is worth; reading changes nothing. */
  async function findConfirmation(token: string): Promise<{ kind: LinkState['kind'] } & Partial<Subscribed>> {
    const state = await linkTokens.check(token, kind)
    if (state.kind !== 'live') return { kind: state.kind }
    const row = await prisma.statusSubscription.findUnique({ where: { id: state.link.subjectId ?? '' } })
    if (row === null) return { kind: 'expired' }
    return { kind: 'live', email: row.email, components: keptComponents(row.askedComponents) }
  }

  /** From now on they are told. @returns the page on which it is changed and ended; null for a dead link */
  async function confirmSubscription(token: string): Promise<string | null> {
    return prisma.$transaction(async (tx) => {
      const state = await linkTokens.consume(tx, token, kind)
      if (state.kind !== 'live') return null
      const row = await tx.statusSubscription.findUnique({ where: { id: state.link.subjectId ?? '' } })
      if (row === null) return null
      const fresh = manageLink(row) === null ? makeToken(row.email) : {}
      const confirmed = await tx.statusSubscription.update({
        where: { id: row.id },
        data: { confirmedAt: row.confirmedAt ?? clock(), components: row.askedComponents, ...fresh },
      })
      return manageLink(confirmed)
    })
  }

  /** By the link that stands in every mail; null when it has ended. */
  async function findSubscription(token: string): Promise<Subscribed | null> {
    const row = await find(token)
    return row && { email: row.email, components: keptComponents(row.components) }
  }

  async function changeSubscription(token: string, chosen: ComponentId[]): Promise<boolean> {
    const { count } = await prisma.statusSubscription.updateMany({
      where: { tokenHash: hash(token), confirmedAt: { not: null } },
      data: { components: chosen, askedComponents: chosen },
    })
    return count === 1
  }

  /** Nothing of it is kept. */
  async function endSubscription(token: string): Promise<boolean> {
    const { count } = await prisma.statusSubscription.deleteMany({ where: { tokenHash: hash(token) } })
    return count === 1
  }

  /** Tick: requests whose mail nobody answered. */
  async function forgetUnconfirmed(now: Date): Promise<number> {
    const before = new Date(now.getTime() - subscriptionConfirmHours * hourMs)
    const { count } = await prisma.statusSubscription.deleteMany({
      where: { confirmedAt: null, createdAt: { lt: before } },
    })
    return count
  }

  /** Seals under the keyring's first key what an older one sealed. */
  async function resealSubscriptions(): Promise<number> {
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
  function listSubscribers(after: string | undefined, take: number): Promise<StatusSubscription[]> {
    return prisma.statusSubscription.findMany({
      where: { confirmedAt: { not: null }, ...(after !== undefined && { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      take,
    })
  }

  const find = (token: string) =>
    prisma.statusSubscription.findFirst({ where: { tokenHash: hash(token), confirmedAt: { not: null } } })

  /** Null when the key that sealed it is gone; who confirms anew is given another. */
  function manageLink({ sealedToken, email }: StatusSubscription): string | null {
    try {
      const token = keyring.open(sealedToken, sealContext(email))
      return paths.statusSubscription(Buffer.from(token).toString('ascii'))
    } catch (error) {
      if (error instanceof SealError) return null
      throw error
    }
  }

  function makeToken(email: string) {
    const token = Buffer.from(randomBytes(32)).toString('base64url')
    const sealedToken = keyring.seal(Buffer.from(token, 'ascii'), sealContext(email))
    return { tokenHash: hash(token), sealedToken }
  }

  return {
    subscribe,
    findConfirmation,
    confirmSubscription,
    findSubscription,
    changeSubscription,
    endSubscription,
    forgetUnconfirmed,
    resealSubscriptions,
    listSubscribers,
    manageLink,
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** In the words of a mail. */
export function wordsOf(chosen: readonly ComponentId[]): string {
  if (chosen.length === 0 || chosen.length === componentIds.length) return 'all components'
  return chosen.map((id) => components[id].name).join(', ')
}

const sealContext = (email: string) => `status subscription ${email}`

function hash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest())
}
