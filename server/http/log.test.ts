import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
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

test.each([
  'a'.repeat(60_000),
  'eyJ-'.repeat(15_000),
  '-----BEGIN A-----'.repeat(4_000),
  'a.'.repeat(30_000),
])('a line takes a few milliseconds, whatever it holds: %.20s', (text) => {
  const log = createLog({ LOG_LEVEL: 'info' }, new Writable({ write: (_chunk, _encoding, done) => done() }))
  const millisecondsOf = () => {
    const begin = performance.now()
    log.info({ note: `${text}@ ://` }, 'noted')
    return performance.now() - begin
  }

  expect(Math.min(...Array.from({ length: 5 }, millisecondsOf))).toBeLessThan(250)
})
