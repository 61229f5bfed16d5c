/** Runs an export in a child process, so that it delays no request, and stops it if it was cancelled. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import type * as exportRunsVerbs from '../../domain/bulk-exports/export-runs.ts'
import {
  type ExportSettings,
  type RunMessage,
  type RunOrder,
  runMessage,
} from '../../domain/bulk-exports/export-types.ts'
import type { WithCore } from '../../domain/core.ts'
import { programFile } from '../../threads.ts'

type RunServices = {
  exportRuns: WithCore<typeof exportRunsVerbs>
  log: Logger
  directUrl: string
  exportSettings: ExportSettings
}

const lookEveryMs = 250

/**
 * Runs an export to its end. A second call for the same export replaces the earlier run.
 * @throws Error if the run failed and should be repeated
 */
export async function runExport(services: RunServices, exportId: string): Promise<void> {
  const { exportRuns, log, directUrl, exportSettings } = services
  const begun = await exportRuns.begin(exportId)
  if (begun === null) return
  const order = { ...begun, ...exportSettings, connectionString: directUrl }
  const outcome = await superviseChild(exportRuns, order)
  const about = { exportId, attempt: begun.attempt }
  switch (outcome.kind) {
    case 'complete': {
      const { total, files } = outcome
      const transactionTime = new Date(outcome.transactionTime)
      if (!(await exportRuns.complete(begun, { transactionTime, total, files })))
        await discard(services, order)
      log.info({ ...about, resources: total, files: files.length }, 'export complete')
      return
    }
    case 'stopped':
      await discard(services, order)
      log.info(about, 'export stopped')
      return
    case 'failed':
      log.warn({ ...about, reason: outcome.reason, detail: outcome.detail }, 'export run failed')
      if (outcome.reason === 'disk_full') return exportRuns.fail(begun, 'disk_full')
      throw new Error(`the run of an export ended: ${outcome.reason}`)
  }
}

/** If a later run has replaced this one, the files belong to the later run. */
async function discard({ exportRuns }: RunServices, { exportId, attempt }: RunOrder): Promise<void> {
  if (!(await exportRuns.isReplaced({ exportId, attempt }))) await exportRuns.discard(exportId)
}

type Outcome = Exclude<RunMessage, { kind: 'progress' }> | { kind: 'stopped' }

async function superviseChild(
  exportRuns: WithCore<typeof exportRunsVerbs>,
  order: RunOrder,
): Promise<Outcome> {
  const program = programFile('server/bulk/run/child.ts')
  const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit']
  const child = spawn(process.execPath, ['--enable-source-maps', program], { stdio })
  let progress: { written: number; total: number | null } = { written: 0, total: null }
  let last: Outcome | null = null
  let stopped = false
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const message = runMessage.parse(JSON.parse(line))
    if (message.kind === 'progress') progress = { written: message.written, total: message.total }
    else last = message
  })
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(async () => {
      if (stopped || (await exportRuns.report(order, progress).catch(() => true))) return
      stopped = true
      child.kill('SIGKILL')
    })
  }, lookEveryMs)
  try {
    const read = new Promise((resolve) => lines.once('close', resolve))
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('exit', resolve)
      child.once('error', reject)
    })
    child.stdin.on('error', () => {}) // `exit` follows
    child.stdin.write(`${JSON.stringify(order)}\n`)
    const code = await ended
    await read
    if (stopped) return { kind: 'stopped' }
    return last ?? { kind: 'failed', reason: 'fault', detail: `the process ended with ${code ?? 'a signal'}` }
  } finally {
    clearInterval(timer)
    await looking
    child.kill('SIGKILL')
  }
}
