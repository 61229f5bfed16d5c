import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { flatMemory } from '../../bin/run-built.mjs'
import { SetupError } from '../setup-error.mjs'
import { ROOT } from './folders.mjs'

/**
 * Runs the seed with the given options.
 * @param {Record<string, string>} environment of the database
 * @param {string[]} options
 * @param {string} [folder] where it runs: what a relative `--out` is relative to
 * @returns {Promise<void>}
 * @throws {SetupError} when it fails
 */
export async function runSeed(environment, options, folder = ROOT) {
  const cli = path.join(ROOT, 'build/seed/cli.js')
  if (!fs.existsSync(cli)) return
  const run = spawn(process.execPath, ['--enable-source-maps', ...flatMemory.flags, cli, ...options], {
    cwd: folder,
    env: { ...process.env, ...flatMemory.environment, ...environment },
    stdio: 'inherit',
  })
  const status = await new Promise((resolve) => run.once('close', resolve))
  // Code 2: it said what is wrong, and did nothing.
  if (status === 2) throw new SetupError('Nothing was started.')
  if (status !== 0) throw new SetupError('the seed failed; see its message above')
}
