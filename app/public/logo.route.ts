/** An uploaded picture of an app. Its name is the hash of its bytes, so caches can store it for ever. */
import { data } from '@remix-run/server-runtime'
import { page } from '../services.server.ts'

export const loader = page(async ({ params, context }) => {
  const [, hash] = /^([0-9a-f]{64})\.png$/.exec(params.file ?? '') ?? []
  const bytes = hash === undefined ? null : await context.services.logos.find(hash)
  if (bytes === null) throw data(null, { status: 404 })
  return new Response(bytes, {
    headers: {
      'content-type': 'image/png',
      'content-length': String(bytes.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    },
  })
})
