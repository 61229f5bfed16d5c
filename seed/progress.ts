/** A progress bar for people, with rate and time left; nothing at all when the output is not a terminal. */
import type { SeedProgress } from './options.ts'

const width = 24
/** A terminal shows no more than people can read. */
const millisecondsBetween = 100

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export function createProgressBar(terminal: Terminal) {
  if (!terminal.isTTY) return { show: () => {}, end: () => {} }
  const started = performance.now()
  let shown = Number.NEGATIVE_INFINITY
  return {
    show({ practice, resources, share }: SeedProgress): void {
      const now = performance.now()
      if (now - shown < millisecondsBetween) return
      shown = now
      const seconds = (shown - started) / 1000
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      const percent = `${String(Math.floor(share * 100)).padStart(3)} %`
      terminal.write(
        `\r\x1b[2K${bar} ${percent}  ${rate(resources, seconds)}  ${left(share, seconds)}  ${practice}`,
      )
    },
    end(): void {
      terminal.write('\r\x1b[2K')
    },
  }
}

function rate(resources: number, seconds: number): string {
  return `${Math.round(resources / Math.max(seconds, 0.1)).toLocaleString('en-US')} records/s`
}

/** As long again as it took so far, in proportion; nothing while that is a guess. */
function left(share: number, seconds: number): string {
  if (share < 0.02 || seconds < 1) return '…'
  const rest = Math.round((seconds * (1 - share)) / share)
  return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, '0')} left`
}
