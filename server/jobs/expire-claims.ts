import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: claim links whose 72 hours are over. */
export const expireClaims = defineTask({
  name: 'expire-claims',
  payload: z.unknown(),
  every: '* * * * *',
  run: ({ keys }, _, { now }) => keys.expireClaims(now),
})
