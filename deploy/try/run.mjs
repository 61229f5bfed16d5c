// Stands a whole installation up on this machine and tries what docs/operations/deploy.md promises:
//   node deploy/try/run.mjs --help
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-try-'))
chmodSync(folder, 0o755)
const { makeCertificate } = await tsImport('../../tests/support/certificate.ts', import.meta.url)
const { key, cert } = makeCertificate(['localhost'])
writeFileSync(join(folder, 'privkey.pem'), key, { mode: 0o600 })
writeFileSync(join(folder, 'fullchain.pem'), cert)

// Node reads this variable at its start only.
const environment = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'fullchain.pem') }
const trial = ['--import', 'tsx', join(import.meta.dirname, 'trial.ts'), folder]
const child = spawn(process.execPath, [...trial, ...process.argv.slice(2)], {
  cwd: join(import.meta.dirname, '../..'),
  env: environment,
  stdio: 'inherit',
})
// It stops what it started first.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => child.kill(signal))
child.once('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
