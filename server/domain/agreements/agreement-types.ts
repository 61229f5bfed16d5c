/** What the portal and other domains say to agreements, and hear from them. */

import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { DataClass } from '../../contract/keys/data-classes.ts'
import type { Listed, PageAsk } from '../../contract/portal/paging.ts'
import type { Purpose } from '../../contract/rest/purposes.ts'
import type { AgreementChange, AgreementState } from '../../contract/workflows/agreement-workflow.ts'
import type {
  AgreementFields,
  AgreementKind,
  BaaFields,
  ClausePlaces,
  ReturnOutcome,
  SigningSide,
  UsageFields,
} from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'

export type Signatory = Readonly<{
  side: 'developer' | 'practice'
  accountId: string
  legalName: string
  title: string
}>

type OfferBase = Readonly<{
  organizationId: string
  /** The production key request. */
  requestId: string | null
  signatories: readonly Signatory[]
  /**
   * They were checked when they were named, and are when they sign. Whoever left meanwhile must not keep the other
   * side's signature from counting: their side names somebody else on the document.
   */
  namedBefore?: true
  /** Null for a tick or a job. */
  by: Actor | null
  now: Date
}>

export type OfferAgreement =
  | (OfferBase & Readonly<{ kind: 'usage_agreement'; practiceId: null; fields: UsageFields }>)
  | (OfferBase &
      Readonly<{
        kind: 'baa'
        practiceId: string
        level: 'read_only' | 'full'
        dataClasses: readonly DataClass[]
        purposes: readonly Purpose[]
        fields: BaaFields
      }>)

export type Offered = Readonly<{ agreementId: string; sha256: string }>

/** What a request needs covered. */
export type Cover = Readonly<{
  organizationId: string
  practiceId: string | null
  level: 'read_only' | 'full'
  dataClasses: readonly string[]
  purposes: readonly string[]
  now: Date
}>

export type InForce = Readonly<{
  agreementId: string
  /** Of the template, or `upload`; for the usage policy, of the policy. */
  version: string
  /** Of the executed document; for the usage policy, of its text. */
  sha256: string
  effectiveAt: Date
  /** The end of the term, or the day of a notice that comes first. */
  expiresAt: Date
}>

export type DocumentsInForce = Readonly<{
  usageAgreement: InForce | null
  /** Accepted with the usage agreement, in the version that is published now. */
  usagePolicy: InForce | null
  baa: InForce | null
}>

export type AgreementChanged = Readonly<{
  agreementId: string
  kind: AgreementKind
  /** Of the request it was first offered for; an amendment or a renewal has that of what it replaces. */
  requestId: string | null
  organizationId: string
  practiceId: string | null
  change: AgreementChange
  /** Of an amendment or a renewal. */
  replacesId: string | null
  /** Who signed, edited, rejected or ended. */
  side?: SigningSide
  /** Null for time and policy. */
  by: Actor | null
  reason?: string
  now: Date
}>

/** Called inside the transaction of the change: what it throws undoes the change. */
export type AgreementListener = (tx: Prisma.TransactionClient, event: AgreementChanged) => Promise<void>

/** In a page's form: which agreement, as it was seen, and which form. */
export type AgreementTarget = Readonly<{
  agreementId: string
  version?: number | null
  idempotencyKey?: string | null
}>

export type SignInput = AgreementTarget &
  Readonly<{ number: number; sha256: string; legalName: string; title: string }>

/** `changed`: what was looked at is not what is stored, or no longer offered; nothing was signed. */
export type SignOutcome = Readonly<
  { kind: 'signed'; executed: boolean } | { kind: 'changed'; message: string }
>

export type Upload = Readonly<{ fileName: string; bytes: Uint8Array; clauses: ClausePlaces }>

export type EditInput = AgreementTarget &
  Readonly<{ comment: string; fields: AgreementFields; upload?: Upload | null }>

export type ListedAgreement = Readonly<{
  id: string
  kind: AgreementKind
  state: AgreementState
  version: number
  organization: { id: string; slug: string; name: string }
  practice: { id: string; slug: string; name: string } | null
  requestId: string | null
  replacesId: string | null
  signed: readonly { side: SigningSide; at: Date }[]
  /** Whose signature is missing. */
  waitsFor: readonly SigningSide[]
  createdAt: Date
  executedAt: Date | null
  effectiveAt: Date | null
  expiresAt: Date | null
  endsAt: Date | null
  endedAt: Date | null
  returnTask: { dueAt: Date; attestedAt: Date | null } | null
}>

export type AttestInput = AgreementTarget &
  Readonly<{ outcome: ReturnOutcome; statement: string; legalName: string; title: string }>

export type AgreementDatabase = PrismaClient | Prisma.TransactionClient

/** What other domains ask of agreements. */
export type Agreements = {
  /**
   * Offers a document to its signatories: renders the exact bytes, and sends both an email. One of the kind that is still open
   * for the same organization (and practice, level, classes, purposes) is given back instead of a second. The first
   * document of a process loads its typefaces: give the transaction 20 seconds.
   * @throws Problem `validation` for fields that do not fit, `conflict` for a signatory who may not sign
   */
  offer(tx: Prisma.TransactionClient, input: OfferAgreement): Promise<Offered>
  /** What is in force at that moment and covers what is asked, each by name; null: it is missing. */
  inForce(db: AgreementDatabase, cover: Cover): Promise<DocumentsInForce>
  /** As `inForce`: what is executed already, so that nothing is signed twice, even if it begins on a later day. */
  covering(db: AgreementDatabase, cover: Cover): Promise<DocumentsInForce>
  /**
   * The request is over: a BAA of it that is not executed is withdrawn. A usage agreement belongs to the organization,
   * and stays open for the next request. @returns how many
   */
  withdrawOpen(
    tx: Prisma.TransactionClient,
    input: { requestId: string; reason: string; by: Actor | null; now: Date },
  ): Promise<number>
  /** The developer is to return or destroy what they have from the practice, though a BAA is in force. */
  openReturnTask(
    tx: Prisma.TransactionClient,
    input: { organizationId: string; practiceId: string; now: Date },
  ): Promise<void>
  /** Reminders, expiries, ends of notices, what was silent too long. The job calls it. @returns steps made */
  tick(now: Date, batch?: number): Promise<number>
  /** A page of a list, the newest first; searched by the names of both sides. */
  pageForOrganization(organizationId: string, ask: PageAsk): Promise<Listed<ListedAgreement>>
  pageForPractice(practiceId: string, ask: PageAsk): Promise<Listed<ListedAgreement>>
  listForOrganization(organizationId: string): Promise<readonly ListedAgreement[]>
  listForPractice(practiceId: string): Promise<readonly ListedAgreement[]>
  /** Of one request, the newest first. */
  listForRequest(db: AgreementDatabase, requestId: string): Promise<readonly ListedAgreement[]>
}
