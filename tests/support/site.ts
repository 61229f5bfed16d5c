/** A database of its own and programs on it, as an operator starts them, for journeys without a browser. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test as base } from '@playwright/test'
import pg from 'pg'
import { testServer } from './journey.ts'
import { createTestDatabase, type Template } from './test-databases.ts'

export type Run = { child: ChildProcess; output: () => string; stop: () => Promise<number | null> }
export type Site = {
  /** Runs an npm script, or a program, on the database, as the plain user. */
  run: (command: readonly string[], environment?: Record<string, string>, folder?: string) => Run
  owner: pg.Pool
  ownerUrl: string
}

export const test = base.extend<{ siteOn: (template: Template) => Promise<Site> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
  siteOn: async ({}, use) => {
    const ends: (() => Promise<unknown>)[] = []
    await use((template) => createSite(template, ends))
    for (const end of ends.reverse()) await end()
  },
})

async function createSite(template: Template, ends: (() => Promise<unknown>)[]): Promise<Site> {
  const { drop, ownerUrl, appUrl } = await createTestDatabase(testServer(), template)
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-processes-'))
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  owner.on('error', () => {})
  ends.push(
    drop,
    () => owner.end(),
    async () => rmSync(folder, { recursive: true, force: true }),
  )
  const settings = {
    NODE_ENV: 'production' as const,
    PUBLIC_ORIGIN: 'https://portal.example',
    MAIL_FROM: 'no-reply@portal.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    DATABASE_URL: appUrl,
    DATABASE_MIGRATION_URL: '',
    REDIS_URL: '',
    DATA_DIR: folder,
  }
  const run: Site['run'] = ([program = '', ...args], environment = {}, cwd = process.cwd()) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...settings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Signals reach the whole group: npm does not always hand them on.
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk
      })
    const exited = once(child, 'exit')
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM')
      await exited
      return child.exitCode
    }
    ends.push(stop)
    return { child, output: () => output, stop }
  }
  return { run, owner, ownerUrl }
}

/** @returns the exit code of a run that ends by itself */
export async function ended({ child }: Run): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

export async function ready(port: number, run: Run): Promise<{ ready: boolean }> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer) return answer.json()
    if (run.child.exitCode !== null) throw new Error(`it ended: ${run.output()}`)
    await delay(50)
  }
}
