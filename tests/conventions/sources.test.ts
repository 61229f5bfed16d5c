import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

const files = listTrackedFiles()
const sources = files.filter((file) => /\.(ts|tsx|mjs|cjs)$/.test(file))
const text = (file: string) => readFileSync(join(rootDir, file), 'utf8')

describe('the sources', () => {
  it('normalize text in one place, which bounds its time', () => {
    const found = files
      .filter((file) => /^(?:app|emails|seed|server)\/.*\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      .filter((file) => text(file).includes(".normalize('NF"))

    expect(found).toEqual([])
  })

  it('log an error itself, as its name alone would be logged as the text of another error', () => {
    const nameOnly = /\b(?:error|err): \(?\w+(?: as \w+\))?\.(?:name|message)\b/
    const found = sources
      .filter((file) => file.startsWith('server/') && !file.endsWith('.test.ts'))
      .flatMap((file) => (nameOnly.exec(text(file)) ?? []).map((line) => `${file}: ${line}`))

    expect(nameOnly.test('log.warn({ error: (error as Error).name }, words)')).toBe(true)
    expect(found).toEqual([])
  })
})

describe('the repository', () => {
  const readable = files.filter((file) => !/\.(png|jpg|webp|ico|woff2?)$/.test(file))

  it('leaves no half-done work', () => {
    const unfinished = /\b(T[O]DO|F[I]XME|X[X]X)\b|\b(it|test|describe)[.]todo\b/
    expect(sources.filter((file) => unfinished.test(text(file)))).toEqual([])
  })

  it('names no folder of anybody’s machine', () => {
    const machine = /(^|[\s"'`(=])\/(work|home|root|Users)\/\w/m
    expect(readable.filter((file) => machine.test(text(file)))).toEqual([])
  })

  it('names no other package registry and no tarball address', () => {
    const lock = text('package-lock.json')

    expect(lock.match(/"resolved": .*/g)).toEqual(['"resolved": "tests",'])
    expect(readable.filter((file) => /^\s*registry\s*=/m.test(text(file)))).toEqual([])
  })

  it('holds no key, token or private key', () => {
    const secret = /PRIVATE KEY-----(\\n|\s)*[A-Za-z0-9+/]{40}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}/
    expect(readable.filter((file) => secret.test(text(file)))).toEqual([])
  })
})
