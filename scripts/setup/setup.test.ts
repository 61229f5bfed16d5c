import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { areInstalled, comparePackages } from './dependencies.mjs'
import { ROOT } from './folders.mjs'
import { findFreePort } from './free-port.mjs'
import { ensureSecrets } from './secrets.mjs'
import { checkPort, startServer } from './server-process.mjs'
import { makeWhenChanged } from './stamp.mjs'

let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper-setup-'))
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

describe('the installed packages', () => {
  const locked = {
    '': {
      version: '0.1.0',
      dependencies: { wader: '1.2.3' },
      devDependencies: { builder: '3.0.0', either: '4.0.0' },
    },
    'node_modules/wader': { version: '1.2.3' },
    'node_modules/wader-darwin': { version: '1.2.3', optional: true, os: ['darwin'] },
  }

  it('are complete when every locked version is there, without those of other platforms', () => {
    expect(areInstalled(locked, { 'node_modules/wader': { version: '1.2.3' } })).toBe(true)
  })

  it('are old when the lockfile names another version', () => {
    expect(areInstalled(locked, { 'node_modules/wader': { version: '1.2.2' } })).toBe(false)
  })

  it('are missing when one is not there, or npm was stopped before it noted anything', () => {
    expect(areInstalled(locked, {})).toBe(false)
    expect(areInstalled(locked, null)).toBe(false)
  })

  describe('without those for development', () => {
    const both = {
      ...locked,
      'node_modules/builder': { version: '3.0.0', dev: true },
      'node_modules/either': { version: '4.0.0', devOptional: true },
    }

    it('are a production install, which is left alone', () => {
      expect(comparePackages(both, { 'node_modules/wader': { version: '1.2.3' } })).toBe('production')
    })

    it('are never exchanged when they are old', () => {
      expect(comparePackages(both, { 'node_modules/wader': { version: '1.2.2' } })).toBe(
        'production-outdated',
      )
    })

    it('differ from an install for development that is not complete', () => {
      const builder = { 'node_modules/builder': { version: '3.0.0' } }
      expect(comparePackages(both, builder)).toBe('incomplete')
      expect(comparePackages(both, {})).toBe('incomplete')
      expect(comparePackages(both, null)).toBe('incomplete')
    })
  })

  it('are enough for building when only the tools of the workspace are missing', () => {
    const both = {
      '': { devDependencies: { builder: '3.0.0' } },
      tests: { devDependencies: { checker: '5.0.0' } },
      'node_modules/builder': { version: '3.0.0', dev: true, dependencies: { part: '^1.0.0' } },
      'node_modules/builder/node_modules/part': { version: '1.0.0', dev: true },
      'node_modules/checker': { version: '5.0.0', dev: true },
      'node_modules/project-tests': { link: true },
    }
    const builder = { 'node_modules/builder': { version: '3.0.0' } }
    const part = { 'node_modules/builder/node_modules/part': { version: '1.0.0' } }
    const checker = { 'node_modules/checker': { version: '5.0.0' } }

    expect(comparePackages(both, { ...builder, ...part, ...checker })).toBe('complete')
    expect(comparePackages(both, { ...builder, ...part })).toBe('build')
    expect(comparePackages(both, { ...builder, ...checker })).toBe('incomplete')
  })

  it('cannot be judged without a lockfile, which is said', () => {
    expect(() => areInstalled(null, {})).toThrow('package-lock.json is missing or damaged')
  })
})

describe('a step that makes a folder', () => {
  const made: string[] = []
  const step = (make: () => void) => ({
    inputs: [path.relative(ROOT, path.join(folder, 'sources'))],
    output: path.relative(ROOT, path.join(folder, 'output')),
    make: () => {
      fs.mkdirSync(path.join(folder, 'output'), { recursive: true })
      make()
    },
  })

  beforeEach(() => {
    made.length = 0
    fs.mkdirSync(path.join(folder, 'sources'))
    fs.writeFileSync(path.join(folder, 'sources/bird.ts'), 'wader')
  })

  it('runs when the content of its sources has changed, and not when only their times have', async () => {
    const run = () => makeWhenChanged(step(() => made.push('made')))

    expect(await run()).toBe(true)
    fs.utimesSync(path.join(folder, 'sources/bird.ts'), 0, 0)
    expect(await run()).toBe(false)
    fs.writeFileSync(path.join(folder, 'sources/bird.ts'), 'sanderling')
    expect(await run()).toBe(true)
    expect(made).toHaveLength(2)
  })

  it('runs when a source was added or removed, tests aside', async () => {
    const run = () => makeWhenChanged(step(() => made.push('made')))

    await run()
    fs.writeFileSync(path.join(folder, 'sources/bird.test.ts'), 'test')
    expect(await run()).toBe(false)
    fs.writeFileSync(path.join(folder, 'sources/egg.ts'), 'egg')
    expect(await run()).toBe(true)
    fs.rmSync(path.join(folder, 'sources/egg.ts'))
    expect(await run()).toBe(true)
  })

  it('runs again after it failed', async () => {
    const failing = step(() => {
      throw new Error('no disk')
    })

    await makeWhenChanged(step(() => {}))
    fs.writeFileSync(path.join(folder, 'sources/bird.ts'), 'sanderling')
    await expect(makeWhenChanged(failing)).rejects.toThrow('no disk')

    expect(await makeWhenChanged(step(() => made.push('made')))).toBe(true)
  })
})

