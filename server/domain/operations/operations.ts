/** What operations see and do in the console. Every act asks for role, fresh proof and a reason (ops-dependencies.ts). */
import type { Sealer } from '../../audit/sealer.ts'
import type { OpsAct, OpsAction } from '../../contract/portal/ops-actions.ts'
import type { JobQueue } from '../../mail/job-queue.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Actor } from '../actor.ts'
import type { LinkTokens, PracticeAdmin, PracticeStaff, ProductionKeys } from '../bound.ts'
import type { WithCore } from '../core.ts'
import type { endLimits } from '../keys/keys.ts'
import type { RegistrationReviews } from '../registrations/registration-types.ts'
import { requireStaff } from '../staff.ts'
import { createAuditAdmin } from './audit-admin.ts'
import { createCredentialAdmin } from './credential-admin.ts'
import { createJobAdmin } from './job-admin.ts'
import { createMailAdmin } from './mail-admin.ts'
import { createOpsAct, type OpsDependencies } from './ops-dependencies.ts'
import { createPracticeActions } from './practice-actions.ts'
import { createSessionAdmin } from './session-admin.ts'
import type { StaffAdmin } from './staff-admin.ts'
import { createStaffPeople } from './staff-people.ts'

type OperationsDependencies = OpsDependencies & {
  mail: Pick<Mail, 'enqueue' | 'hasLinks' | 'openLinks'>
  jobs: JobQueue
  linkTokens: LinkTokens
  sealer: Pick<Sealer, 'verify'>
  keys: WithCore<{ endLimits: typeof endLimits }>
  productionKeys: ProductionKeys
  practiceAdmin: PracticeAdmin
  staffAdmin: Pick<StaffAdmin, 'sendLink'>
  practiceStaff: Pick<PracticeStaff, 'inviteAs'>
  registrations: { reviews: RegistrationReviews }
}

/** Acts that their target, version and reason say all of; the others have forms of their own. */
export type ConsoleAction = Exclude<OpsAction, 'set_practice_fhir' | 'grant_key_limits'>

export function createOperations(dependencies: OperationsDependencies) {
  const acts = createOpsAct(dependencies)
  const jobs = createJobAdmin(dependencies, acts)
  const mails = createMailAdmin(dependencies, acts)
  const sessions = createSessionAdmin(dependencies, acts)
  const practices = createPracticeActions(dependencies, acts)
  const credentials = createCredentialAdmin(dependencies, acts)
  const audit = createAuditAdmin(dependencies, acts)
  const people = createStaffPeople(dependencies, acts)

  /** Acts of the table by name. A row without its handler does not compile. */
  const handlers: Record<ConsoleAction, (given: OpsAct, actor: Actor) => Promise<unknown>> = {
    retry_job: jobs.retry,
    give_up_job: jobs.giveUp,
    resend_mail: mails.resend,
    end_session: sessions.endOne,
    end_sessions: sessions.endAll,
    create_practice: practices.create,
    rename_practice: practices.rename,
    invite_practice_admin: practices.inviteAdmin,
    create_staff: people.create,
    resend_staff_link: people.resendLink,
    request_staff_role: people.requestRole,
    approve_staff_role: people.approveRole,
    reject_staff_role: people.rejectRole,
    withdraw_staff_role: people.withdrawRole,
    remove_staff_role: people.removeRole,
    disable_staff: people.disable,
    enable_staff: people.enable,
    suspend_practice: practices.suspend,
    resume_practice: practices.resume,
    suspend_key: credentials.suspendKey,
    resume_key: credentials.resumeKey,
    revoke_key: credentials.revokeKey,
    suspend_client: credentials.suspendClient,
    resume_client: credentials.resumeClient,
    remove_client: credentials.removeClient,
    end_key_limits: ({ id, reason }, actor) => dependencies.keys.endLimits({ prefix: id, reason }, actor),
    check_chain: audit.checkChain,
  }

  async function perform(action: ConsoleAction, given: OpsAct, actor: Actor): Promise<void> {
    await handlers[action](given, actor)
  }

  /** @throws Problem `forbidden` for everybody else */
  async function requireOps(actor: { accountId: string }): Promise<void> {
    await requireStaff(dependencies.prisma, actor, ['ops'])
  }

  return { perform, requireOps, jobs, mails, sessions, practices, credentials, audit, people }
}

export type Operations = ReturnType<typeof createOperations>
