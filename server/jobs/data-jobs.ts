import { z } from 'zod'
import { runExport } from '../bulk/run/run-export.ts'
import { defineTask, defineTick } from './task.ts'

/** Runs a bulk export. After an interruption it starts over and replaces the earlier run. */
export const runBulkExport = defineTask({
  name: 'run-bulk-export',
  long: true,
  payload: z.object({ exportId: z.uuid() }),
  run: (services, { exportId }) => runExport(services, exportId),
})

/** Tick: files of exports whose links are over, or which were cancelled. */
export const removeExportFiles = defineTick({
  name: 'remove-export-files',
  every: '* * * * *',
  run: ({ exportRuns }, now) => exportRuns.removeOver(now),
})

/** Deletes data that a practice no longer points at, in batches: cut off, it goes on where it was. */
export const deleteDataset = defineTask({
  name: 'delete-dataset',
  long: true,
  payload: z.object({ datasetId: z.int() }),
  run: ({ practiceData }, { datasetId }) => practiceData.deleteDataset(datasetId),
})

/** Tick: copies of the template that a killed provisioning left behind. */
export const deleteUnusedCopies = defineTick({
  name: 'delete-unused-copies',
  long: true,
  every: '27 * * * *',
  run: ({ sandboxes }, now) => sandboxes.deleteUnusedCopies(new Date(now.getTime() - 3_600_000)),
})

/** Tick: bytes of documents without a reference, and objects that an interrupted upload, move or sweep left in the bucket. */
export const sweepDocuments = defineTick({
  name: 'sweep-documents',
  long: true,
  every: '12 4 * * *',
  async run({ log, store: { documents } }) {
    const contents = await documents.sweep()
    const objects = await documents.sweepObjects()
    if (contents + objects > 0) log.info({ contents, objects }, 'unused documents were removed')
  },
})

/** Ends before the next minute's run begins. */
const withinMs = 50_000
/** Small, so that a request that waits for one of its rows hardly notices. */
const batchSize = 100

/** Tick: search rows made by a release that knew another registry. Cut off, the next minute goes on with what is left. */
export const reindex = defineTick({
  name: 'reindex',
  long: true,
  every: '* * * * *',
  async run({ store, log }) {
    const { renewed, refused } = await store.reindex({ withinMs, batchSize })
    if (renewed > 0) log.info({ resources: renewed }, 'search rows were made again for this release')
    if (refused.length > 0)
      log.error({ resources: refused.length }, 'resources cannot be indexed by the registry of this release')
  },
})

/** Resets, saves or restores a sandbox. Killed in the middle, it begins again beside the data that is served. */
export const changeSandbox = defineTask({
  name: 'change-sandbox',
  long: true,
  payload: z.object({ changeId: z.uuid() }),
  run: ({ sandbox }, { changeId }) => sandbox.runs.run(changeId),
})

/** Tick: changes of sandboxes that have fallen silent are taken up again. */
export const tickSandboxChanges = defineTick({
  name: 'tick-sandbox-changes',
  every: '* * * * *',
  run: ({ sandbox }, now) => sandbox.changes.sweep(now),
})

/** Tick: the explorer's keys and tokens whose session is over, and its call history past retention. */
export const tidyExplorer = defineTick({
  name: 'tidy-explorer',
  every: '*/5 * * * *',
  async run({ explorerKeys, explorerTokens, explorerHistory }, now) {
    await explorerKeys.tidyKeys(now)
    await explorerTokens.tidyTokens(now)
    await explorerHistory.forgetOld(now)
  },
})
