import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

let folder: string
let file: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sandpiper-lock-'))
  file = path.join(folder, 'lock')
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

it('lets one holder in at a time and leaves nothing behind', async () => {
  let inside = 0
  const seen: number[] = []
  const work = async () => {
    seen.push(++inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }

  await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)))

  expect(seen).toEqual([1, 1, 1, 1, 1])
  expect(fs.readdirSync(folder)).toEqual([])
})

it('takes over from a dead holder, for one of several who wait', async () => {
  fs.writeFileSync(
    file,
    JSON.stringify({ pid: process.pid, identity: 'of an earlier process', nonce: 'dead-one' }),
  )
  let inside = 0
  const work = async () => {
    const alone = ++inside === 1
    await new Promise((resolve) => setImmediate(resolve))
    inside--
    return alone
  }

  const alone = await Promise.all([withLock(file, work), withLock(file, work), withLock(file, work)])

  expect(alone).toEqual([true, true, true])
  expect(fs.readdirSync(folder)).toEqual([])
})

it('names the living holder when it waits too long', async () => {
  const waiting = withLock(file, () => withLock(file, async () => {}, { waitMs: 30 }))

  await expect(waiting).rejects.toThrow(`process ${process.pid} holds`)
})

it('gives the lock back when the work fails', async () => {
  await expect(withLock(file, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk')

  expect(await withLock(file, async () => 'next')).toBe('next')
})
