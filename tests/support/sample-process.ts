/** A sample app of `examples/` as a developer starts it: the command that the portal shows, in a process of its own. */
import { spawn } from 'node:child_process'
import { rootDir } from '../../server/root-dir.ts'

export type SampleProcess = {
  output: () => string
  /** Resolves with the text once it has been printed. */
  printed: (text: RegExp) => Promise<string>
  /** The exit code; for an app that ends by itself. */
  ended: Promise<number | null>
  stop: () => Promise<void>
}

/** @param command as the page shows it. @param more flags that keep journeys beside each other apart */
export function startSample(command: string, more: Record<string, string | number>): SampleProcess {
  const flags = Object.entries(more).map(([name, value]) => `--${name} ${value}`)
  // A group of its own: npm starts a shell, and that starts Node.
  const child = spawn([command, ...flags].join(' '), { cwd: rootDir, shell: true, detached: true })
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
      for (const listener of listeners) listener()
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))

  async function printed(text: RegExp): Promise<string> {
    const found = new Promise<string>((resolve) => {
      const look = () => {
        const [match] = text.exec(output) ?? []
        if (match === undefined) return
        listeners.delete(look)
        resolve(match)
      }
      listeners.add(look)
      look()
    })
    const over = ended.then((code) => {
      throw new Error(`ended with ${code} before it printed ${text}:\n${output}`)
    })
    return Promise.race([found, over])
  }

  return {
    output: () => output,
    printed,
    ended,
    stop: async () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      await ended
    },
  }
}
