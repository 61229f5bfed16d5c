/** The functions of the operators' console. */
import { type Core, withCore } from '../core.ts'
import { requireStaff } from '../staff.ts'
import * as audit from './audit-admin.ts'
import * as credentials from './credential-admin.ts'
import * as jobs from './job-admin.ts'
import * as mails from './mail-admin.ts'
import { checkHourly } from './metric-queries.ts'
import { perform } from './perform.ts'
import * as practices from './practice-actions.ts'
import * as people from './staff-people.ts'

export function bindOperations(core: Core) {
  return {
    ...withCore(core, { hasSampleHistory, perform }),
    /** @throws Problem `forbidden` unless the actor is an operator */
    requireOps: (actor: { accountId: string }) => requireStaff(core.prisma, actor, ['ops']),
    jobs: withCore(core, jobs),
    mails: withCore(core, mails),
    practices: withCore(core, practices),
    credentials: withCore(core, credentials),
    credentialCheck: withCore(core, { checkHourly }),
    audit: withCore(core, audit),
    people: withCore(core, people),
  }
}

/** Databases with a sample history. It is cached, because every page needs it and a history is never removed. */
const known = new WeakSet<object>()

async function hasSampleHistory({ env, prisma }: Core): Promise<boolean> {
  if (!known.has(prisma) && (await sampleDataUntil({ env, prisma })) !== null) known.add(prisma)
  return known.has(prisma)
}

/** The end of the seed's sample history; null if there is none. */
export async function sampleDataUntil({ env, prisma }: Pick<Core, 'env' | 'prisma'>): Promise<Date | null> {
  if (!env.demoSignIns) return null
  const row = await prisma.demonstration.findUnique({ where: { id: 1 } })
  return row?.state === 'whole' ? row.at : null
}
