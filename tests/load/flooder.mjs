// Sends the same requests over and over on so many connections until its input ends. Prints how often each status came.
// A process of its own, so that it does not delay the one that measures.
import http from 'node:http'

const { ORIGIN = '', REQUESTS = '[]', CONNECTIONS = '16' } = process.env
/** @type {{ path: string, headers: Record<string, string> }[]} */
const requests = JSON.parse(REQUESTS)
/** @type {Record<string, number>} */
const statuses = {}
let stopping = false

/** @param {number} first */
async function connection(first) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (let at = first; !stopping; at++) {
    const { path, headers } = requests[at % requests.length] ?? { path: '/', headers: {} }
    const status = await new Promise((resolve) => {
      http
        .get(ORIGIN + path, { agent, headers }, (response) => {
          response.once('error', () => resolve('broken')).once('close', () => resolve(response.statusCode))
          response.resume()
        })
        .once('error', () => resolve('failed'))
    })
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  agent.destroy()
}

process.stdin.resume().once('end', () => {
  stopping = true
  process.stdout.write(JSON.stringify(statuses), () => process.exit(0))
})
for (let each = 0; each < Number(CONNECTIONS); each++) void connection(each)
