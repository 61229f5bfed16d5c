import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: checks the audit chain from its first row on. The metrics and the operators' console report the result. */
export const checkAudit = defineTask({
  name: 'check-audit',
  long: true,
  payload: z.unknown(),
  every: '43 3 * * *',
  async run({ operations, log }) {
    const verdict = await operations.audit.checkChainDaily()
    if (!verdict.intact) log.error({ verdict }, 'the audit chain is broken')
  },
})
