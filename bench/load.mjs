// The load, in a process of its own: what it computes is neither the server's nor the bench's.
import autocannon from 'autocannon'

/**
 * @typedef {object} Order
 * @property {string} origin
 * @property {{ path: string, method?: 'GET' | 'POST', headers?: Record<string, string>, body?: string }[]} requests
 *   sent over and over; each connection begins at another one
 * @property {number} connections
 * @property {number} [amount] requests, or else:
 * @property {number} [seconds]
 * @property {number} [perSecond] over all connections; as many as are answered without it
 *
 * @typedef {object} Load
 * @property {number} seconds
 * @property {Record<string, number>} statuses how often each came
 * @property {number} failed connections
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number} p99Ms
 * @property {number} cpuMicros of this process
 */

// With the bench it ends.
process.once('disconnect', () => process.exit())
process.on('message', (/** @type {{ id: number, order: Order }} */ { id, order }) => {
  run(order).then(
    (load) => answer({ id, load }),
    (error) => answer({ id, error: String(error) }),
  )
})

/** The bench may have ended meanwhile. @param {{ id: number, load?: Load, error?: string }} message */
function answer(message) {
  if (process.connected) process.send?.(message, () => {})
}

/** @param {Order} order @returns {Promise<Load>} */
function run({ origin, requests, connections, amount, seconds, perSecond }) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  /** @type {number[]} */
  const times = []
  /** @type {Record<string, number>} */
  const statuses = {}
  let begun = 0
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url: origin,
        requests: [{ method: 'GET' }],
        connections,
        ...(perSecond !== undefined && { overallRate: perSecond }),
        ...(amount === undefined ? { duration: seconds ?? 1 } : { amount }),
        setupClient: (client) => {
          const first = Math.floor((begun++ * requests.length) / connections)
          client.setRequests(
            [...requests.slice(first), ...requests.slice(0, first)].map((each) => ({
              method: 'GET',
              ...each,
            })),
          )
        },
      },
      (error, result) => {
        if (error) return reject(error)
        const { user, system } = process.cpuUsage(cpu)
        times.sort((one, other) => one - other)
        const at = (/** @type {number} */ share) =>
          times[Math.floor((times.length - 1) * share)] ?? Number.NaN
        resolve({
          seconds: (performance.now() - started) / 1_000,
          statuses,
          failed: result.errors,
          p50Ms: at(0.5),
          p95Ms: at(0.95),
          p99Ms: at(0.99),
          cpuMicros: user + system,
        })
      },
    )
    instance.on('response', (_client, status, _bytes, ms) => {
      times.push(ms)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
  })
}
