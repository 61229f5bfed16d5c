import { z } from 'zod'
import { defineTask } from './task.ts'

/** Puts in place what was approved, and asks the authorization server whether it takes it. */
export const enableRegistration = defineTask({
  name: 'enable-registration',
  payload: z.object({ registrationId: z.uuid() }),
  run: ({ registrations }, { registrationId }) => registrations.enable(registrationId),
})
