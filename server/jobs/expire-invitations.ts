import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: invitations whose seven days are over. */
export const expireInvitations = defineTask({
  name: 'expire-invitations',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ organizations }, _, { now }) => organizations.expireInvitations(now),
})
