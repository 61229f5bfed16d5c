/** Accounts: signing up and in, links of mails, passwords, step-up (workflows §1). */
import { createDemoAccounts } from './demo-account.ts'
import type { AccountCore, AccountDependencies } from './dependencies.ts'
import { createEmailChanges } from './email-changes.ts'
import { createAccountLinks } from './links.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createSignIn } from './sign-in.ts'
import { createSignOut } from './sign-out.ts'
import { createSignUp } from './sign-up.ts'
import { createThrottle } from './throttle.ts'
import { createAccountTicks } from './ticks.ts'

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
