import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { withLock } from '../postgres/lock.mjs'
import { generatePrismaClient } from '../prisma/generate.mjs'
import { SetupError } from '../setup-error.mjs'
import { CLIENT, PORTAL, SERVER } from './build-steps.mjs'
import { ROOT } from './folders.mjs'
import { precompress } from './precompress.mjs'
import { makeWhenChanged } from './stamp.mjs'

// What each program runs from: built file ← source. `start` migrates before the seed, so that is one too.
const ENTRIES = [
  'server/index.ts',
  'server/env.ts',
  'server/keyring.ts',
  'server/start/start-fault.ts',
  'server/bulk/run/child.ts',
  'server/cli/admin.ts',
  'server/cli/doctor.ts',
  'server/cli/migrate.ts',
  'server/ccd/writer-thread.ts',
  'server/domain/agreements/pdf/rebuild-apart.ts',
  'server/mail/read-mail-apart.ts',
  'server/cli/move-documents.ts',
  'server/cli/rotate-keys.ts',
  'server/cli/audit-verify.ts',
  'server/store/migrations.ts',
  'server/store/roles.ts',
  'server/store/database-url.ts',
  'seed/cli.ts',
  'seed/import/cli.ts',
  'seed/import/import-thread.ts',
  'seed/export/cli.ts',
]
const BUNDLE_FOLDERS = ['server', 'seed', 'chunks']
// Development packages that become part of the build: without them a production install has half the
// packages and needs neither the command of Prisma nor what it brings along.
const BUNDLED = [
  '@libpdf/core',
  '@modelcontextprotocol/sdk',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  '@prisma/client',
]
// CommonJS packages inside the bundle ask for Node's modules by this name.
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

/** Generates the Prisma client when the schema has changed. */
export function ensurePrismaClient() {
  return makeWhenChanged({ ...CLIENT, make: generatePrismaClient })
}

/**
 * Builds what has changed of the pages (`build/portal`). Of two that ask at once, one builds and the other waits.
 * @param {(line: string) => void} log
 */
export async function ensurePortal(log) {
  await withLock(
    path.join(ROOT, 'build/portal.lock'),
    () =>
      makeWhenChanged({
        ...PORTAL,
        make: () => {
          log('Building the portal …')
          return buildPortal()
        },
      }),
    { waitMs: 900_000 },
  )
}

/**
 * Builds what has changed of the server and the seed (`build/server`, `build/seed`).
 * @param {(line: string) => void} log
 */
export async function ensureServer(log) {
  await ensurePrismaClient()
  await makeWhenChanged({
    ...SERVER,
    make: () => {
      log('Building the server …')
      return buildServer()
    },
  })
}

async function buildPortal() {
  const vite = path.join(ROOT, 'node_modules/@remix-run/dev/dist/cli.js')
  try {
    await promisify(execFile)(process.execPath, [vite, 'vite:build', '--logLevel', 'warn'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production' },
      maxBuffer: 16_777_216,
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error)
    throw new SetupError(`the portal does not build:\n${stdout}${stderr || error}`)
  }
  await precompress(path.join(ROOT, PORTAL.output, 'client'))
}

async function buildServer() {
  const { build } = await import('esbuild')
  for (const folder of BUNDLE_FOLDERS)
    fs.rmSync(path.join(ROOT, 'build', folder), { recursive: true, force: true })
  try {
    await build({
      absWorkingDir: ROOT,
      entryPoints: ENTRIES.filter((entry) => fs.existsSync(path.join(ROOT, entry))),
      outdir: 'build',
      outbase: '.',
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      splitting: true,
      external: outsidePackages().flatMap((name) => [name, `${name}/*`]),
      banner: { js: REQUIRE },
      format: 'esm',
      platform: 'node',
      target: 'node20',
      jsx: 'automatic',
      sourcemap: true,
      // A trace names files and lines. Each process reads all maps when it starts, and they would hold the sources twice.
      sourcesContent: false,
      logLevel: 'silent',
    })
  } catch (error) {
    throw new SetupError(`the server does not build:\n${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Packages for serving, and those that only the development server loads.
 * @returns {string[]}
 */
function outsidePackages() {
  const { dependencies, devDependencies } = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  )
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.includes(name))
}
