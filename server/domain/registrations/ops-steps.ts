/** What operations do with an enabled app: suspend, reinstate, retire; and probe again what could not be enabled. */
import { Problem } from '../../contract/http/problems.ts'
import type { Verb } from '../core.ts'
import type { RegistrationReviews } from './registration-types.ts'
import { checkReviewText } from './steps.ts'
import { type Context, transition } from './transition.ts'

type OpsSteps = Pick<RegistrationReviews, 'suspend' | 'reinstate' | 'retire' | 'retry'>

export const suspend: Verb<OpsSteps['suspend']> = async (core, { reason, evidence, ...target }, actor) => {
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

export const reinstate: Verb<OpsSteps['reinstate']> = async (core, { reason, ...target }, actor) => {
  const words = checkReviewText('reason', reason, actor)
  await transition(core, target, 'reinstate', actor, {
    guards,
    effects: async (context) => {
      await setClient(context, { suspendedAt: null })
      return { text: words, emails: () => ({ 'registration-reinstated': { reason: words } }) }
    },
  })
}

export const retire: Verb<OpsSteps['retire']> = async (core, { reason, ...target }, actor) => {
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

export const retry: Verb<OpsSteps['retry']> = async (core, { reason, ...target }, actor) => {
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
