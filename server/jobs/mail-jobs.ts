import { z } from 'zod'
import { realmNames } from '../contract/portal/realms.ts'
import { defineTask, defineTick } from './task.ts'

/** Sends one email of the outbox. If that fails, a later job tries again. */
export const sendMail = defineTask({
  name: 'send-mail',
  payload: z.object({ id: z.uuid() }),
  run: ({ mail }, { id }, { workerId }) => mail.deliver(id, { workerId }),
})

/** Tick: adds jobs for emails that are due but have none. */
export const sweepOutbox = defineTick({
  name: 'sweep-outbox',
  every: '* * * * *',
  run: ({ mail }, now) => mail.sweep(now),
})

/** Looks up the account and sends it a link. A job does this, so that the request takes the same time for every address. */
export const sendAccountLink = defineTask({
  name: 'send-account-link',
  payload: z.object({
    purpose: z.enum(['verify_email', 'reset_password']),
    realm: z.enum(realmNames),
    email: z.string(),
    correlationId: z.string(),
    mailId: z.uuid(),
  }),
  run: ({ accounts }, request) => accounts.sendLink(request),
})

/** Tick, twice a minute: begins maintenance that is due, and runs the status checks. */
export const checkStatus = defineTask({
  name: 'check-status',
  payload: z.looseObject({ half: z.boolean().optional() }),
  every: '* * * * *',
  async run({ status, probes }, { half }, { now }) {
    if (!half) await status.checkAgain()
    await status.beginDueMaintenance(now)
    await probes.run()
  },
})

/** Emails status subscribers about an incident's update or a component's change. */
export const tellSubscribers = defineTask({
  name: 'tell-subscribers',
  payload: z.object({ update: z.uuid().optional(), change: z.uuid().optional() }),
  run: ({ status }, event) => status.tellSubscribers(event),
})
