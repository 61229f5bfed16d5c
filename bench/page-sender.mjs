// Requests one page at a steady rate, however long the responses take, until its input ends. Prints how often each
// status came.
import http from 'node:http'

const { URL_OF_PAGE = '', HEADERS = '{}', RATE = '1' } = process.env
/** A visitor leaves. Otherwise the queue of a server that is too slow grows without end. */
const PATIENCE_MS = 10_000

/** @type {Record<string, number>} */
const statuses = {}
const agent = new http.Agent({ keepAlive: true })
const headers = JSON.parse(HEADERS)

/** @param {string | number} status */
function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1
}

function send() {
  http
    .get(URL_OF_PAGE, { agent, headers, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
      response
        .once('error', () => count('failed'))
        .resume()
        .once('end', () => count(response.statusCode ?? 0))
    })
    .once('error', () => count('failed'))
}

const timer = setInterval(send, 1_000 / Number(RATE))
process.stdin.resume().once('end', () => {
  clearInterval(timer)
  process.stdout.write(JSON.stringify(statuses), () => process.exit(0))
})
