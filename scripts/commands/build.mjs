import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run build

Builds the portal into build/portal and the server into build/server, if their sources have changed.
Remove build/ to build everything.
`

export async function run() {
  await prepare({ build: true, install: true, log: (line) => console.log(line) })
  console.log('build/ is up to date')
  return 0
}
