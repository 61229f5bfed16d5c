/**
 * Finds the primary among several servers and remembers it until a connection to it fails. The next connection then asks
 * all servers again, to find the one that was promoted.
 */
import type { DatabaseServer } from './database-url.ts'

export type ServerChoice = {
  find(): Promise<DatabaseServer>
  /** Call it if the server could not be reached or was not the primary. */
  forget(server: DatabaseServer): void
}

/** If a server has not responded after this time, the next one is asked, too. */
const headStartMs = 200
/** The shortest time between two rounds of questions while no server is the primary. */
const restMs = 100

/**
 * @param ask rejects if the server cannot be used
 * @param fail combines the errors of all servers, in their order
 */
export function createServerChoice(
  servers: readonly DatabaseServer[],
  ask: (server: DatabaseServer) => Promise<unknown>,
  fail: (errors: readonly unknown[]) => Error,
): ServerChoice {
  const [first] = servers
  let known: DatabaseServer | null = servers.length === 1 && first !== undefined ? first : null
  let looking: Promise<DatabaseServer> | null = null

  async function look(): Promise<DatabaseServer> {
    const attempts: Promise<DatabaseServer>[] = []
    let found = false
    for (const server of servers) {
      if (found) break
      const attempt = ask(server).then(() => {
        found = true
        return server
      })
      attempts.push(attempt)
      await Promise.race([attempt.catch(() => {}), pause(headStartMs)])
    }
    return Promise.any(attempts).catch((error: AggregateError) => Promise.reject(fail(error.errors)))
  }

  async function lookOnce(): Promise<DatabaseServer> {
    try {
      known = await look()
      looking = null
      return known
    } catch (error) {
      setTimeout(() => {
        looking = null
      }, restMs).unref()
      throw error
    }
  }

  return {
    async find() {
      if (known !== null) return known
      looking ??= lookOnce()
      return looking
    },
    forget(server) {
      if (servers.length > 1 && known === server) known = null
    },
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
}
