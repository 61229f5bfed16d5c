/** The website of a made-up developer, on https under a name of its own: pages that open, and a key set. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'

type TidepathSite = {
  /** For the server's own process: it believes the site, and finds it. */
  environment: Record<string, string>
  close: () => Promise<void>
}

export const tidepathOrigin = 'https://tidepath.example'

/** @param folder keeps the certificate as long as the server runs */
export async function startTidepathSite(folder: string): Promise<TidepathSite> {
  const { key, cert } = makeCertificate(['tidepath.example'])
  const certificate = join(folder, 'tidepath.pem')
  writeFileSync(certificate, cert)
  const server = createServer({ key, cert }, (request, response) => {
    if (request.url === '/gone') response.writeHead(404).end()
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Tidepath</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    environment: {
      NODE_EXTRA_CA_CERTS: certificate,
      SANDPIPER_OUTBOUND_HOSTS: `tidepath.example=${(server.address() as AddressInfo).port}`,
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
