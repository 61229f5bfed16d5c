import { createServer } from 'node:net'

/**
 * A port no one listens on at 127.0.0.1, at this moment: another process may take it before it is used.
 * @returns {Promise<number>}
 */
export function findFreePort() {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
