// The floor: what Node itself needs to answer 2 KB. Every other figure is a multiple of it.
import http from 'node:http'

// With the bench it ends.
process.once('disconnect', () => process.exit())

const body = JSON.stringify({ text: 'x'.repeat(2_000) })

http
  .createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  .listen(Number(process.env.PORT), process.env.HOST)
