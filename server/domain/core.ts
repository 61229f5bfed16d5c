/**
 * The dependencies of the domain's functions, assembled once by `services.ts`. Each function takes `(core, input, actor)`;
 * callers outside the domain get it with `core` bound.
 */
import type pg from 'pg'
import type { Logger } from 'pino'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../audit/portal-audit.ts'
import type { Recorder } from '../audit/recorder.ts'
import type { Sealer } from '../audit/sealer.ts'
import type { Passwords } from '../auth/password.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { SmartTokenAuth } from '../auth/smart-token.ts'
import type { Deprecations } from '../contract/http/deprecations.ts'
import type { PracticeStatusObject } from '../contract/status/records.ts'
import type { Env } from '../env.ts'
import type { Keyring } from '../keyring.ts'
import type { Decision, Limiter } from '../limits/windows.ts'
import type { JobQueue } from '../mail/job-queue.ts'
import type { Mail } from '../mail/mail.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Store } from '../store/store.ts'
import type { AgreementTexts, RegistrationTexts } from './agreements/agreement-texts.ts'
import type { AgreementListener } from './agreements/agreement-types.ts'
import type { ExportStorage } from './bulk-exports/export-storage.ts'
import type { OfficeCalendar } from './business-days/business-days.ts'
import type { JwksSource } from './clients/jwks-source.ts'
import type { SmartAddresses } from './grants/smart-addresses.ts'
import type { SigningKeys } from './signing-keys/signing-keys.ts'

export type Core = Readonly<{
  prisma: PrismaClient
  pool: pg.Pool
  clock: () => Date
  log: Logger
  env: Env
  keyring: Keyring
  store: Store
  limiter: Limiter
  recorder: Recorder
  portalAudit: PortalAudit
  sealer: Sealer
  jobs: JobQueue
  mail: Mail
  sessions: Sessions
  passwords: Passwords
  smartTokens: SmartTokenAuth
  outbound: Outbound
  jwks: JwksSource
  signingKeys: SigningKeys
  exportStorage: ExportStorage
  agreementTexts: AgreementTexts
  registrationTexts: RegistrationTexts
  /** The deprecated operations, with their sunset dates. */
  deprecations: Deprecations
  /** Called for every change of an agreement, inside its transaction. */
  agreementListeners: readonly Verb<AgreementListener>[]
  addresses: SmartAddresses
  calendar: OfficeCalendar
  /** The public Status API's response about a practice. */
  practiceStatus: (id: string) => Promise<PracticeStatusObject>
  /** Counts a request in the Status API's rate limit of an IP address. */
  takeStatusWindow: (ip: string) => Decision | Promise<Decision>
  /** Cryptographically strong bytes. */
  randomBytes: (size: number) => Uint8Array
  /** Sends a request to our own server over the network. */
  send: (url: string, init: RequestInit) => Promise<Response>
}>

/** A domain function for an interface whose signature has no `core`. */
export type Verb<Shape extends (...given: never[]) => unknown> = (
  core: Core,
  ...given: Parameters<Shape>
) => ReturnType<Shape>

/** The functions of a module or table with `core` bound, as callers outside the domain use them. */
export type WithCore<Of extends object, Given = Core> = {
  readonly [Name in keyof Of as Of[Name] extends (core: Given, ...input: never[]) => unknown
    ? Name
    : never]: Of[Name] extends (core: Given, ...input: infer Input) => infer Result
    ? (...input: Input) => Result
    : never
}

/** Binds `core` to the functions of a module; its other exports are left out. */
export function withCore<Given, Of extends object>(core: Given, verbs: Of): WithCore<Of, Given> {
  const bound = Object.entries(verbs).flatMap(([name, verb]) =>
    typeof verb === 'function' ? [[name, (...input: unknown[]) => verb(core, ...input)]] : [],
  )
  return Object.fromEntries(bound) as WithCore<Of, Given>
}
