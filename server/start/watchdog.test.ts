/** Real processes whose event loop never returns. */
import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { longTest } from '../../tests/support/slice.ts'
import { programFile } from '../threads.ts'

const watchdog = pathToFileURL(programFile('server/start/watchdog.ts')).href

/** Runs a script below a watchdog that waits for two seconds. */
function runWatched(script: string): Promise<{ signal: NodeJS.Signals | null; stdout: string }> {
  const source = `const { startWatchdog } = await import('${watchdog}'); startWatchdog({ stillSeconds: 2 }); ${script}`
  const args = ['--input-type=module', '--eval', source]
  return promisify(execFile)(process.execPath, args, { timeout: 60_000, killSignal: 'SIGKILL' }).then(
    ({ stdout }) => ({ signal: null, stdout }),
    ({ signal, stdout }) => ({ signal, stdout }),
  )
}

test('a process whose event loop stands still ends itself, also after SIGTERM, and logs where it hung', async () => {
  const { signal, stdout } = await runWatched(`
    process.on('SIGTERM', () => console.log('asked'))
    process.kill(process.pid, 'SIGTERM')
    setTimeout(function readForever() { for (;;); }, 100)`)

  expect([signal, stdout]).toEqual(['SIGKILL', expect.stringContaining('asked')])
  const line = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(line).toMatchObject({ level: 'fatal', msg: 'ended: the event loop stood still for 2 s' })
  expect(line.stack[0]).toContain('readForever')
})

longTest(
  'a process that waits, or works in short steps, goes on and may end when it has nothing to do',
  async () => {
    const { signal, stdout } = await runWatched(`
    const until = Date.now() + 4_000
    const step = () => {
      for (const end = Date.now() + 300; Date.now() < end;);
      if (Date.now() < until) setTimeout(step, 1)
      else console.log('done')
    }
    step()`)

    expect([signal, stdout.trim()]).toEqual([null, 'done'])
  },
)
