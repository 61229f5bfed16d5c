import { z } from 'zod'
import { defineTask } from './task.ts'

/** Deletes data that a practice no longer points at, in batches: cut off, it goes on where it was. */
export const deleteDataset = defineTask({
  name: 'delete-dataset',
  long: true,
  payload: z.object({ datasetId: z.int() }),
  run: ({ practiceData }, { datasetId }) => practiceData.deleteDataset(datasetId),
})
