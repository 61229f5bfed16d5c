// Requests one page at a steady rate, however long the responses take, and prints how often each status came.
import http from 'node:http'

const { URL_OF_PAGE = '', HEADERS = '{}', RATE = '1' } = process.env

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
    .get(URL_OF_PAGE, { agent, headers }, (response) => {
      response.resume().once('end', () => count(response.statusCode ?? 0))
    })
    .once('error', () => count('failed'))
}

const timer = setInterval(send, 1_000 / Number(RATE))
process.once('SIGTERM', () => {
  clearInterval(timer)
  process.stdout.write(JSON.stringify(statuses), () => process.exit(0))
})
