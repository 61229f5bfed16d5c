/** The acts of the console by name. Every act checks the role, the step-up and the reason (ops-act.ts). */
import type { OpsAct, OpsAction } from '../../contract/portal/ops-actions.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { endLimits } from '../keys/key-limit.ts'
import { checkChain } from './audit-admin.ts'
import { clientAct, keyAct } from './credential-admin.ts'
import { giveUp, retry } from './job-admin.ts'
import { leaveUnsent, resend } from './mail-admin.ts'
import { create as createPractice, inviteAdmin, rename, resume, suspend } from './practice-actions.ts'
import {
  approveRole,
  create as createStaff,
  disable,
  enable,
  rejectRole,
  removeRole,
  requestRole,
  resendLink,
  withdrawRole,
} from './staff-people.ts'

/** Acts that share the console's form; granting limits has its own form. */
export type ConsoleAction = Exclude<OpsAction, 'grant_key_limits'>

type Handler = (core: Core, act: OpsAct, actor: Actor) => Promise<unknown>

/** The handler of each act. An act without a handler does not compile. */
const handlers: Readonly<Record<ConsoleAction, Handler>> = {
  retry_job: retry,
  give_up_job: giveUp,
  resend_mail: resend,
  leave_mail_unsent: leaveUnsent,
  create_practice: createPractice,
  rename_practice: rename,
  invite_practice_admin: inviteAdmin,
  create_staff: createStaff,
  resend_staff_link: resendLink,
  request_staff_role: requestRole,
  approve_staff_role: approveRole,
  reject_staff_role: rejectRole,
  withdraw_staff_role: withdrawRole,
  remove_staff_role: removeRole,
  disable_staff: disable,
  enable_staff: enable,
  suspend_practice: suspend,
  resume_practice: resume,
  suspend_key: keyAct('suspend_key'),
  resume_key: keyAct('resume_key'),
  revoke_key: keyAct('revoke_key'),
  suspend_client: clientAct('suspend_client'),
  resume_client: clientAct('resume_client'),
  remove_client: clientAct('remove_client'),
  end_key_limits: (core, { id, reason }, actor) => endLimits(core, { prefix: id, reason }, actor),
  check_chain: checkChain,
}

export async function perform(core: Core, action: ConsoleAction, act: OpsAct, actor: Actor): Promise<void> {
  await handlers[action](core, act, actor)
}
