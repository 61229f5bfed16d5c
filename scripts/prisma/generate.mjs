import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Generates the Prisma client into `prisma/generated/client`, without a network.
 * Throws with Prisma's own output when the schema is not valid.
 */
export function generatePrismaClient() {
  const require = createRequire(import.meta.url)
  const cli = path.join(path.dirname(require.resolve('prisma/package.json')), 'build/index.js')
  const leftOut = path.join(root, 'scripts/prisma/without-studio.cjs')
  const run = spawnSync(process.execPath, ['--require', leftOut, cli, 'generate'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
      PRISMA_SCHEMA_ENGINE_BINARY:
        process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? path.join(root, 'scripts/prisma/schema-engine-stub.sh'),
    },
  })
  if (run.status !== 0) throw new Error(`prisma generate failed\n${run.stdout}${run.stderr}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  generatePrismaClient()
  console.log('Prisma client generated in prisma/generated/client')
}
