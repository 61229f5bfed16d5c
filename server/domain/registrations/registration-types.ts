/** Types of registrations that pages and steps share. */

import type { Registration } from '../../../prisma/generated/client/client.ts'

export type Authenticity = 'pending' | 'verified' | 'failed'
export type Configuration = 'pending' | 'valid' | 'invalid'
/** Our promise runs as `promise`. The rule's clock runs as `authenticity` until that is decided, then as `enablement`. */
export type ClockKind = 'promise' | 'authenticity' | 'enablement'

/** The registration that a page's form is about. */
export type Target = Readonly<{
  registrationId: string
  /** The version that the page shows. A change since then is a conflict. */
  version: number
  /** Unique for each rendered page, so that the same form sent twice is done once. */
  idempotencyKey: string
  /** The row, if this request has read it already. */
  read?: Registration | undefined
}>

export type SavedDraft = Readonly<{
  registrationId: string
  version: number
  read: Registration
  sandboxClientId: string | null
  /** The secret of a new confidential app. Only this result contains it. */
  secret: string | null
  /** Why there is no sandbox client yet. */
  notRegistered: Readonly<{ field: string; message: string }> | null
}>

/** Figures that the public page shows, computed from the event log. */
export type ServiceFigures = Readonly<{
  /** The number of apps and changes enabled in the last 365 days. */
  enabled: number
  medianBusinessDays: number | null
  p95BusinessDays: number | null
  /** The share of enabled requests that needed more information, from 0 to 1. */
  needingInfo: number | null
  promiseBreaches: number
  ruleBreaches: number
}>
