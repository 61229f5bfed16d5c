import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ROOT } from '../setup/folders.mjs'
import { findFreePort } from '../setup/free-port.mjs'
import { SetupError } from '../setup-error.mjs'
import { runWork } from '../stages/stage.mjs'

export const help = `
.ci/run

Does what a newcomer does with a fresh clone: npm start until it is ready, a first call with the sample token, stop,
npm test. As root, it first installs chromium-headless-shell and nginx if they are missing (apt-get), and at the end
repeats start and first call as an ordinary user in a copy of the folder; npm run test:long -- --user also runs the tests of
files and processes there. The last line is "N passed, N failed".
`

/** The first start installs, builds and seeds. */
const READY_WAIT_MS = 900_000
const STOP_WAIT_MS = 30_000
/** What belongs to one folder alone, and is not part of a clone. */
const NOT_COPIED = ['.data', '.git', 'node_modules', 'test-results', 'playwright-report']

/**
 * Who runs a command, and where.
 * @typedef {{ folder: string, ids: { uid: number, gid: number } | {}, environment: Record<string, string> }} Person
 */

/** Steps and tests so far. */
const count = { passed: 0, failed: 0 }

export async function run() {
  const begin = Date.now()
  const isRoot = process.getuid?.() === 0
  /** @type {Person} */
  const newcomer = { folder: ROOT, ids: {}, environment: {} }
  try {
    if (isRoot && fs.existsSync('/usr/bin/apt-get')) await step('browser and proxy', installDebianPackages)
    await startAndCall(newcomer, '')
    await countedRun(newcomer, 'npm test', ['test'])
    if (isRoot) await asOrdinaryUser()
  } catch (error) {
    console.error(error)
    count.failed += 1
  }
  console.log(`  ${'everything'.padEnd(28)} ${((Date.now() - begin) / 1000).toFixed(1).padStart(6)} s`)
  console.log(`${count.passed} passed, ${count.failed} failed`)
  return count.failed === 0 ? 0 : 1
}

/** Debian's packages that the journeys use; what is there already is left alone. */
async function installDebianPackages() {
  const missing = [
    // The journeys take a third less work in it than in the whole browser.
    ...(fs.existsSync('/usr/bin/chromium-headless-shell') ? [] : ['chromium-headless-shell']),
    ...(fs.existsSync('/usr/sbin/nginx') ? [] : ['nginx']),
  ]
  if (missing.length === 0) return
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update', '-qq'], options)
  const { status } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
    options,
  )
  if (status !== 0) throw new SetupError(`apt-get could not install ${missing.join(' and ')}`)
}

/**
 * npm start until it is ready, the README's first FHIR call, and Ctrl-C.
 * @param {Person} person
 * @param {string} suffix of the steps' names
 */
async function startAndCall(person, suffix) {
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  let output = ''
  const server = spawn('npm', ['start'], {
    ...person.ids,
    cwd: person.folder,
    env: { ...process.env, ...person.environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Signals reach the whole group, as Ctrl-C does.
    detached: true,
  })
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
    })
  /** @type {Promise<number | null>} */
  const exited = new Promise((resolve) => server.once('close', resolve))
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null
  try {
    const started = await step(`npm start${suffix}`, async () => {
      const deadline = Date.now() + READY_WAIT_MS
      while (!output.includes('Sandpiper is ready')) {
        if (hasEnded()) throw new SetupError(`npm start ended:\n${output}`)
        if (Date.now() > deadline) throw new SetupError(`npm start is not ready after 15 minutes:\n${output}`)
        await delay(200)
      }
    })
    if (!started) return
    await step(`first call${suffix}`, () => callOnce(person, `${origin}/r4/sandpiper-demonstration`))
    await step(`stop${suffix}`, async () => {
      process.kill(-(server.pid ?? 0), 'SIGINT')
      const late = delay(STOP_WAIT_MS).then(() => 'late')
      if ((await Promise.race([exited, late])) === 'late') throw new SetupError('npm start does not stop')
    })
  } finally {
    if (!hasEnded()) {
      process.kill(-(server.pid ?? 0), 'SIGKILL')
      await exited
    }
  }
}

/**
 * @param {Person} person
 * @param {string} base of FHIR
 */
