import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../server/root-dir.ts'

/** Paths of the project's files from its root; in a copy without git, all that is not built or installed. */
export function listTrackedFiles(): string[] {
  const list = existsSync(join(rootDir, '.git'))
    ? execFileSync('git', ['ls-files', '-z'], { cwd: rootDir, encoding: 'utf8', maxBuffer: 1e8 }).split('\0')
    : execFileSync(
        'find',
        [
          '.',
          '-type',
          'f',
          ...['node_modules', 'build', '.data', 'generated', 'test-results'].flatMap((name) => [
            '-not',
            '-path',
            `*/${name}/*`,
          ]),
        ],
        { cwd: rootDir, encoding: 'utf8', maxBuffer: 1e8 },
      )
        .split('\n')
        .map((file) => file.replace(/^\.\//, ''))
  return list.filter(
    (file) => file !== '' && statSync(join(rootDir, file), { throwIfNoEntry: false })?.isFile(),
  )
}
