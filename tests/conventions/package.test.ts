import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findMissing } from '../../scripts/setup/lockfile.mjs'
import { rootDir } from '../../server/root-dir.ts'

type Manifest = {
  engines?: { node?: string }
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(join(rootDir, file), 'utf8')) as Manifest
const manifest = read('package.json')
const packages = { ...manifest.dependencies, ...manifest.devDependencies }
/** What npm test installs besides. */
const tools = read('tests/package.json').devDependencies

describe('package.json', () => {
  it.each([
    'remix',
    '@remix-run/node',
    '@remix-run/react',
    '@remix-run/dev',
    'prisma',
    '@prisma/client',
    'lucia',
    'nodemailer',
    'jose',
    '@faker-js/faker',
    'playwright',
    'vitest',
  ])('names %s', (name) => {
    expect(packages).toHaveProperty(name)
  })

  it('pins every package to one version', () => {
    const loose = Object.entries({ ...packages, ...tools }).filter(
      ([, version]) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )

    expect(loose).toEqual([])
  })

  it('has a lockfile that is whole for every platform, so that npm ci accepts it (npm run lockfile mends it)', () => {
    const { packages: locked } = JSON.parse(readFileSync(join(rootDir, 'package-lock.json'), 'utf8'))

    expect(findMissing(locked)).toEqual({})
  })

  it('names packages that run on the Node it asks for', () => {
    const refusing = Object.keys({ ...packages, ...tools }).flatMap((name) => {
      const range = read(`node_modules/${name}/package.json`).engines?.node
      return range && !accepts(range, 20, 19) ? [`${name} wants Node ${range}`] : []
    })

    expect(manifest.engines?.node).toBe('>=20.19.0')
    expect(refusing).toEqual([])
  })
})

/** Whether an `engines` range admits a version; the few forms packages use, any other counts as a refusal. */
function accepts(range: string, major: number, minor: number): boolean {
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .replace(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((comparator) => {
        const [, operator = '', first = '*', second = '0'] =
          /^([<>=^~]*)v?(\d+|\*|x)(?:\.(\d+|\*|x))?/.exec(comparator) ?? []
        if (first === '*' || first === 'x') return true
        const wanted = Number(first) * 1000 + (Number(second) || 0)
        const have = major * 1000 + minor
        if (operator === '>=') return have >= wanted
        if (operator === '>') return have > wanted
        if (operator === '<') return have < wanted
        if (operator === '<=') return have <= wanted
        return Number(first) === major && (operator === '' || have >= wanted)
      }),
  )
}
