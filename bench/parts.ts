/** Parts of the results that are programs of their own, with a database each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../scripts/setup/folders.mjs'
import { withCleanUp } from './clean-up.ts'
import type { Figure } from './figures.ts'

const parts = [
  { file: 'bench/export.ts', options: ['--resources', '200000'] },
  { file: 'bench/import.ts', options: ['--copy'] },
  { file: 'bench/growth.ts', options: [] },
  { file: 'bench/two-processes.ts', options: [] },
]

/** A part that fails leaves its aims unmeasured, and the program's exit code says so. */
export async function runParts(): Promise<Figure[]> {
  const figures: Figure[] = []
  await withCleanUp(async (undo) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-figures-'))
    undo(() => rmSync(folder, { recursive: true, force: true }))
    for (const { file, options } of parts) {
      console.log(`\n${file}\n`)
      const out = join(folder, 'figures.json')
      const child = spawn(
        process.execPath,
        ['--expose-gc', '--import', 'tsx', file, ...options, '--figures', out],
        { cwd: ROOT, stdio: 'inherit' },
      )
      const ended = once(child, 'exit')
      // Ctrl-C reaches it as well; it cleans up before it ends.
      undo(async () => {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
        await ended
      })
      const [code] = (await ended) as [number | null]
      if (existsSync(out)) {
        figures.push(...(JSON.parse(readFileSync(out, 'utf8')) as Figure[]))
        rmSync(out)
      }
      if (code !== 0) {
        console.error(`${file} ended with ${code}`)
        process.exitCode = 1
      }
    }
  })
  return figures
}
