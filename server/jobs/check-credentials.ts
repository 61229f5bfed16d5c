import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: compares which credentials are good with the records that decide it, mends what differs and reports it. */
export const checkCredentials = defineTask({
  name: 'check-credentials',
  long: true,
  payload: z.unknown(),
  every: '29 * * * *',
  async run({ operations, log }) {
    const found = await operations.credentialCheck.checkHourly()
    if (found.wrong > 0)
      log.error(found, 'credentials were not as the records say; they are now, and a cause has to be found')
  },
})
