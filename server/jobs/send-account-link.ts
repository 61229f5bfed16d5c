import { z } from 'zod'
import { realmNames } from '../contract/portal/realms.ts'
import { defineTask } from './task.ts'

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
