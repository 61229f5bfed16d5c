import { z } from 'zod'
import { realmNames } from '../contract/portal/realms.ts'
import { defineTask, defineTick } from './task.ts'

/** Sends one mail of the outbox; a mail that cannot go now comes back as a later job. */
export const sendMail = defineTask({
  name: 'send-mail',
  payload: z.object({ id: z.uuid() }),
  run: ({ mail }, { id }, { workerId }) => mail.deliver(id, { workerId }),
})

/** Tick: mails that are due but have no job get one. */
export const sweepOutbox = defineTick({
  name: 'sweep-outbox',
  every: '* * * * *',
  run: ({ mail }, now) => mail.sweep(now),
})

/** Finds out, away from the request, whether there is an account to send a link to. */
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

/** Tick, twice a minute: maintenance that is due begins, and a round of checks for the Status API. */
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

/** Emails to status subscribers: of an incident's update, or of a component's turn. */
export const tellSubscribers = defineTask({
  name: 'tell-subscribers',
  payload: z.object({ update: z.uuid().optional(), change: z.uuid().optional() }),
  run: ({ status }, event) => status.tellSubscribers(event),
})
