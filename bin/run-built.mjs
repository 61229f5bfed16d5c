import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * How the programs that load much are started, so that their memory stays flat: V8's space for young objects and the
 * arenas of malloc would otherwise grow with what the machine has. Measured on an import: 262 MB without, 204 with.
 */
export const flatMemory = {
  flags: ['--max-semi-space-size=8'],
  environment: { MALLOC_ARENA_MAX: '2' },
}

/**
 * Runs a built program to its end.
 * @param {string} file below `build`
 * @param {readonly string[]} options
 * @param {{ environment?: Record<string, string>, folder?: string }} [place] Without a folder the program runs in the
 *   current one, even if its user may not enter it: administrators call commands as the server's user from a home folder.
 * @returns {Promise<number>} its exit code
 */
export function runBuilt(file, options, { environment = {}, folder } = {}) {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', ...flatMemory.flags, join(root, 'build', file), ...options],
    { cwd: folder, env: { ...process.env, ...flatMemory.environment, ...environment }, stdio: 'inherit' },
  )
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => void child.kill(signal)
  // From a terminal Ctrl-C reaches the program, too.
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, pass)
  return new Promise((resolve) =>
    child.once('exit', (code) => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code ?? 1)
    }),
  )
}
