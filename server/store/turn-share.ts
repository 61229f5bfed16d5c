/**
 * A question asked several times in one turn of the event loop is one statement. It is sent at the end of the turn, so
 * that it sees every change that was committed before any of the callers asked.
 */
type TurnShare<Answer> = (database: object, name: string, ask: () => Promise<Answer>) => Promise<Answer>

export function createTurnShare<Answer>(): TurnShare<Answer> {
  /** By connection: a transaction shares with nothing outside of it. */
  const asked = new WeakMap<object, Map<string, Promise<Answer>>>()

  return (database, name, ask) => {
    const known = asked.get(database) ?? new Map<string, Promise<Answer>>()
    asked.set(database, known)
    const shared = known.get(name)
    if (shared !== undefined) return shared
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      known.delete(name)
      return ask()
    })
    known.set(name, answer)
    return answer
  }
}
