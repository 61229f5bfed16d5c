/** A new start for another person's second step: the same for operations, owners and practice admins. */
import { factorResetForm } from '../../../server/contract/forms/mfa.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, type PageArgs, type PortalSession } from '../../services.server.ts'

/** Whose it is, for who may reset it. @throws Problem `not_found` for everybody else */
export async function loadReset(args: PageArgs, session: PortalSession) {
  const { mfaAdmin } = args.context.services
  const person = await mfaAdmin.get(args.params.account ?? '', actorOf(args, session))
  return {
    person: { name: person.name, email: person.email, setUp: person.setUpAt !== null },
    stepUp: findStepUp(args, session),
  }
}

/** @param back where to go when it is done */
export async function resetMfa(args: PageArgs, session: PortalSession, back: string) {
  return runForm(args.request, factorResetForm, async (value) => {
    const input = { accountId: args.params.account ?? '', ...value }
    await args.context.services.mfaAdmin.reset(input, actorOf(args, session))
    return goOn(back, 'second_step_reset')
  })
}
