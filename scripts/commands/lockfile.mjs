import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../setup/folders.mjs'
import { findMissing } from '../setup/lockfile.mjs'

export const help = `
npm run lockfile

Run it after npm install. Some registries lack packages made for other platforms; npm install then leaves them
out of package-lock.json, and npm ci then rejects the lockfile everywhere. This command adds them, from the versions
their parents name.
`

export async function run() {
  const file = path.join(ROOT, 'package-lock.json')
  const lock = JSON.parse(fs.readFileSync(file, 'utf8'))
  const missing = findMissing(lock.packages)
  const entries = Object.entries({ ...lock.packages, ...missing })
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b, 'en')))
  fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} packages of other platforms added to package-lock.json`)
  return 0
}
