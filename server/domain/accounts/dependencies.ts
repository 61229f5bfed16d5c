/** What the functions of an account are made with. */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Passwords } from '../../auth/password.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Env } from '../../env.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import type { Throttle } from './throttle.ts'

export type AccountDependencies = {
  prisma: PrismaClient
  clock: () => Date
  log: Logger
  env: Pick<Env, 'demoSignIns'>
  mail: Mail
  jobs: JobQueue
  portalAudit: PortalAudit
  linkTokens: LinkTokens
  sessions: Sessions
  passwords: Passwords
}

export type AccountCore = AccountDependencies & { throttle: Throttle }