async function callOnce(person, base) {
  const { stdout, stderr, status } = spawnSync('npm', ['run', '--silent', 'token', '--', base], {
    ...person.ids,
    cwd: person.folder,
    env: { ...process.env, ...person.environment },
    encoding: 'utf8',
  })
  if (status !== 0) throw new SetupError(`npm run token failed:\n${stderr}`)
  const response = await fetch(`${base}/Patient/pt-wren-testwell`, {
    headers: { authorization: `Bearer ${stdout.trim()}` },
  })
  const body = await response.text()
  if (response.status !== 200 || JSON.parse(body).id !== 'pt-wren-testwell')
    throw new SetupError(`the first call was answered with ${response.status}: ${body}`)
}

/**
 * Start and first call in a copy of the clone that belongs to the user nobody.
 * @param {boolean} [withTests] also runs the tests of files and processes
 * @returns {Promise<boolean>} whether nothing failed so far
 */
export async function asOrdinaryUser(withTests = false) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper-user-'))
  const ids = { uid: idOf('-u'), gid: idOf('-g') }
  const name = ' as a user'
  /** @type {Person} */
  const user = {
    folder: path.join(folder, 'clone'),
    ids,
    environment: { HOME: path.join(folder, 'home'), npm_config_cache: path.join(folder, 'home/.npm') },
  }
  try {
    if (await step(`copy${name}`, async () => copyClone(folder, ids))) {
      await startAndCall(user, name)
      if (withTests)
        await countedRun(user, `tests of files and processes${name}`, ['test', '--', '--machine'])
    }
    return count.failed === 0
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The clone with the packages and the build that were made from it a moment ago. Packages are hard links where that is
 * possible: no one writes into them, and 55,000 files take minutes to copy on a busy disk.
 * @param {string} folder
 * @param {{ uid: number, gid: number }} ids
 */
function copyClone(folder, { uid, gid }) {
  const clone = path.join(folder, 'clone')
  const packages = path.join(clone, 'node_modules')
  const owner = `${uid}:${gid}`
  for (const each of ['clone', 'home']) fs.mkdirSync(path.join(folder, each))
  const entries = fs.readdirSync(ROOT).filter((each) => !NOT_COPIED.includes(each))
  mustRun('cp', ['-a', '--reflink=auto', ...entries.map((each) => path.join(ROOT, each)), clone])
  mustRun('chown', ['-R', owner, folder])
  const isReadable = (fs.statSync(path.join(ROOT, 'node_modules/pg/package.json')).mode & 0o044) === 0o044
  const linked = isReadable && spawnSync('cp', ['-al', path.join(ROOT, 'node_modules'), clone]).status === 0
  if (!linked) {
    fs.rmSync(packages, { recursive: true, force: true })
    mustRun('cp', ['-a', path.join(ROOT, 'node_modules'), clone])
    mustRun('chown', ['-R', owner, packages])
    return
  }
  // Caches are written over in place.
  for (const each of ['.vite', '.vite-temp', '.cache'])
    fs.rmSync(path.join(packages, each), { recursive: true, force: true })
  mustRun('find', [packages, '-type', 'd', '-exec', 'chown', owner, '{}', '+'])
}

/** @param {'-u' | '-g'} flag */
function idOf(flag) {
  return Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function mustRun(command, args) {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new SetupError(`${command} failed: ${stderr}`)
}

/**
 * Runs a test command, shows what it prints, and counts what its last line says.
 * @param {Person} person
 * @param {string} name
 * @param {string[]} args of npm
 */
async function countedRun(person, name, args) {
  const child = spawn('npm', args, {
    ...person.ids,
    cwd: person.folder,
    env: { ...process.env, ...person.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    process.stdout.write(chunk)
    output = (output + chunk).slice(-2_000)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const counts = /(\d+) passed, (\d+) failed\s*$/.exec(output)
  const failed = Number(counts?.[2] ?? 0)
  const isCounted = counts && failed > 0 === (code !== 0)
  if (!isCounted) console.log(`✗ ${name} ended with code ${code}`)
  count.passed += Number(counts?.[1] ?? 0)
  count.failed += isCounted ? failed : Math.max(1, failed)
}

/**
 * @param {string} name
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it went well
 */
async function step(name, work) {
  const { ok } = await runWork(name, work)
  count[ok ? 'passed' : 'failed'] += 1
  return ok
}
