/** A practice's decision about a backend system. */
import { z } from 'zod'

export const reasonMax = 1_000

const decided = { id: z.uuid(), version: z.coerce.number().int().min(0) }
const reason = z
  .string({ error: 'Enter a reason.' })
  .trim()
  .min(3, 'Enter a reason of at least 3 characters.')
  .max(reasonMax, 'Use at most 1,000 characters.')

export const systemDecision = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('grant'), ...decided }),
  z.object({ intent: z.literal('decline'), reason, ...decided }),
  z.object({ intent: z.literal('revoke'), reason, ...decided }),
])
