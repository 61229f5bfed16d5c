import { dataFolder } from '../setup/folders.mjs'
import { fetchSampleToken } from '../setup/sample-token.mjs'
import { SetupError } from '../setup-error.mjs'

export const help = `
npm run --silent token -- [FHIR base] [scope]

Prints an access token of the sample backend system, for trying FHIR in a shell while npm start is running. The token
reads synthetic people at the demonstration practice and expires after five minutes.

  FHIR base   http://localhost:3000/r4/sandpiper-demonstration by default
  scope       system/*.rs by default

  DATA_DIR=folder    the server's data folder, if not .data
`

/** @param {string[]} options */
export async function run([
  base = 'http://localhost:3000/r4/sandpiper-demonstration',
  scope = 'system/*.rs',
]) {
  if (!URL.canParse(base)) throw new SetupError(`${base} is not a URL. See npm run token -- --help.`)
  console.log(await fetchSampleToken({ base: base.replace(/\/+$/, ''), folder: dataFolder(), scope }))
  return 0
}
