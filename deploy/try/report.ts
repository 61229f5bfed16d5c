/** What was done, how long it took, and which promises hold. */
import { writeFileSync } from 'node:fs'

export type Step = {
  /** A figure, or what was found. */
  note: (line: string) => void
  /** A broken one fails the whole run; the step goes on. */
  promise: (line: string, holds: boolean) => void
}

export type Report = {
  /** An error in it is a broken promise; the next step follows. */
  step: (name: string, work: (step: Step) => Promise<void>) => Promise<void>
  broken: () => number
  /** Markdown, also to a file. */
  write: (file: string | undefined) => void
}

export function createReport(): Report {
  const lines: string[] = []
  let broken = 0

  function add(line: string): void {
    lines.push(line)
    console.log(line)
  }

  return {
    broken: () => broken,
    async step(name, work) {
      add(`\n## ${name}\n`)
      const began = performance.now()
      const promise = (line: string, holds: boolean) => {
        if (!holds) broken++
        add(`- ${holds ? 'holds' : '**BROKEN**'}: ${line}`)
      }
      try {
        await work({ note: (line) => add(`- ${line}`), promise })
      } catch (error) {
        promise(`the step ends without an error: ${String(error).slice(0, 4_000)}`, false)
      } finally {
        add(`- took ${((performance.now() - began) / 1000).toFixed(1)} s`)
      }
    },
    write(file) {
      const verdict = broken === 0 ? 'Every promise that was tried holds.' : `${broken} promises are broken.`
      console.log(`\n${verdict}`)
      if (file) writeFileSync(file, `# An installation on one machine\n\n${verdict}\n${lines.join('\n')}\n`)
    },
  }
}
