import type { SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type SandboxKeyDue, sandboxKeyWorkflow } from '../../contract/workflows/sandbox-key-workflow.ts'
import type { Core } from '../core.ts'
import { type DueRule, rulesOf, runDue } from '../workflow/due.ts'
import { reissuesLeft } from './claims.ts'
import { transition } from './transition.ts'

export { setMcpWrites, setNetworks } from './change-key.ts'
/** Sandbox keys and their requests: the functions for pages and jobs (workflows §3). */
export { findClaim, reissueClaim, reveal } from './claims.ts'
export { takeFirstKey } from './first-key.ts'
export { activity, activityFile, follow, graceUse, listCallers, openLog } from './key-activity.ts'
export { extend, remindOfExpiry } from './key-expiry.ts'
export { endLimits, grantLimits, listLimitGrants } from './key-limit.ts'
export { countClaimable, list, listPage } from './key-list.ts'
export { provision, requestSandboxKey } from './key-requests.ts'
export { answerReview, decide, getAnswerable, getReview } from './key-review.ts'
export { confirmDraft, draftFromMail, findDraft, forgetDrafts } from './mail-drafts.ts'
export { reportLeak, revoke } from './revoke-key.ts'
export { changeGrace, rotate } from './rotate-key.ts'

// The step of sandbox key requests that is due by time alone: a claim link that was not used in time.

/** @returns the number of steps */
export function tick(core: Core, now: Date): Promise<number> {
  const rules: Readonly<Record<SandboxKeyDue, DueRule<SandboxKeyRequest>>> = {
    link_over: {
      at: ({ claimExpiresAt }) => claimExpiresAt,
      act: ({ id, version, reissues }) =>
        transition(core, { requestId: id, version }, 'claim_lapse', 'system', {
          effects: () => ({
            detail: { reissues },
            emails: () => ({ 'key-claim-expired': { reissuesLeft: reissuesLeft(reissues) } }),
          }),
        }),
    },
  }
  return runDue(
    core,
    {
      table: 'sandbox_key_request',
      load: (db, id) => db.sandboxKeyRequest.findUniqueOrThrow({ where: { id } }),
      rules: ({ state }) => rulesOf(sandboxKeyWorkflow.rows, state, rules),
    },
    now,
  )
}
