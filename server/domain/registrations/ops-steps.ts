/** What operations do with an enabled app: suspend, reinstate, retire; and probe again what could not be enabled. */
import { Problem } from '../../contract/http/problems.ts'
import type { RegistrationDependencies } from './dependencies.ts'
import type { RegistrationReviews } from './registration-types.ts'
import { checkReviewText } from './steps.ts'
import { type Context, transition } from './transition.ts'

type OpsSteps = Pick<RegistrationReviews, 'suspend' | 'reinstate' | 'retire' | 'retry'>

export function createOpsSteps(core: RegistrationDependencies): OpsSteps {
  const suspend: OpsSteps['suspend'] = async ({ reason, evidence, ...target }, actor) => {
    const words = checkReviewText('reason', reason, actor)
    const shown = checkReviewText('evidence', evidence, actor)
    await transition(core, target, 'suspend', actor, {
      guards,
      effects: async (context) => {
        await setClient(context, { suspendedAt: context.now })
        const at = context.now.toISOString()
        return {
          text: words,
          detail: { evidence: shown },
          emails: () => ({
            'registration-suspended': { reason: words, at },
            'registration-suspended-practice': { at },
          }),
        }
      },
    })
  }

  const reinstate: OpsSteps['reinstate'] = async ({ reason, ...target }, actor) => {
    const words = checkReviewText('reason', reason, actor)
    await transition(core, target, 'reinstate', actor, {
      guards,
      effects: async (context) => {
        await setClient(context, { suspendedAt: null })
        return { text: words, emails: () => ({ 'registration-reinstated': { reason: words } }) }
      },
    })
  }

  const retire: OpsSteps['retire'] = async ({ reason, ...target }, actor) => {
    const words = checkReviewText('reason', reason, actor)
    await transition(core, target, 'retire', actor, {
      guards,
      effects: async (context) => {
        await setClient(context, { removedAt: context.now })
        return {
          data: { endedAt: context.now },
          text: words,
          emails: () => ({ 'registration-retired': { reason: words } }),
        }
      },
    })
  }

  const retry: OpsSteps['retry'] = async ({ reason, ...target }, actor) => {
    const words = checkReviewText('reason', reason, actor)
    await transition(core, target, 'retry', actor, {
      effects: async ({ tx, row, now }) => {
        const { id: registrationId } = row
        await core.jobs.add(
          tx,
          'enable-registration',
          { registrationId },
          { jobKey: `enable:${registrationId}` },
        )
        return { data: { probeAttempts: 0, probeDueAt: now }, text: words }
      },
    })
  }

  return { suspend, reinstate, retire, retry }
}

const guards = { app_registered: ({ row }: Context) => void clientOf(row) }

/** @throws Problem `conflict` for a request that is not about an app: it has none to suspend */
function clientOf({ productionClientId }: Context['row']): string {
  if (!productionClientId) throw new Problem('conflict', { message: 'This request is not about an app.' })
  return productionClientId
}

async function setClient(
  { tx, row }: Context,
  data: { suspendedAt: Date | null } | { removedAt: Date },
): Promise<void> {
  await tx.client.update({ where: { id: clientOf(row) }, data })
}
