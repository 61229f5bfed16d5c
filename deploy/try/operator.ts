/** A new operator: runs the commands of docs/operations/deploy.md as they stand there, in folders of this trial. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, openSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chooseAccount, spawnIds } from '../../scripts/postgres/account.mjs'
import { rootDir } from '../../server/root-dir.ts'
import { findPrograms } from '../../tests/support/debian-postgres.ts'

/** Whom the servers run as: nobody with rights. Null: as ourselves. */
const account = chooseAccount(null)
const user = account?.name ?? userInfo().username
const group = String(account?.gid ?? userInfo().gid)

type Place = {
  folder: string
  origin: string
  /** How PostgreSQL’s programs connect as its administrator. */
  postgres: string
  hosts: string
  smtp: string
  ports: Ports
}
export type Ports = { web: readonly [number, number]; worker: number }

export type Running = { stop: () => Promise<void>; kill: () => Promise<void>; pid: () => number }

export type Operator = {
  /** Runs blocks of the page, by heading and number, in one shell; then more lines. Gives what they print. */
  follow: (blocks: readonly (readonly [heading: string, index: number])[], more?: string) => Promise<string>
  /** Runs lines that use what the page defines: `as` and `sandpiper`. */
  shell: (lines: string) => Promise<string>
  settings: (file: 'sandpiper' | 'migrate') => Record<string, string>
  /** Starts a unit as systemd does, and waits for /readyz. */
  start: (unit: 'web' | 'worker', port: number) => Promise<Running>
  logFile: string
  /** Processes that ended by themselves, with another code than 0. */
  failures: readonly string[]
}

/** RestartSec of the units. */
const restartMs = 2_000
/** For all of their restarts. */
const readyMs = 120_000

const page = readFileSync(join(rootDir, 'docs/operations/deploy.md'), 'utf8')

function blockOf(heading: string, index: number): string {
  const section = page.split(/^## /m).find((each) => each.startsWith(heading))
  const block = [...(section ?? '').matchAll(/```sh\n([\s\S]*?)```/g)][index]?.[1]
  if (block === undefined) throw new Error(`docs/operations/deploy.md has no block ${index} below ${heading}`)
  return block
}

export function createOperator(place: Place): Operator {
  const { folder } = place
  const logFile = join(folder, 'server.log')
  appendFileSync(logFile, '')
  const failures: string[] = []
  const environment = {
    NODE_ENV: 'production' as const,
    PATH: `${join(folder, 'bin')}:${findPrograms()}:${process.env.PATH}`,
    HOME: folder,
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
  }

  /** The page's folders, users and addresses are a machine's; these are the trial's. */
  const here = (text: string) =>
    text
      .replace(/^(useradd|systemctl|nginx) .*\n/gm, '')
      .replaceAll('/usr/local/bin/', `${folder}/bin/`)
      .replaceAll('/etc/', `${folder}/etc/`)
      .replaceAll('/opt/', `${folder}/opt/`)
      .replaceAll('/var/lib/sandpiper', `${folder}/data`)
      .replaceAll('/mnt/backups', `${folder}/backups`)
      .replace(/^runuser -u postgres -- (\w+)/gm, `$1 ${place.postgres}`)
      .replaceAll('https://portal.example', place.origin)
      .replace(/@127\.0\.0\.1:5432\/sandpiper/g, `@${place.hosts}/sandpiper?target_session_attrs=read-write`)
      .replaceAll('smtp://127.0.0.1:25', place.smtp)
      .replace(/(-g|chgrp) (sandpiper|prometheus)/g, `$1 ${group}`)
      .replace(/-o (sandpiper|postgres)/g, `-o ${user}`)
      .replace(
        /setpriv --reuid=sandpiper --regid=sandpiper --init-groups --/g,
        account ? `setpriv --reuid=${account.name} --regid=${group} --init-groups --` : '',
      )
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${place.ports.web[0]}`)

  const run = (script: string) =>
    new Promise<string>((resolve, reject) =>
      execFile(
        'sh',
        ['-euc', `${here(/^as\(\) .*$/m.exec(page)?.[0] ?? '')}\n${script}`],
        { cwd: join(folder, 'opt/sandpiper-1'), env: environment, maxBuffer: 1e8 },
        (error, stdout, stderr) =>
          error ? reject(new Error(`${error.message}\n${stdout}${stderr}`)) : resolve(stdout + stderr),
      ),
    )
  const settings = (file: string) =>
    Object.fromEntries(
      readFileSync(join(folder, `etc/sandpiper/${file}.env`), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

  async function start(name: 'web' | 'worker', port: number): Promise<Running> {
    const file = join(rootDir, `deploy/systemd/sandpiper-${name === 'web' ? 'web@' : name}.service`)
    const unit = here(readFileSync(file, 'utf8')).replaceAll('%i', String(port))
    const lineOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
    const own = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key = '', value]) => [key, value])
    const [, ...command] = lineOf('ExecStart').split(' ')
    const log = openSync(logFile, 'a')
    const launch = () =>
      spawn(process.execPath, command, {
        cwd: lineOf('WorkingDirectory'),
        env: { ...environment, ...settings('sandpiper'), ...Object.fromEntries(own) },
        stdio: ['ignore', log, log],
        ...spawnIds(account),
      })
    let child = launch()
    let exited = once(child, 'exit')
    let isUp = false
    let ending = false
    /** Restart, RestartSec and RestartPreventExitStatus of the unit. */
    async function restartWhenItEnds(): Promise<void> {
      while (!ending) {
        const [code, signal] = await exited
        if (ending || code === 2) return
        if (isUp && code !== 0) failures.push(`${name} ended with ${code ?? signal}`)
        await sleep(restartMs)
        if (ending) return
        child = launch()
        exited = once(child, 'exit')
      }
    }
    void restartWhenItEnds()
    const began = performance.now()
    while (!(await isReady(port))) {
      if (child.exitCode === 2 || performance.now() - began > readyMs)
        throw new Error(`${name} does not get ready:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
      await sleep(100)
    }
    isUp = true
    const end = (signal: 'SIGTERM' | 'SIGKILL') => async () => {
      ending = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await exited
    }
    return { stop: end('SIGTERM'), kill: end('SIGKILL'), pid: () => child.pid ?? 0 }
  }

  return {
    follow: (blocks, more = '') =>
      run([...blocks.map(([heading, index]) => here(blockOf(heading, index))), more].join('\n')),
    shell: (lines) => run(here(lines)),
    settings,
    start,
    logFile,
    failures,
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  await answer?.text()
  return answer?.status === 200
}
