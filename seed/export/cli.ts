/** `npm run export-practice`: writes a practice's resources as NDJSON. */
import { parseArgs } from 'node:util'
import { EnvironmentError } from '../../server/env.ts'
import { DatabaseRoleError } from '../../server/store/roles.ts'
import { withDatabase } from '../database.ts'
import { exportPractice } from './export-practice.ts'

const help = `
npm run export-practice -- --practice SLUG --out FOLDER

Writes every resource of a practice, one NDJSON file a type, as npm run import reads them. Bytes of documents are
left out.
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
    const counts = Object.entries(await exportPractice(store, practice.datasetId, out))
    for (const [type, count] of counts) process.stdout.write(`${String(count).padStart(9)}  ${type}\n`)
  })
}

main().catch((error: unknown) => {
  const isKnown =
    error instanceof UsageError ||
    error instanceof EnvironmentError ||
    error instanceof DatabaseRoleError ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  process.stderr.write(`${isKnown ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = isKnown ? 2 : 1
})
