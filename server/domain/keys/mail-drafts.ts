/**
 * A key asked for by mail (workflows §3): the mail becomes a draft, the answer lists what is missing and carries a link;
 * opening the link proves access to the sender's mailbox. Anybody can write any sender into a mail, so
 * that until the link is used, nothing is created, and the only email is the one about the draft.
 */
import type { KeyDraft } from '../../../prisma/generated/client/client.ts'
import { projectDescriptionLength } from '../../contract/forms/keys.ts'
import { draftHours } from '../../contract/keys/key-life.ts'
import { paths } from '../../contract/portal/paths.ts'
import { emailAddress, normalizeEmail } from '../../contract/text/email-address.ts'
import { normalize } from '../../contract/text/normalize.ts'
import { findNameFault, tidyName } from '../../contract/text/public-name.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import * as throttle from '../accounts/throttle.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import { isCleanText } from '../text-scan/check-text.ts'
import { requestSandboxKey, type SandboxKeyRequestInput } from './key-requests.ts'

type ArrivedMail = {
  from: string
  messageId: string
  subject: string
  /** Its plain-text part. */
  text: string
}

type DraftAnswer =
  | {
      kind: 'live'
      draftId: string
      name: string
      description: string
      technicalContact: string | null
      /** Whether the email accepts the terms in the version that holds now. */
      acceptsTerms: boolean
    }
  | { kind: 'sign_in_first' | 'expired' | 'used' | 'unknown' }
  | { kind: 'other_account'; maskedEmail: string }

/** Takes the request back with it: the link was used between looking and writing. */
class LinkGone extends Error {
  constructor(readonly kind: 'expired' | 'used' | 'unknown') {
    super(`the link of a draft is ${kind}`)
  }
}

/**
 * Keeps what a mail says and answers it, once per mail. @returns `dropped` when the sender wrote too often, or wrote
 * what must not be kept
 */
export async function draftFromMail(
  core: Core,
  arrived: ArrivedMail,
): Promise<'drafted' | 'repeated' | 'dropped'> {
  const { prisma, clock, portalAudit, mail } = core
  const email = normalizeEmail(arrived.from)
  const messageId = arrived.messageId.slice(0, 300)
  if (await prisma.keyDraft.findUnique({ where: { messageId } })) return 'repeated'
  if (await throttle.take(core, [{ rule: 'mailAddress', subject: ['draft', email] }])) return 'dropped'
  const name = tidyName([...oneLine(arrived.subject)].slice(0, 60).join(''))
  const description = readable(arrived.text).slice(0, projectDescriptionLength.max)
  // What reads like a key or a patient is not kept; the form says again what is wanted.
  const statements = readStatements(description)
  const now = clock()
  const expiresAt = new Date(now.getTime() + draftHours * 3_600_000)
  return prisma.$transaction(async (tx) => {
    const { count } = await tx.keyDraft.createMany({
      data: [
        {
          email,
          messageId,
          name: isCleanText(name) && findNameFault(name) === null ? name : 'Requested by email',
          description: isCleanText(description) ? description : '',
          ...statements,
          receivedAt: now,
          expiresAt,
        },
      ],
      skipDuplicates: true,
    })
    if (count === 0) return 'repeated'
    const draft = await tx.keyDraft.findUniqueOrThrow({ where: { messageId } })
    const token = await linkTokens.issue(core, tx, {
      kind: 'confirm_draft',
      subjectId: draft.id,
      expiresAt,
      now,
    })
    await portalAudit.append(tx, {
      ...portalAudit.system(),
      action: 'key_draft.received',
      subject: { kind: 'key_draft', id: draft.id },
    })
    await mail.enqueue(tx, {
      template: 'key-draft',
      to: email,
      props: {
        missing: missingOf(core, draft),
        expiresAt: expiresAt.toISOString(),
        requestId: draft.id,
      },
      links: { confirmUrl: paths.confirmDraft(token) },
      threadId: draft.id,
    })
    return 'drafted'
  })
}

/** What stands behind the link, for the person who opened it. */
export async function findDraft(
  core: Core,
  {
    token,
    accountId,
  }: {
    token: string
    accountId?: string
  },
): Promise<DraftAnswer> {
  const { prisma } = core
  const state = await linkTokens.check(core, token, 'confirm_draft')
  if (state.kind !== 'live') return { kind: state.kind }
  const draft = await prisma.keyDraft.findUnique({ where: { id: state.link.subjectId ?? '' } })
  if (!draft) return { kind: 'unknown' }
  if (!accountId) return { kind: 'sign_in_first' }
  const account = await prisma.account.findUnique({ where: { id: accountId } })
  if (account?.email !== draft.email) return { kind: 'other_account', maskedEmail: maskEmail(draft.email) }
  const { id, name, description, technicalContact } = draft
  const acceptsTerms = accepted(core, draft)
  return { kind: 'live', draftId: id, name, description, technicalContact, acceptsTerms }
}

/**
 * The request that the draft becomes. The link is used up in the transaction that writes the request, so that a draft
 * makes one, also when it is confirmed twice at once, for two organizations, or the server is killed in between.
 * Confirmed again for the same organization it gives the same request.
 * @throws Problem as a request from the form
 */
