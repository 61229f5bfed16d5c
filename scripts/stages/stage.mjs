import { spawn } from 'node:child_process'
import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'

/**
 * How a step of a check or test went.
 * @typedef {{ name: string, ok: boolean, seconds: number, output: string }} StageResult
 */

/**
 * Runs a tool of node_modules and prints how it went, with its output when it failed.
 * @param {string} name
 * @param {string[]} command a file below node_modules, then its arguments
 * @param {{ environment?: Record<string, string>, live?: boolean }} [options] `live` shows the output as it comes
 * @returns {Promise<StageResult>}
 */
export async function runStage(name, [file = '', ...arguments_], { environment = {}, live = false } = {}) {
  const begin = Date.now()
  const child = spawn(process.execPath, [path.join(ROOT, 'node_modules', file), ...arguments_], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const result = { name, ok: code === 0, seconds: (Date.now() - begin) / 1000, output }
  report(result)
  return result
}

/**
 * The same for work in this process; it fails by throwing.
 * @param {string} name
 * @param {() => Promise<unknown>} work
 * @returns {Promise<StageResult>}
 */
export async function runWork(name, work) {
  const begin = Date.now()
  const output = await work().then(
    () => null,
    (error) => String(error instanceof Error ? error.message : error),
  )
  const result = { name, ok: output === null, seconds: (Date.now() - begin) / 1000, output: output ?? '' }
  report(result)
  return result
}

/** @param {StageResult} result */
function report({ name, ok, seconds, output }) {
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s`)
  if (!ok && output.trim()) console.log(`\n${output.trim()}\n`)
}
