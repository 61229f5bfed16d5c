/** What operations see and do in the console. */
import { type Core, withCore } from '../core.ts'
import { requireStaff } from '../staff.ts'
import * as audit from './audit-admin.ts'
import * as credentials from './credential-admin.ts'
import { checkHourly } from './credential-check.ts'
import { hasMadeUpHistory } from './demonstration.ts'
import * as jobs from './job-admin.ts'
import * as mails from './mail-admin.ts'
import { perform } from './perform.ts'
import * as practices from './practice-actions.ts'
import * as sessions from './session-admin.ts'
import * as people from './staff-people.ts'

/** @throws Problem `forbidden` for everybody else */
async function requireOps({ prisma }: Core, actor: { accountId: string }): Promise<void> {
  await requireStaff(prisma, actor, ['ops'])
}

export function bindOperations(core: Core) {
  return {
    ...withCore(core, { hasMadeUpHistory, perform, requireOps }),
    jobs: withCore(core, jobs),
    mails: withCore(core, mails),
    sessions: withCore(core, sessions),
    practices: withCore(core, practices),
    credentials: withCore(core, credentials),
    credentialCheck: withCore(core, { checkHourly }),
    audit: withCore(core, audit),
    people: withCore(core, people),
  }
}

export type Operations = ReturnType<typeof bindOperations>
