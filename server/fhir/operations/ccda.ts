/** `Patient/{id}/$ccda`: the current CCD, for callers who may read the whole chart. Browsers must not run its content. */
import { findAccess } from '../../auth/access.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import type { Ccd } from '../../ccd/ccd.ts'
import { pagePolicy } from '../../ccd/page.ts'
import { Problem } from '../../contract/http/problems.ts'
import { prefersPage } from '../../http/accept.ts'
import { streamText } from '../../http/compression.ts'
import { checkId } from '../../http/fhir-answer.ts'
import { checkCcd } from '../../search/patient-record.ts'
import type { Answer, HandlerCall } from '../handler.ts'

export async function ccda(
  { call, ccd, ask, readParameters }: HandlerCall,
  patientId: string,
): Promise<Answer> {
  const { request } = call
  const opened = await ask(async (principal, liveness) => {
    checkGrant(principal, patientId)
    if ((await readParameters()).length > 0) {
      throw new Problem('validation', {
        message: '$ccda accepts no parameters.',
        field: 'parameters',
        fhirIssue: 'not-supported',
      })
    }
    checkId(patientId)
    return ccd.open(principal.practice, patientId, liveness)
  })
  if (opened.ccd === null) throw new Problem('not_found')
  return ccdAnswer(request, opened.ccd)
}

/** Responds with XML, or with a page if the client prefers HTML. */
export async function ccdAnswer(request: Request, { xml, html, patientId }: Ccd): Promise<Answer> {
  const [contentType, policy, write] = prefersPage(request.headers.get('accept'))
    ? (['text/html; charset=utf-8', pagePolicy, html] as const)
    : ([
        'application/xml; charset=utf-8',
        "sandbox; default-src 'none'; frame-ancestors 'none'",
        xml,
      ] as const)
  const pieces = write()
  if (request.method === 'HEAD') await pieces.return?.()
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Content-Security-Policy': policy, Vary: 'Accept' },
    body: () => streamText(pieces),
    count: 1,
    patientId,
  }
}

/** @throws Problem `forbidden` or `not_found`, as `$everything` does */
export function checkGrant(principal: SmartPrincipal, patientId: string): void {
  checkCcd({ patientId, accessTo: (type, interaction) => findAccess(principal, type, interaction) })
}
