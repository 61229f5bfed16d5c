/** The day on which a guide was last edited, from the history of the repository; the build writes it into the page. */
import { execFileSync } from 'node:child_process'
import { basename, dirname } from 'node:path'

/**
 * @returns `yyyy-mm-dd`; today for a file with changes that are not committed. Null where the history cannot tell: no
 *   repository, no git, a file that nobody committed, or a shallow clone, in which every file looks as young as the
 *   last commit.
 */
export function editDateOf(file: string, today: Date): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: dirname(file),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  const name = basename(file)
  try {
    if (git('rev-parse', '--is-shallow-repository') !== 'false') return null
    const day = git('log', '-1', '--format=%as', '--', name)
    if (day === '') return null
    return git('status', '--porcelain', '--', name) === '' ? day : today.toISOString().slice(0, 10)
  } catch {
    return null
  }
}
