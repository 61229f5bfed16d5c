/** Inputs and results of agreements that the portal and other domains use. */

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
   * Set if the signatories were checked when they were named; they are checked again when they sign. One who has left
   * in between must not block the other side, as their side can name another person.
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

/** The access that agreements must cover. */
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
  /** The template's version, or `upload`; for the usage policy, the policy's version. */
  version: string
  /** The hash of the executed document; for the usage policy, of its text. */
  sha256: string
  effectiveAt: Date
  /** The end of the term, or of an earlier notice. */
  expiresAt: Date
}>

export type DocumentsInForce = Readonly<{
  usageAgreement: InForce | null
  /** The policy, if its current version was accepted with the usage agreement. */
  usagePolicy: InForce | null
  baa: InForce | null
}>

export type AgreementChanged = Readonly<{
  agreementId: string
  kind: AgreementKind
  /** The request that it was first offered for. An amendment or a renewal has the one of the agreement it replaces. */
  requestId: string | null
  organizationId: string
  practiceId: string | null
  change: AgreementChange
  /** The side that signed, edited, rejected or ended it. */
  side?: SigningSide
  /** Null for a step by a job or under a policy. */
  by: Actor | null
  reason?: string
  now: Date
}>

/** Called inside the transaction of the change: an error from it undoes the change. */
export type AgreementListener = (tx: Prisma.TransactionClient, event: AgreementChanged) => Promise<void>

/** The agreement that a page's form is about, with the version that the page shows. */
export type AgreementTarget = Readonly<{
  agreementId: string
  version?: number | null
  idempotencyKey?: string | null
}>

export type SignInput = AgreementTarget &
  Readonly<{ number: number; sha256: string; legalName: string; title: string }>

/** `changed`: nothing was signed, because the version that the signer saw is not the stored one, or no longer offered. */
export type SignOutcome = Readonly<
  { kind: 'signed'; executed: boolean } | { kind: 'changed'; message: string }
>

export type Upload = Readonly<{ fileName: string; bytes: Uint8Array; clauses: ClausePlaces }>

export type EditInput = AgreementTarget &
  Readonly<{ comment: string; fields: AgreementFields; upload?: Upload | null }>

export type AttestInput = AgreementTarget &
  Readonly<{ outcome: ReturnOutcome; statement: string; legalName: string; title: string }>

export type AgreementDatabase = PrismaClient | Prisma.TransactionClient
