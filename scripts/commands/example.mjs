import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../setup/folders.mjs'
import { prepare } from '../setup/prepare.mjs'
import { SetupError } from '../setup-error.mjs'

export const help = `
npm run example:patient -- --base URL --client-id ID
npm run example:clinician -- --base URL --client-id ID
npm run example:backend -- --base URL --client-id ID

Runs a sample app against a sandbox. The portal registers it and shows the complete command under Apps, Sample apps.

  --base         FHIR base of your sandbox
  --client-id    client ID of the sample app
  --port         8001 (patient) or 8002 (clinician) by default
  --folder       keeps the key pair and exported files; examples/.data by default
  --types        what the backend system exports (Patient,Condition)
`

const names = ['patient', 'clinician', 'backend']

/** @param {string[]} options */
export async function run([name = '']) {
  if (!names.includes(name))
    throw new SetupError(`There is no sample app ${name}. See npm run example:patient -- --help.`)
  await prepare({ build: false, install: true, development: true, log: (line) => console.log(line) })
  const { register } = await import('tsx/esm/api')
  register()
  await import(pathToFileURL(path.join(ROOT, 'examples', name, 'start.ts')).href)
  return Number(process.exitCode ?? 0)
}
