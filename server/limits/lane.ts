/**
 * Work that must not delay the reads of others: a few at once, and one more begins only after the event loop has served
 * whatever else was ready. A caller who sends many such requests waits for themselves.
 */
export type Lane = {
  /** @returns called when the work is done; null: too many are waiting already */
  enter(): Promise<() => void> | null
}

export function createLane({ atOnceMax, waitingMax }: { atOnceMax: number; waitingMax: number }): Lane {
  const waiting: (() => void)[] = []
  let atOnce = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || atOnce >= atOnceMax) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      atOnce++
      waiting.shift()?.()
      schedule()
    })
  }

  function leave(): void {
    atOnce--
    schedule()
  }

  return {
    enter() {
      if (waiting.length >= waitingMax) return null
      return new Promise((resolve) => {
        waiting.push(() => resolve(leave))
        schedule()
      })
    },
  }
}
