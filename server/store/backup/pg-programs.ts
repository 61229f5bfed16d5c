/** PostgreSQL's own programs, as the PATH gives them. A password never stands on their command line. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { parseDatabaseUrl, urlForPrograms } from '../database-url.ts'
import type { Programs } from './choose-format.ts'
import { BackupError } from './manifest.ts'

export async function findPrograms(): Promise<Programs> {
  const [pgDump, pgRestore] = await Promise.all([majorOf('pg_dump'), majorOf('pg_restore')])
  return { pgDump, pgRestore }
}

async function majorOf(program: string): Promise<number | null> {
  const { code, output } = await runProgram(program, ['--version'])
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(output)?.[1])
  return code === 0 && major > 0 ? major : null
}

/** @throws BackupError with what the program said */
export async function runOn(program: string, url: string, options: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sandpiper-'))
  try {
    const passfile = join(folder, 'pgpass')
    const password = (parseDatabaseUrl(url).password ?? '').replace(/[\\:]/g, '\\$&')
    await writeFile(passfile, password && `*:*:*:*:${password}\n`, { mode: 0o600 })
    const authorities = join(folder, 'authorities.pem')
    await writeFile(authorities, rootCertificates.join('\n'))
    const database = urlForPrograms(url, passfile, authorities)
    const { code, output } = await runProgram(program, [`--dbname=${database}`, ...options])
    if (code !== 0)
      throw new BackupError(`${program} failed: ${output.trim().split('\n').slice(-5).join('\n') || code}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns code null when there is no such program */
function runProgram(
  program: string,
  options: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-10_000)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', () => resolve({ code: null, output }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
