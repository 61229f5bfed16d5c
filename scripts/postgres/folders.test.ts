import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { linkLibraries } from './binaries.mjs'
import { isPrivateFolder, prepareSocketFolder } from './users.mjs'

let parent: string

beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper-folders-'))
})

afterEach(() => fs.rmSync(parent, { recursive: true, force: true }))

it('closes the socket folder to everybody else and names it by the data folder', () => {
  const one = prepareSocketFolder('/data/one', null, [parent])
  const two = prepareSocketFolder('/data/two', null, [parent])

  expect(fs.statSync(one).mode & 0o777).toBe(0o700)
  expect(one).not.toBe(two)
  expect(prepareSocketFolder('/data/one', null, [parent])).toBe(one)
})

it('passes over a temporary folder whose path is too long for a socket', () => {
  const long = path.join(parent, 'x'.repeat(100))

  expect(path.dirname(prepareSocketFolder('/data/one', null, [long, parent]))).toBe(parent)
})

it('refuses a socket folder that others can enter', () => {
  fs.chmodSync(prepareSocketFolder('/data/one', null, [parent]), 0o755)

  expect(() => prepareSocketFolder('/data/one', null, [parent])).toThrow('is not a private folder of yours')
})

it('refuses a socket folder that is a link to somewhere else', () => {
  const folder = prepareSocketFolder('/data/one', null, [parent])
  fs.rmdirSync(folder)
  fs.symlinkSync(parent, folder)

  expect(() => prepareSocketFolder('/data/one', null, [parent])).toThrow('is not a private folder of yours')
})

it('takes a socket folder for its own by owner and mode', () => {
  const folder = (uid: number, mode: number) => ({ isDirectory: () => true, uid, mode: 0o40000 + mode })

  expect(isPrivateFolder(folder(1000, 0o700), [1000])).toBe(true)
  expect(isPrivateFolder(folder(1001, 0o700), [1000])).toBe(false)
  expect(isPrivateFolder(folder(0, 0o700), [1000])).toBe(false)
  expect(isPrivateFolder(folder(1000, 0o710), [1000])).toBe(false)
})

it('makes the links of libraries that the package only lists', () => {
  const native = path.join(parent, 'native')
  fs.mkdirSync(path.join(native, 'lib'), { recursive: true })
  fs.writeFileSync(path.join(native, 'lib/libpq.so.5.18'), 'library')
  fs.writeFileSync(
    path.join(native, 'pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]),
  )

  linkLibraries(native)
  linkLibraries(native)

  expect(fs.readFileSync(path.join(native, 'lib/libpq.so.5'), 'utf8')).toBe('library')
})
