/** A whole installation on one machine, from Debian's packages, by the commands of docs/operations/deploy.md. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

test('it stands up by the page alone, and every promise holds', { timeout: 7_200_000 }, async () => {
  const trial = spawn(process.execPath, ['deploy/try/run.mjs'], {
    cwd: rootDir,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let report = ''
  trial.stdout.on('data', (chunk) => (report += chunk))
  const [code] = await once(trial, 'exit')

  console.log(report)
  expect(code).toBe(0)
})
