import { longDeadlineMs, page } from '../../services.server.ts'
import { getLab } from './sandbox.server.ts'

/** The current CCD of a person of the sandbox: to read, or with `?as=xml` as it is. */
export const loader = page(
  async (args) => {
    const { organization, actor, sandbox } = await getLab(args)
    const patientId = args.params.patient ?? ''
    const ccd = await sandbox.people.openCcd({ organizationId: organization.id, patientId }, actor)
    const isXml = new URL(args.request.url).searchParams.get('as') === 'xml'
    return new Response(streamOf(await (isXml ? ccd.xml() : ccd.html())), {
      headers: {
        'content-type': isXml ? 'application/xml; charset=utf-8' : 'text/html; charset=utf-8',
        'content-security-policy': ccd.policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
  { withinMs: longDeadlineMs },
)

function streamOf(pieces: AsyncIterableIterator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}