describe('the secrets of an embedded installation', () => {
  it('are made once, for their owner’s eyes', () => {
    const first = ensureSecrets(folder)
    const again = ensureSecrets(folder)

    expect(Buffer.from(first.ENCRYPTION_KEYS?.split(':')[1] ?? '', 'base64')).toHaveLength(32)
    expect(again).toEqual(first)
    expect(fs.statSync(path.join(folder, 'secrets.env')).mode & 0o777).toBe(0o600)
    expect(fs.readdirSync(folder)).toEqual(['secrets.env'])
  })

  it('keep what was added by hand', () => {
    ensureSecrets(folder)
    fs.appendFileSync(path.join(folder, 'secrets.env'), '# mail\nSMTP_URL=smtp://user:a=b@mail.example\n\n')

    expect(ensureSecrets(folder)).toMatchObject({ SMTP_URL: 'smtp://user:a=b@mail.example' })
  })
})

describe('the port', () => {
  it('that is taken is named, with the way to choose another', async () => {
    const holder = net.createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as net.AddressInfo

    await expect(checkPort(port, '127.0.0.1', 'npm start')).rejects.toThrow(
      `port ${port} is in use. Stop the other program, or choose another port: PORT=${port + 1} npm start`,
    )
    await new Promise((resolve) => holder.close(resolve))
    await expect(checkPort(port, '127.0.0.1', 'npm start')).resolves.toBeUndefined()
  })

  it('on an address of another machine is refused by the name of its variable', async () => {
    await expect(checkPort(0, '192.0.2.1', 'npm start')).rejects.toThrow('HOST=192.0.2.1 is not an address')
  })
})

describe('a server that starts', () => {
  /** @param script of its process */
  const starting = async (script: string) => {
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const [host, port] = ['127.0.0.1', await findFreePort()]
    const waits = { stepWaitMs: 3_000, reportMs: 500 }
    const logFile = path.join(folder, 'server.log')
    const options = { environment: {}, host, port, logFile, log, entry: ['--eval', script], ...waits }
    return { lines, server: startServer(options) }
  }
  const steps = (count: number) =>
    `const steps = setInterval(() => process.send({ step: 'loading the pages' }), 1_000); setTimeout(() => {
       clearInterval(steps); require('http').createServer((_, answer) => answer.end()).listen(process.env.PORT)
     }, ${count}_500)`

  it('is waited for as long as it makes progress, and what it does is shown', async () => {
    const { server, lines } = await starting(steps(4))

    await (await server).stop()

    expect(lines[0]).toMatch(/^The server is loading its program \(\d s\) …$/)
    expect(lines.at(-1)).toMatch(/^The server is loading the pages \([45] s\) …$/)
  })

  it('and hangs is ended, with the step in which it hung', async () => {
    const { server } = await starting(
      `process.send({ step: 'loading the pages' }); setInterval(() => {}, 1_000)`,
    )

    await expect(server).rejects.toThrow(
      /^the server made no progress for 3 s while loading the pages\. Run npm start/,
    )
  })

  it('and ends says why, and what to run', async () => {
    const failing = await starting(`console.error('ENCRYPTION_KEYS is missing'); process.exit(2)`)
    await expect(failing.server).rejects.toThrow(/^ENCRYPTION_KEYS is missing\nRun npm start again/)
    const killed = await starting(`process.kill(process.pid, 'SIGKILL')`)
    await expect(killed.server).rejects.toThrow(/was killed \(SIGKILL\) while loading its program/)
  })
})
