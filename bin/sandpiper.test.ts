/** The command of an installation, as far as it goes without a build: tests/journeys/sandpiper-command.spec.ts has the rest. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseAccount, spawnIds } from '../scripts/postgres/account.mjs'
import { commands } from './commands.mjs'

// Nothing of the repository but this folder, and a build that says that it was loaded.
const release = mkdtempSync(join(tmpdir(), 'sandpiper-release-'))
const loaded = 'the built server was loaded'

beforeAll(() => {
  cpSync('bin', join(release, 'bin'), { recursive: true })
  cpSync('package.json', join(release, 'package.json'))
})
afterAll(() => rmSync(release, { recursive: true, force: true }))

function sandpiper(words: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/sandpiper.cjs', ...words], {
    cwd: release,
    encoding: 'utf8',
    env: bare(environment),
  })
  return { status, stdout, stderr }
}

/** Nothing of this process's own. */
const bare = (environment: Record<string, string>): NodeJS.ProcessEnv =>
  Object.assign(Object.create(null), { PATH: process.env.PATH, ...environment })

function build(file: string, code: string): void {
  mkdirSync(join(release, 'build', file, '..'), { recursive: true })
  writeFileSync(join(release, 'build', file), code)
}

describe('sandpiper', () => {
  test.each(Object.keys(commands))('%s --help says what it does and its exit codes', (name) => {
    const { status, stdout, stderr } = sandpiper([name, '--help'])

    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`sandpiper ${name}`)
    expect(stdout).toContain('Exit codes: 0 done, 1 failed, 2 wrong options or settings')
    expect(stdout).not.toMatch(/npm|undefined/)
  })

  test('--help lists every command, and --version names the release', () => {
    const { status, stdout } = sandpiper(['--help'])

    expect(status).toBe(0)
    for (const [name, { summary }] of Object.entries(commands))
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
    expect(sandpiper(['--version']).stdout.trim()).toBe(
      JSON.parse(readFileSync('package.json', 'utf8')).version,
    )
  })

  test.each([
    [[], 'Name a command'],
    [['sreve'], 'unknown command sreve'],
    [['toString'], 'unknown command toString'],
  ])('%j is refused with code 2 and the commands', (words, reason) => {
    const { status, stdout, stderr } = sandpiper(words)

    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(reason)
    expect(stderr).toContain('sandpiper COMMAND [options]')
  })

  test.each(Object.keys(commands))('%s without a build is refused with what to run', (name) => {
    rmSync(join(release, 'build'), { recursive: true, force: true })

    const { status, stderr } = sandpiper([name])

    expect(status).toBe(2)
    expect(stderr).toContain('npm ci && npm run build')
    expect(readdirSync(release).sort()).toEqual(['bin', 'package.json'])
  })

  test.each([
    [['serve', '--port', '80'], {}, 'takes no options and was given --port 80'],
    [['serve', 'now'], {}, 'takes no options and was given now'],
    [['work', '-x'], {}, 'takes no options and was given -x'],
    [['serve'], { ROLE: 'worker' }, 'Unset ROLE, or use sandpiper work'],
    [['work'], { ROLE: 'web' }, 'Unset ROLE, or use sandpiper serve'],
  ])('%j with %j is refused before the server is loaded', (words, environment, reason) => {
    build('server/index.js', `console.log('${loaded}')`)

    const { status, stdout, stderr } = sandpiper(words, environment)

    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  test.each([
    ['serve', {}, 'web'],
    ['serve', { ROLE: 'api' }, 'api'],
    ['work', {}, 'worker'],
  ])(
    '%s with %j runs in this process as %s, for production, with eight threads',
    (name, environment, role) => {
      build(
        'server/index.js',
        `const { ROLE, NODE_ENV, SANDPIPER_EMBEDDED, UV_THREADPOOL_SIZE } = process.env
      console.log(JSON.stringify([ROLE, NODE_ENV, SANDPIPER_EMBEDDED, UV_THREADPOOL_SIZE, process.argv.length]))`,
      )

      const { status, stdout } = sandpiper([name], { ...environment, SANDPIPER_EMBEDDED: '1' })

      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toEqual([role, 'production', '', '8', 2])
    },
  )

  test('libuv reads that size, because nothing used its threads before', () => {
    // They start with the first work.
    build(
      'server/index.js',
      `import { readdirSync } from 'node:fs'
      import { pbkdf2 } from 'node:crypto'
      const count = () => readdirSync('/proc/self/task').length
      await new Promise((done) => pbkdf2('a', 'b', 1, 8, 'sha256', done))
      console.log(count())`,
    )
    const threads = (size: string) => Number(sandpiper(['serve'], { UV_THREADPOOL_SIZE: size }).stdout)

    expect(threads('12') - threads('4')).toBe(8)
  })

  test('hands options, exit code and output of a program through', () => {
    build(
      'server/cli/audit-verify.js',
      'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 4',
    )

    const { status, stdout } = sandpiper(['audit-accept', '--reason', 'a lost folder'])

    expect([status, JSON.parse(stdout)]).toEqual([4, ['accept', '--reason', 'a lost folder']])
  })

  test('runs a program from a folder that its user may not enter', () => {
    build('server/cli/audit-verify.js', `console.log('${loaded}')`)
    chmodSync(release, 0o755)
    const home = mkdtempSync(join(tmpdir(), 'sandpiper-home-'))
    chmodSync(home, 0o700)
    // Root may enter any folder. Others take the right from themselves, once they are there.
    const { status, stdout, stderr } = spawnSync(
      'sh',
      [
        '-c',
        'chmod 000 . ; exec "$@"',
        'sh',
        process.execPath,
        join(release, 'bin/sandpiper.cjs'),
        'audit-verify',
      ],
      { cwd: home, encoding: 'utf8', env: bare({}), ...spawnIds(chooseAccount(null)) },
    )
    chmodSync(home, 0o700)
    rmSync(home, { recursive: true })

    expect([status, stdout.trim(), stderr.replace(/^chmod: .*\n/, '')]).toEqual([0, loaded, ''])
  })
})
