/** How many jobs a worker runs at once, and how many connections that takes. */

/** What takes minutes has places of its own, so that a mail or a check of the status never waits for an export. */
export const lanePlaces = {
  // Mails wait for a mail server: enough at once that one slow answer holds up no one.
  short: 4,
  long: 3,
} as const

const lanes = Object.values(lanePlaces)
/** A lane's runner needs two beside those of its jobs. */
export const queueConnections: number = lanes.reduce((sum, places) => sum + places + 2, 0)
/** The snapshot, and the record of who is in it. */
const exportConnections = 2

/** With a lock for each lane, and an export in each place for what takes long. */
export const workerConnections: number = queueConnections + lanes.length + lanePlaces.long * exportConnections
