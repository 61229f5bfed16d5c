/**
 * What operations may do by hand in the console. Each asks for role, fresh proof of who it is, and a reason; the reason
 * stands in the audit row under the name given here. A test takes every row through every refusal.
 */
import { z } from 'zod'

export const opsActions = {
  retry_job: { title: 'Run job again', audit: 'job.retried' },
  give_up_job: { title: 'Cancel job', audit: 'job.given_up' },
  resend_mail: { title: 'Resend email', audit: 'mail.resent' },
  leave_mail_unsent: { title: 'Leave email unsent', audit: 'mail.left_unsent' },
  create_practice: { title: 'Create practice', audit: 'practice.created' },
  rename_practice: { title: 'Rename practice', audit: 'practice.renamed' },
  invite_practice_admin: { title: 'Invite admin', audit: 'practice_staff.invited' },
  create_staff: { title: 'Create staff account', audit: 'staff.created' },
  resend_staff_link: { title: 'Send a new link', audit: 'staff.invited_again' },
  request_staff_role: { title: 'Request role', audit: 'staff.role_requested' },
  approve_staff_role: { title: 'Approve role', audit: 'staff.role_granted' },
  reject_staff_role: { title: 'Reject role', audit: 'staff.role_rejected' },
  withdraw_staff_role: { title: 'Withdraw request', audit: 'staff.role_withdrawn' },
  remove_staff_role: { title: 'Remove role', audit: 'staff.role_removed' },
  disable_staff: { title: 'Disable account', audit: 'staff.disabled' },
  enable_staff: { title: 'Enable account', audit: 'staff.enabled' },
  suspend_practice: { title: 'Stop practice', audit: 'practice.suspended' },
  resume_practice: { title: 'Resume practice', audit: 'practice.resumed' },
  suspend_key: { title: 'Stop key', audit: 'api_key.suspended' },
  resume_key: { title: 'Resume key', audit: 'api_key.resumed' },
  revoke_key: { title: 'Revoke key', audit: 'api_key.revoked' },
  grant_key_limits: { title: 'Set custom limits for a key', audit: 'api_key.limits_granted' },
  end_key_limits: { title: 'Restore published limits', audit: 'api_key.limits_ended' },
  suspend_client: { title: 'Stop app', audit: 'client.suspended' },
  resume_client: { title: 'Resume app', audit: 'client.resumed' },
  remove_client: { title: 'Remove app', audit: 'client.removed' },
  check_chain: { title: 'Verify audit chain', audit: 'audit.chain_checked' },
} as const satisfies Record<string, { title: string; audit: string }>

export type OpsAction = keyof typeof opsActions

export const opsReason = { least: 10, most: 500 } as const

const fieldOfAct = z.string().max(300, 'Use at most 300 characters.').optional()

/** One act: what, on what, as it was seen, and why. */
export const opsActForm = z.object({
  act: z.enum(Object.keys(opsActions) as [OpsAction, ...OpsAction[]]),
  id: z.string().max(100).default(''),
  /** Of what was looked at; changed meanwhile, nothing is done. */
  version: z.coerce.number().int().min(0).default(0),
  reason: z
    .string({ error: 'Enter a reason.' })
    .trim()
    .min(opsReason.least, `Use at least ${opsReason.least} characters.`)
    .max(opsReason.most, `Use at most ${opsReason.most} characters.`),
  // What some acts need besides. The domain checks it by the forms of contract/forms/operations.ts.
  name: fieldOfAct,
  slug: fieldOfAct,
  environment: fieldOfAct,
  email: fieldOfAct,
  role: fieldOfAct,
})

/** Fields that an act's form has besides its reason. */
export const opsActFields: Readonly<Partial<Record<OpsAction, readonly OpsActField[]>>> = {
  create_practice: ['name', 'slug', 'environment'],
  rename_practice: ['name'],
  invite_practice_admin: ['email'],
  create_staff: ['email', 'name', 'role'],
  request_staff_role: ['role'],
}

export type OpsActField = 'name' | 'slug' | 'environment' | 'email' | 'role'

export type OpsAct = {
  id: string
  version: number
  reason: string
  fields?: Readonly<Partial<Record<OpsActField, string | undefined>>>
}
