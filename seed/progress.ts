/** A progress bar for people; nothing at all when the output is not a terminal. */
import type { SeedProgress } from './options.ts'

const width = 24

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export function createProgressBar(terminal: Terminal, perPractice: number) {
  if (!terminal.isTTY) return { show: () => {}, end: () => {} }
  return {
    show({ practice, resources, finished, of }: SeedProgress): void {
      const share = (finished + Math.min(1, resources / perPractice)) / of
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      terminal.write(
        `\r\x1b[2KSynthetic people ${bar} ${String(Math.round(share * 100)).padStart(3)} %  ${practice}`,
      )
    },
    end(): void {
      terminal.write('\r\x1b[2K')
    },
  }
}
