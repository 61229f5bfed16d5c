/** How far somebody has read in the log of a key, as a word that a page hands back. */

export type ActivityPosition = {
  at: Date
  /** What was seen of the time shortly before: two processes commit out of order, so that time alone does not tell. */
  seen: readonly string[]
}

export const seenMax = 100
const form = new RegExp(`^[0-9a-z]{1,9}(?:\\.[0-9a-z]{1,12}){0,${seenMax}}$`)

export function formatPosition({ at, seen }: ActivityPosition): string {
  const ids = seen.map(Number).sort((one, other) => one - other)
  const steps = ids.map((id, index) => id - (ids[index - 1] ?? 0))
  return [at.getTime(), ...steps].map((number) => number.toString(36)).join('.')
}

/** @returns null for what was never a position */
export function parsePosition(text: string): ActivityPosition | null {
  if (!form.test(text)) return null
  const [time = 0, ...steps] = text.split('.').map((part) => Number.parseInt(part, 36))
  let id = 0
  const seen = steps.map((step) => {
    id += step
    return `${id}`
  })
  return { at: new Date(time), seen }
}
