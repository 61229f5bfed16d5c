/** What the portal and other domains say to agreements, and hear from them. */

import type { Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { AgreementFields, BaaFields, UsageFields } from '../../contract/forms/agreements.ts'
import type { DataClass } from '../../contract/keys/data-classes.ts'
import type { Purpose } from '../../contract/rest/purposes.ts'
import type { AgreementChange } from '../../contract/workflows/agreement-workflow.ts'
import type {
  AgreementKind,
  ClausePlaces,
  ReturnOutcome,
  SigningSide,
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
   * They were checked when they were named, and are when they sign. Anyone who left meanwhile must not keep the other
   * side's signature from counting: their side names another person on the document.
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

export type AttestInput = AgreementTarget &
  Readonly<{ outcome: ReturnOutcome; statement: string; legalName: string; title: string }>

export type AgreementDatabase = PrismaClient | Prisma.TransactionClient
