/** What happens to requests for sandbox keys by time alone: a claim link that was not used in time. */
import type { SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { type SandboxKeyDue, sandboxKeyWorkflow } from '../../contract/workflows/sandbox-key-workflow.ts'
import type { Core } from '../core.ts'
import { type DueRule, rulesOf, runDue } from '../workflow/due.ts'
import { reissuesLeft } from './claim-link.ts'
import { transition } from './transition.ts'

/** @returns steps made */
export function tick(core: Core, now: Date): Promise<number> {
  const rules: Readonly<Record<SandboxKeyDue, DueRule<SandboxKeyRequest>>> = {
    link_over: {
      at: ({ claimExpiresAt }) => claimExpiresAt,
      act: async ({ id, version, reissues }) => {
        await transition(core, { requestId: id, version }, 'claim_lapse', 'system', {
          effects: () => ({
            detail: { reissues },
            emails: () => ({ 'key-claim-expired': { reissuesLeft: reissuesLeft(reissues) } }),
          }),
        })
        return true
      },
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
