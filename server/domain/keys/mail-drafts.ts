/**
 * Requests for keys by email (workflows §3). An email becomes a draft; the reply lists the missing details and has a link,
 * which proves access to the sender's mailbox. A sender can be forged, so until the link is used, nothing but the
 * draft is created, and only this reply is sent.
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
  /** The plain-text part. */
  text: string
}

type DraftAnswer =
  | {
      kind: 'live'
      draftId: string
      name: string
      description: string
      technicalContact: string | null
      /** Whether the email accepts the current version of the terms. */
      acceptsTerms: boolean
    }
  | { kind: 'sign_in_first' | 'expired' | 'used' | 'unknown' }
  | { kind: 'other_account'; maskedEmail: string }

/** Undoes the request, because the link was used or expired after it was checked. */
class LinkGone extends Error {
  constructor(readonly kind: 'expired' | 'used' | 'unknown') {
    super(`the link of a draft is ${kind}`)
  }
}

/**
 * Stores an email as a draft and replies to it, once for each email. @returns `dropped` if the sender has written too
 * often
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
  // A text that looks like a key or patient data is not stored. The form asks for it again.
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

/** The draft of a link, for the person who opened it. */
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
  const acceptsTerms = acceptsCurrentTerms(core, draft)
  return { kind: 'live', draftId: id, name, description, technicalContact, acceptsTerms }
}

/**
 * Turns the draft into a request. The transaction that writes the request also uses up the link, so a draft becomes one
 * request, even if it is confirmed twice at once or for two organizations, or the server ends in between. A second
 * confirmation for the same organization returns the same request.
 * @throws Problem as `requestSandboxKey`
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

/** Finds the request of this person's earlier confirmation for the same organization. */
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

/** The tick: deletes expired drafts, confirmed or not. */
export async function forgetDrafts({ prisma }: Core, now: Date): Promise<number> {
  const where = { expiresAt: { lte: now } }
  return deleteInBatches((limit) => prisma.keyDraft.deleteMany({ where, limit }))
}

/** The details that the draft lacks for a request. */
function missingOf(core: Core, draft: KeyDraft): ('description' | 'contact' | 'terms')[] {
  const short = [...draft.description].length < projectDescriptionLength.min
  return [
    ...(short ? (['description'] as const) : []),
    ...(draft.technicalContact === null ? (['contact'] as const) : []),
    ...(acceptsCurrentTerms(core, draft) ? [] : (['terms'] as const)),
  ]
}

/** Accepting an earlier version of the terms does not count. */
const acceptsCurrentTerms = ({ agreementTexts }: Core, { termsVersion }: KeyDraft) =>
  termsVersion === agreementTexts.get('sandbox-terms').version

const draftIdempotencyKey = (draftId: string) => `draft-${draftId}`

function oneLine(text: string): string {
  return normalize(text, 'NFC')
    .replace(/^(\s*(re|fwd?|aw|wg)\s*:)+/i, '')
    .replace(/[\p{Cc}\p{Cn}\p{Co}\s]+/gu, ' ')
    .trim()
}

/** The text without control characters and without quoted lines. */
function readable(text: string): string {
  return normalize(text, 'NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\p{Cn}\p{Co}]/gu, '')
    .split('\n')
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .trim()
}

// The statements that an email may make on a line of their own: the technical contact, and acceptance of the terms.

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
