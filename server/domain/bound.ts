/** Nouns with `core` given, for those that do not take it themselves yet. */
import type * as throttle from './accounts/throttle.ts'
import type { WithCore } from './core.ts'
import type * as linkTokens from './link-tokens/link-tokens.ts'
import type * as sandboxes from './practices/organization-sandbox.ts'
import type * as practiceAdmin from './practices/practice-admin.ts'
import type * as practiceStaff from './practices/practice-staff.ts'
import type * as productionKeys from './production-keys/production-keys.ts'

export type Throttle = WithCore<typeof throttle>
export type LinkTokens = WithCore<typeof linkTokens> &
  Pick<typeof linkTokens, 'consumeAll' | 'findByToken' | 'withdraw'>
export type OrganizationSandboxes = WithCore<typeof sandboxes>
export type ProductionKeys = WithCore<typeof productionKeys>
export type PracticeAdmin = WithCore<typeof practiceAdmin>
export type PracticeStaff = WithCore<typeof practiceStaff>
