/** How many jobs a worker runs at once, and how many connections that takes. */

/** Long jobs have their own lane, so that an email or a status check never waits for an export. */
export const lanePlaces = {
  // Emails wait for a mail server. With several at once, a slow response does not delay the others.
  short: 4,
  long: 3,
} as const

const lanes = Object.values(lanePlaces)
/** The runner of each lane needs two connections beside those of its jobs. */
export const queueConnections: number = lanes.reduce((sum, places) => sum + places + 2, 0)
/** One connection reads the snapshot, the other logs its patients. */
const exportConnections = 2

/** Each lane also holds a lock, and every long job may be an export. */
export const workerConnections: number = queueConnections + lanes.length + lanePlaces.long * exportConnections