export async function confirmDraft(
  core: Core,
  { token, ...form }: Omit<SandboxKeyRequestInput, 'idempotencyKey'> & { token: string },
  actor: Actor,
): Promise<{ kind: 'requested'; requestId: string } | DraftAnswer> {
  const { clock, portalAudit } = core
  const { organizationId } = form
  const found = await findDraft(core, { token, accountId: actor.accountId })
  if (found.kind === 'used') return (await findConfirmed(core, { token, organizationId }, actor)) ?? found
  if (found.kind !== 'live') return found
  const { draftId } = found
  try {
    const { requestId } = await requestSandboxKey(
      core,
      { ...form, idempotencyKey: draftIdempotencyKey(draftId) },
      actor,
      {
        alongside: async (tx, requestId) => {
          const taken = await linkTokens.consume(core, tx, token, 'confirm_draft')
          if (taken.kind !== 'live') throw new LinkGone(taken.kind)
          await tx.keyDraft.update({ where: { id: draftId }, data: { confirmedAt: clock(), requestId } })
          await portalAudit.append(tx, {
            ...portalAudit.by(actor),
            organizationId,
            action: 'key_draft.confirmed',
            subject: { kind: 'key_draft', id: draftId },
            detail: { requestId },
          })
        },
      },
    )
    return { kind: 'requested', requestId }
  } catch (thrown) {
    if (thrown instanceof LinkGone) return { kind: thrown.kind }
    throw thrown
  }
}

/** What this person's earlier confirmation for the same organization made. */
async function findConfirmed(
  core: Core,
  { token, organizationId }: { token: string; organizationId: string },
  { accountId }: Actor,
): Promise<{ kind: 'requested'; requestId: string } | null> {
  const { prisma } = core
  const state = await linkTokens.check(core, token, 'confirm_draft')
  if (state.kind !== 'used' || !state.link.subjectId) return null
  const idempotencyKey = draftIdempotencyKey(state.link.subjectId)
  const request = await prisma.sandboxKeyRequest.findFirst({
    where: { organizationId, idempotencyKey, requestedById: accountId },
    select: { id: true },
  })
  return request && { kind: 'requested', requestId: request.id }
}

/** Tick: drafts whose time is over go, whatever became of them. */
export async function forgetDrafts({ prisma }: Core, now: Date): Promise<number> {
  const where = { expiresAt: { lte: now } }
  return deleteInBatches((limit) => prisma.keyDraft.deleteMany({ where, limit }))
}

/** What the draft lacks of a whole request. */
function missingOf(core: Core, draft: KeyDraft): ('description' | 'contact' | 'terms')[] {
  const short = [...draft.description].length < projectDescriptionLength.min
  return [
    ...(short ? (['description'] as const) : []),
    ...(draft.technicalContact === null ? (['contact'] as const) : []),
    ...(accepted(core, draft) ? [] : (['terms'] as const)),
  ]
}

/** Another version than the present one counts as none. */
const accepted = ({ agreementTexts }: Core, { termsVersion }: KeyDraft) =>
  termsVersion === agreementTexts.get('sandbox-terms').version

/** A draft's one request, per organization; which organization it is, the link decides. */
const draftIdempotencyKey = (draftId: string) => `draft-${draftId}`

function oneLine(text: string): string {
  return normalize(text, 'NFC')
    .replace(/^(\s*(re|fwd?|aw|wg)\s*:)+/i, '')
    .replace(/[\p{Cc}\p{Cn}\p{Co}\s]+/gu, ' ')
    .trim()
}

/** Text without control characters, and without what was quoted of an earlier mail. */
function readable(text: string): string {
  return normalize(text, 'NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\p{Cn}\p{Co}]/gu, '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .trim()
}

// What an email that asks for a key states in a line of its own: the technical contact, and acceptance of the terms.

type EmailStatements = Readonly<{ technicalContact: string | null; termsVersion: string | null }>

const contactLine = /^[ \t*-]*technical contact(?: e-?mail| address)?\s*[:=–-]\s*(.{1,300})$/im
const angleAddress = /<([^<>\s]{3,254})>/
const plainAddress = /[^\s<>()",;]+@[^\s<>()",;]+/
const termsLine =
  /^[ \t*-]*(?:i|we)\s+(?:hereby\s+)?accept\s+the\s+sandbox\s+terms\b[\s,(]*(?:version|v\.?)\s*(\d{1,3}(?:\.\d{1,3}){0,2})\b/im

/** @param text without quoted lines: quoted text is not the sender's statement */
export function readStatements(text: string): EmailStatements {
  const contact = contactLine.exec(text)?.[1] ?? ''
  const address = angleAddress.exec(contact)?.[1] ?? plainAddress.exec(contact)?.[0]?.replace(/[.!?]+$/, '')
  const parsed = emailAddress.safeParse(address)
  return {
    technicalContact: parsed.success ? parsed.data : null,
    termsVersion: termsLine.exec(text)?.[1] ?? null,
  }
}
