import { z } from 'zod'
import { defineTask } from './task.ts'

/** Checks a key request, provides the organization's sandbox practice and sends the claim link. */
export const provisionSandboxKey = defineTask({
  name: 'provision-sandbox-key',
  payload: z.object({ requestId: z.uuid() }),
  run: ({ keys }, { requestId }) => keys.provision(requestId),
})
