/**
 * The release before, on the schema of this one: its own tests, on databases made with our migrations. What fails here
 * could not be rolled back, and would fail during every upgrade that restarts processes one by one (decision 91).
 *
 * The release before is RELEASE_BEFORE (a tag or commit), else the newest tag v*, else the commit before the newest
 * migration. It needs a clone with that history; a shallow one is told to fetch it.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-before-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: string[]) => execFileSync('git', args, { cwd: rootDir, encoding: 'utf8' }).trim()

function findReleaseBefore(): string {
  if (process.env.RELEASE_BEFORE) return git('rev-parse', `${process.env.RELEASE_BEFORE}^{commit}`)
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    throw new Error('this clone has no history: run git fetch --unshallow --tags, or set RELEASE_BEFORE')
  const tag = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')[0]
  if (tag) return git('rev-parse', `${tag}^{commit}`)
  const newest =
    readdirSync(join(rootDir, 'prisma/migrations'))
      .sort()
      .findLast((name) => /^\d/.test(name)) ?? ''
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `prisma/migrations/${newest}`)
  if (!added) throw new Error(`${newest} is not committed yet: set RELEASE_BEFORE`)
  return git('rev-parse', `${added}^`)
}

/** Its sources as they were, with our migrations and, when its lockfile is ours, our packages. */
function checkOut(commit: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: rootDir, maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(folder) === lock(rootDir)) symlinkSync(join(rootDir, 'node_modules'), join(folder, 'node_modules'))
  else run('npm', ['ci', '--include=dev', '--no-progress'])
  run('npm', ['run', '--silent', 'generate'])
  cpSync(join(rootDir, 'prisma/migrations'), join(folder, 'prisma/migrations'), { recursive: true })
}

function run(command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, NODE_ENV: 'test' },
  })
  expect([status, `${stdout}${stderr}`.slice(-8_000)]).toEqual([0, expect.any(String)])
}

test('the tests of the release before pass on this schema', { timeout: 3_600_000 }, () => {
  checkOut(findReleaseBefore())
  expect(existsSync(join(folder, 'server/index.ts'))).toBe(true)

  // Not the house tests, which hold its migrations against its schema.prisma.
  const chosen = process.env.RELEASE_BEFORE_TESTS?.split(',') ?? ['server', 'seed', 'tests/promises']
  const not = ['tests/house/**', 'tests/conformance/portal-schema.test.ts', 'server/store/migrations.test.ts']
  run('npx', ['vitest', 'run', ...chosen, ...not.map((pattern) => `--exclude=${pattern}`)])
})
