import { sandboxBase } from '../../lib/api-base.server.ts'
import { page } from '../../services.server.ts'
import { httpFile, postmanCollection } from './exports.server.ts'

export const loader = page(({ request, context }) => {
  const base = sandboxBase(context)
  return /\.http\/*$/i.test(new URL(request.url).pathname)
    ? fileOf('text/plain', 'sandpiper-sandbox.http', httpFile(base))
    : fileOf(
        'application/json',
        'sandpiper-sandbox.postman_collection.json',
        JSON.stringify(postmanCollection(base), null, 2),
      )
})

function fileOf(type: string, name: string, text: string): Response {
  return new Response(text, {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    },
  })
}
