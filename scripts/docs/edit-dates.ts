/** The days on which the guides were last edited, from the history of the repository; the build writes them into the pages. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * @returns absolute path → `yyyy-mm-dd`; today for a file with changes that are not committed. A file is missing where
 *   the history cannot tell: no repository, no git, a file that nobody committed, or a shallow clone, in which every file
 *   looks as young as the last commit.
 */
export function readEditDates(folder: string, today: Date): ReadonlyMap<string, string> {
  const dates = new Map<string, string>()
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trimEnd()
      .split('\n')
  try {
    const [isShallow, root = ''] = git('rev-parse', '--is-shallow-repository', '--show-toplevel')
    if (isShallow !== 'false') return dates
    let day = ''
    for (const line of git('-c', 'core.quotePath=false', 'log', '--format=/%as', '--name-only', '--', '.'))
      if (line.startsWith('/')) day = line.slice(1)
      else if (line !== '' && !dates.has(join(root, line))) dates.set(join(root, line), day)
    for (const line of git(
      '-c',
      'core.quotePath=false',
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      '.',
    ))
      if (line !== '') dates.set(join(root, line.slice(3)), today.toISOString().slice(0, 10))
  } catch {
    dates.clear()
  }
  return dates
}
