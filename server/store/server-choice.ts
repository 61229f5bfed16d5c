/**
 * Which of several servers is the primary. Asked once, then remembered until a connection to it fails: then all of them
 * are asked again, so that whichever was promoted is found by the next connection.
 */
import type { DatabaseServer } from './database-url.ts'

export type ServerChoice = {
  find(): Promise<DatabaseServer>
  /** It could not be reached, or it was no primary. */
  forget(server: DatabaseServer): void
}

/** A server that has not answered for so long gets company: the next one is asked as well. */
const headStartMs = 200
/** While no server is a primary, they are asked at most this often, however many connections are wanted. */
const restMs = 100

/**
 * @param ask rejects when this server cannot be used
 * @param fail makes one error of what was wrong with each, in the order of the servers
 */
export function createServerChoice(
  servers: readonly DatabaseServer[],
  ask: (server: DatabaseServer) => Promise<unknown>,
  fail: (errors: readonly unknown[]) => Error,
): ServerChoice {
  const [only] = servers
  let known: DatabaseServer | null = servers.length === 1 && only !== undefined ? only : null
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
