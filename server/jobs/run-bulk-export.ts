import { z } from 'zod'
import { runExport } from '../bulk/run/run-export.ts'
import { defineTask } from './task.ts'

/** Runs a bulk export. After an interruption it starts over and replaces the earlier run. */
export const runBulkExport = defineTask({
  name: 'run-bulk-export',
  long: true,
  payload: z.object({ exportId: z.uuid() }),
  run: (services, { exportId }) => runExport(services, exportId),
})
