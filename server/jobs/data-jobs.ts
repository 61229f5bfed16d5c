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

/** Tick: removes files of exports that were cancelled or whose links have expired. */
export const removeExportFiles = defineTick({
  name: 'remove-export-files',
  every: '* * * * *',
  run: ({ exportRuns }, now) => exportRuns.removeOver(now),
})

/** Deletes data that a practice no longer points at, in batches. After an interruption it continues. */
export const deleteDataset = defineTask({
  name: 'delete-dataset',
  long: true,
  payload: z.object({ datasetId: z.int() }),
  run: ({ practiceData }, { datasetId }) => practiceData.deleteDataset(datasetId),
})

/** Tick: deletes unused copies of the template, left by an interrupted request. */
export const deleteUnusedCopies = defineTick({
  name: 'delete-unused-copies',
  long: true,
  every: '27 * * * *',
  run: ({ sandboxes }, now) => sandboxes.deleteUnusedCopies(new Date(now.getTime() - 3_600_000)),
})

/** Tick: deletes documents without a reference, and objects that an interrupted upload, move or sweep left in the bucket. */
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

/** The run ends before the next minute's run begins. */
const withinMs = 50_000
/** A batch is small, so that a request waits for its rows only briefly. */
const batchSize = 100

/** Tick: renews search rows that a release with another registry wrote. An interrupted run continues in the next minute. */
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

/** Resets, snapshots or restores a sandbox. After an interruption it starts over; the served data is not affected. */
export const changeSandbox = defineTask({
  name: 'change-sandbox',
  long: true,
  payload: z.object({ changeId: z.uuid() }),
  run: ({ sandbox }, { changeId }) => sandbox.runs.run(changeId),
})

/** Tick: restarts interrupted changes of sandboxes. */
export const tickSandboxChanges = defineTick({
  name: 'tick-sandbox-changes',
  every: '* * * * *',
  run: ({ sandbox }, now) => sandbox.changes.sweep(now),
})

/** Tick: deletes the explorer's keys and tokens of ended sessions, and its old call history. */
export const tidyExplorer = defineTick({
  name: 'tidy-explorer',
  every: '*/5 * * * *',
  async run({ explorerKeys, explorerTokens, explorerHistory }, now) {
    await explorerKeys.tidyKeys(now)
    await explorerTokens.tidyTokens(now)
    await explorerHistory.forgetOld(now)
  },
})
