/**
 * The demonstration password and who signs in with it, in a file that only its owner can read; `npm start`
 * prints it. Made once; kept when the seed is run again.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '../server/contract/portal/paths.ts'
import type { Realm } from '../server/contract/portal/realms.ts'
import { demoPeople } from './demo-people.ts'

/** Patients sign in where an app sends them, and here to see what they allowed. */
const signInPaths: Readonly<Record<Realm, string>> = {
  developer: paths.signIn,
  practice: paths.practiceSignIn,
  staff: paths.staffSignIn,
  patient: paths.patientSignIn,
}

/** The password kept in the folder; null when there is none. */
export async function readDemoPassword(folder: string): Promise<string | null> {
  const text = await readFile(signInsFile(folder), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const { password } = JSON.parse(text) as { password?: unknown }
    return typeof password === 'string' && password.length >= 12 ? password : null
  } catch {
    return null // cut short by a kill: a new one is made
  }
}

export async function writeSignIns(folder: string, password: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const people = demoPeople.map(({ role, realm, email, name }) => ({
    role,
    realm,
    name,
    email,
    path: signInPaths[realm],
  }))
  await replaceFile(signInsFile(folder), `${JSON.stringify({ password, people }, null, 2)}\n`)
}

function signInsFile(folder: string): string {
  return join(folder, 'demo-sign-ins.json')
}

/** Whole or as before, and never readable by others, not even for a moment. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, file)
}
