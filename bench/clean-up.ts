/** What a program of the bench leaves behind: nothing, also when it fails or is stopped with Ctrl-C. */

type Step = () => Promise<unknown> | unknown
export type Undo = (step: Step) => void

/** Undoes in reverse what the work says it began. Ctrl-C ends the program with 130, SIGTERM with 143. */
export async function withCleanUp(work: (undo: Undo) => Promise<void>): Promise<void> {
  const steps: Step[] = []
  let undoing: Promise<void> | null = null
  const undoAll = async () => {
    for (let step = steps.pop(); step; step = steps.pop())
      try {
        await step()
      } catch (error) {
        console.error(error)
      }
  }
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    if (undoing) return
    console.error('\nStopping …')
    undoing = undoAll()
    void undoing.then(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    await work((step) => steps.push(step))
  } catch (error) {
    // What fails because it is being stopped is not worth a word.
    if (undoing) await new Promise(() => {})
    throw error
  } finally {
    undoing ??= undoAll()
    await undoing
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
