import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run check

Format and lint (Biome), types (tsc), import rules (dependency-cruiser), unawaited promises (oxlint),
files, exports and packages that nothing uses (knip), spelling (cspell).
npm run format mends what can be mended by a machine.
`

export async function run() {
  await prepare({ build: false, install: true, development: true, log: (line) => console.log(line) })
  const { runChecks } = await import('../stages/check.mjs')
  const results = await runChecks()
  return results.every(({ ok }) => ok) ? 0 : 1
}
