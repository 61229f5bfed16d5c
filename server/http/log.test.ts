import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { slice } from '../../tests/support/slice.ts'
import { createLog } from './log.ts'

const secret = `svc_t${'A'.repeat(30)}`

test.each([10, 3_000, 60_000])(
  'a line with a text of %i characters is whole, and holds no key',
  (characters) => {
    const lines: string[] = []
    const out = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) })
    const log = createLog({ LOG_LEVEL: 'info' }, out)

    log.info({ note: `${'a '.repeat(characters / 2)}${secret} robin@samplewood.example` }, 'noted')

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'noted' })
    expect(lines[0]?.endsWith('\n')).toBe(true)
    expect(lines[0]).not.toMatch(/A{20}|robin@/)
  },
)

test.each(slice(['a', 'eyJ-', '-----BEGIN A-----', 'a.'], 1))(
  'a line of eight times the length takes about eight times as long, whatever it repeats: %s',
  (text) => {
    const log = createLog({ LOG_LEVEL: 'info' }, new Writable({ write: (_chunk, _encoding, done) => done() }))
    const shortest = (characters: number) => {
      const note = `${text.repeat(characters / text.length)}@ ://`
      return Math.min(
        ...Array.from({ length: 4 }, () => {
          const begin = performance.now()
          log.info({ note }, 'noted')
          return performance.now() - begin
        }),
      )
    }
    shortest(15_000)

    // A pattern that reads the rest of the line from each of its beginnings takes 64 times as long.
    expect(shortest(120_000) / shortest(15_000)).toBeLessThan(32)
  },
)
