import { z } from 'zod'
import { defineTask } from './task.ts'

/** Sends one mail of the outbox; a mail that cannot go now comes back as a later job. */
export const sendMail = defineTask({
  name: 'send-mail',
  payload: z.object({ id: z.uuid() }),
  run: ({ mail }, { id }, { workerId }) => mail.deliver(id, { workerId }),
})
