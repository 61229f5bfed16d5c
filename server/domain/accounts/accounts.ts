/** Accounts: signing up and in, links of mails, passwords, step-up (workflows §1). */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Passwords } from '../../auth/password.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { Env } from '../../env.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { LinkTokens } from '../link-tokens/link-tokens.ts'
import { createDemoAccounts } from './demo-account.ts'
import { createEmailChanges } from './email-changes.ts'
import { createAccountLinks } from './links.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createSignIn } from './sign-in.ts'
import { createSignOut } from './sign-out.ts'
import { createSignUp } from './sign-up.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createAccountTicks } from './ticks.ts'

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

export function createAccounts(dependencies: AccountDependencies) {
  const core: AccountCore = { ...dependencies, throttle: createThrottle(dependencies) }
  return {
    ...createSignUp(core),
    ...createSignIn(core),
    ...createSignOut(core),
    ...createAccountLinks(core),
    ...createPasswordChanges(core),
    ...createEmailChanges(core),
    ...createDemoAccounts(core),
    ...createAccountTicks(core),
    isStepUpFresh: dependencies.sessions.isStepUpFresh,
  }
}

export type Accounts = ReturnType<typeof createAccounts>
