/** The folder of a release, as deploy/Containerfile and docs/operations/deploy.md make it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rootDir } from '../../server/root-dir.ts'

/** The same list as in deploy/Containerfile. */
const parts = [
  'bin',
  'build',
  'package.json',
  'prisma/migrations',
  'server/contract/CHANGELOG.md',
  'server/domain/agreements/texts',
]

type Packages = 'linked' | 'copied'

/** @param checkout of the release, with its packages and built */
export function makeRelease(folder: string, packages: Packages, checkout = rootDir): void {
  for (const name of parts) cpSync(join(checkout, name), join(folder, name), { recursive: true })
  installPackages(folder, packages, checkout)
}

/**
 * What npm ci --omit=dev leaves, and npm's own note of it.
 * @param packages copied, as another user needs them; or links to those of the checkout, which is quicker
 */
export function installPackages(folder: string, packages: Packages, checkout = rootDir): void {
  const lock = JSON.parse(readFileSync(join(checkout, 'node_modules/.package-lock.json'), 'utf8'))
  const kept = Object.entries<{ dev?: boolean; devOptional?: boolean }>(lock.packages).filter(
    ([, { dev, devOptional }]) => !dev && !devOptional,
  )
  const names = kept.map(([name]) => name).filter((name) => name.lastIndexOf('node_modules/') === 0)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  if (packages === 'copied') execFileSync('cp', ['-a', '--parents', ...names, folder], { cwd: checkout })
  else
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      symlinkSync(join(checkout, name), join(folder, name))
    }
  writeFileSync(
    join(folder, 'node_modules/.package-lock.json'),
    JSON.stringify({ ...lock, packages: Object.fromEntries(kept) }),
  )
}
