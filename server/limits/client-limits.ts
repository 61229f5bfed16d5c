/** Higher limits granted to an app on request. They are few: all of them are read, now and then. */
import type { PrismaClient } from '../../prisma/generated/client/client.ts'

/** How long a change may take to hold at this process. */
const refreshMs = 10_000

export type ClientLimits = {
  /** In place of the windows of the app's tokens; undefined where nothing was granted. */
  find(clientId: string): Promise<readonly [burst: number, sustained: number] | undefined>
}

type Dependencies = {
  prisma: Pick<PrismaClient, 'clientLimit'>
  clock: () => Date
  log: { warn(fields: object, message: string): void }
}

export function createClientLimits({ prisma, clock, log }: Dependencies): ClientLimits {
  let known: ReadonlyMap<string, readonly [number, number]> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    readAt = clock().getTime()
    try {
      const rows = await prisma.clientLimit.findMany()
      known = new Map(rows.map(({ clientId, burst, sustained }) => [clientId, [burst, sustained]]))
    } catch (error) {
      // Without them an app has the limits of the table: no reason to refuse a request.
      log.warn({ err: error }, 'granted limits could not be read')
    }
  }

  async function find(clientId: string): Promise<readonly [number, number] | undefined> {
    if (clock().getTime() - readAt >= refreshMs) {
      reading ??= read().finally(() => {
        reading = null
      })
    }
    if (reading !== null) await reading
    return known.get(clientId)
  }

  return { find }
}
