import { prepare } from '../setup/prepare.mjs'

export const help = `
npm run check

Format and lint (Biome), types and unawaited promises (oxlint), import rules (dependency-cruiser),
unused files, exports and packages (knip), migrations, size (npm run size).
npm run format fixes what can be fixed automatically.
`

export async function run() {
  await prepare({ build: false, install: true, development: true, log: (line) => console.log(line) })
  const { runChecks } = await import('../stages/check.mjs')
  const results = await runChecks()
  return results.every(({ ok }) => ok) ? 0 : 1
}
