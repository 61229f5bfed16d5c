import { dataFolder } from '../setup/folders.mjs'
import { fetchSampleToken } from '../setup/sample-token.mjs'
import { SetupError } from '../setup-error.mjs'

export const help = `
npm run --silent token -- [FHIR base] [scope]

Prints an access token of the sample backend system, for trying FHIR in a shell beside a running npm start. It reads
synthetic people only, at the demonstration practice, and lives five minutes.

  FHIR base   http://localhost:3000/r4/sandpiper-demonstration when left out
  scope       system/*.rs when left out

  DATA_DIR=folder    where the server keeps its data, when not in .data
`

/** @param {string[]} options */
export async function run([
  base = 'http://localhost:3000/r4/sandpiper-demonstration',
  scope = 'system/*.rs',
]) {
  if (!URL.canParse(base)) throw new SetupError(`${base} is no address. See npm run token -- --help.`)
  console.log(await fetchSampleToken({ base: base.replace(/\/+$/, ''), folder: dataFolder(), scope }))
  return 0
}
