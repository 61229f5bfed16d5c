/** `sandpiper export-practice`, `npm run export-practice`: writes a practice's resources as NDJSON. */
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from '../../server/cli/run-command.ts'
import { withDatabase } from '../database.ts'
import { exportPractice } from './export-practice.ts'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { practice: { type: 'string' }, out: { type: 'string' } },
  })
  const { practice: slug, out } = values
  if (!slug || !out) throw new UsageError('--practice and --out are needed; see --help')
  await withDatabase('sandpiper export', async ({ prisma, store }) => {
    const practice = await prisma.practice.findUnique({ where: { slug } })
    if (!practice) throw new UsageError(`there is no practice “${slug}”`)
    const { counts, documents } = await exportPractice(store, practice.datasetId, out)
    for (const [type, count] of [...Object.entries(counts), ['documents', documents]] as const)
      process.stdout.write(`${String(count).padStart(9)}  ${type}\n`)
  })
  return 0
}

runCommand(main)
