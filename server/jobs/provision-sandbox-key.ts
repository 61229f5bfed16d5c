import { z } from 'zod'
import { defineTask } from './task.ts'

/** Checks a key request, provides the organization's sandbox practice and sends the claim link. */
export const provisionSandboxKey = defineTask({
  name: 'provision-sandbox-key',
  payload: z.object({
    requestId: z.uuid(),
    /** Of the request that queued the job; jobs of earlier releases have none. */
    correlationId: z.string().optional(),
  }),
  run: ({ keys }, { requestId, correlationId }) => keys.provision(requestId, correlationId),
})
