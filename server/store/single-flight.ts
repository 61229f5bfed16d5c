/**
 * One question to the database at a time, however many ask it. Who comes while an answer is under way waits
 * for the next one: the running statement may have read before a change that the caller already knows of.
 */
type SingleFlight<Answer> = (name: string, ask: () => Promise<Answer>) => Promise<Answer>

export function createSingleFlight<Answer>(): SingleFlight<Answer> {
  const asked = new Map<string, { running: Promise<Answer>; next: Promise<Answer> | null }>()

  function singleFlight(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = asked.get(name)
    if (known === undefined) return start(name, ask)
    if (known.next === null) {
      const begin = () => start(name, ask)
      known.next = known.running.then(begin, begin)
    }
    return known.next
  }

  function start(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const running = ask()
    const entry = { running, next: null }
    asked.set(name, entry)
    const done = () => {
      if (asked.get(name) === entry && entry.next === null) asked.delete(name)
    }
    running.then(done, done)
    return running
  }

  return singleFlight
}
