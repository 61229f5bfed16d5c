/** How far the seed or an import is: on a terminal one line that changes, in a log a line now and then. */

/**
 * @param name what is made, such as `Import`
 * @param things what is counted
 */
export function createProgressLine(name: string, things: string) {
  const { isTTY } = process.stderr
  const started = performance.now()
  let next = isTTY ? 0 : 10
  return {
    show({ share, resources }: { share: number; resources: number }): void {
      const seconds = (performance.now() - started) / 1000
      if (seconds < next) return
      next = seconds + (isTTY ? 0.5 : 10)
      const left = share > 0.02 ? `, ${Math.round((seconds * (1 - share)) / share)} s left` : ''
      const text = `${name} ${Math.round(share * 100)} %, ${resources.toLocaleString('en-US')} ${things}${left}`
      process.stderr.write(isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
    },
    end(): void {
      if (isTTY) process.stderr.write('\r\x1b[2K')
    },
  }
}
