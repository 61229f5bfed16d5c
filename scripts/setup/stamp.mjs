import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './folders.mjs'

/**
 * Makes an output again when the content of its inputs has changed since, and not otherwise. Content, not
 * times: a fresh clone, a copy or a branch switched back and forth all look new by time.
 * @param {{ inputs: string[], output: string, make: () => void | Promise<void> }} step `inputs` are files
 *   and folders, tests left out; `output` is a folder; `make` fills it
 * @returns {Promise<boolean>} whether it was made
 */
export async function makeWhenChanged({ inputs, output, make }) {
  if (isMade({ inputs, output })) return false
  const stamp = path.join(ROOT, output, '.stamp')
  const hash = hashOf(inputs)
  // Gone while the work goes on: what is killed halfway is made again.
  fs.rmSync(stamp, { force: true })
  await make()
  fs.writeFileSync(stamp, hash)
  return true
}

/**
 * Whether the output is whole and made of these inputs.
 * @param {{ inputs: string[], output: string }} step
 */
export function isMade({ inputs, output }) {
  const stamp = path.join(ROOT, output, '.stamp')
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashOf(inputs)
}

/** @param {string[]} inputs */
export function hashOf(inputs) {
  const hash = crypto.createHash('sha256')
  for (const file of inputs.flatMap(filesIn).sort()) {
    const content = fs.readFileSync(path.join(ROOT, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} input relative to the root
 * @returns {string[]}
 */
function filesIn(input) {
  const found = fs.statSync(path.join(ROOT, input), { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return /\.test\.tsx?$/.test(input) ? [] : [input]
  return fs.readdirSync(path.join(ROOT, input)).flatMap((name) => filesIn(path.join(input, name)))
}
