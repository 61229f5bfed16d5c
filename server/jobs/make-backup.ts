import { z } from 'zod'
import { defineTask } from './task.ts'

/** Tick: makes the backup of the night and proves it, if BACKUP_URL is set and one is due. A missed one is made later. */
export const makeBackup = defineTask({
  name: 'make-backup',
  long: true,
  payload: z.unknown(),
  every: '*/10 * * * *',
  run: ({ backups }) => backups.tick(),
})
