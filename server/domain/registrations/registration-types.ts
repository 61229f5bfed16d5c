/** What pages send about registrations, and figures of the review. */

import type { Registration } from '../../../prisma/generated/client/client.ts'

export type Authenticity = 'pending' | 'verified' | 'failed'
export type Configuration = 'pending' | 'valid' | 'invalid'
/** P: `promise`. S: `authenticity` until that is decided, then `enablement`. */
export type ClockKind = 'promise' | 'authenticity' | 'enablement'

/** Which registration, as the page saw it. */
export type Target = Readonly<{
  registrationId: string
  /** What has changed since is a conflict: the page shows it anew. */
  version: number
  /** Made with the page: the same form sent twice is done once. */
  idempotencyKey: string
  /** The row as this request has read it. */
  read?: Registration | undefined
}>

export type SavedDraft = Readonly<{
  registrationId: string
  version: number
  read: Registration
  sandboxClientId: string | null
  /** The secret of a new confidential app; in this answer only. */
  secret: string | null
  /** Why there is no sandbox client id (yet), in words of the field at fault. */
  notRegistered: Readonly<{ field: string; message: string }> | null
}>

/** For everybody, on the public page: computed from the event log. */
export type ServiceFigures = Readonly<{
  /** Of apps and changes enabled in the last 365 days. */
  enabled: number
  medianBusinessDays: number | null
  p95BusinessDays: number | null
  /** 0 to 1. */
  needingInfo: number | null
  promiseBreaches: number
  ruleBreaches: number
}>
