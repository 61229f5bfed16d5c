/** `npm run export-practice`: writes a practice's resources as NDJSON. */
import { parseArgs } from 'node:util'
import { describeStartFault } from '../../server/start/start-fault.ts'
import { withDatabase } from '../database.ts'
import { exportPractice } from './export-practice.ts'

const help = `
npm run export-practice -- --practice SLUG --out FOLDER

Writes every resource of a practice, one NDJSON file a type, and the bytes of its documents, as npm run import reads
them. Files of an earlier export to the same folder are replaced.
`

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { practice: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const { practice: slug, out } = values
  if (!slug || !out)
    throw new UsageError('--practice and --out are needed; see npm run export-practice -- --help')
  await withDatabase('sandpiper export', async ({ prisma, store }) => {
    const practice = await prisma.practice.findUnique({ where: { slug } })
    if (!practice) throw new UsageError(`there is no practice “${slug}”`)
    const { counts, documents } = await exportPractice(store, practice.datasetId, out)
    for (const [type, count] of [...Object.entries(counts), ['documents', documents]] as const)
      process.stdout.write(`${String(count).padStart(9)}  ${type}\n`)
  })
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof UsageError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) ||
    (error instanceof Error &&
      'code' in error &&
      /^(EACCES|EEXIST|ENOSPC|ENOTDIR|EROFS)$/.test(String(error.code)))
  const text = describeStartFault(error) ?? (isKnown ? error.message : null)
  process.stderr.write(`${text ?? (error instanceof Error ? error.stack : String(error))}\n`)
  process.exitCode = text === null ? 1 : 2
})
