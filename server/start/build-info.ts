/** The version of this release. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../root-dir.ts'
import { newestMigration } from '../store/migrations.ts'

type Build = { version: string /** The newest migration that this release knows. */; schema: string }

let build: Build | null = null

export function readBuild(): Build {
  build ??= {
    version: (JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as { version: string }).version,
    schema: newestMigration(),
  }
  return build
}
