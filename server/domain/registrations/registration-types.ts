/** Registrations as the portal's pages see them: what they may ask for, and what they get. */

import type { Registration } from '../../../prisma/generated/client/client.ts'
import type { LintReport } from '../../contract/workflows/lint-findings.ts'
import type { RegistrationCheckId } from '../../contract/workflows/registration-checks.ts'
import type { FieldChange, RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type {
  RegistrationEventName,
  RegistrationKind,
  RegistrationState,
} from '../../contract/workflows/registration-workflow.ts'

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

/** What a page needs of a registration before a step, and the row for the step: it is read once a request. */
export type OpenRegistration = Readonly<{
  id: string
  organizationId: string
  state: RegistrationState
  version: number
  form: RegistrationForm
  read: Registration
}>

export type Clock = Readonly<{
  kind: ClockKind
  /** Business days it allows. */
  days: number
  /** Calendar dates of the office zone, `yyyy-mm-dd`. */
  receivedOn: string
  dueOn: string
  /** The last second of the due date; both zones are shown from it. */
  dueAt: Date
  state: 'running' | 'paused' | 'stopped'
  /** Business days used, by now or until it stopped. */
  usedDays: number
  /** Business days that were left when it paused. */
  remainingDays: number
  breachedAt: Date | null
  stoppedAt: Date | null
  pauses: readonly Readonly<{
    pausedAt: Date
    resumedAt: Date | null
    remainingDays: number
    dueOn: string | null
  }>[]
}>

/** One thing that a reviewer asked for, and the answer. */
export type RequestedItem = Readonly<{
  id: string
  /** Counts the times that something was asked. */
  round: number
  code: string
  check: RegistrationCheckId
  sentence: string
  text: string
  /** It could have been asked the first time: the clock was not stopped for it. */
  visibleEarlier: boolean
  askedAt: Date
  answer: string | null
  answeredAt: Date | null
}>

export type TimelineEntry = Readonly<{
  at: Date
  /** An event of the workflow, or `clock_60`, `clock_80`, `clock_breach`. */
  event: RegistrationEventName | string
  from: RegistrationState | null
  to: RegistrationState
  /** Name for reviewers and colleagues; developers see reviewers as `a reviewer`. */
  by: string
  codes: readonly string[]
  text: string | null
}>

export type RegistrationSummary = Readonly<{
  id: string
  kind: RegistrationKind
  name: string
  organizationId: string
  organizationName: string
  organizationSlug: string
  state: RegistrationState
  waitingOn: 'developer' | 'us' | 'nobody'
  version: number
  authenticity: Authenticity
  configuration: Configuration
  clocks: readonly Clock[]
  receivedAt: Date | null
  updatedAt: Date
  /** Of requests for limits or a term: the key or the app they are about. */
  subjectId: string | null
}>

export type RegistrationView = RegistrationSummary &
  Readonly<{
    form: RegistrationForm
    /** What was submitted last; null before. */
    submitted: RegistrationForm | null
    /** What production serves. */
    serving: RegistrationForm | null
    /** Of a change: what served when it was asked for. */
    replaces: RegistrationForm | null
    /** For other requests than `app`: why, and the registration, key or app it is about. */
    reason: string | null
    parentId: string | null
    requested: Readonly<Record<string, unknown>> | null
    sandboxClientId: string | null
    productionClientId: string | null
    /** An open change of this app. */
    openChangeId: string | null
    items: readonly RequestedItem[]
    timeline: readonly TimelineEntry[]
    versions: readonly Readonly<{ number: number; at: Date; form: RegistrationForm }>[]
    /** What the reader may do now. */
    allowed: readonly RegistrationEventName[]
    /** Why the last probe failed, while the app is being enabled. */
    probeFailure: string | null
    /** A mail about this request could not be delivered. */
    unreachable: boolean
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

/** A row of the list of apps. */
export type ListedApp = Readonly<{
  id: string
  name: string
  /** Null for a client that a button registered. */
  request:
    | (Pick<RegistrationSummary, 'id' | 'kind' | 'state' | 'waitingOn' | 'updatedAt'> &
        Readonly<{
          /** The sandbox client has had a token. */
          isTested: boolean
        }>)
    | null
  clients: readonly Readonly<{
    clientId: string
    environment: 'sandbox' | 'production'
    audience: 'patient' | 'clinician' | 'backend'
    isSuspended: boolean
    /** Calls of this UTC day, as the log has them. */
    today: Readonly<{ calls: number; refused: number }>
  }>[]
}>

/** The version at the last questions to the developer; of a change of an app, what production serves. */
export type ComparedVersion = Readonly<{
  kind: 'asked' | 'serving'
  number: number
  /** When it was submitted; null: while the app was another request. */
  at: Date | null
}>

export type ReviewView = RegistrationView &
  Readonly<{
    claimedBy: string | null
    /** The reader has claimed it; what is only assigned is claimed first. */
    mine: boolean
    assignedToReader: boolean
    /** Why the reader may not decide on it: the own organization, or decided on before an appeal. */
    conflict: string | null
    organization: Readonly<{
      name: string
      slug: string
      createdAt: Date
      members: number
      verifiedDomains: readonly string[]
      earlier: readonly Readonly<{ id: string; name: string; state: RegistrationState; updatedAt: Date }>[]
    }>
    report: LintReport
    /** Null for the first version: reviewers have seen none before. */
    comparedWith: ComparedVersion | null
    /** What is different from that version, field by field. */
    changes: readonly FieldChange[]
    fieldsCompared: number
    checks: readonly RegistrationCheckId[]
    checked: readonly RegistrationCheckId[]
    /** A rejection that another reviewer has to confirm. */
    proposal: Readonly<{ by: string; own: boolean; codes: readonly string[]; text: string; at: Date }> | null
    notes: readonly Readonly<{ at: Date; by: string; text: string }>[]
  }>

export type ReviewMetrics = Readonly<{
  /** Of apps and changes enabled in the last 365 days. */
  enabled: number
  medianBusinessDays: number | null
  p95BusinessDays: number | null
  /** 0 to 1. */
  needingInfo: number | null
  promiseBreaches: number
  ruleBreaches: number
  open: number
}>

/** For everybody, on the public page: computed from the event log. */
export type ServiceFigures = Omit<ReviewMetrics, 'open'>
