/** `sandpiper import`, `npm run import`: loads R4 resources of elsewhere into a practice. */
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from '../../server/cli/run-command.ts'
import { withDatabase } from '../database.ts'
import { createProgressLine } from '../progress.ts'
import { importResources } from './import.ts'
import { listFiles } from './read-resources.ts'
import { createRejectsFile, type ImportReport } from './report.ts'

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      practice: { type: 'string' },
      synthetic: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      rejects: { type: 'string' },
    },
  })
  const { practice, synthetic, strict } = values
  if (!practice || positionals.length === 0) {
    throw new UsageError('--practice and at least one path are needed; see --help')
  }
  const [input = '.'] = positionals
  // Beside the input: who may read that may read this, and the current folder may be anybody's.
  const rejectsPath = values.rejects ?? join(dirname(resolve(input)), 'import-rejects.ndjson')
  if ((await listFiles(positionals)).some((file) => resolve(file) === resolve(rejectsPath))) {
    throw new UsageError(`${rejectsPath} is among the files to read: move it, or name another with --rejects`)
  }
  const rejects = createRejectsFile(rejectsPath)
  const progress = createProgressLine('Import', 'resources')
  try {
    const report = await withDatabase('sandpiper import', (database) =>
      importResources(database, {
        practice,
        paths: positionals,
        synthetic,
        strict,
        onReject: rejects.write,
        onProgress: progress.show,
      }),
    )
    progress.end()
    print(report, rejects.count() > 0 ? rejectsPath : null)
    return rejects.count() === 0 ? 0 : 3
  } finally {
    rejects.close()
  }
}

function print({ types, documents, unchanged, seconds }: ImportReport, rejectsFile: string | null): void {
  if (unchanged) {
    process.stdout.write('Nothing was changed: nothing of these files is missing here that may be stored.\n')
  }
  const columns = ['imported', 'updated', 'repeated', 'renamed', 'trimmed', 'rejected'] as const
  const line = (first: string, cells: readonly (string | number)[]) =>
    `${first.padEnd(24)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`
  process.stdout.write(line('', columns))
  for (const [type, row] of Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))) {
    process.stdout.write(
      line(
        type,
        columns.map((column) => row[column]),
      ),
    )
  }
  const imported = Object.values(types).reduce((sum, row) => sum + row.imported, 0)
  const rate = Math.round(imported / seconds).toLocaleString('en-US')
  process.stdout.write(
    `${imported.toLocaleString('en-US')} resources in ${seconds.toFixed(1)} s (${rate}/s)\n`,
  )
  if (documents > 0) process.stdout.write(`${documents.toLocaleString('en-US')} files of documents\n`)
  if (rejectsFile) process.stdout.write(`Bad lines: see ${rejectsFile}\n`)
}

runCommand(main)
