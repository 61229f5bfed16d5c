import { z } from 'zod'
import { defineTask } from './task.ts'

/** Mails to those who asked to be told of changes of the status: of an incident's update, or of a component's turn. */
export const tellSubscribers = defineTask({
  name: 'tell-subscribers',
  payload: z.object({ update: z.uuid().optional(), change: z.uuid().optional() }),
  run: ({ status }, event) => status.tellSubscribers(event),
})
