/** What the steps of a production key share. */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { ActivityLog } from '../../audit/activity-log.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { PracticeStatusObject } from '../../contract/status-records.ts'
import type { Env } from '../../env.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Agreements } from '../agreements/agreement-types.ts'
import type { OfficeCalendar } from '../business-days/business-days.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import type { Walk } from './walk.ts'

export type ProductionDependencies = {
  prisma: PrismaClient
  clock: () => Date
  log: Pick<Logger, 'error' | 'warn' | 'info'>
  env: Pick<Env, 'BUSINESS_TZ' | 'REST_ORIGIN'>
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  linkTokens: LinkTokens
  activityLog: ActivityLog
  agreements: Pick<
    Agreements,
    'offer' | 'inForce' | 'covering' | 'withdrawOpen' | 'openReturnTask' | 'listForRequest'
  >
  /** What the public status API answers about a practice. */
  practiceStatus: (id: string) => Promise<PracticeStatusObject>
  randomBytes: (size: number) => Uint8Array
}

export type ProductionRooms = ProductionDependencies & { calendar: OfficeCalendar; walk: Walk }
