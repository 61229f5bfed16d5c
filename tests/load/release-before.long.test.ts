/**
 * The release before, on the schema of this one: its whole suite, on databases that our migrations upgraded. What fails
 * here could not be rolled back, and would fail during every upgrade that restarts processes one by one (decision 91).
 *
 * The release before is RELEASE_BEFORE (a tag or commit), else the newest tag v*, else the commit before the newest
 * migration. It needs a clone with that history; a shallow one is told to fetch it. RELEASE_BEFORE_TESTS names files
 * or folders, separated by commas, to run these alone.
 */
import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

/**
 * Tests of its own schema and of what its own migrations set: it leaves a database of a newer release as it is
 * (decision 91). Its journeys need a browser and a build, and its long tests need hours: neither is part of the suite
 * that is run here.
 */
const testsOfItsOwnMigrations = [
  'tests/conformance/portal-schema.test.ts: the migrations make exactly the tables that schema.prisma describes',
  'server/store/session-settings.test.ts: a database with the defaults of an ordinary PostgreSQL has our settings for every connection once it is migrated by its owner',
  'server/store/session-settings.test.ts: a database with the defaults of an ordinary PostgreSQL names what only a superuser can set',
]

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-before-'))
const release = join(folder, 'release')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: string[]) => execFileSync('git', args, { cwd: rootDir, encoding: 'utf8' }).trim()

test('the whole suite of the release before passes on databases of this schema', {
  timeout: 3_600_000,
}, async () => {
  const commit = findReleaseBefore()
  await checkOut(commit)
  const migrateAsItself = migrateAsThisRelease()
  const chosen = process.env.RELEASE_BEFORE_TESTS?.split(',') ?? []

  const first = await runSuite(chosen)
  // A busy machine fails a test once, a schema fails it again.
  const suspects = [...new Set(first.failures.map(({ file }) => file))]
  const { failures } = suspects.length > 0 ? await runSuite(suspects) : first
  // A commit without a tag may have a test that fails on its own schema, too.
  migrateAsItself()
  const own = failures.length > 0 ? (await runSuite(failures.map(({ file }) => file))).failures : []
  const isOwn = ({ file, test }: Failure) => own.some((each) => each.file === file && each.test === test)
  if (own.length > 0) console.log('fails on its own schema, too:', own)

  console.log(`${git('log', '-1', '--format=%h %s', commit)}: ${first.passed} tests of it passed`)
  expect(failures.filter((each) => !isOwn(each))).toEqual([])
  expect(first.passed).toBeGreaterThan(0)
  if (chosen.length === 0) expect(first.files).toEqual(suiteOf(commit))
})

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

/** Its sources as they were, and our packages when its lockfile is ours. */
async function checkOut(commit: string): Promise<void> {
  mkdirSync(release)
  const archive = execFileSync('git', ['archive', commit], { cwd: rootDir, maxBuffer: 1e9 })
  execFileSync('tar', ['-x', '-C', release], { input: archive })
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lock(release) === lock(rootDir))
    symlinkSync(join(rootDir, 'node_modules'), join(release, 'node_modules'))
  else await run('npm', ['ci', '--include=dev', '--no-progress'])
  await run('npm', ['run', '--silent', 'generate'])
}

const upgrade = `
  import { migrate as upgrade } from '../../../newer/server/store/migrations.ts'
  import { migrate as make } from '../../server/store/migrations.ts'
  export const migrate = async (database: Parameters<typeof make>[0]) => {
    await make(database)
    return upgrade(database)
  }
`

/**
 * Its test databases are upgraded by our migrations, settings and rights; everything that works on them is its own.
 * @returns undoes this
 */
function migrateAsThisRelease(): () => void {
  symlinkSync(rootDir, join(folder, 'newer'))
  const file = join(release, 'tests/support/test-databases.ts')
  const source = readFileSync(file, 'utf8')
  const changed = source.replace("'../../server/store/migrations.ts'", "'./upgrade.ts'")
  if (changed === source) throw new Error('its test databases are migrated elsewhere: adapt this test')
  writeFileSync(join(release, 'tests/support/upgrade.ts'), upgrade)
  writeFileSync(file, changed)
  return () => writeFileSync(file, source)
}

type Failure = { file: string; test: string; why: string }
type SuiteRun = { passed: number; files: string[]; failures: Failure[] }

/** @param chosen files and folders; none: all */
async function runSuite(chosen: readonly string[]): Promise<SuiteRun> {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const output = await run(
    'npx',
    ['vitest', 'run', '--project=all', ...chosen, '--reporter=json', `--outputFile=${report}`],
    { mayFail: true },
  )
  if (!existsSync(report)) throw new Error(`its tests do not start: ${output.slice(-8_000)}`)
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    testResults: {
      name: string
      status: string
      message: string
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
    }[]
  }
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(release, name)
    const failed = assertionResults
      .filter((each) => each.status === 'failed')
      .map(({ fullName, failureMessages }) => ({ file, test: fullName, why: failureMessages.join('\n') }))
    // A file that cannot be loaded has no tests.
    return failed.length === 0 && status === 'failed' ? [{ file, test: 'the file', why: message }] : failed
  })
  return {
    passed: numPassedTests,
    files: testResults.map(({ name }) => relative(release, name)).sort(),
    failures: failures.filter((each) => !testsOfItsOwnMigrations.includes(`${each.file}: ${each.test}`)),
  }
}

/** Every test file of it that is neither a journey nor a long test. */
function suiteOf(commit: string): string[] {
  return git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.endsWith('.long.test.ts'))
    .sort()
}

function run(command: string, args: string[], { mayFail = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { cwd: release, maxBuffer: 1e9, env: { ...process.env, NODE_ENV: 'test' } },
      (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`
        if (error && !mayFail)
          reject(new Error(`${command} ${args.join(' ')} failed: ${output.slice(-8_000)}`))
        else resolve(output)
      },
    )
  })
}
