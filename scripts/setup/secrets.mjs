import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/**
 * The secrets of an embedded installation, made once and kept in a file only its owner can read.
 * @param {string} folder data folder
 * @returns {Record<string, string>} environment variables
 */
export function ensureSecrets(folder) {
  const file = path.join(folder, 'secrets.env')
  if (!fs.existsSync(file)) {
    const draft = `${file}.${process.pid}`
    const key = crypto.randomBytes(32).toString('base64')
    fs.writeFileSync(draft, `ENCRYPTION_KEYS=k1:${key}\n`, { mode: 0o600 })
    try {
      // A link appears whole, and fails when another start was faster: its secrets stay.
      fs.linkSync(draft, file)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    } finally {
      fs.rmSync(draft, { force: true })
    }
  }
  const lines = fs.readFileSync(file, 'utf8').split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=')
      return at > 0 && !line.startsWith('#') ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : []
    }),
  )
}
