import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sandpiper-folders-'))
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(root, 'nowhere'), join(root, 'link'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a folder is made with its parents, and the first one made is returned', async () => {
  const folder = join(root, 'a', 'b', 'c')

  expect(await makeFolder(folder, 0o700)).toBe(join(root, 'a'))
  expect(await makeFolder(folder)).toBeUndefined()
  expect(await makeFolder(join(root, 'a', 'd'))).toBe(join(root, 'a', 'd'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test.each(['file', 'file/inside', 'link'])(
  'not in place of a file or of a link to nothing: %s',
  async (name) => {
    await expect(makeFolder(join(root, name))).rejects.toMatchObject({ code: 'EEXIST' })
  },
)

test.runIf(existsSync('/proc/self'))(
  'in a folder that takes none, it fails instead of trying for ever',
  async () => {
    await expect(makeFolder('/proc/sandpiper/exports')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)
