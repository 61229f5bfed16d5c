import { pagePolicy } from '../../ccd/page.ts'
import { Problem } from '../../contract/http/problems.ts'
import { prefersPage } from '../../http/accept.ts'
import type { Handler } from '../handler-types.ts'

/** The record of access is committed before the first byte; what is wrong after that breaks the answer off. */
export const getCcda: Handler<'getCcda'> = async ({ params, accept, openCcd }) => {
  const ccd = await openCcd(params.id)
  if (ccd === null) throw new Problem('not_found')
  const { patientId } = ccd
  const text = prefersPage(accept)
    ? { headers: { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders }, pieces: ccd.html() }
    : {
        headers: { 'Content-Type': 'application/xml; charset=utf-8', Vary: 'Accept' },
        pieces: ccd.xml(),
      }
  return { body: '', count: 1, patientId, text }
}

/** The page brings one stylesheet of its own, and nothing that runs. */
const pageHeaders = { 'Content-Security-Policy': pagePolicy, Vary: 'Accept' }
